"""The hands of the player: history, statistics, decisions."""

from flask import Blueprint, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp.services.circles import circles_of
from webapp.services.core.randomness import new_key
from webapp.services.players import player_name
from webapp.services.records import history, statistics
from webapp.services.records.history import best_hands
from webapp.services.review.recalls import queue_of
from webapp.services.review.schedule import review_latest
from webapp.services.review.statistics import decisions_of
from webapp.services.tables import seat_links
from webapp.web.api.forms import HistoryQuery, SessionsForm, read
from webapp.web.api.openapi_operations import Operation, describe
from webapp.web.api.page_answers import PlayerAnswer
from webapp.web.api.serialize import json_response
from webapp.web.api.solo_answers import SummaryAnswer
from webapp.web.i18n.vocabulary import game_preferences
from webapp.web.languages import LANGUAGES
from webapp.web.request import visitor
from webapp.web.request.limits import limited
from webapp.web.templating.render import render, wants_fragment, wants_json

bp = Blueprint("me", __name__, url_prefix="/me")


@bp.get("")
@describe(Operation(answers={200: PlayerAnswer}, query=HistoryQuery))
def show() -> ResponseReturnValue:
    """Return the player's name, numbers and finished hands."""
    player = visitor.player()
    query = read(HistoryQuery, request.args)
    page = history.history_page(player, query.before, query.game)
    careers = statistics.careers(player)
    name = player_name(player)
    decisions = decisions_of(player)
    if wants_json():
        hands = tuple(SummaryAnswer.of(summary) for summary in page.hands)
        return json_response(
            PlayerAnswer(name=name, games=careers, decisions=decisions, hands=hands, before=page.before)
        )
    best = {career.game: best_hands(player, career.game) for career in careers}
    return render(
        "me.html",
        name=name,
        careers=careers,
        best=best,
        decisions=decisions,
        left=None,
        queue=queue_of(player),
        languages=[(language.code, language.name) for language in LANGUAGES],
        game_preferences=game_preferences(),
        page=page,
        of=query.game,
        is_player=player is not None,
        circles=circles_of(player),
        once=new_key(22),
    )


@bp.get("/decisions")
@limited("240/minute")
@describe(Operation(answers={200: "text/html", 303: None}))
def decisions() -> ResponseReturnValue:
    """Request reviews of the player's latest hands, and return their statistics as a part of the page."""
    player = visitor.player()
    left = review_latest(player) if player else 0
    if not wants_fragment():
        return redirect(url_for("me.show", _anchor="decisions"), 303)
    return render("me/decisions.html", decisions=decisions_of(player), left=left)


@bp.post("/end-other-sessions")
@limited("30/minute")
@describe(Operation(answers={303: None}, form=SessionsForm))
def end_other_sessions() -> ResponseReturnValue:
    """End all other sessions of the player, and the private links to seats that were seen in them."""
    visitor.require_readable()
    player = visitor.end_other_sessions(read(SessionsForm, request.form).once[:64])
    if player is not None:
        seat_links.renew(player)
    return redirect(url_for("me.show", saved=None if player is None else 1, _anchor="settings"), 303)
