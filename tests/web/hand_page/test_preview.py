"""The picture that chats show for a link to a hand."""

import string
import struct
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.support.languages import CODES
from webapp.engine.cards import JOKER, STANDARD_DECK, Card, parse_cards
from webapp.engine.games import GAMES
from webapp.web.hand_page import picture_drawing, picture_preview, picture_text
from webapp.web.hand_page.picture_preview import drawing, picture
from webapp.web.hand_page.picture_subject import ShownGroup, Subject
from webapp.web.hand_page.picture_text import clipped, fitted, is_drawable, width_of
from webapp.web.i18n.translations import use_language
from webapp.web.i18n.vocabulary import WORDS, card_title, category_name, day, game_name


def subject(shown: tuple[Card, ...], title: str, amount: str) -> Subject:
    return Subject((ShownGroup(shown),), title, amount)


FULL_HOUSE = subject(parse_cards("Qh 7s Qs 7c Qd"), "Full house, queens over sevens", "500")
FULL_HOUSE_CARDS = FULL_HOUSE.groups[0].cards
LEFT, RIGHT = (0, 0, 44, 630), (1156, 0, 44, 630)
NAME = (450, 548, 300, 60)


def cut_out(content: str, box: tuple[int, int, int, int]) -> bytes:
    """Return the pixels of a part of the picture."""
    left, top, width, height = box
    moved = f'<defs>{picture_drawing.LIGHT}</defs><g transform="translate({-left} {-top})">{content}</g>'
    return picture_preview._drawn(picture_drawing.svg_of(moved, width, height))


def is_empty(content: str, box: tuple[int, int, int, int]) -> bool:
    return cut_out(content, box) == cut_out("", box)


def test_it_is_a_png_of_the_size_that_chats_want() -> None:
    png = picture(FULL_HOUSE)
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">LL", png[16:24]) == (1200, 630)
    assert len(png) < 300_000


def test_the_same_hand_is_the_same_picture() -> None:
    assert picture.__wrapped__(FULL_HOUSE) == picture.__wrapped__(FULL_HOUSE)


def test_another_card_is_another_picture() -> None:
    assert picture(FULL_HOUSE) != picture(subject(parse_cards("Qh 7s Qs 7c Qc"), FULL_HOUSE.title, "500"))


def test_another_score_is_another_picture() -> None:
    assert picture(FULL_HOUSE) != picture(subject(FULL_HOUSE_CARDS, FULL_HOUSE.title, "600"))


def test_a_hand_won_and_doubled_has_a_second_line() -> None:
    assert picture(FULL_HOUSE) != picture(subject(FULL_HOUSE_CARDS, f"{FULL_HOUSE.title}\nKing beats nine", "500"))


def test_every_letter_is_really_drawn() -> None:
    """A renderer without the font, or without a glyph, silently draws nothing or the same box for each letter."""
    letters = string.ascii_letters + string.digits + ".,:;'’-–—×…&+/()!?·"
    shapes = [cut_out(picture_text.text_at(letter, 40, 10, 45, "#fff", "start"), (0, 0, 60, 60)) for letter in letters]
    assert len(set(shapes)) == len(letters)
    assert cut_out("", (0, 0, 60, 60)) not in shapes
    assert not is_empty(picture_drawing._signature(), NAME)


def test_the_space_for_text_is_the_space_it_takes() -> None:
    """Compares our measurement of text with the renderer's."""
    text, size = "Straight flush to the queen 999,999,999", 50
    end = int(width_of(text, size)) + 10
    drawn = picture_text.text_at(text, size, 10, 60, "#fff", "start")
    assert is_empty(drawn, (end + 4, 0, 100, 100))
    assert not is_empty(drawn, (end - 30, 0, 30, 100))


@settings(max_examples=25)
@given(st.lists(st.text(string.ascii_letters + "    ,", max_size=120), min_size=1, max_size=5).map("\n".join))
@example("Full house, queens over sevens")
@example("W" * 300)
@example("\n".join(["Four hands, and much to say about every one of them: " * 4] * 4))
def test_no_title_leaves_the_felt_or_the_cards_without_room(title: str) -> None:
    drawn, below = picture_text.title(title)
    assert drawn.count("<text") <= 2 * 3
    assert below <= 220
    for edge in (LEFT, RIGHT, (0, 0, 1200, 32), (0, int(below) + 8, 1200, 300)):
        assert is_empty(drawn, edge)


@pytest.mark.parametrize("most", [1, 2, 3])
@pytest.mark.parametrize("count", range(1, 40))
def test_what_is_left_out_of_a_title_has_left_dots(count: int, most: int) -> None:
    """A title is whole, or cut once, at its end."""
    text = ("word " * count).strip()
    lines = [line for line, _ in clipped(text, 46, most, 1040)]
    assert len(lines) <= most and all(width_of(line, 46) <= 1040 for line in lines)
    said = " ".join(lines)
    assert said == text or (said.count("…") == 1 and said[-1] == "…" and text.startswith(said[:-1]) and len(said) > 30)


def test_the_largest_score_fits() -> None:
    drawn, below = picture_text.score("+999,999,999", True, 200)
    for edge in (LEFT, RIGHT, (0, int(below) + 16, 1200, 300)):
        assert is_empty(drawn, edge)


@pytest.mark.parametrize("top", [200, 300])
@pytest.mark.parametrize("count", [0, 1, 2, 3, 5, 6, 10, 16])
def test_any_number_of_cards_fits(count: int, top: int) -> None:
    """Within the margins, below the score, above the name."""
    art = picture_drawing.shapes() + "".join(picture_drawing.symbols().values())
    drawn = f"<defs>{art}</defs>{picture_drawing._hand(STANDARD_DECK[:count], top)}"
    for edge in (LEFT, RIGHT, (0, 0, 1200, top - 1), NAME):
        assert is_empty(drawn, edge)
    assert drawn.count('href="#shadow"') == max(count, 1)


@pytest.mark.parametrize("count", [1, 5, 10])
@pytest.mark.parametrize("text", ["played with help", "W" * 300])
def test_small_print_fits_between_the_cards_and_the_name(text: str, count: int) -> None:
    print_alone = picture_text.small_print(text)
    for edge in (LEFT, RIGHT, (0, 0, 1200, 506), (0, 544, 1200, 86)):
        assert is_empty(print_alone, edge)
    assert not is_empty(print_alone, (0, 506, 1200, 38))
    art = picture_drawing.shapes() + "".join(picture_drawing.symbols().values())
    for groups in ((ShownGroup(STANDARD_DECK[:count]),), (ShownGroup(STANDARD_DECK[:count], "a", "+1"),) * 4):
        drawn = f"<defs>{art}</defs>{picture_drawing.card_groups(groups, 220, has_print=True)}"
        assert is_empty(drawn, (0, 508, 1200, 122))


@pytest.mark.parametrize("code", [code for code in CODES if code != "en"])
def test_every_word_of_the_games_can_be_drawn_in_every_language_of_the_site(code: str) -> None:
    with use_language(code):
        words = [*map(game_name, GAMES), *map(category_name, WORDS.outcomes), *map(card_title, (*STANDARD_DECK, JOKER))]
        words.append(day("2026-11-22"))
    assert [word for word in words if not is_drawable(word, code)] == []


@pytest.mark.parametrize("letter", "手複额")
def test_letters_that_are_not_latin_are_really_drawn(letter: str) -> None:
    code = {"手": "ja", "複": "zh-Hant", "额": "zh"}[letter]
    asked, none = subject(FULL_HOUSE_CARDS, letter, ""), subject(FULL_HOUSE_CARDS, " ", "")
    drawn = picture(replace(asked, language=code))
    assert drawn not in (picture(replace(none, language=code)), picture(asked)), (
        "without the font it is another picture"
    )


def test_lines_without_spaces_are_broken_between_letters_and_not_before_punctuation() -> None:
    lines = [line for line, _ in fitted("フルハウス、キングとジャックが来ました。次のゲームもどうぞ。", [40], 3, 500)]
    assert len(lines) > 1
    assert all(width_of(line, 40) <= 500 for line in lines)
    assert not any(line.startswith(("、", "。")) for line in lines)
    assert "フルハウス" in lines[0]
    assert "".join(lines) == "フルハウス、キングとジャックが来ました。次のゲームもどうぞ。"


def test_every_card_has_its_own_face() -> None:
    names = [picture_drawing.symbol_of(card) for card in (*STANDARD_DECK, JOKER, None)]
    assert len({picture_drawing.symbols()[name] for name in names}) == 54


def test_only_the_cards_shown_are_carried_along() -> None:
    svg = drawing(FULL_HOUSE)
    assert svg.count("<symbol ") == 5
    assert 'id="c-Qh"' in svg


def test_red_cards_are_red() -> None:
    hearts, spades = (picture_drawing._card(card, 0, 0, 0, 1) for card in parse_cards("Qh Qs"))
    assert picture_drawing._RED in hearts
    assert picture_drawing._RED not in spades


@pytest.mark.parametrize("count", [2, 3, 5, 6, 7, 13])
@pytest.mark.parametrize("size", [0, 1, 2, 5, 11])
def test_any_number_of_groups_fits(count: int, size: int) -> None:
    """Within the margins, below the title, above the name; no group overlaps another."""
    groups = tuple(ShownGroup(STANDARD_DECK[:size], "W" * 24, "+999,999") for _ in range(count))
    art = picture_drawing.shapes() + "".join(picture_drawing.symbols().values())
    drawn = picture_drawing.card_groups(groups, 220)
    for edge in (LEFT, RIGHT, (0, 0, 1200, 219), NAME):
        assert is_empty(f"<defs>{art}</defs>{drawn}", edge)
    assert drawn.count('href="#shadow"') == count * max(size, 1)


def test_groups_say_what_became_of_them() -> None:
    drawn = picture_drawing.card_groups(
        (ShownGroup(STANDARD_DECK[:2], "Hand: 20", "+10"), ShownGroup(STANDARD_DECK[2:4])), 200
    )
    assert drawn.count(">Hand: 20</text>") == drawn.count(">+10</text>") == 2
