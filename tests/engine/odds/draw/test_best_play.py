"""The return of optimal play, against published figures."""

from collections.abc import Iterator
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pytest

from webapp.engine.draw_poker.double_up import DoubleUp
from webapp.engine.games import GAMES
from webapp.engine.games.video import GAME as VIDEO
from webapp.engine.games.video.tables import RETURNS
from webapp.engine.odds import odds_of
from webapp.engine.odds.draw.best_play import kinds_of_hands
from webapp.engine.odds.draw.final_hands import CHOOSE_ARRAY, COLUMNS, HandLines, LineTables
from webapp.engine.odds.draw.hold_counts import draws, hold_counts_of_many
from webapp.engine.odds.value import MemoryStore

PIECE = 16_384


def test_jacks_or_better_returns_what_is_published(store: MemoryStore) -> None:
    """Wizard of Odds, 9/6 Jacks or Better: 99.5439 %."""
    value = odds_of(VIDEO).game("jacks-9-6", store)
    assert value.value == Fraction(1653526326983, 1661102543100)
    assert (value.figure, value.method.exact) == ("value", True)
    assert float(value.value) == pytest.approx(0.99543904369512)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("table", "published"),
    [
        ("jacks-8-5", 0.972984),
        ("jacks-6-5", 0.949961),
        ("bonus-8-5", 0.991660),
        ("double-bonus-10-7", 1.001725),
        ("double-double-9-6", 0.989808),
        ("deuces-full", 1.007620),
        ("deuces-illinois", 0.997283),
    ],
)
def test_every_table_of_video_poker_returns_what_is_published(table: str, published: float, store: MemoryStore) -> None:
    assert float(odds_of(VIDEO).game(table, store).value) == pytest.approx(published, abs=5e-7)


@pytest.mark.slow
@pytest.mark.parametrize("table", VIDEO.spec.variants)
def test_the_return_beside_the_name_of_a_table_is_that_of_its_odds(table: str, store: MemoryStore) -> None:
    assert odds_of(VIDEO).game(table, store).value == RETURNS[table]


def played(table: str, store: MemoryStore, hands: int, chance: np.random.Generator) -> Iterator[Any]:
    """Yield what hands are paid whose cards come by chance and which hold what is best, in pieces."""
    pay_table = VIDEO.rules(table).pay_table
    tables, lines = LineTables.of(pay_table, 0, store), HandLines(pay_table, 52).all()
    pays = np.array([0, *(line.pays for line in pay_table.lines)])
    weights = np.pad(pays, (0, COLUMNS - len(pays)))
    for start in range(0, hands, PIECE):
        cards = chance.random((min(PIECE, hands - start), 52)).argpartition(range(10), axis=1)[:, :10]
        hand = np.sort(cards[:, :5], axis=1)
        counts = hold_counts_of_many(tables, hand, lines[CHOOSE_ARRAY[hand, np.arange(1, 6)].sum(axis=1)])
        best = (counts @ weights / np.array(draws(52))[:, None]).argmax(axis=0)
        final = np.sort(np.where(best[:, None] >> np.arange(5) & 1, hand, cards[:, 5:]), axis=1)
        yield pays[lines[CHOOSE_ARRAY[final, np.arange(1, 6)].sum(axis=1)]]


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("table", VIDEO.spec.variants)
def test_ten_million_hands_earn_what_is_promised(table: str, store: MemoryStore) -> None:
    hands, total, squares = 10_000_000, 0, 0
    for paid in played(table, store, hands, np.random.default_rng(1)):
        total, squares = total + int(paid.sum()), squares + int((paid * paid).sum())
    mean = total / hands
    error = ((squares / hands - mean**2) / hands) ** 0.5
    assert abs(mean - float(RETURNS[table])) < 3 * error


def test_an_own_pay_table_returns_what_the_same_named_one_does(store: MemoryStore) -> None:
    odds = odds_of(VIDEO)
    assert odds.game("jacks,full_house=8,flush=5", store).value == RETURNS["jacks-8-5"]
    assert odds.game("jacks,full_house=8", store).value < RETURNS["jacks-9-6"]


def test_joker_poker_returns_what_is_published(store: MemoryStore) -> None:
    """Wizard of Odds, Joker Poker, kings or better, full pay: 100.6463 %."""
    value = odds_of(GAMES["joker"]).game("kings-or-better", store).value
    assert value == Fraction(412127554537, 409481092020)
    assert float(value) == pytest.approx(1.00646, abs=5e-6)


def test_a_double_up_with_pushes_changes_no_return(store: MemoryStore) -> None:
    odds = odds_of(GAMES["joker"])
    for table in ("kings-or-better", "arcade-1"):
        assert odds.game(table, store).value == odds.game(f"{table}-double", store).value


def test_the_score_of_quest_poker_is_worth_more_where_ties_win(store: MemoryStore) -> None:
    quest, ties_win = (odds_of(GAMES["poker"]).game(table, store).value for table in ("quest", "quest-ties-win"))
    assert quest == Fraction(9125252814, 128767639)
    assert quest < ties_win < quest * Fraction(18, 17) ** DoubleUp().max_wins


@pytest.mark.parametrize("deck", [52, 53])
def test_the_kinds_of_hands_stand_for_all_hands(deck: int) -> None:
    hands, times = kinds_of_hands(deck)
    assert times.sum() == comb(deck, 5)
    assert (np.diff(hands, axis=1) > 0).all()
    assert len(np.unique(hands, axis=0)) == len(hands)
