"""The kernel of several exchanges: prices of holds before the last exchange, one number at a time.

The same functions are called as plain Python for the hand in a question, and compiled by Numba for all hands of a deck
(see ``several_exchanges``). All compiled code is in this file.

``levels[e - 1, deck, set]`` is the sum, over all hands that contain a set of up to four cards, of their value when
e - 1 exchanges are left. Deck 0 is the whole deck. Deck 1 + rank is the deck without one card of that rank, of the
first suit; the suits of hands are exchanged until the missing card is of that suit. Deck 14 has no joker.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs, allow-untyped-calls
from collections.abc import Callable
from types import FunctionType
from typing import Any, Final

import numpy as np

from webapp.engine.odds.draw.final_hands import CHOOSE_ARRAY as CHOOSE

DECKS: Final = 15
SETS: Final = 1 + 53 + 1378 + 23426 + 292825
OFFSETS: Final = np.array([0, 1, 54, 1432, 24858])
BITS: Final = np.array([mask.bit_count() for mask in range(32)])


def deck_without(card):
    """Return the number of the deck in which a card of this rank is missing."""
    return 1 + card // 4


def turn(hand, card, turned):
    """Write a hand into ``turned`` with the suit of a card and the first suit exchanged; the joker has no suit."""
    suit = 0 if card == 52 else card % 4
    for place in range(5):
        other = hand[place]
        turned[place] = other
        if other != 52 and other % 4 == suit:
            turned[place] = other - suit
        elif other != 52 and other % 4 == 0:
            turned[place] = other + suit


def number_sets(hand, numbers):
    """Write the place of each subset of a hand in a row of ``levels``; the whole hand has none."""
    for mask in range(31):
        number = OFFSETS[BITS[mask]]
        for place in range(5):
            if mask >> place & 1:
                below = 1
                for other in range(5):
                    if mask >> other & 1 and hand[other] < hand[place]:
                        below += 1
                number += CHOOSE[hand[place], below]
        numbers[mask] = number


def average_holds(row, numbers, whole, left, averages):
    """Write the average of each hold: ``whole`` is the hand's own value, ``left`` the cards that can be drawn."""
    for mask in range(31):
        averages[mask] = row[numbers[mask]]
    averages[31] = whole
    for place in range(5):
        for mask in range(32):
            if not mask >> place & 1:
                averages[mask] -= averages[mask | 1 << place]
    for mask in range(32):
        averages[mask] /= CHOOSE[left, 5 - BITS[mask]]


def correct(level, hand, averages, left, scratch, numbers, turned, effects):
    """Write the effect of the thrown cards on each hold: what later draws lose or gain without them.

    The effects of single cards are added up, and multiplied by a factor for their number (see ``several_exchanges``).
    """
    for mask in range(32):
        effects[mask] = 0.0
    for place in range(5):
        turn(hand, hand[place], turned)
        number_sets(turned, numbers)
        average_holds(level[deck_without(hand[place])], numbers, 0.0, left, scratch)
        for mask in range(31):
            if not mask >> place & 1:
                effects[mask] += scratch[mask] - averages[mask]
    for mask in range(32):
        effects[mask] *= (left - 1) / (left - 5 + BITS[mask])


def effects_of(levels, exchanges, hand, pays, cards, effects, room, places):
    """Write the effects of thrown cards with 1 to ``exchanges`` left, and return the hand's value in the whole deck.

    ``effects[e - 1]`` is that with e exchanges left; with one nothing is drawn later. ``room`` and ``places`` are
    memory to write to: float[2, 32] and int[3, 32].
    """
    value = pays
    number_sets(hand, places[0])
    for level in range(exchanges):
        average_holds(levels[level, 0], places[0], value, cards - 5, room[0])
        if level:
            correct(levels[level], hand, room[0], cards - 5, room[1], places[1], places[2], effects[level])
        else:
            effects[0, :] = 0.0
        for mask in range(32):
            value = max(value, room[0, mask] + effects[level, mask])
    return value


def value_without(levels, exchanges, deck, numbers, pays, cards, effects, averages):
    """Return the value of a hand in a deck without one card, which is out beside those that are thrown."""
    value = pays
    for level in range(exchanges):
        average_holds(levels[level, deck], numbers, value, cards - 6, averages)
        for mask in range(32):
            fewer = cards - 10 + BITS[mask]
            value = max(value, averages[mask] + effects[level, mask] * fewer / (fewer - 1))
    return value


def add_hands(levels, exchanges, pays, cards, sums):
    """Add the value of every hand with ``exchanges`` left to the sums of all sets of four that it contains.

    ``pays`` are those of all hands in the order of their numbers, ``sums`` is float[decks, sets of four]. Return the
    sum over all hands of the whole deck. With one row of ``sums`` the decks without a card are left out.
    """
    hand = np.zeros(5, np.int64)
    effects, room, places = np.zeros((4, 32)), np.zeros((2, 32)), np.zeros((3, 32), np.int64)
    total, number = 0.0, 0
    for e in range(4, cards):
        for d in range(3, e):
            for c in range(2, d):
                for b in range(1, c):
                    for a in range(b):
                        hand[0], hand[1], hand[2], hand[3], hand[4] = a, b, c, d, e
                        value = effects_of(levels, exchanges, hand, pays[number], cards, effects, room, places)
                        total += value
                        number_sets(hand, places[0])
                        for deck in range(sums.shape[0]):
                            out = 4 * (deck - 1)
                            if deck and (out in (a, b, c, d, e) or out >= cards):
                                continue
                            if deck:
                                value = value_without(
                                    levels, exchanges, deck, places[0], pays[number], cards, effects, room[0]
                                )
                            for place in range(5):
                                sums[deck, places[0, 31 - (1 << place)] - OFFSETS[4]] += value
                        number += 1
    return total


def price_holds(levels, exchanges, hand, thrown, count, pays, cards, prices):
    """Write the price of each hold with two or more exchanges left; ``thrown[:count]`` were thrown before.

    The price of holding all cards is left as the hand's value without an exchange less.
    """
    effects, room, places = np.zeros((4, 32)), np.zeros((2, 32)), np.zeros((3, 32), np.int64)
    turned, last = np.zeros(5, np.int64), exchanges - 1
    whole = effects_of(levels, last, hand, pays, cards, effects, room, places)
    number_sets(hand, places[0])
    plain = np.zeros(32)
    average_holds(levels[last, 0], places[0], whole, cards - 5, plain)
    correct(levels[last], hand, plain, cards - 5, room[1], places[1], places[2], effects[last])
    for mask in range(32):
        rest = cards - 10 + BITS[mask]
        prices[mask] = plain[mask] + effects[last, mask] * rest / (rest - count)
    for card in range(count):
        deck = deck_without(thrown[card])
        turn(hand, thrown[card], turned)
        number_sets(turned, places[0])
        whole = value_without(levels, last, deck, places[0], pays, cards, effects, room[0])
        average_holds(levels[last, deck], places[0], whole, cards - 6, room[0])
        for mask in range(31):
            prices[mask] += (room[0, mask] - plain[mask]) * (cards - 6) / (cards - 5 - count)


def compiled(names: tuple[str, ...], njit: Callable[..., Any]) -> tuple[Any, ...]:
    """Return functions of this file as Numba compiles them; the functions that they call are compiled too."""
    here = dict(globals())
    for function in (
        *(deck_without, turn, number_sets, average_holds, correct, effects_of, value_without),
        *(add_hands, price_holds),
    ):
        copy = FunctionType(function.__code__, here, function.__name__)
        here[function.__name__] = njit(copy)
    return tuple(here[name] for name in names)
