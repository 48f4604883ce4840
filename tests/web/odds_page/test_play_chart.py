"""The chart of best play: hands with the same play share a row, and the exact odds confirm it."""

import pytest

from webapp.engine.games import GAMES
from webapp.engine.games.blackjack.rules import parse_rules
from webapp.engine.odds import odds_of
from webapp.engine.odds.blackjack.spot import spot
from webapp.engine.odds.value import MemoryStore
from webapp.engine.simulation.strategy_by_name import strategy_by_name
from webapp.engine.simulation.strategy_chart import UPCARDS
from webapp.web.odds_page.play_chart import chart_of

VERBS = {"S": "stand", "H": "hit", "D": "double", "P": "split", "R": "surrender"}
NEAR = 0.0125
"""Bets. By total the chart weighs hands that are alike, which costs a little with the very cards."""


def test_rows_that_are_played_alike_are_one_and_every_hand_stands_in_one() -> None:
    chart = chart_of(strategy_by_name("basic", parse_rules("vegas")), splits=True)
    hard = chart.tables["hard"]
    assert [(row.first, row.last) for row in hard][:3] == [("17", "20"), ("13", "16"), ("12", "12")]
    totals = [total for row in hard for total in range(int(row.first), int(row.last) + 1)]
    assert sorted(totals) == list(range(5, 21))
    assert [row.first for row in chart.tables["pairs"]][:2] == ["AA", "TT"]
    assert set(chart.words) == {"S", "H", "Dh", "Ds", "P"}


def test_a_pair_that_is_not_split_is_printed_as_it_is_played() -> None:
    chart = chart_of(strategy_by_name("basic", parse_rules("vegas")), splits=True)
    rows = {row.first: row.words for row in chart.tables["pairs"]}
    assert set(rows["TT"]) == {"S"}
    assert rows["55"][:8] == ("Dh",) * 8


def test_a_table_without_splits_has_no_rows_for_them() -> None:
    assert "pairs" not in chart_of(strategy_by_name("basic", parse_rules("classic")), splits=False).tables


@pytest.mark.parametrize("table", ["vegas", "european", "single"])
def test_the_chart_gives_nothing_away_that_the_exact_odds_would_notice(table: str) -> None:
    """Every pair of the chart, and a sample of two-card hands for the totals."""
    game, rules = GAMES["blackjack"], parse_rules(table)
    odds, store = odds_of(game), MemoryStore()
    strategy = strategy_by_name("basic", rules)
    chart = chart_of(strategy, splits=True)
    wrong = []
    hands = {row.first: (f"{row.first[0]}h {row.first[0]}s", row.words) for row in chart.tables["pairs"]}
    hands |= {
        total: (cards, strategy.row(total)) for total, cards in (("16", "Th 6s"), ("11", "7h 4s"), ("9", "6h 3s"))
    }
    for name, (cards, words) in hands.items():
        for upcard, word in zip(UPCARDS, words, strict=True):
            decision = odds.decision(spot(game, table, cards, f"{upcard}c"), store)  # type: ignore[arg-type]
            values = {option.action.verb: float(option.value) / 10 for option in decision.options}
            verb = VERBS[word[0]]
            verb = verb if verb in values else VERBS[word[1].upper()]
            if max(values.values()) - values[verb] > NEAR:
                wrong.append((name, upcard, word, values))
    assert wrong == []
