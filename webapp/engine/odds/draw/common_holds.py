"""The common holds of a table with one exchange, in the order of their worth, found by its odds.

Every hand that can be dealt is looked at: what is best to hold there, what players call it, and what it is worth on
average where it is best. Hands with wild cards are apart from others, by their number, as players learn them.
"""

import hashlib
from collections.abc import Sequence
from fractions import Fraction
from math import comb
from typing import Final

import numpy as np

from webapp.engine.cards import Card, Rank
from webapp.engine.draw_poker.holds import held
from webapp.engine.label import Label
from webapp.engine.odds.draw.best_play import best_holds
from webapp.engine.odds.draw.final_hands import COLUMNS, HAND, LineTables, name_of
from webapp.engine.odds.draw.hold_counts import CARDS, draws
from webapp.engine.odds.value import Arrays, CommonHold, TableStore
from webapp.engine.poker.pay_tables import PayTable
from webapp.engine.poker.ranking import Category, Ranked

LEAST_SHARE: Final = 0.0002
"""Holds that are best in fewer hands than that are not common."""
_OF_A_KIND: Final = {2: Category.ONE_PAIR, 3: Category.THREE_OF_A_KIND, 4: Category.FOUR_OF_A_KIND}


def common_holds(
    tables: LineTables, values: Sequence[Fraction], store: TableStore, jokers: int
) -> tuple[CommonHold, ...]:
    """Return the common holds, those with most wild cards first, and then those that are worth most.

    ``values``: what each line is worth, from none.
    """
    digest = hashlib.sha256(repr(values).encode()).hexdigest()[:16]
    arrays = store.tables(f"{name_of(tables.pay_table, jokers)}.holds-{digest}", lambda: _build(tables, values))
    columns = (arrays[name].tolist() for name in ("hands", "holds", "values", "shares"))
    rows = []
    for numbers, mask, value, share in zip(*columns, strict=True):
        hand, positions = _cards(numbers), _positions(mask)
        wilds, label = _key(tables.pay_table, hand, positions)
        rows.append(CommonHold(label, wilds, value, share, hand, positions))
    return tuple(sorted(rows, key=lambda row: (-row.wilds, -row.value)))


def _build(tables: LineTables, values: Sequence[Fraction]) -> Arrays:
    """Look at all hands; keep of each common hold an example that is dealt most often, its value and its share."""
    weights = np.zeros(COLUMNS)
    weights[: len(values)] = [float(value) for value in values]
    drawn = np.array(draws(tables.deck), float)
    found: dict[tuple[int, Label], list[float]] = {}
    examples: dict[tuple[int, Label], tuple[int, list[int], int]] = {}
    for hands, times, holds, counts in best_holds(tables, values):
        worth = counts @ weights / drawn[holds]
        for numbers, often, mask, value in zip(*(x.tolist() for x in (hands, times, holds, worth)), strict=True):
            key = _key(tables.pay_table, _cards(numbers), _positions(mask))
            total = found.setdefault(key, [0, 0.0])
            total[0] += often
            total[1] += often * value
            if key not in examples or often > examples[key][0]:
                examples[key] = often, numbers, mask
    every = comb(tables.deck, HAND)
    common = [key for key, (times, _) in found.items() if times >= LEAST_SHARE * every]
    return {
        "hands": np.array([examples[key][1] for key in common]),
        "holds": np.array([examples[key][2] for key in common]),
        "values": np.array([found[key][1] / found[key][0] for key in common]),
        "shares": np.array([found[key][0] / every for key in common]),
    }


def _cards(numbers: Sequence[int]) -> tuple[Card, ...]:
    return tuple(CARDS[number] for number in numbers)


def _positions(mask: int) -> tuple[int, ...]:
    return tuple(place + 1 for place in range(HAND) if mask >> place & 1)


def _key(pay_table: PayTable, hand: tuple[Card, ...], positions: tuple[int, ...]) -> tuple[int, Label]:
    return sum(card.rank is pay_table.wild for card in hand), name_of_hold(pay_table, hand, positions)


def name_of_hold(pay_table: PayTable, hand: Sequence[Card], positions: Sequence[int]) -> Label:
    """Return what players call a hold: the line that it has already, what it is a draw to, or its high cards."""
    kept = tuple(hand[position - 1] for position in positions)
    label = held(hand, positions, pay_table.wild)
    if label.code in Category.__members__:
        line = pay_table.line_of(hand)
        return Label(line.code if line else label.code)
    if label.code != "HELD_CARDS":
        return label
    tame = [card.rank for card in kept if card.rank is not pay_table.wild]
    if not tame:
        return Label("HELD_WILD")
    if len(set(tame)) == 1 and len(kept) in _OF_A_KIND:
        ranked = Ranked(_OF_A_KIND[len(kept)], (tame[0], Rank.TWO))
        line = next((line for line in pay_table.lines if line.fits(ranked, len(tame) < len(kept))), None)
        return Label(line.code if line else ranked.category.name)
    if min(tame) >= Rank.JACK and len(tame) <= 2:
        return Label("HELD_HIGH_TWO" if len(tame) == 2 else "HELD_HIGH_ONE")
    suited = len(kept) == 2 and kept[0].suit is kept[1].suit
    return Label("HELD_SUITED" if suited else "HELD_OTHER")
