"""The common holds of a table: in the order in which players learn them, and each the best of its example."""

from fractions import Fraction

import pytest

from webapp.engine.action import Action
from webapp.engine.cards import format_cards
from webapp.engine.games import GAMES
from webapp.engine.odds import odds_of
from webapp.engine.odds.draw.spot import spot
from webapp.engine.odds.value import CommonHold, MemoryStore, NoOdds

pytestmark = pytest.mark.slow

VIDEO, JOKER = GAMES["video"], GAMES["joker"]

# The published order of 9/6 Jacks or Better (Wizard of Odds), without what is too rare to be listed.
NINE_SIX = [
    "FOUR_OF_A_KIND",
    "HELD_ROYAL 4",
    "FULL_HOUSE",
    "FLUSH",
    "THREE_OF_A_KIND",
    "STRAIGHT",
    "HELD_STRAIGHT_FLUSH 4",
    "TWO_PAIR",
    "JACKS_OR_BETTER",
    "HELD_ROYAL 3",
    "HELD_FLUSH 4",
    "ONE_PAIR",
    "HELD_STRAIGHT_OPEN 4",
    "HELD_ROYAL 2",
    "HELD_STRAIGHT_FLUSH 3",
    "HELD_STRAIGHT 4",
    "HELD_STRAIGHT 3",
    "HELD_HIGH_TWO",
    "HELD_HIGH_ONE",
    "HELD_NONE",
]


def holds(game: str, table: str, store: MemoryStore) -> tuple[CommonHold, ...]:
    return odds_of(GAMES[game]).common_holds(table, store)  # type: ignore[attr-defined, no-any-return]


def names(rows: tuple[CommonHold, ...], wilds: int = 0) -> list[str]:
    return [" ".join(map(str, (row.label.code, *dict(row.label.args).values()))) for row in rows if row.wilds == wilds]


def test_the_holds_of_nine_six_are_in_the_published_order(store: MemoryStore) -> None:
    assert names(holds("video", "jacks-9-6", store)) == NINE_SIX


def test_where_kings_pay_three_to_a_royal_come_before_a_pair_of_them(store: MemoryStore) -> None:
    order = names(holds("joker", "kings-or-better", store))
    assert order.index("HELD_ROYAL 3") < order.index("KINGS_OR_BETTER") < order.index("HELD_FLUSH 4")


def test_with_deuces_hands_are_apart_by_their_number(store: MemoryStore) -> None:
    rows = holds("video", "deuces-full", store)
    assert [row.wilds for row in rows] == sorted((row.wilds for row in rows), reverse=True)
    assert names(rows, 3) == ["HELD_WILD"]
    assert names(rows, 2)[-3:] == ["HELD_ROYAL 4", "HELD_STRAIGHT_FLUSH 4", "HELD_WILD"]
    assert names(rows, 1)[-1] == "HELD_WILD"
    assert "TWO_PAIR" not in names(rows), "full pay: one of the two pairs is held"
    assert "TWO_PAIR" in names(holds("video", "deuces-illinois", store))


@pytest.mark.parametrize("table", ["jacks-9-6", "double-double-9-6", "deuces-full"])
def test_each_example_is_held_best_as_it_is_shown_and_all_together_are_nearly_every_hand(
    table: str, store: MemoryStore
) -> None:
    rows, odds = holds("video", table, store), odds_of(VIDEO)
    for row in rows:
        decision = odds.decision(spot(VIDEO, table, format_cards(row.hand)), store)
        assert decision.cost(Action.parse("-".join(["hold", *map(str, row.positions)]))) == 0
    assert 0.995 < sum(row.share for row in rows) <= 1
    whole = odds.game(table, store).value
    assert isinstance(whole, Fraction)
    assert 0 <= float(whole) - sum(row.share * row.value for row in rows) < 0.03


def test_before_several_exchanges_no_order_is_given(store: MemoryStore) -> None:
    with pytest.raises(NoOdds):
        holds("joker", "arcade", store)
