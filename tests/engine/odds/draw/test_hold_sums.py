"""The sums from which holds are priced, against a separate count of the hands on each pay line."""

from random import Random

import pytest

from tests.engine.odds.draw.tables_of_tests import PAY_TABLES, deck
from webapp.engine.cards import parse_cards
from webapp.engine.games import GAMES
from webapp.engine.odds.draw.final_hands import LineTables
from webapp.engine.odds.draw.hold_counts import hold_counts, hold_sums
from webapp.engine.odds.draw.hold_values import MASKS, final_options, line_values
from webapp.engine.odds.value import MemoryStore
from webapp.engine.poker.pay_tables import PayTable


@pytest.mark.parametrize("pay_table, jokers", PAY_TABLES, ids=lambda value: getattr(value, "name", None))
def test_sums_are_what_the_counted_hands_pay(pay_table: PayTable, jokers: int, store: MemoryStore) -> None:
    tables, chance = LineTables.of(pay_table, jokers, store), Random(17)
    pays = [0, *(line.pays for line in pay_table.lines)]
    for _ in range(200):
        hand = chance.sample(deck(jokers), 5)
        assert hold_sums(tables, hand) == tuple(hold_counts(tables, hand) @ pays)


@pytest.mark.parametrize("game, table, stake", [("joker", "kings-or-better", 3), ("poker", "quest", 1), ("poker", "quest-ties-win", 1)])  # fmt: skip
def test_values_are_those_of_the_counted_hands_with_and_without_a_double_up_that_pays(game: str, table: str, stake: int, store: MemoryStore) -> None:  # fmt: skip
    rules = GAMES[game].rules(table)
    tables, worth = LineTables.of(rules.pay_table, rules.jokers, store), line_values(rules, stake)
    for cards in ("Ah Kh Qh Jh 2c", "9d 9c 3h 2s 9h", "2c 4d 6h 8s Tc"):
        counts = hold_counts(tables, parse_cards(cards)).tolist()
        for option, mask in zip(final_options(tables, worth, parse_cards(cards), (), staked=2), MASKS, strict=True):
            total = sum(count * value for count, value in zip(counts[mask], worth, strict=True))
            assert option.value == total / sum(counts[mask]) - 2
            assert len(option.outcomes) == sum(1 for count in counts[mask] if count)
            assert dict(option.outcomes) == option.outcomes
