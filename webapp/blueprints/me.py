"""What the player of this browser has played."""

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from webapp.services.players import player_name
from webapp.services.records import history, statistics
from webapp.web.api.answers.pages import PlayerAnswer
from webapp.web.api.answers.solo import SummaryAnswer
from webapp.web.api.forms import HistoryQuery, read
from webapp.web.api.operations import Operation, describe
from webapp.web.api.serialize import json_response
from webapp.web.request import visitor
from webapp.web.templating.render import render, wants_json

bp = Blueprint("me", __name__, url_prefix="/me")


@bp.get("")
@describe(Operation(answers={200: PlayerAnswer}, query=HistoryQuery))
def show() -> ResponseReturnValue:
    """Return the player's name, numbers and finished hands."""
    player = visitor.player()
    page = history.history_page(player, read(HistoryQuery, request.args).before)
    careers = statistics.careers(player)
    name = player_name(player)
    if wants_json():
        hands = tuple(SummaryAnswer.of(summary) for summary in page.hands)
        return json_response(PlayerAnswer(name=name, games=careers, hands=hands, before=page.before))
    return render("me.html", name=name, careers=careers, page=page)
