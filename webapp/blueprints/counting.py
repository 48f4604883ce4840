"""Drills of counting cards: ``/drill/counting``. Each step is an address of its own, so that no script is needed."""

from dataclasses import replace
from typing import Any, Final

from flask import Blueprint, Response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp.engine.games.blackjack import GAME as BLACKJACK
from webapp.engine.odds.question import ImpossibleSpot
from webapp.engine.twenty_one.counting import NAMES, ROUNDINGS
from webapp.services.core.clock import now_ms
from webapp.services.core.errors import Refusal
from webapp.services.deals.counting_drills import AT_A_TIME
from webapp.services.deals.drill_round import DrillRound
from webapp.services.deals.drills import new_spot
from webapp.services.odds.desk import Pending
from webapp.services.review.counting_progress import DRILLS, note_count
from webapp.web.api import fields
from webapp.web.api.counting_answers import CountingAnswer
from webapp.web.api.forms import CountingForm, CountingQuery, read
from webapp.web.api.odds_answers import OddsPendingAnswer
from webapp.web.api.openapi_operations import Operation, describe
from webapp.web.api.serialize import json_response
from webapp.web.i18n import odds_words
from webapp.web.i18n.vocabulary import game_preferences
from webapp.web.odds_page.counting_page import PACES, CountingPage, Settings, questions_of
from webapp.web.odds_page.question import on_impossible_spot, pending
from webapp.web.request import visitor
from webapp.web.request.limits import limited
from webapp.web.templating.render import render, wants_json

bp = Blueprint("counting", __name__, url_prefix="/drill/counting")

_PATH: Final = {
    "drill": "`deck`: a deck is counted down; `true`: true counts; `tray`: decks that are left; `plays`: index numbers."
}


bp.register_error_handler(ImpossibleSpot, on_impossible_spot)


@bp.get("")
@limited("240/minute")
@describe(Operation(answers={200: "text/html"}, query=CountingQuery))
def overview() -> ResponseReturnValue:
    """Show what counting is, the drills, and their settings."""
    query, wrong = read(CountingQuery, request.args), None
    try:
        settings = Settings.of(query)
    except ImpossibleSpot as error:
        if wants_json():
            raise
        settings, wrong = Settings.of(replace(query, system=CountingQuery().system)), error
    return render(
        "drill/counting.html",
        422 if wrong else 200,
        wrong={"tags": query.system, "sentence": odds_words.impossible(wrong)} if wrong else None,
        code=BLACKJACK.spec.code,
        spec=BLACKJACK.spec,
        settings=settings,
        systems=NAMES,
        at_a_time=AT_A_TIME,
        paces=PACES,
        roundings=ROUNDINGS,
        game_preferences=game_preferences(),
    )


@bp.get("/<drill>")
@limited("900/minute")
@describe(Operation(answers={200: CountingAnswer, 202: OddsPendingAnswer, 303: None}, query=CountingQuery, path=_PATH))
def show(drill: str) -> ResponseReturnValue:
    """Return the next cards, a question, or the verdict on an answer that was posted; without `spot` redirect to one.

    Index numbers are worked out before the first question of `plays` at a table (202): repeat the request.
    """
    query = read(CountingQuery, request.args)
    settings, so_far = Settings.of(query), DrillRound.read(query.round)
    if drill not in DRILLS:
        raise Refusal("no-decision", drill[:20])
    if drill == "true" and not settings.system.is_balanced:
        return redirect(url_for("counting.overview", **settings.carried), 303)
    if not query.spot:
        if len(so_far) >= questions_of(drill) and not wants_json():
            return _page("drill/counted.html", drill, settings, so_far)
        return redirect(_address(drill, settings, spot=new_spot(), round=str(so_far), since=now_ms()), 303)
    try:
        page = CountingPage.of(drill, query, asks=query.ask == "1")
    except Pending:
        if wants_json():
            return pending(BLACKJACK.spec.code, settings.table)
        return render("drill/count_later.html", 202, drill=drill, settings=settings)
    since = fields.moment(query.since, now_ms())
    verdict = page.verdict_on(query.answer) if query.answer and page.asks else None
    if verdict and not page.is_sealed(verdict, query.mark):
        verdict = None
    if wants_json():
        return json_response(page.as_json(verdict))
    return _page("drill/count.html", drill, settings, so_far, page=page, verdict=verdict, since=since)


@bp.post("/<drill>")
@limited("240/minute")
@describe(Operation(answers={200: CountingAnswer, 303: None}, form=CountingForm, path=_PATH))
def answer(drill: str) -> ResponseReturnValue:
    """Answer a question, and return it with the verdict. The first answer is kept for the player, if there is one."""
    visitor.require_readable()
    form = read(CountingForm, request.form)
    try:
        page = CountingPage.of(drill, form, asks=True)
    except Pending:
        raise Refusal("odds-later") from None
    try:
        verdict = page.verdict_on(form.answer)
    except Refusal as refusal:
        if wants_json() or refusal.code != "bad-count":
            raise
        so_far, since = DrillRound.read(form.round), fields.moment(form.since, now_ms())
        asked = {"page": page, "verdict": None, "since": since, "wrong": form.answer[:20]}
        shown = _page("drill/count.html", drill, page.settings, so_far, 422, **asked)
        step, told = page.step or None, {"since": since, "round": str(so_far)}
        shown.headers["HX-Replace-Url"] = _address(drill, page.settings, spot=page.spot, step=step, ask=1, **told)
        return shown
    player = visitor.player()
    if player is not None:
        note_count(player, drill, f"{page.spot}-{page.step}", verdict.off)
    if wants_json():
        return json_response(page.as_json(verdict))
    now = now_ms()
    done = DrillRound.read(form.round).adding(drill, verdict.off, now - fields.moment(form.since, now))
    told = {"answer": verdict.answer, "mark": page.seal(verdict), "round": str(done)}
    return redirect(_address(drill, page.settings, spot=page.spot, step=page.step or None, ask=1, **told), 303)


def _address(drill: str, settings: Settings, **values: object) -> str:
    given: dict[str, Any] = {name: value for name, value in values.items() if value not in (None, "")}
    return url_for("counting.show", drill=drill, **settings.carried, **given)


def _page(
    template: str, drill: str, settings: Settings, so_far: DrillRound, status: int = 200, **shown: object
) -> Response:
    return render(
        template,
        status,
        code=BLACKJACK.spec.code,
        drill=drill,
        settings=settings,
        so_far=so_far,
        questions=questions_of(drill),
        names=NAMES,
        is_kept=visitor.player() is not None,
        **shown,
    )
