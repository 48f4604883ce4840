"""The notation of cards, in both directions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.engine.cards import (
    JOKER,
    RANK_LETTERS,
    RANKS,
    STANDARD_DECK,
    SUIT_LETTERS,
    SUITS,
    Card,
    Rank,
    Suit,
    format_cards,
    parse_cards,
)
from webapp.engine.errors import EngineError, NotationError

hands = st.lists(st.sampled_from([*STANDARD_DECK, JOKER]), max_size=60).map(tuple)


@given(hands)
def test_what_is_written_is_read_back(cards):
    assert parse_cards(format_cards(cards)) == cards
    assert parse_cards("".join(map(str, cards))) == cards


@given(st.text(alphabet="23456789TJQKAcdhskx1 \t\n２ｈ", max_size=12))
def test_a_text_is_cards_or_is_refused_and_nothing_else_happens(text):
    try:
        cards = parse_cards(text)
    except NotationError:
        return
    assert "".join(map(str, cards)) == text.replace(" ", "")


def test_a_deck_has_each_of_52_cards_once_and_no_joker():
    assert len(STANDARD_DECK) == len(set(STANDARD_DECK)) == 52
    assert {str(card) for card in STANDARD_DECK} == {rank + suit for rank in RANK_LETTERS for suit in SUIT_LETTERS}
    assert not any(card.is_joker for card in STANDARD_DECK)


def test_a_card_is_spelled_rank_then_suit():
    assert parse_cards("Qh 2c Td As Jk") == (
        Card(Rank.QUEEN, Suit.HEARTS),
        Card(Rank.TWO, Suit.CLUBS),
        Card(Rank.TEN, Suit.DIAMONDS),
        Card(Rank.ACE, Suit.SPADES),
        JOKER,
    )


def test_no_text_is_no_cards():
    assert parse_cards("") == parse_cards("  ") == ()
    assert format_cards(()) == ""


def test_spaces_between_cards_do_not_matter():
    assert parse_cards("AhKd") == parse_cards("Ah Kd") == parse_cards(" Ah  Kd ")


@pytest.mark.parametrize(
    "text, wrong",
    [
        ("Ax", "Ax"),
        ("ah", "ah"),
        ("AH", "AH"),
        ("1h", "1h"),
        ("10h", "10"),
        ("Ah K", "K"),
        ("jk", "jk"),
        ("Jx", "Jx"),
        ("Ah\tKd", "\\tK"),
        ("Ah,Kd", ",K"),
        ("２h", "２h"),
        ("٣h", "٣h"),
        ("A♥", "A♥"),
        ("🂡", "🂡"),
        ("Ah\n", "\\n"),
    ],
)
def test_a_text_that_is_no_card_is_refused_by_name(text, wrong):
    with pytest.raises(NotationError, match="^not a card: ") as refused:
        parse_cards(text)
    assert wrong in str(refused.value)
    assert isinstance(refused.value, EngineError)
    assert refused.value.code == "bad-notation"


def test_the_ace_is_high_and_the_joker_has_a_rank_below_all():
    assert max(Rank) is Rank.ACE
    assert min(Rank) is Rank.JOKER
    assert Rank.JOKER not in RANKS
    assert list(RANKS) == sorted(RANKS)
    assert len(RANKS) == 13


def test_two_suits_share_no_bit_and_the_joker_suits_them_all():
    for one in SUITS:
        assert [other for other in SUITS if one & other] == [one]
        assert one & JOKER.suit


def test_cards_of_one_name_are_equal_whichever_deck_they_come_from():
    assert Card(Rank.SEVEN, Suit.SPADES) == parse_cards("7s")[0]
    assert len({Card(Rank.SEVEN, Suit.SPADES), *parse_cards("7s7s")}) == 1


def test_a_card_cannot_be_changed():
    with pytest.raises(AttributeError):
        STANDARD_DECK[0].rank = Rank.ACE
