"""JSON twins of the pages, from the same values: they never say more than the page does."""

from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from enum import Enum
from functools import cache
from typing import Any, Final

from flask import url_for

from webapp.engine.action import Action
from webapp.engine.cards import RANK_LETTERS, Card, Rank
from webapp.engine.game import AnyGame, View
from webapp.engine.label import Label
from webapp.services.records.finished import Finished, FinishedSeat, Proof
from webapp.services.records.summary import Summary
from webapp.services.solo.board import Board
from webapp.services.tables.view import SeatState, TableView
from webapp.web.i18n.messages import say

_ALREADY: Final = frozenset({int, str, bool, float})


def to_json(value: object) -> Any:
    """Lists, dicts and texts: a card is ``"Qh"``, a face-down card null, an action ``"hold-1-3"``."""
    kind: Any = type(value)
    if value is None or kind in _ALREADY:
        return value
    match value:
        case Card() | Action():
            return str(value)
        case Label():
            return {"code": value.code, "args": {name: to_json(arg) for name, arg in value.args}, "text": say(value)}
        case Rank():
            return RANK_LETTERS[value - 2]
        case Enum():
            return value.name if isinstance(value, int) else value.value
        case tuple() | list():
            return [to_json(item) for item in value]
        case _ if is_dataclass(value):
            return {name: to_json(getattr(value, name)) for name in _names(kind)}
        case _:
            return value


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def board_json(board: Board) -> dict[str, Any]:
    return {
        "hand": board.hand,
        "game": board.code,
        "table": board.table,
        "rules": to_json(board.rules),
        "seq": board.seq,
        "step": board.step,
        "status": board.status,
        "commitment": board.commitment,
        "cut": board.cut,
        "stakes": list(board.stakes),
        "marks": list(board.marks),
        "purse": board.purse,
        "best": board.best,
        "peak": board.standing.peak,
        "runs": board.standing.runs,
        "note": board.note,
        "shoe": to_json(board.shoe),
        "view": view_json(board.view),
        "actions": list(board.actions),
        "result": to_json(board.view.result) if board.view else None,
        "url": url_for("hands.show", key=board.hand) if board.has_page else None,
    }


def view_json(view: View | None) -> dict[str, Any] | None:
    """What lies on the table. Actions and result stand beside it, not in it."""
    if view is None:
        return None
    seen: dict[str, Any] = to_json(view)
    return {name: value for name, value in seen.items() if name not in ("actions", "result", "viewer")}


def finished_json(finished: Finished) -> dict[str, Any]:
    return {
        "hand": finished.key,
        "game": finished.game.spec.code,
        "table": finished.table,
        "rules": to_json(finished.rules),
        "seq": finished.seq,
        "status": finished.status,
        "player": finished.player,
        "stakes": list(finished.setup.stakes),
        "moves": to_json(finished.moves),
        "cards": to_json(finished.cards),
        "payouts": list(finished.payouts),
        "labels": to_json(finished.labels),
        "proof": proof_json(finished.proof) if finished.proof else None,
        **({} if finished.proof else {"proof_opens": "when-the-shoe-is-finished", "commitment": finished.commitment}),
        **({"seats": [finished_seat_json(seat) for seat in finished.seats]} if finished.seats else {}),
        **({"autos": [auto and auto.policy for auto in finished.autos]} if finished.seats else {}),
        **({"reasons": [auto and auto.reason for auto in finished.autos]} if finished.seats else {}),
        "notation": finished.notation,
        "finished_at": datetime.fromtimestamp(finished.finished_at, UTC).isoformat(),
    }


def finished_seat_json(seat: FinishedSeat) -> dict[str, Any]:
    """In the order of stakes, payouts and cuts. ``auto_bet``: placed for somebody who did not."""
    return {
        "seat": seat.number,
        "name": seat.name,
        "bot": seat.bot,
        "banker": seat.bank,
        "auto_bet": seat.auto_bet,
        "payout": seat.payout,
        "net": seat.net,
    }


def proof_json(proof: Proof) -> dict[str, Any]:
    return {
        "scheme": proof.scheme,
        "id": proof.id,
        "commitment": proof.commitment,
        "seed": proof.seed,
        "cuts": list(proof.cuts),
        "packs": [{"decks": pack.decks, "jokers": pack.jokers} for pack in proof.packs],
        "offset": proof.offset,
    }


def summary_json(summary: Summary) -> dict[str, Any]:
    """``code`` and ``net``: of a round the table it was played at, and the change in one's own chips."""
    return {
        "hand": summary.key,
        "game": summary.game,
        "seq": summary.seq,
        "status": summary.status,
        "cards": to_json(summary.cards),
        "label": to_json(summary.label),
        "payout": summary.payout,
        "code": summary.code,
        "net": summary.net,
        "url": url_for("hands.show", key=summary.key),
    }


def table_json(sight: TableView, watching: int) -> dict[str, Any]:
    """A shared table. Times are unix seconds, by the clock that says ``now``."""
    return {
        "code": sight.code,
        "version": sight.version,
        "game": sight.game,
        "table": sight.variant,
        "rules": to_json(sight.rules),
        "public": sight.public,
        "phase": sight.phase,
        "round": sight.round,
        "now": sight.now / 1000,
        "deadline": None if sight.deadline is None else sight.deadline / 1000,
        "acting": sight.acting,
        "banker": sight.banker,
        "next_banker": sight.next_banker,
        "seats": [seat_json(seat) for seat in sight.seats],
        "free": list(sight.free),
        "you": sight.you,
        "view": view_json(sight.view),
        "actions": list(sight.actions),
        "limits": list(sight.limits) if sight.limits[1] else None,
        "exposure": sight.exposure,
        "commitment": sight.commitment,
        "policy": sight.policy,
        "seat_link": url_for("tables.show", code=sight.code, seat=sight.link) if sight.link else None,
        "said": to_json(sight.said),
        "log": to_json(sight.log),
        "result": to_json(sight.view.result) if sight.view else None,
        "watching": watching,
        "last": url_for("hands.show", key=sight.last) if sight.last else None,
    }


def seat_json(seat: SeatState) -> dict[str, Any]:
    """``hands`` are None before the deal; a card that lies face down is null."""
    return {
        "seat": seat.seat,
        "name": seat.name,
        "bot": seat.bot,
        "chips": seat.chips,
        "bet": seat.bet,
        "auto": seat.auto,
        "ready": seat.ready,
        "playing": seat.playing,
        "banker": seat.banker,
        "left": seat.left or seat.gone,
        "hands": to_json(seat.seen.hands) if seat.seen else None,
        "net": seat.seen.net if seat.seen else None,
    }


def game_json(game: AnyGame) -> dict[str, Any]:
    return {
        "game": game.spec.code,
        "tables": list(game.spec.variants),
        "seats": game.spec.seats,
        "url": url_for("play.table", code=game.spec.code) if game.spec.seats == 1 else url_for("tables.listing"),
    }
