"""The pile that cards are dealt from."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.engine.cards import STANDARD_DECK, Stock, parse_cards
from webapp.engine.errors import SetupError


@given(st.lists(st.integers(0, 9), max_size=12))
def test_taking_in_parts_is_taking_at_once(parts):
    stock, taken = Stock(STANDARD_DECK), ()
    for n in parts:
        if n > len(stock):
            with pytest.raises(SetupError):
                stock.take(n)
            break
        cards, stock = stock.take(n)
        taken += cards
    assert taken == STANDARD_DECK[: len(taken)]
    assert len(stock) == 52 - len(taken)
    assert stock.cards == STANDARD_DECK


def test_a_stock_that_was_taken_from_is_a_new_one():
    before = Stock(parse_cards("Ah Kd Qc"))
    cards, after = before.take(2)
    assert cards == parse_cards("Ah Kd")
    assert (len(before), len(after)) == (3, 1)
    assert before.take(2) == (cards, after)


def test_the_last_card_can_be_taken_and_then_none():
    cards, stock = Stock(parse_cards("Ah")).take(1)
    assert cards == parse_cards("Ah")
    assert len(stock) == 0
    assert stock.take(0) == ((), stock)
    with pytest.raises(SetupError, match="1 cards wanted, 0 left"):
        stock.take(1)


def test_more_than_there_are_is_refused():
    with pytest.raises(SetupError, match="6 cards wanted, 5 left") as refused:
        Stock(parse_cards("2h3h4h5h6h")).take(6)
    assert refused.value.code == "bad-setup"
