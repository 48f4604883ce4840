"""Drills: random decisions, or decisions of a kind that the player wants to practise.

Looking for a kind takes up to a tenth of a second, so workers do it.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import count, islice
from typing import Any, Final

from flask import current_app

from webapp.engine.cards import Card
from webapp.engine.game import AnyGame, Setup
from webapp.engine.games import SOLO
from webapp.engine.notation import dumps, record
from webapp.engine.odds import is_kind, kinds_of
from webapp.engine.shuffling import SILENT, ShuffledPacks, is_word
from webapp.services.core.errors import Refusal
from webapp.services.core.randomness import new_key
from webapp.services.deals.puzzles import Puzzle, puzzle_at
from webapp.services.odds import desk
from webapp.services.records.lookup import finished_hand
from webapp.services.workers import FAILURES, Full, Workers

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


SEARCH_SECONDS: Final = 2.0
"""Processor time that looking for a deal of a kind may take."""
WAIT_SECONDS: Final = 8.0
"""Longest wait for it."""
MOST_KEPT: Final = 1000
"""Deals that are remembered: a spot is asked for, and then answered."""


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


def drill_unit(code: str, table: str) -> str:
    """Return the unit in which the costs of a drill's answers are, as the desk says it."""
    rules = SOLO[code].rules(table)
    if not rules.bets:
        return "score" if rules.pays else "rounds"
    return "bets" if rules.bets.positional else "coins"


def drill_of(code: str, table: str | None, spot: str, kinds: tuple[str, ...] = ()) -> Puzzle:
    """Return the first decision of the hand that a word names: the same word, the same cards, for everybody.

    Args:
        kinds: Those that the decision shall be of, the first of them if one of some deals is.

    Raises:
        Refusal: ``unknown-game``; ``no-decision``: there is no such word, or no such kind; ``odds-later``.
        SetupError: There is no such table.
    """
    table, game = drill_variant(code, table), SOLO[code]
    if not is_word(spot) or not all(is_kind(game, kind) for kind in kinds):
        raise Refusal("no-decision", spot[:20])
    number = _found(code, table, spot, kinds) if kinds else None
    setup, state = any_deal(game, table, spot) if number is None else numbered_deal(game, table, spot, number)
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


@lru_cache(maxsize=MOST_KEPT)
def _found(code: str, table: str, spot: str, kinds: tuple[str, ...]) -> int | None:
    """Have a worker look for a deal of these kinds: this process has others to answer meanwhile."""
    workers: Workers = current_app.extensions["workers"]
    try:
        search = workers.soon.ask(partial(find, code, table, spot, kinds), SEARCH_SECONDS)
        return search.result(WAIT_SECONDS)
    except (Full, TimeoutError, *FAILURES):
        raise Refusal("odds-later") from None
