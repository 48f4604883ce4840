"""The coach: a hint before a decision of the player's own hand, and a verdict after it."""

from collections.abc import Callable
from typing import Final

from flask import Blueprint, redirect, url_for
from flask.typing import ResponseReturnValue

from webapp.services import coach
from webapp.services.coach import Advice
from webapp.services.odds import desk
from webapp.web.api import fields
from webapp.web.api.odds_answers import CoachAnswer, CoachPendingAnswer
from webapp.web.api.openapi_operations import Operation, describe
from webapp.web.api.serialize import json_response, pending_response
from webapp.web.coach_view import CoachView, answer_of
from webapp.web.request import seed_cookie, visitor
from webapp.web.request.limits import limited
from webapp.web.templating.render import render, wants_fragment, wants_json

bp = Blueprint("coach", __name__, url_prefix="/play/<code>/<hand>/<step>")

_PATH: Final = {
    "code": "Code of the game.",
    "hand": "Key of the hand.",
    "step": "Number of the move: that of the next one for a hint, of one that was made for a verdict.",
}


@bp.post("/hint")
@limited("120/minute")
@describe(Operation(answers={200: CoachAnswer, 202: CoachPendingAnswer}, path=_PATH))
def hint(code: str, hand: str, step: str) -> ResponseReturnValue:
    """Return the values of the next decision's actions. The hand then counts as played with help."""
    visitor.require_readable()
    return _answered("hint", coach.hint, code, hand, step)


@bp.get("/verdict")
@limited("240/minute")
@describe(Operation(answers={200: CoachAnswer, 202: CoachPendingAnswer}, path=_PATH))
def verdict(code: str, hand: str, step: str) -> ResponseReturnValue:
    """Return the grade of a decision in the player's latest hand."""
    return _answered("verdict", coach.verdict, code, hand, step)


def _answered(kind: str, ask: Callable[..., Advice], code: str, hand: str, step: str) -> ResponseReturnValue:
    """Return the line as JSON or as a fragment; redirect browsers without JavaScript to the table."""
    number, seeds = fields.number(step, "bad-step"), seed_cookie.sealed_seeds()
    try:
        advice = ask(visitor.player(), code, hand, number, seeds)
    except desk.Pending:
        if not (wants_json() or wants_fragment()):
            return _to_table(kind, code, hand, number)
        if wants_json():
            return pending_response(CoachPendingAnswer, hand=hand, step=number)
        response = render("play/coach_line.html", 202, coach=CoachView(pending=True), code=code)
        response.headers["Retry-After"] = "1"
        return response
    if wants_json():
        return json_response(answer_of(advice))
    if wants_fragment():
        return render("play/coach_line.html", coach=CoachView(advice), code=code)
    return _to_table(kind, code, hand, number)


def _to_table(kind: str, code: str, hand: str, step: int) -> ResponseReturnValue:
    asked = {kind: str(step)}
    return redirect(url_for("play.table", code=code, hand=hand, **asked), 303)  # type: ignore[arg-type]
