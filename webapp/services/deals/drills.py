"""Drills: random decisions, or decisions of a kind that the player wants to practise."""

from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Final

from flask import current_app

from webapp.engine.games import SOLO
from webapp.engine.notation import dumps, record
from webapp.engine.odds import is_kind, kinds_of
from webapp.engine.shuffling import is_word
from webapp.services.core.errors import Refusal
from webapp.services.core.randomness import new_key
from webapp.services.deals.drill_deals import any_deal, find, numbered_deal
from webapp.services.deals.puzzles import Puzzle, puzzle_at
from webapp.services.odds import desk
from webapp.services.records.lookup import finished_hand
from webapp.services.workers import FAILURES, Full, Workers

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
