"""A game for one player: look at the board, sit down, deal and act."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from flask import Blueprint, Response, make_response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp.engine.action import ALONE, Action
from webapp.engine.errors import EngineError, StakesError
from webapp.engine.games import SOLO
from webapp.engine.twenty_one.counting import CountingSystem
from webapp.services import coach
from webapp.services.core.database import rollback
from webapp.services.core.errors import Refusal
from webapp.services.fairness.sealing import SealedSeeds
from webapp.services.players import PlayerSession
from webapp.services.review import asked_counts
from webapp.services.solo import card_counting, play, prepared, reading
from webapp.services.solo import sit as sit_module
from webapp.services.solo.board import Board, board_to_show
from webapp.services.solo.rows import Owner
from webapp.web import metrics
from webapp.web.api import fields
from webapp.web.api.error_answers import ErrorAnswer
from webapp.web.api.forms import ActionForm, CountForm, GameQuery, SitForm, read
from webapp.web.api.openapi_operations import Operation, describe
from webapp.web.api.serialize import json_response
from webapp.web.api.solo_answers import AskedCountAnswer, BoardAnswer
from webapp.web.coach_view import CoachView, coach_view
from webapp.web.errors import error_response
from webapp.web.i18n.refusals import refusal_of
from webapp.web.i18n.translations import gap, gettext
from webapp.web.i18n.vocabulary import number as spelled
from webapp.web.request import seed_cookie, visitor
from webapp.web.request.limits import limited
from webapp.web.request.logs import note_refusal
from webapp.web.request.preferences import game_choices, keep_preferences, preferences
from webapp.web.templating.render import render, wants_fragment, wants_json

bp = Blueprint("play", __name__, url_prefix="/play")

_PATH: Final = {
    "code": "Code of the game.",
    "hand": "Key of the hand.",
    "step": "Number of the move: `step` of the last answer; 0 deals.",
}


@bp.get("/<code>")
@describe(Operation(answers={200: BoardAnswer}, query=GameQuery, path=_PATH))
def table(code: str) -> ResponseReturnValue:
    """Return the open hand of a game, or its empty table."""
    query, player, seeds = read(GameQuery, request.args), visitor.player(), seed_cookie.sealed_seeds()
    if code not in SOLO:
        raise Refusal("unknown-game", code)
    if query.hand is not None:
        board = reading.board_for_hand(player, code, query.hand, seeds)
        return _answer(board, coached=None if wants_json() else _coached(player, board, query, seeds))
    board = reading.board_for_variant(player, code, query.table or SOLO[code].spec.default, seeds)
    told = "hand-open" if query.table and board.table != query.table else ""
    return _answer(board, filled_in=fields.chosen_stakes(query.stake, ""), told=told)


@bp.post("/<code>")
@describe(Operation(answers={201: BoardAnswer, 200: BoardAnswer}, form=SitForm, path=_PATH))
def sit(code: str) -> ResponseReturnValue:
    """Sit down: a ready hand with its commitment (201), or the hand of this game that is open (200)."""
    if code not in SOLO:
        raise Refusal("unknown-game", code)
    return _sit(code, read(SitForm, request.form))


def _sit(code: str, form: SitForm, gone: bool = False) -> ResponseReturnValue:
    """Sit down. ``gone``: in place of the hand that the page has given a cut for, which the player is told."""
    variant = form.table or SOLO[code].spec.default
    SOLO[code].rules(variant)
    visitor.require_readable()
    try:
        seated = _seated(visitor.player() or visitor.require_player(), code, variant, form)
    except Refusal as error:
        if error.code == "box-broken":
            seed_cookie.drop(error.detail)  # from now on the one in the database is read
        if error.code != "unknown-player":
            raise
        seated = _seated(visitor.require_player(), code, variant, form)
    seed_cookie.hold(prepared.held_seeds(visitor.player() or ""))
    wanted = fields.chosen_stakes(form.stake, form.lines)
    told = "hand-open" if form.table and seated.board.table != variant else ""
    return _answer(seated.board, 201 if seated.is_new else 200, wanted=wanted, gone=gone, told=told)


def _seated(player: str, code: str, variant: str, form: SitForm) -> sit_module.Seated:
    return sit_module.sit(player, code, variant, seed_cookie.sealed_seeds(), anew=form.run == "new")


@bp.post("/<code>/<hand>/<step>")
@describe(Operation(answers={200: BoardAnswer, 201: BoardAnswer}, form=ActionForm, path=_PATH, choices=game_choices))
def act(code: str, hand: str, step: str) -> ResponseReturnValue:
    """Deal a hand, or carry out an action in it, and return its board."""
    visitor.require_readable()
    player, sealed_seeds = visitor.player_or_session(), seed_cookie.sealed_seeds()
    form = read(ActionForm, request.form)
    preferred = preferences()
    of_games = None if wants_json() else preferred.of_games
    try:
        number, verb = fields.number(step, "bad-step"), form.verb.lower()
        if verb == "deal" and number == 0:
            chips = fields.chips(fields.on_lines(form.stake, form.lines))
            board = play.deal(player, code, hand, fields.cut(form.cut), chips, sealed_seeds, of_games)
        elif verb == "mark":
            held = {"1": True, "0": False}.get(form.held)
            position = fields.position(form.arg, "illegal-mark")
            board = play.mark(player, code, hand, number, position, held, sealed_seeds)
            if held is not None and board.note is None and wants_fragment():
                return Response(status=204)
        else:
            board = play.act(player, code, hand, number, fields.action(verb, form.arg), sealed_seeds, of_games)
        _count(board, verb)
        chosen = preferred.having_of(board.game.spec, request.form)
        board = _answered(player, board, board.game.spec.answers(chosen.of_games), sealed_seeds)
        if board.next is not None:
            # the hand is over: this answer, and every copy of it, brings the deck of the next one
            seed_cookie.hold(prepared.held_seeds(player.player if isinstance(player, PlayerSession) else player or ""))
    except (Refusal, EngineError) as error:
        if error.code == "hand-not-found":
            visitor.require_cookie()
        if form.table and error.code in ("hand-not-found", "box-lost") and code in SOLO:
            rollback()
            return _sit(code, read(SitForm, request.form), gone=True)
        return _refuse(error, code, hand, fields.chosen_stakes(form.stake, form.lines))
    response = make_response(_answer(board, gone=form.gone and not board.over))
    if chosen != preferred:
        keep_preferences(response, chosen)
    return response


@bp.post("/<code>/<hand>/count")
@limited("240/minute")
@describe(Operation(answers={200: AskedCountAnswer, 303: None}, form=CountForm, path=_PATH))
def count(code: str, hand: str) -> ResponseReturnValue:
    """Answer what the count is after a round of a shoe. The first answer is kept, and every other gets its verdict."""
    visitor.require_readable()
    form = read(CountForm, request.form)
    board = reading.board_for_hand(visitor.player(), code, hand, seed_cookie.sealed_seeds())
    asked = asked_counts.answer(board, CountingSystem.parse(form.system), fields.count(form.answer))
    if wants_json():
        return json_response(AskedCountAnswer.of(asked))
    if wants_fragment():
        return render("play/told_count.html", asked_count=asked)
    return redirect(url_for("play.table", code=code, table=board.other_table, hand=hand), 303)


def _answered(player: Owner, board: Board, verbs: frozenset[str], sealed_seeds: SealedSeeds) -> Board:
    """Play the actions that a preference of the player decides. They are recorded like all others."""
    while verb := next((verb for verb in board.actions if verb in verbs), None):
        assert board.hand is not None
        board = play.act(player, board.code, board.hand, board.step, Action(ALONE, verb), sealed_seeds)
        _count(board, verb)
    return board


def _count(board: Board, verb: str) -> None:
    """Count the action in the metrics; not marks, and not requests that were repeated or too late."""
    if board.note is None and verb != "mark":
        metrics.count_action(board.code, verb)


def _coached(player: str | None, board: Board, query: GameQuery, seeds: SealedSeeds) -> CoachView | None:
    """Return the coach's answer to a form; a hint only if the hand is recorded as played with help."""
    step = str(board.step)
    if not board.may_ask:
        return None
    if query.hint == step and board.helped and board.status == "live":
        return coach_view(lambda: coach.hint(player, board.code, query.hand or "", board.step, seeds))
    if query.verdict and query.verdict == str(board.step - 1):
        return coach_view(lambda: coach.verdict(player, board.code, query.hand or "", board.step - 1, seeds))
    return None


def _answer(
    board: Board,
    status: int = 200,
    wanted: tuple[str, ...] = (),
    filled_in: tuple[str, ...] = (),
    coached: CoachView | None = None,
    gone: bool = False,
    told: str = "",
) -> ResponseReturnValue:
    """Return a board as JSON, page or fragment; a browser without JavaScript that has posted is sent to the page.

    ``wanted`` are bets that the player has chosen while sitting down. They are charged with the deal, not before.
    ``filled_in`` are bets of an address: they are shown to be changed, and never dealt with by the page itself.
    ``gone``: say that the sealed hand is gone that the page before has shown. ``told``: code of another sentence.
    """
    if wants_json():
        return json_response(BoardAnswer.of(replace(board, note="gone") if gone else board), status)
    if request.method in ("GET", "HEAD") or wants_fragment():
        shown = {"wanted_stakes": wanted or filled_in, "coach": coached, **_shown(board, wanted)}
        said = "deck-gone" if gone else told
        return render("play/hand.html", refused=refusal_of(said)[1] if said else None, gone=gone, **shown)
    return redirect(_address(board, wanted), 303)


def _address(board: Board, stakes: tuple[str, ...] = ()) -> str:
    """Return the address of the board, with chosen bets and the coach's question for browsers without JavaScript."""
    wanted = preferences().coach
    asked: dict[str, int] = {}
    if coach.has_coach(board.code) and board.may_ask:
        if wanted == "after" and board.step and board.status in ("live", "done"):
            asked["verdict"] = board.step - 1
        if wanted == "before" and board.status == "live" and board.hand is not None:
            coach.note_help(visitor.player(), board.code, board.hand, board.step, seed_cookie.sealed_seeds())
            asked["hint"] = board.step
    hand = board.hand if asked or board.over or board.same else None
    return url_for("play.table", code=board.code, table=board.other_table, hand=hand, stake=stakes, **asked)  # type: ignore[arg-type]


def _refuse(error: Refusal | EngineError, code: str, hand: str, wanted: tuple[str, ...] = ()) -> ResponseReturnValue:
    """Return the refusal with the current board, if the hand is this player's, and the bets of the form."""
    rollback()
    note_refusal(error.code)
    status, sentence = refusal_of(error.code)
    if isinstance(error, Refusal) and error.code == "box-broken":
        seed_cookie.drop(error.detail)
    try:
        board = reading.board_for_hand(visitor.player(), code, hand, seed_cookie.sealed_seeds())
    except Refusal as unknown:
        if unknown.code == "hand-not-found":
            status, sentence = refusal_of(unknown.code)
            return error_response(unknown.code, status, sentence)
        return error_response(error.code, status, sentence)
    if error.code in (StakesError.code, "purse-too-small"):
        sentence += _limit(board, wanted)
    if wants_json():
        return json_response(ErrorAnswer(error.code, sentence, BoardAnswer.of(board)), status)
    shown = _shown(board, wanted, error.code)
    return render("play/hand.html", status, refused=sentence, wanted_stakes=wanted, **shown)


def _limit(board: Board, wanted: tuple[str, ...]) -> str:
    """Return the sentence that names the highest bet, if one of these is above it."""
    bets = board.rules.bets
    if bets is None or not wanted:
        return ""
    most = bets.most_for(board.purse, len(wanted) if len(bets.lines) > 1 else 1)
    if not most or all(int(bet or 0) <= most for bet in wanted):
        return ""
    return gap() + gettext("At most %(most)s.", most=spelled(most))


def _last_round(board: Board, chosen: Mapping[str, str]) -> Board:
    """Return the last round of an empty table, as after a reload, if the count is asked after some; else the board."""
    recent = board.recent[0] if board.hand is None and board.recent else None
    if recent is None or recent.status != "done" or not board.game.spec.asks_card_count(chosen, True, True):
        return board
    last = reading.board_for_hand(visitor.player(), board.code, recent.key, seed_cookie.sealed_seeds())
    return last if last.table == board.table else board


def _shown(board: Board, wanted: tuple[str, ...] = (), refusal: str = "") -> dict[str, object]:
    board = board_to_show(board, preferences().deal == "quick", wanted, refusal)
    coached = coach.has_coach(board.code) and board.has_coach_line
    spec, chosen = board.game.spec, preferences().of_games
    shown = spec.shows_card_count(chosen)
    return {
        "board": board,
        "view": board.view,
        "spec": spec,
        "rules": board.rules,
        "count": card_counting.count_of(board, CountingSystem.parse(spec.counting_system(chosen))) if shown else None,
        "asked_count": asked_counts.asked_after(_last_round(board, chosen), chosen),
        "coached": coached,
    }
