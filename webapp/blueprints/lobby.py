"""The lobby, pages that explain the site, and the settings of a browser."""

from typing import Final

from flask import Blueprint, Response, make_response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp.engine.games import COMPANY, GAMES, SOLO
from webapp.services.circles import circles_of
from webapp.services.core.clock import next_deals_at
from webapp.services.core.errors import Refusal
from webapp.services.records import history, known_games
from webapp.services.review import days
from webapp.services.solo import reading
from webapp.services.tables import commands, lobby, seating
from webapp.web import refused_names
from webapp.web.api.circle_answers import CircleTableAnswer
from webapp.web.api.forms import AfreshForm, RulesQuery, SettingsForm, read
from webapp.web.api.openapi_operations import Operation, describe
from webapp.web.api.page_answers import FairAnswer, GameAnswer, KnownGameAnswer, LobbyAnswer, RulesAnswer
from webapp.web.api.serialize import json_response
from webapp.web.api.solo_answers import BoardAnswer, SummaryAnswer
from webapp.web.hand_page.daily_line import signs_of_deals
from webapp.web.hand_page.transcript import SCRIPT
from webapp.web.request import seed_cookie, visitor
from webapp.web.request.preferences import CHOICES, game_choices, keep_preferences, preferences
from webapp.web.templating.render import render, wants_fragment, wants_json

bp = Blueprint("lobby", __name__)

_PATH: Final = {"code": "Code of the game."}


@bp.get("/")
@describe(Operation(answers={200: LobbyAnswer}))
def show() -> ResponseReturnValue:
    """Return the games, the player's open hands and the last finished ones."""
    player = visitor.player()
    open_hands = reading.open_hands(player, seed_cookie.sealed_seeds())
    recent, at_table = history.latest_hands(player, 5), seating.table_of(player)
    known, tables_open = known_games.known_games(player), len(lobby.list_public_tables())
    circles = circles_of(player)
    names = {circle.code: circle.name for circle in circles}
    circle_tables = tuple(table for table in lobby.free_tables_of(names) if table.code != at_table)
    if wants_json():
        return json_response(
            LobbyAnswer(
                games=tuple(GameAnswer.of(game) for game in GAMES.values()),
                open_hands=tuple(BoardAnswer.of(board) for board in open_hands),
                recent=tuple(SummaryAnswer.of(summary) for summary in recent),
                at_table=url_for("tables.show", code=at_table) if at_table else None,
                known=tuple(KnownGameAnswer.of(game) for game in known.values()),
                tables_open=tables_open,
                circle_tables=tuple(CircleTableAnswer.of(table) for table in circle_tables),
            )
        )
    daily = days.summary_for(player)
    return render(
        "lobby.html",
        is_stranger=player is None,
        daily=daily,
        next_at=next_deals_at(),
        signs=signs_of_deals(daily.finished),
        games=SOLO.values(),
        company=COMPANY.spec.code,
        open_hands=open_hands,
        at_table=at_table,
        recent=recent,
        known=known,
        tables_open=tables_open,
        circles=circles,
        circle_names=names,
        circle_tables=circle_tables,
    )


@bp.get("/rules/<code>")
@describe(Operation(answers={200: RulesAnswer}, query=RulesQuery, path=_PATH))
def rules(code: str) -> ResponseReturnValue:
    """Return the rules of a game's table."""
    if code not in GAMES:
        raise Refusal("unknown-game", code)
    game, query = GAMES[code], read(RulesQuery, request.args)
    table = game.spec.default if query.table is None else query.table
    if wants_json():
        return json_response(RulesAnswer(code, table, game.rules(table), game.cut_card(table)))
    return render("rules.html", spec=game.spec, table=table, rules=game.rules(table), choices=game.choices())


@bp.get("/rules/<code>/own")
def own(code: str) -> ResponseReturnValue:
    """Redirect from a form of rules to the table that has them; a shared table has to be opened first."""
    if code not in GAMES:
        raise Refusal("unknown-game", code)
    table = GAMES[code].variant_from_choices(request.args.to_dict())
    if code not in SOLO:
        return redirect(url_for("tables.listing", table=table, _anchor="own"), 303)
    return redirect(url_for("play.table", code=code, table=table), 303)


@bp.get("/fair")
@describe(Operation(answers={200: FairAnswer}))
def fair() -> ResponseReturnValue:
    """Show how cards are shuffled."""
    if wants_json():
        return json_response(FairAnswer(scheme="tf1", listing=SCRIPT))
    return render("fair.html", listing=SCRIPT)


@bp.get("/about")
def about() -> ResponseReturnValue:
    """Show the page about the site."""
    return render("about.html")


@bp.post("/settings")
@describe(Operation(answers={303: None, 204: None}, form=SettingsForm, choices=lambda: CHOICES | game_choices()))
def settings() -> ResponseReturnValue:
    """Change the preferences of this browser, or the name of its player."""
    form = read(SettingsForm, request.form)
    if form.name is not None and (form.name.strip() or visitor.player()):
        name = refused_names.parse_name(form.name)
        commands.rename_player(visitor.require_player(), name)
    response = Response(status=204) if wants_fragment() else make_response(redirect(_path_of_this_site(form.next), 303))
    keep_preferences(response, preferences().having(request.form))
    return response


@bp.post("/afresh")
@describe(Operation(answers={303: None}, form=AfreshForm))
def afresh() -> ResponseReturnValue:
    """Forget the player in this browser; with `unreadable` only if its cookie still cannot be read."""
    if not (read(AfreshForm, request.form).unreadable and visitor.is_readable()):
        visitor.start_afresh()
    return redirect(url_for("lobby.show"), 303)


def _path_of_this_site(address: str) -> str:
    """Return an address if it is a path of this site, else that of the lobby."""
    is_ours = address.startswith("/") and not address.startswith("//") and "\\" not in address
    return address if is_ours and address.isprintable() else url_for("lobby.show")
