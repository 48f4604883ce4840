"""All 32 holds of a hand, against enumeration of all draws."""

from collections.abc import Callable
from itertools import chain, combinations
from math import comb
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.engine.odds.draw.tables_of_tests import PAY_TABLES, deck
from webapp.engine.cards import Card, parse_cards
from webapp.engine.odds.draw.final_hands import COLUMNS, HandLines, LineTables, line_number, number_of, set_number
from webapp.engine.odds.draw.hold_counts import ALL, HOLDS, draws, hold_counts, hold_sums
from webapp.engine.odds.value import MemoryStore
from webapp.engine.poker.pay_tables import KINGS_OR_BETTER, PayTable

each_pay_table = pytest.mark.parametrize(
    "pay_table, jokers", PAY_TABLES, ids=lambda value: getattr(value, "name", None)
)


class Enumeration:
    """All final hands of a deck with their pay lines. A hold leads to those that share no other card with the hand."""

    def __init__(self, pay_table: PayTable, jokers: int) -> None:
        cards = deck(jokers)
        self.numbers = {card: place for place, card in enumerate(cards)}
        size = comb(len(cards), 5)
        hands = np.fromiter(chain.from_iterable(combinations(range(len(cards)), 5)), np.int8, 5 * size)
        self.bits = (np.int64(1) << hands.reshape(size, 5).astype(np.int64)).sum(axis=1)
        numbers = np.array([number_of(card) for card in cards])[hands.reshape(size, 5)]
        numbers.sort(axis=1)
        choose = np.array([[comb(n, k) for k in range(6)] for n in range(53)])
        self.lines = HandLines(pay_table, len(cards)).all()[sum(choose[numbers[:, i], i + 1] for i in range(5))]

    def counts(self, hand: tuple[Card, ...]) -> Any:
        held = sum(((self.bits >> self.numbers[card]) & 1) << place for place, card in enumerate(hand))
        return np.bincount(held * COLUMNS + self.lines, minlength=32 * COLUMNS).reshape(32, COLUMNS)


def sums_agree_with_enumeration(pay_table: PayTable, jokers: int, store: MemoryStore, hands: int) -> None:
    tables, plain, chance = LineTables.of(pay_table, jokers, store), Enumeration(pay_table, jokers), Random(hands)
    pays = np.array([0, *(line.pays for line in pay_table.lines)])
    for _ in range(hands):
        hand = tuple(chance.sample(deck(jokers), 5))
        counts = plain.counts(hand)
        assert (hold_counts(tables, hand) == counts[:, : len(pays)]).all()
        sums = hold_sums(tables, hand)
        assert sums == tuple(counts[:, : len(pays)] @ pays)
        assert tuple(counts.sum(axis=1)) == draws(52 + jokers)


@pytest.mark.slow
@each_pay_table
def test_all_holds_of_random_hands_are_those_of_plain_enumeration(pay_table: PayTable, jokers: int, store: MemoryStore) -> None:  # fmt: skip
    sums_agree_with_enumeration(pay_table, jokers, store, hands=6)


@pytest.mark.soak
@pytest.mark.timeout(1800)
@each_pay_table
def test_all_holds_of_two_thousand_hands_are_those_of_plain_enumeration(pay_table: PayTable, jokers: int, store: MemoryStore) -> None:  # fmt: skip
    sums_agree_with_enumeration(pay_table, jokers, store, hands=2000)


@pytest.mark.slow
@each_pay_table
def test_holds_of_three_cards_or_more_are_those_of_the_games_own_ranking(pay_table: PayTable, jokers: int, store: MemoryStore) -> None:  # fmt: skip
    tables, chance, line_of = LineTables.of(pay_table, jokers, store), Random(7), line_number(pay_table)
    for _ in range(8):
        hand = tuple(chance.sample(deck(jokers), 5))
        rest = [card for card in deck(jokers) if card not in hand]
        counts = hold_counts(tables, hand)
        for mask in [mask for mask in HOLDS if mask.bit_count() >= 3]:
            kept = tuple(card for place, card in enumerate(hand) if mask >> place & 1)
            lines = [line_of((*kept, *drawn)) for drawn in combinations(rest, 5 - len(kept))]
            assert counts[mask].tolist() == np.bincount(lines, minlength=counts.shape[1]).tolist()


@pytest.mark.slow
@each_pay_table
def test_every_line_is_that_of_the_games_own_ranking(pay_table: PayTable, jokers: int) -> None:
    lines, chance, line_of = HandLines(pay_table, 52 + jokers).all(), Random(3), line_number(pay_table)
    for hand in (chance.sample(deck(jokers), 5) for _ in range(10_000)):
        assert lines[set_number(map(number_of, hand))] == line_of(tuple(hand))


@pytest.mark.soak
@each_pay_table
def test_every_line_of_all_hands_is_that_of_the_games_own_ranking(pay_table: PayTable, jokers: int) -> None:
    lines, line_of = HandLines(pay_table, 52 + jokers).all(), line_number(pay_table)
    by_number = sorted(deck(jokers), key=number_of)
    hands = (tuple(by_number[n] for n in numbers) for numbers in in_order(len(by_number)))
    assert all(line == line_of(hand) for line, hand in zip(lines.tolist(), hands, strict=True))


def in_order(cards: int):
    """Return all hands in the order of their numbers: by the highest card, then the next."""
    for e in range(4, cards):
        for d in range(3, e):
            for c in range(2, d):
                for b in range(1, c):
                    for a in range(b):
                        yield a, b, c, d, e


@each_pay_table
def test_the_holds_together_cover_each_final_hand_exactly_once(pay_table: PayTable, jokers: int, store: MemoryStore) -> None:  # fmt: skip
    tables, chance = LineTables.of(pay_table, jokers, store), Random(11)
    whole = tables.counts[0][0][: len(pay_table.lines) + 1]
    assert whole.sum() == comb(52 + jokers, 5)
    for _ in range(50):
        hand = tuple(chance.sample(deck(jokers), 5))
        assert hold_counts(tables, hand).sum(axis=0).tolist() == whole.tolist()


@pytest.mark.parametrize("dead", [3, 5, 10])
def test_cards_of_earlier_exchanges_cannot_come_again(dead: int, store: MemoryStore) -> None:
    tables, line_of = LineTables.of(KINGS_OR_BETTER, 1, store), line_number(KINGS_OR_BETTER)
    known = Random(dead).sample(deck(1), 5 + dead)
    hand, thrown = known[:5], known[5:]
    rest = [card for card in deck(1) if card not in known]
    counts = hold_counts(tables, hand, thrown)
    assert counts.sum(axis=1).tolist() == list(draws(53, dead))
    for mask in [mask for mask in HOLDS if mask.bit_count() >= 3]:
        kept = tuple(card for place, card in enumerate(hand) if mask >> place & 1)
        lines = [line_of((*kept, *drawn)) for drawn in combinations(rest, 5 - len(kept))]
        assert counts[mask].tolist() == np.bincount(lines, minlength=counts.shape[1]).tolist()


def test_a_mask_is_over_the_cards_as_they_were_dealt(store: MemoryStore) -> None:
    tables = LineTables.of(KINGS_OR_BETTER, 1, store)
    by: Callable[[str], Any] = lambda text: hold_counts(tables, parse_cards(text))  # noqa: E731
    assert (by("Ah Kh Qh Jh 2c")[0b01111] == by("2c Jh Qh Kh Ah")[0b11110]).all()
    assert by("Ah Kh Qh Jh 2c")[ALL].sum() == 1
