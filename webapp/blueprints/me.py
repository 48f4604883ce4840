"""What a player has played here."""

from flask import Blueprint, jsonify, request
from flask.typing import ResponseReturnValue

from webapp.services import history, played
from webapp.web import viewer, wire
from webapp.web.htmx import render, wants_json

bp = Blueprint("me", __name__, url_prefix="/me")


@bp.get("")
def show() -> ResponseReturnValue:
    player = viewer.player()
    page = played.page(player, request.args.get("before"))
    careers = history.careers(player)
    name = history.name_of(player)
    if wants_json():
        return jsonify(
            name=name,
            games=[wire.plain(career) for career in careers],
            hands=[wire.summary_json(summary) for summary in page.hands],
            before=page.before,
        )
    return render("me.html", name=name, careers=careers, page=page)
