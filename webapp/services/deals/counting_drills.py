"""Drills of counting cards: a deck that is counted down, true counts, and the decks that are left of a shoe.

What is asked follows from a word in the address and from the key of the site, so that the word tells nobody the cards
to come. An answer is sealed with the key, too: an address shows a verdict only on what was posted.
"""

import hashlib
import hmac
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import Final

from flask import current_app

from webapp.engine.cards import Card
from webapp.engine.shuffling import SILENT, below, is_word, shuffled
from webapp.engine.twenty_one.counting import CountingSystem, Rounding, true_count
from webapp.services.core.errors import Refusal

DECK_CARDS: Final = 52
LONGEST_SPOT: Final = 20
"""Characters of a word in an address."""
QUESTIONS: Final = 4
"""Times that the count is asked in a deck, the last time at its end."""
_KEPT_BACK: Final = {1: 1, 2: 2, 3: 1}
"""Cards that stay face down at the end, by how many are shown at a time: without them every deck would end the same."""
AT_A_TIME: Final = tuple(_KEPT_BACK)
_DEEP: Final = 3
"""Running counts that are asked for each half deck that is left."""
_APART: Final = 8
"""Cards by which the discards differ from whole half decks at most: nobody has to see a quarter of a deck."""


@dataclass(frozen=True, slots=True)
class CountedDeck:
    """A deck that is counted down, some cards at a time, from the count with which the shoe of a table begins.

    ``decks``: of that table. ``stops``: steps after which the count is asked, from 1.
    """

    system: CountingSystem
    decks: int
    at_a_time: int
    cards: tuple[Card, ...]
    stops: tuple[int, ...]

    @property
    def steps(self) -> int:
        """How many times cards are shown."""
        return self.stops[-1]

    def shown(self, step: int) -> tuple[Card, ...]:
        """Return the cards of a step."""
        return self.cards[(step - 1) * self.at_a_time : step * self.at_a_time]

    def since(self, step: int) -> tuple[Card, ...]:
        """Return the cards from the question before a step to that step."""
        last = max((stop for stop in self.stops if stop < step), default=0)
        return self.cards[last * self.at_a_time : step * self.at_a_time]

    def running(self, step: int) -> int:
        """Return the count after a step."""
        return self.system.running(self.cards[: step * self.at_a_time], self.decks)

    @property
    def start(self) -> int:
        """The count before the first card."""
        return self.system.start(self.decks)

    @property
    def whole(self) -> int:
        """The count of the whole deck, those at its end included."""
        return self.start + self.system.surplus

    @property
    def kept_back(self) -> tuple[Card, ...]:
        """The cards that are never shown before the last answer."""
        return self.cards[self.steps * self.at_a_time :]


@dataclass(frozen=True, slots=True)
class Conversion:
    """A running count that is to be divided by the decks that are left."""

    running: int
    decks: Fraction
    rounding: Rounding

    @property
    def right(self) -> int:
        """The true count."""
        return true_count(self.running, self.decks, self.rounding)


@dataclass(frozen=True, slots=True)
class Tray:
    """The discards of a shoe, of which the decks that are left are to be estimated."""

    decks: int
    dealt: int

    @property
    def cards(self) -> int:
        """Cards of the whole shoe."""
        return DECK_CARDS * self.decks

    @property
    def left(self) -> int:
        """Cards that are not dealt."""
        return self.cards - self.dealt

    @property
    def right(self) -> Fraction:
        """The decks that are left, to the nearest half."""
        return Fraction(round(Fraction(2 * self.left, DECK_CARDS)), 2)

    @property
    def percent(self) -> int:
        """How full the tray is."""
        return round(100 * self.dealt / self.cards)

    @property
    def choices(self) -> tuple[Fraction, ...]:
        """All answers that can be given."""
        return tuple(Fraction(half, 2) for half in range(1, 2 * self.decks + 1))


def counted_deck(spot: str, system: CountingSystem, decks: int, at_a_time: int) -> CountedDeck:
    """Return the deck that a word names. Refusal ``no-decision``: there is no such word."""
    require_word(spot)
    cards = shuffled(digest("deck", spot), "counting", 0, 1, 0, (SILENT,))
    steps = (DECK_CARDS - _KEPT_BACK[at_a_time]) // at_a_time
    chance, sway = chance_of("stops", spot), steps // 12
    between = (steps * part // QUESTIONS + below(2 * sway + 1, chance) - sway for part in range(1, QUESTIONS))
    return CountedDeck(system, decks, at_a_time, cards, (*between, steps))


def conversion(spot: str, decks: int, rounding: Rounding) -> Conversion:
    """Return the running count that a word names, and decks that are left of a shoe. Refusal: as ``counted_deck``."""
    require_word(spot)
    chance = chance_of("true", spot)
    halves = 1 + below(max(2 * decks - 1, 2), chance)
    most = _DEEP * (1 + halves)
    running = 1 + below(most, chance)
    return Conversion(running if below(2, chance) else -running, Fraction(halves, 2), rounding)


def tray(spot: str, decks: int) -> Tray:
    """Return the discards that a word names. Refusal: as ``counted_deck``."""
    require_word(spot)
    chance = chance_of("tray", spot)
    halves = 1 + below(2 * decks, chance)
    whole = halves == 2 * decks
    apart = 1 + below(_APART, chance) if whole else below(2 * _APART + 1, chance) - _APART
    return Tray(decks, DECK_CARDS * decks - DECK_CARDS // 2 * halves + apart)


def seal(*facts: object) -> str:
    """Return the seal of an answer, which no page tells before it was given."""
    return digest("answer", *facts).hex()[:16]


def is_sealed(mark: str, *facts: object) -> bool:
    """Return True for the seal of this answer."""
    return hmac.compare_digest(mark.encode(), seal(*facts).encode())


def require_word(spot: str) -> None:
    """Refuse what is no word of an address. Refusal ``no-decision``."""
    if not is_word(spot) or len(spot) > LONGEST_SPOT:
        raise Refusal("no-decision", spot[:LONGEST_SPOT])


def digest(*facts: object) -> bytes:
    """Return what follows from these facts and the key of the site: 32 bytes."""
    key = current_app.secret_key
    assert isinstance(key, str)
    return hmac.digest(key.encode(), "|".join(map(str, ("counting", *facts))).encode(), hashlib.sha256)


def chance_of(*facts: object) -> Iterator[int]:
    """Yield numbers for ``below`` that follow from these facts and the key of the site."""
    for block in count():
        found = digest(*facts, block)
        yield from (found[place] << 8 | found[place + 1] for place in range(0, len(found), 2))
