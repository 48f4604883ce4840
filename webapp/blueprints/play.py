"""Pages of a solo game: look, sit, deal, act."""

import re
from typing import Final

from flask import Blueprint, Response, jsonify, make_response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp.engine.action import ALONE, Action
from webapp.engine.errors import EngineError, NotationError
from webapp.engine.games import SOLO
from webapp.services.core.errors import Refusal
from webapp.services.core.transaction import rollback
from webapp.services.fairness.sealing import SealedSeeds
from webapp.services.solo import card_counting, play
from webapp.services.solo import sit as sit_module
from webapp.services.solo.board import Board
from webapp.web.api.serialize import board_json
from webapp.web.errors import error_response
from webapp.web.i18n.refusals import refusal_of
from webapp.web.request import visitor
from webapp.web.templating.render import render, wants_fragment, wants_json

bp = Blueprint("play", __name__, url_prefix="/play")

_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,15}", re.ASCII)
_VERB: Final = re.compile(r"[a-z]{1,20}", re.ASCII)
MOST_ARGS: Final = 60


@bp.get("/<code>")
def table(code: str) -> ResponseReturnValue:
    player, boxes = visitor.player(), visitor.boxes()
    if code not in SOLO:
        raise Refusal("unknown-game", code)
    if "hand" in request.args:
        return _answer(play.board_for_hand(player, code, request.args["hand"], boxes))
    return _answer(play.board_for_variant(player, code, _table(request.args.get("table"), code), boxes))


@bp.post("/<code>")
def sit(code: str) -> ResponseReturnValue:
    if code not in SOLO:
        raise Refusal("unknown-game", code)
    wanted = _table(request.form.get("table"), code)
    SOLO[code].rules(wanted)
    visitor.require_readable()
    try:
        seated = _seated(visitor.player() or visitor.player_made(), code, wanted)
    except Refusal as error:
        if error.code == "box-broken":
            visitor.drop_box(error.detail)  # the spare one is read from now on
        if error.code != "unknown-player":
            raise
        seated = _seated(visitor.player_made(), code, wanted)
    if seated.box is not None:
        visitor.keep_box(*seated.box, seated.needed)
    return _answer(seated.board, 201 if seated.is_new else 200, wanted=_chosen(request.form.getlist("stake")))


def _seated(player: str, code: str, table: str) -> sit_module.Seated:
    return sit_module.sit(player, code, table, visitor.boxes(), request.form.get("run") == "new")


@bp.post("/<code>/<hand>/<step>")
def act(code: str, hand: str, step: str) -> ResponseReturnValue:
    visitor.require_readable()
    player, boxes, form = visitor.player(), visitor.boxes(), request.form
    try:
        number, verb = _number(step, "bad-step"), form.get("verb", "").lower()
        if verb == "deal" and number == 0:
            board = play.deal(player, code, hand, form.get("cut", ""), _stakes(form.getlist("stake")), boxes)
        elif verb == "mark":
            held = {"1": True, "0": False}.get(form.get("held", ""))
            board = play.mark(player, code, hand, number, _position(form.getlist("arg")), held, boxes)
            if held is not None and board.note is None and wants_fragment():
                return Response(status=204)
        else:
            board = play.act(player, code, hand, number, _action(verb, form.getlist("arg")), boxes)
        chosen = visitor.preferences().having_of(board.game.spec, form)
        board = _answered(player, board, board.game.spec.answers(chosen.of_games), boxes)
    except (Refusal, EngineError) as error:
        return _refuse(error, code, hand)
    response = make_response(_answer(board))
    if chosen != visitor.preferences():
        visitor.keep_preferences(response, chosen)
    return response


def _answered(player: str | None, board: Board, verbs: frozenset[str], boxes: SealedSeeds) -> Board:
    """Play what the player has settled by a preference: moves like any other, and they stand in the record."""
    while verb := next((verb for verb in board.actions if verb in verbs), None):
        assert board.hand is not None
        board = play.act(player, board.code, board.hand, board.step, Action(ALONE, verb), boxes)
    return board


def _answer(board: Board, status: int = 200, wanted: tuple[str, ...] = ()) -> ResponseReturnValue:
    """Answer with a board as JSON or fragment; a plain browser that has posted is sent to the page instead.

    ``wanted`` are the bets a player has chosen already while sitting down; they are charged with the deal, not before.
    """
    if wants_json():
        response = jsonify(board_json(board))
        response.status_code = status
        return response
    if request.method == "GET" or wants_fragment():
        return render("play/hand.html", wanted_stakes=wanted, **_shown(board))
    return redirect(_address(board), 303)


def _address(board: Board) -> str:
    table = None if board.table == board.game.spec.default else board.table
    return url_for("play.table", code=board.code, table=table, hand=board.hand if board.over else None)


def _refuse(error: Refusal | EngineError, code: str, hand: str) -> ResponseReturnValue:
    """Refuse, and show the hand as it stands, if it is this player's."""
    rollback()
    status, sentence = refusal_of(error.code)
    if isinstance(error, Refusal) and error.code == "box-broken":
        visitor.drop_box(error.detail)
    try:
        board = play.board_for_hand(visitor.player(), code, hand, visitor.boxes())
    except Refusal as unknown:
        if unknown.code == "hand-not-found":
            status, sentence = refusal_of(unknown.code)
            return error_response(unknown.code, status, sentence)
        return error_response(error.code, status, sentence)
    if wants_json():
        response = jsonify(error=error.code, message=sentence, hand=board_json(board))
        response.status_code = status
        return response
    return render("play/hand.html", status, refused=sentence, refusal=error.code, **_shown(board))


def _shown(board: Board) -> dict[str, object]:
    shown = board.game.spec.shows_card_count(visitor.preferences().of_games)
    count = card_counting.count_of(board) if shown else None
    return {"board": board, "view": board.view, "spec": board.game.spec, "rules": board.rules, "count": count}


def _table(text: str | None, code: str) -> str:
    return text or SOLO[code].spec.default


def _number(text: str, code: str = "bad-notation") -> int:
    if _NUMBER.fullmatch(text) is None:
        raise Refusal(code, text[:80])
    return int(text)


def _position(args: list[str]) -> int:
    if len(args) != 1:
        raise Refusal("illegal-mark")
    return _number(args[0], "illegal-mark")


def _action(verb: str, args: list[str]) -> Action:
    """Return an action. Positions may come in any order, but each only once."""
    if _VERB.fullmatch(verb) is None:
        raise Refusal("bad-notation", verb[:80])
    if len(args) > MOST_ARGS:
        raise Refusal(f"illegal-{verb}")
    try:
        return Action(ALONE, verb, tuple(sorted(_number(arg, f"illegal-{verb}") for arg in args)))
    except NotationError as error:
        raise Refusal(f"illegal-{verb}", str(error)) from error


def _chosen(stakes: list[str]) -> tuple[str, ...]:
    """Return the bets chosen so far, one a place, empty for none; none at all if one of them cannot be."""
    return tuple(stakes) if any(stakes) and all(_NUMBER.fullmatch(stake) for stake in stakes if stake) else ()


def _stakes(fields: list[str]) -> tuple[int | None, ...]:
    """Return the chips of each place, None for a field that was left empty."""
    return tuple(_number(field, "bad-stake") if field else None for field in fields)
