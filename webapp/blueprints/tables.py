"""Shared tables: open one, sit down, play, watch, and receive its event stream."""

from contextlib import nullcontext
from typing import Final

from flask import Blueprint, Response, current_app, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp.adapter import streams_of
from webapp.engine.errors import EngineError
from webapp.engine.games import COMPANY
from webapp.services import circles
from webapp.services.core.clock import now_ms
from webapp.services.core.database import rollback
from webapp.services.core.errors import Refusal
from webapp.services.players import player_name
from webapp.services.tables import commands, loading, lobby, seating
from webapp.services.tables import send_reaction as reactions_module
from webapp.services.tables import table_view as view_module
from webapp.services.tables.commands import Command, Stale
from webapp.services.tables.facts import Snapshot
from webapp.services.tables.follower import Follower
from webapp.services.tables.versions import hub
from webapp.web import metrics, refused_names
from webapp.web.api import fields
from webapp.web.api.error_answers import ErrorAnswer, RefusedTableAnswer
from webapp.web.api.forms import (
    CommandForm,
    NewTableForm,
    ReactionForm,
    SharedTableQuery,
    StreamQuery,
    TablesQuery,
    read,
)
from webapp.web.api.openapi_operations import Operation, describe
from webapp.web.api.serialize import json_response
from webapp.web.api.table_answers import TableAnswer, TablesAnswer
from webapp.web.hand_page import link_preview
from webapp.web.hand_page.picture_store import pictures
from webapp.web.i18n.refusals import refusal_of
from webapp.web.push import views
from webapp.web.request import visitor
from webapp.web.request.language import language_of_link, language_of_picture
from webapp.web.request.limits import guessing, limited, network_fingerprint, remote_key, signed_player
from webapp.web.request.logs import note_refusal
from webapp.web.stream import TableStream, stream_head
from webapp.web.table_page import table_answer, table_page, with_reactions
from webapp.web.templating.render import render, wants_fragment, wants_json

bp = Blueprint("tables", __name__)

_PATH: Final = {"code": "Code of the table.", "version": "Version that the command was made for."}
OF_A_VISITOR: Final = 4
"""Open streams: a browser opens six connections to a site over HTTP/1.1, and actions need some."""
OF_AN_ADDRESS: Final = 96
"""Open streams: a class may look on from behind one address."""


@bp.after_request
def _count_refused_as_heartbeat(response: Response) -> Response:
    """Count a refused request as a heartbeat: nobody loses a seat because of a limit, or of a full house."""
    code = (request.view_args or {}).get("code")
    if response.status_code in (429, 503) and code:
        loading.count_as_heartbeat(code, signed_player())  # the database may be away
    return response


@bp.get("/tables")
@describe(Operation(answers={200: TablesAnswer}, query=TablesQuery))
def listing() -> ResponseReturnValue:
    """Return the public tables with people."""
    query = read(TablesQuery, request.args)
    code = fields.written_table_code(query.code)
    if code:
        return redirect(url_for("tables.show", code=code), 303)
    chosen = _default() if query.table is None else query.table
    rules = COMPANY.rules(chosen)
    tables, own_table = lobby.list_public_tables(), seating.table_of(visitor.player())
    if wants_json():
        return json_response(TablesAnswer.of(tables, own_table))
    return render(
        "tables/list.html",
        tables=tables,
        mine=own_table,
        choices=COMPANY.choices(),
        rules=rules,
        own=chosen != _default(),
        my_name=player_name(visitor.player()),
    )


@bp.post("/tables")
@limited("30/minute")
@guessing
@describe(Operation(answers={201: TableAnswer, 200: TableAnswer}, form=NewTableForm, choices=COMPANY.choices))
def open_one() -> ResponseReturnValue:
    """Open a table (201); a player who is in a round elsewhere gets that table instead (200)."""
    form = read(NewTableForm, request.form)
    chosen = {name: request.form[name] for name in COMPANY.choices() if request.form.get(name)}
    variant = COMPANY.variant_from_choices(chosen) if chosen else form.table or _default()
    COMPANY.rules(variant)  # no player is created for rules that are none
    circle = circles.require_member(fields.circle_code(form.circle), visitor.player()).code if form.circle else None
    name, player = _name(form.name), visitor.require_player()
    try:
        network = network_fingerprint() if form.public else None
        code, status = lobby.open_table(player, variant, form.public, form.bot, network, circle), 201
    except Refusal as refusal:
        if refusal.code != "seated-elsewhere":
            raise
        code, status = refusal.detail, 200  # as with hands: the round that is open is played first
    if name:
        commands.rename_player(player, name)
    if wants_json():
        return json_response(table_answer(loading.load(code, player), player), status)
    return redirect(url_for("tables.show", code=code), 303)


@bp.get("/t/<code>")
@limited("1200/minute")
@guessing
@describe(Operation(answers={200: TableAnswer, 204: None}, query=SharedTableQuery, path=_PATH))
def show(code: str) -> ResponseReturnValue:
    """Return a table as this viewer may see it."""
    query = read(SharedTableQuery, request.args)
    written = fields.written_table_code(code)
    if written and code != written:  # in a sentence, the full stop or bracket behind a link becomes part of it
        return redirect(url_for("tables.show", code=written, seat=query.seat, lang=language_of_link()), 302)
    player = visitor.player()
    table = loading.load(fields.table_code(code), player, announced=query.since is not None)
    if query.still is not None and table.seat_of(player) is None:
        hub().add_poll(code, _watcher(player))
    if query.since == str(table.version) and (wants_fragment() or wants_json()):
        unchanged = Response(status=204, headers={"Cache-Control": "no-store", "X-Now": str(now_ms())})
        return with_reactions(code, unchanged)
    return _answer(table, player)


@bp.get("/t/<code>.png")
@limited("60/minute")
@guessing
@describe(Operation(answers={200: "image/png"}, path=_PATH))
def as_picture(code: str) -> ResponseReturnValue:
    """Return the picture that chats show beside the link to a table."""
    table = loading.load(fields.table_code(code), None, announced=True)
    subject = link_preview.invitation_subject(view_module.view_for(table, None), language_of_picture())
    picture = pictures().picture("table", subject)
    return Response(picture, mimetype="image/png", headers={"Cache-Control": "public, max-age=300"})


@bp.post("/t/<code>/<version>")
@limited("600/minute")
@guessing
@describe(
    Operation(answers={200: TableAnswer}, form=CommandForm, refused=(RefusedTableAnswer, ErrorAnswer), path=_PATH)
)
def act(code: str, version: str) -> ResponseReturnValue:
    """Carry out a command and return the table; 409 with the current table if the version is outdated."""
    visitor.require_readable()
    form, player = read(CommandForm, request.form), visitor.player() or ""
    fields.table_code(code)
    with views().answering(code, player) if player and wants_fragment() else nullcontext():
        return _carried_out(code, version, form, player)


def _carried_out(code: str, version: str, form: CommandForm, player: str) -> ResponseReturnValue:
    if form.verb.lower() in ("sit", "take"):
        if not player:
            loading.load(code, None, announced=True)  # no player is created for a table that does not exist
        player = visitor.require_player()
    try:
        number, verb = fields.number(version, "bad-step", digits=9), fields.verb(form.verb)
        name = _name(form.name) if verb == "sit" else ""
        command = Command(verb, fields.typed(form.arg).strip()[:40], fields.cut(form.cut), form.ready)
        table = commands.execute(code, number, player, command)
        metrics.count_action(COMPANY.spec.code, verb)
        if name:
            commands.rename_player(player, name)
            table = loading.load(code, player)
    except Stale:
        return _refuse(code, player, "stale")
    except (Refusal, EngineError) as error:
        if isinstance(error, Refusal) and error.code == "table-not-found":
            raise
        return _refuse(code, player, error.code)
    if not wants_fragment() or wants_json():
        return _answer(table, player)
    return table_page(table, player, keep=lambda room: views().keep_answer(table, player, room))


@bp.post("/t/<code>/reactions")
@limited("120/minute")
@guessing
@describe(Operation(answers={204: None}, form=ReactionForm, path=_PATH))
def react(code: str) -> ResponseReturnValue:
    """Show a reaction at the viewer's seat to everybody for a moment; it is not stored."""
    form, player = read(ReactionForm, request.form), visitor.player()
    try:
        reactions_module.react(fields.table_code(code), player, form.kind.lower(), form.once[:64])
    except Refusal as refusal:
        if refusal.code != "too-many-reactions" or wants_json() or wants_fragment():
            raise
    if wants_json() or wants_fragment():
        return with_reactions(code, Response(status=204, headers={"Cache-Control": "no-store"}))
    return redirect(url_for("tables.show", code=code), 303)


@bp.get("/t/<code>/events")
@limited("240/minute")
@guessing
@describe(Operation(answers={200: "text/event-stream", 204: None}, query=StreamQuery, path=_PATH))
def events(code: str) -> ResponseReturnValue:
    """Stream `moved` with a version, `watching` with a number, `reaction`, `beat`, `newer`; to pages also parts."""
    player, limits = visitor.player(), current_app.extensions["config"].rate_limits
    table = loading.load(fields.table_code(code), player)
    if request.method == "HEAD":
        return stream_head()  # a HEAD request does not read a stream
    streams = streams_of(request.environ)
    if streams is None:
        return Response(status=204, headers={"Cache-Control": "no-store"})  # no event loop: the page polls instead
    query = read(StreamQuery, request.args)
    since = request.headers.get("Last-Event-ID", query.since)  # a browser that comes back says what it has
    push = views().to(table, player, since) if query.since else None
    is_seated = table.seat_of(player) is not None
    follower = Follower(
        code,
        player=player or "",
        watcher="" if is_seated else _watcher(player),
        page=f"{_visitor(player)} {query.page[:32]}" if query.page else "",  # the same word from others is another page
        opened=_opened(query.opened) if is_seated else 0,
        address=remote_key(),
        look=push.viewpoint if push and not is_seated else None,
        limits=((f"v:{_visitor(player)}", OF_A_VISITOR), (f"a:{remote_key()}", OF_AN_ADDRESS)) if limits else (),
    )
    if not hub().join(follower):
        status, sentence = refusal_of("too-many-streams")
        return Response(f"{sentence}\n", status, mimetype="text/plain", headers={"Retry-After": "30"})
    try:
        hub().loaded(code, loading.load(code, player).version)  # after joining, so that nothing falls between
        hub().open_page(follower)
    except BaseException:
        hub().leave(follower)
        raise
    streams.append(TableStream(hub(), follower, push))
    return stream_head()


def _answer(table: Snapshot, player: str | None) -> ResponseReturnValue:
    if wants_json():
        return json_response(table_answer(table, player))
    if request.method in ("GET", "HEAD") or wants_fragment():
        return table_page(table, player)
    return redirect(url_for("tables.show", code=table.code), 303)


def _refuse(code: str, player: str | None, why: str) -> ResponseReturnValue:
    """Return the refusal with the table as it stands."""
    rollback()
    note_refusal(why)
    status, sentence = refusal_of(why)
    table = loading.load(code, player)
    if wants_json():
        seen, watching = view_module.view_for(table, player), hub().watching(code)
        shown = hub().reactions.recent(code)
        return json_response(RefusedTableAnswer.of(seen, watching, shown, error=why, message=sentence), status)
    return table_page(table, player, status, sentence)


def _default() -> str:
    return COMPANY.spec.default


def _name(text: str) -> str:
    """Return the name that comes with sitting down; empty if there is none.

    Raises:
        Refusal: ``bad-name``, ``mixed-name``, ``machines-name``, ``taken-name`` or ``refused-name``.
    """
    return refused_names.parse_name(text) if text.strip() else ""


def _watcher(player: str | None) -> str:
    """Return the key by which a watcher is counted: the player, or the address of a visitor who is not one yet."""
    return player or remote_key()


def _opened(text: str) -> int:
    """Return when a page was made, by the clock of the site; 0 if that cannot be read."""
    return min(int(text), now_ms()) if fields.is_number(text) else 0


def _visitor(player: str | None) -> str:
    return player or f"{remote_key()} {request.user_agent.string[:80]}"
