"""A practice hand in play: dealing, acting, marking. No chips move, whatever is done."""

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import bindparam, select
from sqlalchemy.orm.exc import StaleDataError

from webapp.engine.action import ALONE, Action
from webapp.engine.game import replay
from webapp.extensions import db
from webapp.models import DAILY, Player, PracticeHand
from webapp.services.core.clock import now_ms
from webapp.services.core.days import closes_at
from webapp.services.core.errors import Refusal
from webapp.services.core.randomness import new_key
from webapp.services.core.transaction import writing
from webapp.services.deals.daily_games import rounds_of
from webapp.services.records.stored_hand import join_numbers, parse_moves, parse_numbers
from webapp.services.records.stored_practice import (
    PREFIX,
    Source,
    day_of_row,
    net_of,
    practice_game,
    practice_setup,
    source_of,
)
from webapp.services.solo import move_requests
from webapp.services.solo.compare_and_set import update_if_unchanged
from webapp.services.solo.move_requests import Chosen
from webapp.services.solo.owned_rows import OwnedRows, Owner
from webapp.services.solo.view.board import Board, SameDeal
from webapp.services.solo.view.shoe_view import shoe_view
from webapp.services.solo.view.standing import standing_of

_OWNED: Final = OwnedRows(PracticeHand)
_QUEUE: Final = select(Player.id).where(Player.id == bindparam("player")).with_for_update(key_share=True)


@dataclass(frozen=True, slots=True)
class Begun:
    """A practice hand, and whether it was begun just now."""

    board: Board
    is_new: bool


def board_for_hand(player: Owner, code: str, key: str, note: str | None = None) -> Board:
    """Return a practice hand of this player. Refusal ``hand-not-found`` for anybody else's, as for none at all."""
    row = _OWNED.find(player, code, key)
    return board_of(row, state_of(row), note)


def deal(row: PracticeHand, source: Source, chosen: Chosen | None = None) -> Board:
    """Store a new practice hand and deal it. A hand may be over with the deal."""
    row.key, row.status, row.moves, row.step, row.marks = PREFIX + new_key(), "live", "", 0, ""
    row.created_at = row.moved_at = now_ms()
    state = replay(practice_game(row), practice_setup(row, source), ())
    for name, value in _ended(row, state, row.created_at).items():
        setattr(row, name, value)
    row.marks = _paying(row, state, chosen)
    db.session.add(row)
    db.session.flush()
    return board_of(row, state)


def act(player: Owner, code: str, key: str, step: int, action: Action, chosen: Chosen | None = None) -> Board:
    """Play one action as move number ``step``. At most one request ever gets to be that move."""
    try:
        with writing():
            row = _OWNED.find(player, code, key, lock=True)
            state = state_of(row)
            if not _is_next(row, step):
                return board_of(row, state, move_requests.late_note(row, step, action))
            now = now_ms()
            after = move_requests.apply(practice_game(row), state, action)
            made, marks = move_requests.moves_with(row, action), _paying(row, after, chosen)
            update_if_unchanged(row, moves=made, step=step + 1, marks=marks, moved_at=now, **_ended(row, after, now))
            return board_of(row, after)
    except StaleDataError:
        return board_for_hand(player, code, key, "moved-on")


def mark(player: Owner, code: str, key: str, step: int, position: int, held: bool | None) -> Board:
    """Turn the mark of a position over, or set it to ``held``, which may be repeated. Not a move."""
    with writing():
        row = _OWNED.find(player, code, key, lock=True)
        state = state_of(row)
        if not _is_next(row, step):
            return board_of(row, state, "moved-on")
        update_if_unchanged(row, marks=move_requests.marks_with(row, practice_game(row), state, position, held))
        return board_of(row, state)


def end_of(row: PracticeHand) -> int:
    """Return how many cards of its shoe are dealt when a round is over."""
    return int(row.offset + practice_game(row).dealt(state_of(row))[0])


def queue(player: str) -> None:
    """Lock the player, so that of several requests to sit down each finds what the one before has left.

    Raises:
        Refusal: ``unknown-player``.
    """
    if db.session.execute(_QUEUE, {"player": player}).one_or_none() is None:
        raise Refusal("unknown-player")


def state_of(row: PracticeHand) -> Any:
    """Return the state of a practice hand."""
    return replay(practice_game(row), practice_setup(row, source_of(row)), parse_moves(row.moves))


def board_of(row: PracticeHand, state: Any, note: str | None = None) -> Board:
    """Return a practice hand as its player may see it: nothing of it comes from the hand that it is dealt after."""
    game = practice_game(row)
    rules = game.rules(row.variant)
    standing = standing_of(row.player_id, row.game, rules.bets)
    view, source = game.view(state, ALONE), source_of(row)
    is_live = row.status == "live" and not is_late(row)
    return Board(
        game,
        row.variant,
        rules,
        standing,
        (),
        hand=row.key,
        step=row.step,
        status="live" if is_live else "done" if row.status == "done" else "forfeited",
        commitment=source.commitment,
        cut=row.cut,
        shoe=shoe_view(game, row.variant, None, row.offset, game.dealt(state)[0]),
        stakes=parse_numbers(row.stakes),
        marks=parse_numbers(row.marks),
        view=view,
        actions=tuple(map(str, view.actions)) if is_live else (),
        note=note,
        summary_cards=game.summary_cards(state),
        staked=sum(game.committed(state)),
        same=SameDeal(
            practice=row.kind != DAILY,
            of=row.of_key,
            daily=day_of_row(row),
            number=row.number,
            rounds=rounds_of(row.game) if row.daily_key else 1,
        ),
    )


def is_late(row: PracticeHand) -> bool:
    """Return True for a round of a daily deal whose day can no longer be played."""
    day = day_of_row(row)
    return row.kind == DAILY and day is not None and now_ms() >= closes_at(day)


def _is_next(row: PracticeHand, step: int) -> bool:
    return move_requests.is_next(row, step, row.status == "live" and not is_late(row))


def _paying(row: PracticeHand, state: Any, chosen: Chosen | None) -> str:
    """Return the column of marks of a state: for practice like that of a hand with chips, at a daily deal empty."""
    if row.kind == DAILY or chosen is None:
        return ""
    game = practice_game(row)
    number = standing_of(row.player_id, row.game, game.rules(row.variant).bets).hands + 1
    return join_numbers(move_requests.paying(game, state, chosen, number))


def _ended(row: PracticeHand, state: Any, now: int) -> dict[str, object]:
    """Return the columns of a hand that is over; none while it goes on."""
    game = practice_game(row)
    result = game.result(state)
    if result is None:
        return {}
    payouts, net = join_numbers(result.payouts), net_of(game, row.variant, state)
    return {"status": "done", "finished_at": now, "payouts": payouts, "net": net}
