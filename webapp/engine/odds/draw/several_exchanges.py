"""Several exchanges: the best hold over the values with one exchange less, with first-order effects of removal.

Tables of the values with e - 1 exchanges left give the values with e, as tables of the pay table do with one. They do
not account for the cards that have been thrown away by then. Therefore they are built again for the deck without each
card, and a hold is priced as its plain average plus, for each card that is or will be gone, the change of the average
without it.

If k of n unseen cards are gone, the sum of the single effects is multiplied by (n - 1) / (n - k), since each of them
is then missing among fewer cards. For a draw of one card that is exact: the average over the cards that are left. For
more it neglects the joint effects of two cards.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import comb
from typing import Any, Final

import numpy as np

from webapp.engine.cards import Card
from webapp.engine.draw_poker.rules import HOLDS, DrawRules
from webapp.engine.odds.draw import several_exchanges_kernel
from webapp.engine.odds.draw.final_hands import (
    HAND,
    JOKER_NUMBER,
    HandLines,
    LineTables,
    line_number,
    name_of,
    number_of,
    sums_over_larger,
)
from webapp.engine.odds.draw.hold_values import MASKS, chip_values, final_options, line_values
from webapp.engine.odds.value import ActionValue, Arrays, Method, NoOdds, TableStore

Array = Any

_NAME: Final = "draw-removal-2"
_ERRORS: Final = {2: 0.005, 3: 0.005}
"""By exchanges left: a bound for what the advice earns more or less than it promises, as measured in the arcade."""


def method(exchanges: int) -> Method:
    """Return the method for a decision with this number of exchanges left."""
    return Method(_NAME, exact=False, error=_ERRORS.get(exchanges))


def average(rules: DrawRules, stake: int, store: TableStore) -> float:
    """Return what a hand is worth on average with all exchanges left."""
    return stake * float(_arrays(rules, chip_values(rules, stake), store)["average"][0])


def options(
    rules: DrawRules, stake: int, hand: tuple[Card, ...], thrown: tuple[Card, ...], exchanges: int, store: TableStore
) -> Iterable[ActionValue]:
    """Return all holds with two or more exchanges left, without the chances of their outcomes."""
    worth = chip_values(rules, stake)
    levels = _arrays(rules, worth, store)["levels"]
    pays = float(worth[line_number(rules.pay_table)(hand)])
    prices = np.zeros(len(MASKS))
    numbers, out = (np.array([number_of(card) for card in some], np.int64) for some in (hand, thrown))
    several_exchanges_kernel.price_holds(  # type: ignore[no-untyped-call]
        levels, exchanges, numbers, out, len(out), pays, JOKER_NUMBER + rules.jokers, prices
    )
    after: Iterable[ActionValue]
    if exchanges == 2:
        tables = LineTables.of(rules.pay_table, rules.jokers, store)
        after = final_options(tables, line_values(rules, stake), hand, thrown)
    else:
        after = options(rules, stake, hand, thrown, exchanges - 1, store)
    prices[-1] = max(option.value for option in after) / stake
    return [ActionValue(action, stake * float(prices[mask])) for action, mask in zip(HOLDS, MASKS, strict=True)]


def _arrays(rules: DrawRules, worth: Sequence[Fraction], store: TableStore) -> Arrays:
    digest = hashlib.sha256(repr(worth).encode()).hexdigest()[:16]
    name = f"{name_of(rules.pay_table, rules.jokers)}.several-{_NAME}-{rules.exchanges}-{digest}"
    deck = JOKER_NUMBER + rules.jokers
    return store.tables(
        name, lambda: build(HandLines(rules.pay_table, deck), [float(value) for value in worth], rules.exchanges)
    )


def build(lines: HandLines, values: Sequence[float], exchanges: int) -> Arrays:
    """Compute the tables. NoOdds without Numba: it would take hours."""
    try:
        from numba import njit
    except ImportError:
        raise NoOdds("early ones of several exchanges need Numba") from None
    (add_hands,) = several_exchanges_kernel.compiled(("add_hands",), njit)
    return build_with(add_hands, np.array(values)[lines.all()], lines.deck, exchanges)


def build_with(add_hands: Callable[..., float], pays: Array, cards: int, exchanges: int) -> Arrays:
    """Compute the tables for a deck of this number of cards with the kernel's ``add_hands``, compiled or not."""
    levels = np.zeros((exchanges, several_exchanges_kernel.DECKS, several_exchanges_kernel.SETS))
    for level in range(exchanges):
        sums = np.zeros((several_exchanges_kernel.DECKS, comb(JOKER_NUMBER + 1, HAND - 1)))
        add_hands(levels, level, pays, cards, sums)
        sums = np.ascontiguousarray(sums[:, : comb(cards, HAND - 1)].T)
        for size in range(HAND - 1, -1, -1):
            first = several_exchanges_kernel.OFFSETS[size]
            levels[level, :, first : first + len(sums)] = sums.T
            if size:
                sums = sums_over_larger(sums, size, cards) / (HAND - size + 1)
    total = add_hands(levels, exchanges, pays, cards, np.zeros((1, comb(JOKER_NUMBER + 1, HAND - 1))))
    return {"levels": levels, "average": np.array([total / comb(cards, HAND)])}
