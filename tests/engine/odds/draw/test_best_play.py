"""The return of optimal play, against published figures."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from tests.engine.odds.draw.tables_of_tests import JACKS_OR_BETTER
from webapp.engine.draw_poker.double_up import DoubleUp
from webapp.engine.draw_poker.game import DrawGame
from webapp.engine.draw_poker.rules import DrawRules
from webapp.engine.games import GAMES
from webapp.engine.odds import odds_of
from webapp.engine.odds.draw.best_play import kinds_of_hands
from webapp.engine.odds.value import MemoryStore

CASINO = DrawGame("casino", {"9-6": DrawRules(pay_table=JACKS_OR_BETTER)})


def test_jacks_or_better_returns_what_is_published(store: MemoryStore) -> None:
    """Wizard of Odds, 9/6 Jacks or Better: 99.5439 %."""
    value = odds_of(CASINO).game("9-6", store)
    assert value.value == Fraction(1653526326983, 1661102543100)
    assert (value.figure, value.method.exact) == ("value", True)
    assert float(value.value) == pytest.approx(0.99543904369512)


def test_joker_poker_returns_what_is_published(store: MemoryStore) -> None:
    """Wizard of Odds, Joker Poker, kings or better, full pay: 100.6463 %."""
    value = odds_of(GAMES["joker"]).game("kings-or-better", store).value
    assert value == Fraction(412127554537, 409481092020)
    assert float(value) == pytest.approx(1.00646, abs=5e-6)


def test_a_double_up_with_pushes_changes_no_return(store: MemoryStore) -> None:
    odds = odds_of(GAMES["joker"])
    for table in ("kings-or-better", "arcade-1"):
        assert odds.game(table, store) == odds.game(f"{table}-double", store)


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
