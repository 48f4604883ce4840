"""What a player has played here."""

from flask import Blueprint, jsonify, request
from flask.typing import ResponseReturnValue

from webapp.services.players import player_name
from webapp.services.records import history as history_module
from webapp.services.records import statistics
from webapp.web.api import serialize
from webapp.web.request import visitor
from webapp.web.templating.render import render, wants_json

bp = Blueprint("me", __name__, url_prefix="/me")


@bp.get("")
def show() -> ResponseReturnValue:
    player = visitor.player()
    page = history_module.history_page(player, request.args.get("before"))
    careers = statistics.careers(player)
    name = player_name(player)
    if wants_json():
        return jsonify(
            name=name,
            games=[serialize.to_json(career) for career in careers],
            hands=[serialize.summary_json(summary) for summary in page.hands],
            before=page.before,
        )
    return render("me.html", name=name, careers=careers, page=page)
