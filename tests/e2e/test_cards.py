"""The pictures of the cards, measured: small symbols are large enough to read, and nothing overlaps."""

import pytest
from playwright.sync_api import Page

from tests.e2e.conftest import Visit

# One card alone, 400 units of a pixel wide, with the parts of it that can be seen.
PARTS = """async ([card, width, print]) => {
  const sprite = document.querySelector("main use").getAttribute("href").split("#")[0];
  const text = await (await fetch(sprite)).text();
  const drawing = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  const box = document.createElement("div");
  box.className = `card card--${card[1]}`;
  const face = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  face.setAttribute("class", "card__face");
  face.setAttribute("viewBox", "0 0 100 140");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  const symbol = drawing.querySelector(`#c-${card}`);
  face.append(drawing.querySelector("defs"), use, ...symbol.children);
  box.append(face);
  document.body.append(box);
  box.style.setProperty("--card-w", `${width}px`);
  const half = face.querySelector(`[id="${card}"]`);
  const twin = half.cloneNode(true);
  twin.setAttribute("transform", "rotate(180 50 70)");
  half.after(twin);
  const style = getComputedStyle(use);
  face.style.setProperty("--print", print);
  for (const name of ["--pips", "--large"]) face.style.setProperty(name, style.getPropertyValue(name));
  const left = face.getBoundingClientRect();
  const seen = Array.from(face.querySelectorAll("use"))
    .filter((part) => /^#[ihjkqlrgn]/.test(part.getAttribute("href")) && !part.closest("defs"))
    .map((part) => [part.getAttribute("href").slice(1), part.getBoundingClientRect()])
    .filter(([, part]) => part.width > 0)
    .map(([name, part]) => [name, ...[part.left - left.left, part.top - left.top, part.width, part.height]
      .map((number) => number * 100 / left.width)]);
  box.remove();
  return seen;
}"""
PEN = 1.9  # half the width of the pen that ranks are drawn with, of which a box knows nothing
Part = tuple[str, float, float, float, float]


@pytest.fixture
def table(visit: Visit) -> Page:
    page = visit()
    page.goto("/")
    return page


def parts(page: Page, card: str, width: int, large_print: bool = False) -> list[Part]:
    return [tuple(part) for part in page.evaluate(PARTS, [card, width, "inline" if large_print else "none"])]


def grown(part: Part) -> tuple[float, float, float, float]:
    name, x, y, width, height = part
    by = {"i": PEN, "h": PEN, "g": 2.2 * PEN}.get(name[0], 0)
    return x - by, y - by, x + width + by, y + height + by


def touching(found: list[Part]) -> list[tuple[str, str]]:
    pairs = [(one, other) for n, one in enumerate(found) for other in found[:n]]
    return [(one[0], other[0]) for one, other in pairs if meet(grown(one), grown(other))]


def meet(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@pytest.mark.parametrize("suit", "cdhs")
def test_neither_pips_nor_indexes_touch_each_other(table: Page, suit: str) -> None:
    for rank in "23456789T":
        found = parts(table, rank + suit, 88)
        assert len([part for part in found if part[0][0] == "q"]) == "0023456789T".index(rank), rank
        assert touching(found) == [], rank


def test_the_suit_of_the_index_is_seven_tenths_of_a_pip(table: Page) -> None:
    found = {part[0]: part for part in parts(table, "9h", 88)}
    assert found["jh"][3] == pytest.approx(0.7 * found["qh"][3], rel=0.02)


@pytest.mark.parametrize(
    ("width", "large"), [(36, True), (54, True), (63, True), (64, False), (88, False), (176, False)]
)
def test_a_card_of_less_than_64_pixels_has_one_large_suit(table: Page, width: int, large: bool) -> None:
    names = [part[0] for part in parts(table, "8c", width)]
    assert [name for name in names if name[0] in "lq"] == (["lc"] if large else ["qc"] * 8)
    assert sorted({name for name in names if name[0] in "ih"}) == (["h8"] if large else ["i8"])


@pytest.mark.parametrize("suit", "cdhs")
def test_in_large_print_rank_and_suit_fill_the_half_that_a_fan_leaves_uncovered(table: Page, suit: str) -> None:
    uncovered = 56
    for rank in "A23456789TJQK":
        found = [part for part in parts(table, rank + suit, 88, large_print=True) if part[0][0] in "gn"]
        index = [grown(part) for part in found]
        assert len(index) == 2, rank
        assert touching(found) == [], rank
        assert min(part[0] for part in index) >= 2, rank
        assert max(part[2] for part in index) <= uncovered, rank
        assert sum(part[3] - part[1] for part in index) >= 100, rank
        assert min(part[2] - part[0] for part in index) >= 36, rank
