"""Decisions of one's own hands, asked again on a schedule: ``/drill/again``."""

from typing import Final

from flask import Blueprint, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp.services.core.errors import Refusal
from webapp.services.odds.desk import Pending
from webapp.services.review import recalls
from webapp.services.review.recall_choice import has_played
from webapp.services.review.recall_choice import start as start_asking
from webapp.web.api import fields
from webapp.web.api.forms import RecallAnswerForm, RecallForm, read
from webapp.web.api.openapi_operations import Operation, describe
from webapp.web.api.puzzle_answers import RecallAnswer, RecallsAnswer
from webapp.web.api.serialize import json_response
from webapp.web.odds_page.puzzle_page import PuzzlePage, answer_in, answered
from webapp.web.request import visitor
from webapp.web.request.limits import limited
from webapp.web.templating.render import render, wants_fragment, wants_json

bp = Blueprint("recalls", __name__, url_prefix="/drill/again")

_PATH: Final = {"word": "Word of the decision."}


@bp.get("")
@describe(Operation(answers={200: RecallsAnswer}))
def overview() -> ResponseReturnValue:
    """Return how many decisions the player is asked again, and those that are asked no more."""
    return _overview()


@bp.post("")
@limited("60/minute")
@describe(Operation(answers={200: RecallsAnswer}, form=RecallForm))
def add() -> ResponseReturnValue:
    """Ask a decision of a finished hand again, from tomorrow on. Sent again, it changes nothing."""
    form = read(RecallForm, request.form)
    step = fields.number(form.step, "no-decision", digits=4)
    visitor.as_player(
        lambda player: recalls.ask_again(player, form.hand, step), lambda: recalls.require_decision(form.hand, step)
    )
    if wants_fragment():
        return render("drill/added.html")
    return _changed()


@bp.post("/start")
@limited("30/minute")
@describe(Operation(answers={200: RecallsAnswer}))
def start() -> ResponseReturnValue:
    """Ask the player's costliest decisions again, and from now on those of new hands."""
    start_asking(visitor.require_player())
    return _changed()


@bp.post("/stop")
@limited("30/minute")
@describe(Operation(answers={200: RecallsAnswer}))
def stop() -> ResponseReturnValue:
    """Ask nothing any more, and forget what was asked."""
    visitor.require_readable()
    player = visitor.player()
    if player is not None:
        recalls.stop(player)
    return _changed()


@bp.get("/<word>")
@limited("240/minute")
@describe(Operation(answers={200: RecallAnswer}, path=_PATH))
def show(word: str) -> ResponseReturnValue:
    """Return a decision: as a question if it is due, else with the verdict on the last answer."""
    return _shown(word)


@bp.post("/<word>")
@limited("240/minute")
@describe(Operation(answers={200: RecallAnswer, 202: RecallAnswer}, form=RecallAnswerForm, path=_PATH))
def answer(word: str) -> ResponseReturnValue:
    """Answer a decision, once; return it with its verdict, or while that is worked out as pending (202): send again."""
    visitor.require_readable()
    player, form = visitor.player(), read(RecallAnswerForm, request.form)
    number, action = fields.number(form.asked, "bad-step"), answer_in(request.form)
    if action is None:
        raise Refusal("illegal")
    try:
        recalls.answer(player, word, number, action)
    except Pending:
        asked = recalls.asked(player, word)
        return _page(asked, PuzzlePage(asked.puzzle, action, None, pending=True, method="post"), 202)
    if wants_json() or wants_fragment():
        return _shown(word)
    return redirect(url_for("recalls.show", word=word), 303)


@bp.post("/<word>/drop")
@limited("120/minute")
@describe(Operation(answers={200: RecallsAnswer}, path=_PATH))
def drop(word: str) -> ResponseReturnValue:
    """Ask this decision no more. Sent again, it changes nothing."""
    visitor.require_readable()
    recalls.drop(visitor.player(), word)
    return _changed()


def _changed() -> ResponseReturnValue:
    return _overview() if wants_json() else redirect(url_for("recalls.overview"), 303)


def _overview() -> ResponseReturnValue:
    player = visitor.player()
    queue = recalls.queue_of(player)
    word = recalls.first_of(player, queue)
    if wants_json():
        return json_response(RecallsAnswer.of(queue, word))
    return render("drill/again.html", queue=queue, word=word, has_played=has_played(player))


def _shown(word: str) -> ResponseReturnValue:
    asked = recalls.asked(visitor.player(), word)
    if not asked.is_due and asked.answer is None:
        raise Refusal("recall-not-due")
    return _page(asked, answered(asked.puzzle, asked.answer, "post"))


def _page(asked: recalls.Asked, page: PuzzlePage, status: int = 200) -> ResponseReturnValue:
    if wants_json():
        return json_response(RecallAnswer.of(asked, page.verdict, page.pending), status)
    player = visitor.player()
    queue = recalls.queue_of(player)
    return render(
        "drill/recall.html",
        status,
        code=asked.puzzle.game.spec.code,
        recall=asked,
        asked=page,
        puzzle=asked.puzzle,
        left=len(queue.due),
        following=recalls.first_of(player, queue) if page.verdict else None,
    )
