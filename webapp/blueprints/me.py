"""Pages of the player: numbers of each game, finished hands, decisions, settings."""

from flask import Blueprint, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp.services.circles import circles_of
from webapp.services.core.randomness import new_key
from webapp.services.players import player_name
from webapp.services.records import history, known_games, statistics
from webapp.services.records.history import best_hands
from webapp.services.review import ratings
from webapp.services.review.counting_progress import progress_of
from webapp.services.review.recall_choice import has_played
from webapp.services.review.recalls import queue_of
from webapp.services.review.schedule import review_latest
from webapp.services.review.statistics import decisions_of
from webapp.services.tables import seat_links
from webapp.web.api.forms import HistoryQuery, SessionsForm, read
from webapp.web.api.openapi_operations import Operation, describe
from webapp.web.api.page_answers import PlayerAnswer, RatingsAnswer
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
    """Return the player's name, numbers and finished hands; as a page, what was won, lost and made in each game."""
    player = visitor.player()
    query = read(HistoryQuery, request.args)
    careers = statistics.careers(player)
    if wants_json():
        page = history.history_page(player, query.before, query.game)
        hands = tuple(SummaryAnswer.of(summary) for summary in page.hands)
        name, decisions = player_name(player), decisions_of(player)
        return json_response(
            PlayerAnswer(
                name=name,
                games=careers,
                decisions=decisions,
                ratings=ratings.ratings_of(player),
                hands=hands,
                before=page.before,
            )
        )
    if query.before or query.game:  # as the list of hands was asked for while it was a part of this page
        return redirect(url_for("me.hands", before=query.before or None, game=query.game or None), 302)
    best = {career.game: best_hands(player, career.game) for career in careers}
    return _page("career", careers=careers, best=best, circles=circles_of(player))


@bp.get("/hands")
@describe(Operation(answers={200: "text/html"}, query=HistoryQuery))
def hands() -> ResponseReturnValue:
    """Show the player's finished hands."""
    player = visitor.player()
    query = read(HistoryQuery, request.args)
    page = history.history_page(player, query.before, query.game)
    return _page("hands", page=page, of=query.game, games=known_games.known_games(player))


@bp.get("/decisions")
@limited("240/minute")
@describe(Operation(answers={200: "text/html"}))
def decisions() -> ResponseReturnValue:
    """Request reviews of the player's latest hands, and return what the decisions were worth."""
    player = visitor.player()
    left = review_latest(player) if player else 0
    known = {"decisions": decisions_of(player), "ratings": ratings.ratings_of(player), "left": left}
    if wants_fragment():
        return render("me/decided.html", **known)
    asking = {"queue": queue_of(player), "has_played": has_played(player)}
    return _page("decisions", counting=progress_of(player), **asking, **known)


@bp.get("/rating")
@describe(Operation(answers={200: RatingsAnswer}))
def rating() -> ResponseReturnValue:
    """Return the ratings of the player's decisions, and how they are computed."""
    found = ratings.ratings_of(visitor.player())
    if wants_json():
        return json_response(RatingsAnswer(found))
    return render("me/rating.html", ratings=found, latest=ratings.LATEST, least=ratings.LEAST)


@bp.get("/settings")
@describe(Operation(answers={200: "text/html"}))
def settings() -> ResponseReturnValue:
    """Show the settings, and what a player can do with all that is stored."""
    player = visitor.player()
    return _page(
        "settings",
        name=player_name(player),
        languages=[(language.code, language.name) for language in LANGUAGES],
        game_preferences=game_preferences(),
        is_player=player is not None,
        once=new_key(22),
    )


def _page(tab: str, **shown: object) -> ResponseReturnValue:
    return render(f"me/{tab}.html", part=request.endpoint, **shown)


@bp.post("/end-other-sessions")
@limited("30/minute")
@describe(Operation(answers={303: None}, form=SessionsForm))
def end_other_sessions() -> ResponseReturnValue:
    """End all other sessions of the player, and the private links to seats that were seen in them."""
    visitor.require_readable()
    player = visitor.end_other_sessions(read(SessionsForm, request.form).once[:64])
    if player is not None:
        seat_links.renew(player)
    return redirect(url_for("me.settings", saved=None if player is None else 1, _anchor="settings"), 303)
