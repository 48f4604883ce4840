import itertools
import runpy
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from webapp.web.hand_page import picture_drawing

MAKER = Path(__file__).parents[3] / ".packaging" / "make_cards.py"

SVG = "{http://www.w3.org/2000/svg}"
LINK = "href"
NUMBERS = {rank: number for number, rank in enumerate("23456789T", 2)}


def places_of_pips(card: str) -> list[tuple[float, float]]:
    """Return the positions of the pips of a card; rotated ones are listed with both positions."""
    symbol = ET.fromstring(picture_drawing.symbols()[f"c-{card}"])  # noqa: S314  # our own file
    turned = symbol.find(f".//{SVG}g[@id='{card}']")
    assert turned is not None
    own = [(float(use.attrib["x"]), float(use.attrib["y"])) for use in symbol.iter(f"{SVG}use") if is_pip(use)]
    twice = [(float(use.attrib["x"]), float(use.attrib["y"])) for use in turned.iter(f"{SVG}use") if is_pip(use)]
    return [*own, *((100 - x, 140 - y) for x, y in twice)]


def is_pip(use: ET.Element) -> bool:
    return use.attrib[LINK].startswith("#q")


@pytest.mark.parametrize("suit", "cdhs")
@pytest.mark.parametrize(("rank", "number"), NUMBERS.items())
def test_a_card_has_as_many_pips_as_its_number_says(rank: str, number: int, suit: str) -> None:
    assert len(set(places_of_pips(rank + suit))) == len(places_of_pips(rank + suit)) == number


@pytest.mark.parametrize("rank", NUMBERS)
def test_pips_stand_in_columns_at_a_third_and_two_thirds(rank: str) -> None:
    assert {x for x, _ in places_of_pips(f"{rank}h")} <= {33, 50, 67}


@pytest.mark.parametrize("rank", "9T")
def test_nine_and_ten_have_four_rows_at_equal_distances(rank: str) -> None:
    for column in (33, 67):
        rows = sorted(y for x, y in places_of_pips(f"{rank}s") if x == column)
        assert len(rows) == 4
        assert len({below - above for above, below in itertools.pairwise(rows)}) == 1


@pytest.mark.parametrize("name", ["c-7d", "c-Ks", "c-Ac", "c-Jk", "c-back"])
def test_a_symbol_leaves_nothing_to_a_style_sheet(name: str) -> None:
    assert "var(" not in picture_drawing.symbols()[name]


def test_the_sprite_is_the_one_that_is_made_of_its_shapes() -> None:
    assert picture_drawing.SPRITE.read_text(encoding="utf-8") == runpy.run_path(str(MAKER))["sprite"]()


@pytest.mark.parametrize(("name", "most"), [("c-back", 20), ("c-9h", 50), ("c-Kh", 135), ("c-Jk", 60)])
def test_a_browser_copies_few_elements_for_a_card(name: str, most: int) -> None:
    """The elements copied for each card are what makes moving cards slow: the back alone once had 1336."""
    root = ET.parse(picture_drawing.SPRITE).getroot()  # noqa: S314  # our own file
    known = {element.attrib["id"]: element for element in root.iter() if "id" in element.attrib}

    def copied(element: ET.Element) -> int:
        used = [known[use.attrib[LINK][1:]] for use in element.iter(f"{SVG}use")]
        return len(list(element.iter())) + sum(map(copied, used))

    assert copied(known[name]) <= most
