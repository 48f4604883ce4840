"""The lobby, and the pages that explain the house."""

from flask import Blueprint, Response, jsonify, make_response, redirect, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import text

from webapp.engine.games import COMPANY, GAMES, SOLO
from webapp.extensions import db, limiter
from webapp.services.core.errors import Refusal
from webapp.services.records import history
from webapp.services.solo import play
from webapp.services.tables import commands, seating
from webapp.web.api import serialize
from webapp.web.hand_page.tf1_script import SCRIPT
from webapp.web.i18n import display_names
from webapp.web.i18n.vocabulary import game_name
from webapp.web.request import visitor
from webapp.web.templating.render import render, wants_json

bp = Blueprint("lobby", __name__)


@bp.get("/")
def show() -> ResponseReturnValue:
    player = visitor.player()
    open_hands = play.open_hands(player, visitor.boxes())
    recent, at_table = history.latest_hands(player, 5), seating.table_of(player)
    if wants_json():
        return jsonify(
            games=[serialize.game_json(game) for game in GAMES.values()],
            open_hands=[serialize.board_json(board) for board in open_hands],
            recent=[serialize.summary_json(summary) for summary in recent],
            at_table=url_for("tables.show", code=at_table) if at_table else None,
        )
    return render(
        "lobby.html",
        games=SOLO.values(),
        company_name=game_name(COMPANY.spec.code),
        open_hands=open_hands,
        at_table=at_table,
        recent=recent,
    )


@bp.get("/rules/<code>")
def rules(code: str) -> ResponseReturnValue:
    if code not in GAMES:
        raise Refusal("unknown-game", code)
    game = GAMES[code]
    table = request.args.get("table", game.spec.default)
    if wants_json():
        return jsonify(game=code, table=table, rules=serialize.to_json(game.rules(table)))
    return render("rules.html", spec=game.spec, table=table, rules=game.rules(table), choices=game.choices())


@bp.get("/rules/<code>/own")
def own(code: str) -> ResponseReturnValue:
    """From a form of choices to the table that has these rules; one to be shared must be opened first."""
    if code not in GAMES:
        raise Refusal("unknown-game", code)
    table = GAMES[code].own_table(request.args.to_dict())
    if code not in SOLO:
        return redirect(url_for("tables.listing", table=table, _anchor="own"), 303)
    return redirect(url_for("play.table", code=code, table=table), 303)


@bp.get("/fair")
def fair() -> ResponseReturnValue:
    if wants_json():
        return jsonify(scheme="tf1", listing=SCRIPT)
    return render("fair.html", listing=SCRIPT)


@bp.get("/about")
def about() -> ResponseReturnValue:
    return render("about.html")


@bp.post("/settings")
def settings() -> ResponseReturnValue:
    """Keep what this browser prefers; a name is kept with the player."""
    name = request.form.get("name")
    if name is not None and (name.strip() or visitor.player()):
        name = display_names.parse_name(name)
        commands.rename_player(visitor.player_made(), name)
    response = make_response(redirect(_back_to(request.form.get("next", "")), 303))
    visitor.keep_preferences(response, visitor.preferences().having(request.form))
    return response


@bp.post("/afresh")
def afresh() -> ResponseReturnValue:
    visitor.start_afresh()
    return redirect(url_for("lobby.show"), 303)


@bp.get("/healthz")
@limiter.exempt
def healthz() -> Response:
    db.session.execute(text("SELECT 1"))
    return Response("ok\n", mimetype="text/plain")


def _back_to(address: str) -> str:
    """A path of this site, never another's."""
    is_ours = address.startswith("/") and not address.startswith("//") and "\\" not in address
    return address if is_ours and address.isprintable() else url_for("lobby.show")
