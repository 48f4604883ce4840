"""JSON twins of the pages, from the same values: they never say more than the page does."""

from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import Any

from flask import url_for

from webapp.engine.action import Action
from webapp.engine.cards import RANK_LETTERS, Card, Rank
from webapp.engine.game import AnyGame, View
from webapp.engine.label import Label
from webapp.services.board import Board
from webapp.services.finished import Finished, Proof, Summary
from webapp.web.labels import say


def plain(value: object) -> Any:
    """Lists, dicts and texts: a card is ``"Qh"``, a face-down card null, an action ``"hold-1-3"``."""
    match value:
        case Card() | Action():
            return str(value)
        case Label():
            return {"code": value.code, "args": {name: plain(arg) for name, arg in value.args}, "text": say(value)}
        case Rank():
            return RANK_LETTERS[value - 2]
        case Enum():
            return value.name if isinstance(value, int) else value.value
        case tuple() | list():
            return [plain(item) for item in value]
        case _ if is_dataclass(value):
            return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
        case _:
            return value


def board_json(board: Board) -> dict[str, Any]:
    return {
        "hand": board.hand,
        "game": board.code,
        "table": board.table,
        "rules": plain(board.rules),
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
        "shoe": plain(board.shoe),
        "view": view_json(board.view),
        "actions": list(board.actions),
        "result": plain(board.view.result) if board.view else None,
        "url": url_for("hands.show", key=board.hand) if board.has_page else None,
    }


def view_json(view: View | None) -> dict[str, Any] | None:
    """What lies on the table. Actions and result stand beside it, not in it."""
    if view is None:
        return None
    seen: dict[str, Any] = plain(view)
    return {name: value for name, value in seen.items() if name not in ("actions", "result", "viewer")}


def finished_json(finished: Finished) -> dict[str, Any]:
    return {
        "hand": finished.key,
        "game": finished.game.spec.code,
        "table": finished.table,
        "rules": plain(finished.rules),
        "seq": finished.seq,
        "status": finished.status,
        "player": finished.player,
        "stakes": list(finished.setup.stakes),
        "moves": plain(finished.moves),
        "cards": plain(finished.cards),
        "payouts": list(finished.payouts),
        "labels": plain(finished.labels),
        "proof": proof_json(finished.proof) if finished.proof else None,
        **({} if finished.proof else {"proof_opens": "when-the-shoe-is-finished", "commitment": finished.commitment}),
        "notation": finished.notation,
        "finished_at": datetime.fromtimestamp(finished.finished_at, UTC).isoformat(),
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
    return {
        "hand": summary.key,
        "game": summary.game,
        "seq": summary.seq,
        "status": summary.status,
        "cards": plain(summary.cards),
        "label": plain(summary.label),
        "payout": summary.payout,
        "url": url_for("hands.show", key=summary.key),
    }


def game_json(game: AnyGame) -> dict[str, Any]:
    return {
        "game": game.spec.code,
        "tables": list(game.spec.variants),
        "seats": game.spec.seats,
        "url": url_for("play.table", code=game.spec.code),
    }
