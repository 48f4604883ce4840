"""The picture that a chat shows of a link to a hand."""

import string
import struct
from types import SimpleNamespace

import pytest
from flask import Flask
from hypothesis import example, given, settings
from hypothesis import strategies as st

from webapp.engine.cards import JOKER, STANDARD_DECK, parse_cards
from webapp.engine.label import Label
from webapp.web.hand_page import preview
from webapp.web.hand_page.preview import Subject, drawing, picture
from webapp.web.hand_page.text_layout import clipped, width_of
from webapp.web.i18n.translations import language

FULL_HOUSE = Subject(parse_cards("Qh 7s Qs 7c Qd"), "Full house, queens over sevens", 500)
LEFT, RIGHT = (0, 0, 44, 630), (1156, 0, 44, 630)
NAME = (450, 548, 300, 60)


def cut_out(content: str, box: tuple[int, int, int, int]) -> bytes:
    """What is drawn in one place of the picture."""
    left, top, width, height = box
    moved = f'<defs>{preview._LIGHT}</defs><g transform="translate({-left} {-top})">{content}</g>'
    return preview._drawn(preview._svg(moved, width, height))


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
    assert picture(FULL_HOUSE) != picture(Subject(parse_cards("Qh 7s Qs 7c Qc"), FULL_HOUSE.title, 500))


def test_another_score_is_another_picture() -> None:
    assert picture(FULL_HOUSE) != picture(Subject(FULL_HOUSE.cards, FULL_HOUSE.title, 600))


def test_a_hand_won_and_doubled_has_a_second_line() -> None:
    assert picture(FULL_HOUSE) != picture(Subject(FULL_HOUSE.cards, f"{FULL_HOUSE.title}\nKing beats nine", 500))


def test_every_letter_is_really_drawn() -> None:
    """A renderer that lacks the font, or a letter of it, says nothing and draws nothing, or always the same box."""
    letters = string.ascii_letters + string.digits + ".,:;'’-–—×…&+/()!?"
    shapes = [cut_out(preview._text(letter, 40, 10, 45, "#fff", "start"), (0, 0, 60, 60)) for letter in letters]
    assert len(set(shapes)) == len(letters)
    assert cut_out("", (0, 0, 60, 60)) not in shapes
    assert not is_empty(preview._signature(), NAME)


def test_the_space_for_text_is_the_space_it_takes() -> None:
    """Our own measure against the renderer's."""
    text, size = "Straight flush to the queen 999,999,999", 50
    end = int(width_of(text, size)) + 10
    drawn = preview._text(text, size, 10, 60, "#fff", "start")
    assert is_empty(drawn, (end + 4, 0, 100, 100))
    assert not is_empty(drawn, (end - 30, 0, 30, 100))


@settings(max_examples=25)
@given(st.lists(st.text(string.ascii_letters + "    ,", max_size=120), min_size=1, max_size=5).map("\n".join))
@example("Full house, queens over sevens")
@example("W" * 300)
@example("\n".join(["Four hands, and much to say about every one of them: " * 4] * 4))
def test_no_title_leaves_the_felt_or_the_cards_without_room(title: str) -> None:
    drawn, below = preview._title(title)
    assert drawn.count("<text") <= 2 * 3
    assert below <= 220
    for edge in (LEFT, RIGHT, (0, 0, 1200, 32), (0, int(below) + 8, 1200, 300)):
        assert is_empty(drawn, edge)


@pytest.mark.parametrize("most", [1, 2, 3])
@pytest.mark.parametrize("words", range(1, 40))
def test_what_is_left_out_of_a_title_has_left_dots(words: int, most: int) -> None:
    """Whole, or cut once, at its end."""
    text = ("word " * words).strip()
    lines = [line for line, _ in clipped(text, 46, most, 1040)]
    assert len(lines) <= most and all(width_of(line, 46) <= 1040 for line in lines)
    said = " ".join(lines)
    assert said == text or (said.count("…") == 1 and said[-1] == "…" and text.startswith(said[:-1]) and len(said) > 30)


def test_the_largest_score_fits() -> None:
    drawn, below = preview._score(999_999_999, 200)
    for edge in (LEFT, RIGHT, (0, int(below) + 16, 1200, 300)):
        assert is_empty(drawn, edge)


@pytest.mark.parametrize("top", [200, 300])
@pytest.mark.parametrize("count", [0, 1, 2, 3, 5, 6, 10, 16])
def test_any_number_of_cards_fits(count: int, top: int) -> None:
    """Between the rims, under the score, above the name."""
    art = preview._shapes() + "".join(preview._symbols().values())
    drawn = f"<defs>{art}</defs>{preview._hand(STANDARD_DECK[:count], top)}"
    for edge in (LEFT, RIGHT, (0, 0, 1200, top - 1), NAME):
        assert is_empty(drawn, edge)
    assert drawn.count('href="#shadow"') == max(count, 1)


def test_every_card_has_its_own_face() -> None:
    names = [preview._symbol(card) for card in (*STANDARD_DECK, JOKER, None)]
    assert len({preview._symbols()[name] for name in names}) == 54


def test_only_the_cards_shown_are_carried_along() -> None:
    svg = drawing(FULL_HOUSE)
    assert svg.count("<symbol ") == 5
    assert 'id="c-Qh"' in svg


def test_red_cards_are_red() -> None:
    hearts, spades = (preview._card(card, 0, 0, 0, 1) for card in parse_cards("Qh Qs"))
    assert preview._RED in hearts
    assert preview._RED not in spades


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_the_picture_speaks_english_whoever_asks(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preview, "say", lambda label: f"{label.code} in {language()}")
    labels = (Label("FULL_HOUSE"), Label("DOUBLE_WIN"))
    game = SimpleNamespace(summary_cards=lambda state: state)
    hand = SimpleNamespace(game=game, last=FULL_HOUSE.cards, labels=labels, seats=(), score=500)
    with app.test_request_context(headers={"Accept-Language": "ja"}):
        subject = preview.subject_of(hand)
        assert str(language()) == "ja"
    assert subject == Subject(FULL_HOUSE.cards, "FULL_HOUSE in en\nDOUBLE_WIN in en", 500)
