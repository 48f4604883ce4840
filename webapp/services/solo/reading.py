"""Looking at hands of one player: open hands, finished ones and empty tables, as boards. Nothing is changed."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from operator import attrgetter
from typing import Any, Final

from sqlalchemy.orm import joinedload

from webapp.engine.games import SOLO
from webapp.extensions import db
from webapp.models import Hand
from webapp.services.core.errors import Refusal
from webapp.services.fairness.sealing import SealedSeeds, hand_seed
from webapp.services.records.hand_state import hand_state
from webapp.services.solo.board import Board, board_of, empty_board
from webapp.services.solo.prepared import OPEN_HANDS, is_prepared, next_hand
from webapp.services.solo.rows import OwnedRows, Owner

_OWNED: Final = OwnedRows()
_OWNED_WITH_SHOE: Final = OwnedRows(joinedload(Hand.shoe))  # a query less for each action. bench: server
_HAVE_SHOES: Final = {code for code, game in SOLO.items() if any(map(game.cut_card, game.spec.variants))}
"""Games of which a hand may be dealt from a shoe."""
_OPEN_LOCKED: Final = OPEN_HANDS.with_for_update()


def board_for_variant(player: str | None, code: str, table: str, sealed_seeds: SealedSeeds) -> Board:
    """Return the board of the open hand of a game, or of its empty table."""
    hand = open_hand(player, code) if player else None
    if hand is not None and not is_prepared(hand):
        return board(hand, sealed_seeds)
    empty = empty_board(SOLO[code], table, player)
    return empty if player is None else replace(empty, next=next_hand(player, code, table))


def board_for_hand(player: Owner, code: str, key: str, sealed_seeds: SealedSeeds, note: str | None = None) -> Board:
    """Return a hand of this player, open or over. Refusal ``hand-not-found`` for anybody else's, as for none at all."""
    return board(owned_hand(player, code, key), sealed_seeds, note)


def open_hands(player: str | None, sealed_seeds: SealedSeeds) -> tuple[Board, ...]:
    """Return the boards of all open hands that are dealt, latest move first."""
    if player is None:
        return ()
    live = [hand for hand in _all_open(player) if hand.status == "live"]
    boards = []
    for hand in sorted(live, key=attrgetter("moved_at"), reverse=True):
        with suppress(Refusal):  # a seed that cannot be unsealed is a message of its table, not of the lobby
            boards.append(board(hand, sealed_seeds))
    return tuple(boards)


def open_hand(player: str, code: str, lock: bool = False) -> Hand | None:
    """Return the one hand of a game that is not over, if there is one."""
    query = _OPEN_LOCKED if lock else OPEN_HANDS
    return db.session.scalars(query, {"player": player, "games": [code]}).one_or_none()


def _all_open(player: str) -> Sequence[Hand]:
    """Return all open hands of a player, at most one of each game."""
    return db.session.scalars(OPEN_HANDS, {"player": player, "games": list(SOLO)}).all()


def owned_hand(player: Owner, code: str, key: str, lock: bool = False) -> Hand:
    """Return a row of this player. Refusal ``hand-not-found``."""
    owned = _OWNED_WITH_SHOE if code in _HAVE_SHOES else _OWNED
    return owned.find(player, code, key, lock)


def board(hand: Hand, sealed_seeds: SealedSeeds, note: str | None = None) -> Board:
    """Return a hand as its player may see it. Refusal as of ``hand_seed``."""
    return shown_hand(hand, state_of(hand, sealed_seeds)[1], note)


def shown_hand(hand: Hand, state: Any, note: str | None) -> Board:
    """Return a hand in a state; when it is over, with the next one."""
    shown = board_of(hand, state, note)
    if not shown.over or shown.same:
        return shown
    return replace(shown, next=next_hand(hand.player_id, hand.game, hand.variant))


def state_of(hand: Hand, sealed_seeds: SealedSeeds) -> tuple[bytes, Any]:
    """Return seed and state of a hand; no state before the deal, nor of one that is void because no key opened it."""
    if hand.cut is None:
        return b"", None
    try:
        seed = hand_seed(hand, sealed_seeds)
    except Refusal:
        if hand.status != "void":
            raise
        return b"", None
    return seed, hand_state(hand, seed)
