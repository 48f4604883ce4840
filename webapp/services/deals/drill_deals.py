"""The deals of drills: which cards a word stands for, and the first of them that lead to a decision of a kind.

Looking for a kind takes up to a tenth of a second, so workers do it.
"""

import hashlib
from collections.abc import Iterator
from itertools import count, islice
from typing import Any, Final

from webapp.engine.cards import Card
from webapp.engine.game import AnyGame, Setup
from webapp.engine.games import SOLO
from webapp.engine.odds import kinds_of
from webapp.engine.shuffling import SILENT, ShuffledPacks

TRIES: Final = 1000
"""Deals that are looked through for one of a kind: the rarest come about once in so many."""
ENOUGH: Final = 30
"""Cards of a pack that such a deal has: more than a first decision can lead to."""

Deal = tuple[Setup, Any]
"""A setup, and the state in which the first decision is made."""


def any_deal(game: AnyGame, table: str, spot: str) -> Deal:
    """Return the first deal with a decision."""
    for number in count():
        setup = Setup(table, _least_stakes(game.rules(table).bets), _packs(game, table, spot, number))
        state = game.start(setup)
        if len(game.legal_actions(state)) > 1:
            return setup, state
    raise AssertionError


def find(code: str, table: str, spot: str, kinds: tuple[str, ...]) -> int | None:
    """Return the number of the deal of the narrowest of these kinds, else of the first one with a decision, if any."""
    game = SOLO[code]
    best: tuple[int, int] | None = None
    for number, cards in enumerate(islice(_cards(game, table, spot), TRIES)):
        _, state = _dealt(game, table, cards)
        if len(game.legal_actions(state)) > 1:
            own = kinds_of(game, state)
            place = next((place for place, kind in enumerate(kinds) if kind in own), len(kinds))
            best = min(best or (place, number), (place, number))
            if place == 0:
                break
    return best and best[1]


def numbered_deal(game: AnyGame, table: str, spot: str, number: int) -> Deal:
    """Return a deal that ``find`` has found."""
    return _dealt(game, table, next(islice(_cards(game, table, spot), number, None)))


def _cards(game: AnyGame, table: str, spot: str) -> Iterator[tuple[Card, ...]]:
    """Yield the cards of deals. A shuffled pack is dealt from each of its cards: that is as good, and faster."""
    rows = (_packs(game, table, spot, number)[0] for number in count())
    return ((row[start:] + row[:start])[:ENOUGH] for row in rows for start in range(len(row)))


def _dealt(game: AnyGame, table: str, cards: tuple[Card, ...]) -> Deal:
    setup = Setup(table, _least_stakes(game.rules(table).bets), (cards,))
    return setup, game.start(setup)


def _packs(game: AnyGame, table: str, spot: str, number: int) -> ShuffledPacks:
    seed = hashlib.sha256(f"drill {game.spec.code} {table} {spot} {number}".encode()).digest()
    return ShuffledPacks(seed, "drill", (SILENT,), game.packs(table))


def _least_stakes(bets: Any) -> tuple[int, ...]:
    if bets is None:
        return ()
    return tuple(bets.least if not place else 0 for place in range(bets.boxes)) if bets.positional else (bets.least,)
