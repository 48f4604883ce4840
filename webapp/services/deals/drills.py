"""Drills: random decisions, or decisions of a kind that the player wants to practise."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice
from typing import Any, Final

from webapp.engine.game import AnyGame, Setup
from webapp.engine.games import SOLO
from webapp.engine.notation import dumps, record
from webapp.engine.odds import kinds_of
from webapp.engine.shuffling import SILENT, ShuffledPacks, is_word
from webapp.services.core.errors import Refusal
from webapp.services.core.randomness import new_key
from webapp.services.deals.puzzles import Puzzle, puzzle_at
from webapp.services.odds import desk
from webapp.services.records.lookup import finished_hand

TRIES: Final = 1000
"""Deals that are looked through for one of a kind: the rarest come about once in so many."""
ENOUGH: Final = 30
"""Cards of a pack that such a deal has: more than a first decision can lead to."""


@dataclass(frozen=True, slots=True)
class Kinds:
    """The kinds of a decision, the narrowest first, and the game and the table at which it was taken."""

    game: str
    table: str
    words: tuple[str, ...]


def new_spot() -> str:
    """Return a word that names a drill's cards."""
    return new_key(8)


def drill_variant(code: str, table: str | None) -> str:
    """Return the table of a drill: the one that is named, else that of the daily deal.

    Raises:
        Refusal: ``unknown-game``.
        SetupError: There is no such table.
    """
    if code not in SOLO or not desk.has_odds(code):
        raise Refusal("unknown-game", code)
    spec = SOLO[code].spec
    table = table or (spec.daily.variant if spec.daily else spec.default)
    SOLO[code].rules(table)
    return table


def drill_of(code: str, table: str | None, spot: str, kinds: tuple[str, ...] = ()) -> Puzzle:
    """Return the first decision of the hand that a word names: the same word, the same cards, for everybody.

    Args:
        kinds: Those that the decision shall be of, the first of them if one of ``TRIES`` deals is.

    Raises:
        Refusal: ``unknown-game``; ``no-decision``: it is no such word.
        SetupError: There is no such table.
    """
    table, game = drill_variant(code, table), SOLO[code]
    if not is_word(spot):
        raise Refusal("no-decision", spot[:20])
    setup, state = _of_kinds(game, table, spot, kinds) if kinds else _any(game, table, spot)
    legal = game.legal_actions(state)
    return puzzle_at(game, table, state, dumps(record(game, setup, legal[:1])), 0)


def kinds_at(key: str, step: int) -> Kinds:
    """Return the kinds of a decision of a finished hand; no words where nothing is alike.

    Raises:
        Refusal: ``hand-not-found``, ``no-decision``.
    """
    hand = finished_hand(key)
    code = hand.game.spec.code
    if hand.seats or code not in SOLO or not 0 <= step < len(hand.moves):
        raise Refusal("no-decision", str(step))
    return Kinds(code, hand.table, kinds_of(hand.game, hand.replay.states[step]))


def _any(game: AnyGame, table: str, spot: str) -> tuple[Setup, Any]:
    for number in count():
        setup = Setup(table, _least_stakes(game.rules(table).bets), _packs(game, table, spot, number))
        state = game.start(setup)
        if len(game.legal_actions(state)) > 1:
            return setup, state
    raise AssertionError


def _packs(game: AnyGame, table: str, spot: str, number: int) -> ShuffledPacks:
    seed = hashlib.sha256(f"drill {game.spec.code} {table} {spot} {number}".encode()).digest()
    return ShuffledPacks(seed, "drill", (SILENT,), game.packs(table))


def _of_kinds(game: AnyGame, table: str, spot: str, kinds: tuple[str, ...]) -> tuple[Setup, Any]:
    """Return the deal of the narrowest of these kinds; if none is of any of them, the first deal with a decision."""
    best: tuple[int, Setup, Any] | None = None
    for setup, state in _deals(game, table, spot):
        own = kinds_of(game, state)
        place = next((place for place, kind in enumerate(kinds) if kind in own), len(kinds))
        if best is None or place < best[0]:
            best = (place, setup, state)
        if place == 0:
            break
    return best[1:] if best else _any(game, table, spot)


def _deals(game: AnyGame, table: str, spot: str) -> Iterator[tuple[Setup, Any]]:
    """Yield deals with a decision. A shuffled pack is dealt from each of its cards: that is as good, and faster."""
    stakes = _least_stakes(game.rules(table).bets)
    rows = (_packs(game, table, spot, number)[0] for number in count())
    turned = ((row[start:] + row[:start])[:ENOUGH] for row in rows for start in range(len(row)))
    for cards in islice(turned, TRIES):
        setup = Setup(table, stakes, (cards,))
        state = game.start(setup)
        if len(game.legal_actions(state)) > 1:
            yield setup, state


def _least_stakes(bets: Any) -> tuple[int, ...]:
    if bets is None:
        return ()
    return tuple(bets.least if not place else 0 for place in range(bets.boxes)) if bets.positional else (bets.least,)
