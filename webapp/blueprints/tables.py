"""Shared tables: open one, sit down, play, look on, and follow the stream of its events."""

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import Final, ParamSpec

from flask import Blueprint, Response, current_app, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp.config import Config
from webapp.engine.errors import EngineError
from webapp.engine.games import COMPANY
from webapp.services.core.errors import Refusal
from webapp.services.core.transaction import rollback
from webapp.services.players import player_name
from webapp.services.tables import commands, lobby, seating
from webapp.services.tables import events as events_module
from webapp.services.tables import view as view_module
from webapp.services.tables.commands import Command, Stale
from webapp.services.tables.pubsub import EventStream
from webapp.services.tables.snapshot import Snapshot
from webapp.web.api import fields
from webapp.web.api.answers.errors import ErrorAnswer, RefusedTableAnswer
from webapp.web.api.answers.tables import TableAnswer, TablesAnswer
from webapp.web.api.forms import CommandForm, NewTableForm, SharedTableQuery, StreamQuery, TablesQuery, read
from webapp.web.api.operations import Operation, describe
from webapp.web.api.serialize import json_response
from webapp.web.i18n import display_names
from webapp.web.i18n.refusals import refusal_of
from webapp.web.request import visitor
from webapp.web.request.limits import is_within, limited, remote_key
from webapp.web.request.preferences import language, preferences
from webapp.web.templating import qr, spectator_cache
from webapp.web.templating.render import answer, render, wants_fragment, wants_json

bp = Blueprint("tables", __name__)

P = ParamSpec("P")

_PATH: Final = {"code": "Code of the table.", "version": "Version that the command was made for."}
OF_A_VISITOR: Final = 6
OF_AN_ADDRESS: Final = 96
"""Open streams: a class may look on from behind one address."""
GUESSES: Final = "30/minute"
"""Codes that lead to no table, and links that lead to no seat."""


def guessing(view: Callable[P, ResponseReturnValue]) -> Callable[P, ResponseReturnValue]:
    """Limit wrong codes and links of a view, and nothing else.

    A code that leads to a table is answered however many others were wrong, or one guesser would keep a whole school
    from playing.

    Raises:
        Refusal: ``too-many-guesses``.
    """

    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> ResponseReturnValue:
        try:
            answered = view(*args, **kwargs)
        except Refusal as refusal:
            if refusal.code == "table-not-found" and not is_within(GUESSES, "guesses"):
                raise Refusal("too-many-guesses") from refusal
            raise
        wrong_link = isinstance(answered, Response) and answered.status_code == 404
        if wrong_link and not is_within(GUESSES, "guesses"):
            raise Refusal("too-many-guesses")
        return answered

    return guarded


@bp.after_request
def _hear_the_refused(response: Response) -> Response:
    """Count a request that was refused for its number as a heartbeat: nobody loses a seat for asking too often."""
    code = (request.view_args or {}).get("code")
    if response.status_code == 429 and code:
        commands.hear(code, visitor.player())
    return response


@bp.get("/tables")
@describe(Operation(answers={200: TablesAnswer}, query=TablesQuery))
def listing() -> ResponseReturnValue:
    """Return the public tables at which somebody is."""
    query = read(TablesQuery, request.args)
    code = fields.written_table_code(query.code)
    if code:
        return redirect(url_for("tables.show", code=code), 303)
    chosen = _default() if query.table is None else query.table
    rules = COMPANY.rules(chosen)
    tables, own_table = lobby.list_public_tables(), seating.table_of(visitor.player())
    if wants_json():
        return json_response(TablesAnswer.of(tables, own_table))
    own, choices = chosen != _default(), COMPANY.choices()
    return render("tables/list.html", tables=tables, mine=own_table, choices=choices, rules=rules, own=own)


@bp.post("/tables")
@limited("30/minute")
@describe(Operation(answers={201: TableAnswer, 200: TableAnswer}, form=NewTableForm, choices=COMPANY.choices))
def open_one() -> ResponseReturnValue:
    """Open a table (201); a player who is in a round elsewhere gets that table instead (200)."""
    form = read(NewTableForm, request.form)
    chosen = {name: request.form[name] for name in COMPANY.choices() if request.form.get(name)}
    variant = COMPANY.variant_from_choices(chosen) if chosen else form.table or _default()
    name, player = _name(form.name), visitor.require_player()
    try:
        code, status = lobby.open_table(player, variant, form.public, form.bot), 201
    except Refusal as refusal:
        if refusal.code != "seated-elsewhere":
            raise
        code, status = refusal.detail, 200  # as with hands: the round that is open is played first
    if name:
        commands.rename_player(player, name)
    if wants_json():
        return json_response(_as_answer(commands.load(code, player), player), status)
    return redirect(url_for("tables.show", code=code), 303)


@bp.get("/t/<code>")
@limited("1200/minute")
@guessing
@describe(Operation(answers={200: TableAnswer, 204: None}, query=SharedTableQuery, path=_PATH))
def show(code: str) -> ResponseReturnValue:
    """Return a table as this viewer may see it."""
    query = read(SharedTableQuery, request.args)
    if code != code.upper():
        return redirect(url_for("tables.show", code=code.upper(), seat=query.seat), 302)
    player = visitor.player()
    table = commands.load(fields.table_code(code), player, announced=query.since is not None)
    if query.since == str(table.version) and (wants_fragment() or wants_json()):
        return Response(status=204, headers={"Cache-Control": "no-store"})
    if query.still is not None:
        commands.hub().saw(code, _visitor(player))
    return _answer(table, player)


@bp.post("/t/<code>/<version>")
@limited("600/minute")
@guessing
@describe(
    Operation(answers={200: TableAnswer}, form=CommandForm, refused=(RefusedTableAnswer, ErrorAnswer), path=_PATH)
)
def act(code: str, version: str) -> ResponseReturnValue:
    """Carry out a command and return the table; 409 with the table as it is when the version is old."""
    visitor.require_readable()
    form, player = read(CommandForm, request.form), visitor.player() or ""
    fields.table_code(code)
    if form.verb.lower() in ("sit", "take"):
        if not player:
            commands.load(code, None, announced=True)  # no player is created for a table that does not exist
        player = visitor.require_player()
    try:
        number, verb = fields.number(version, "bad-step", digits=9), fields.verb(form.verb)
        name = _name(form.name) if verb == "sit" else ""
        table = commands.execute(code, number, player, Command(verb, form.arg.strip()[:40], fields.cut(form.cut)))
        if name:
            commands.rename_player(player, name)
            table = commands.load(code, player)
    except Stale:
        return _refuse(code, player, "stale")
    except (Refusal, EngineError) as error:
        if isinstance(error, Refusal) and error.code == "table-not-found":
            raise
        return _refuse(code, player, error.code)
    return _answer(table, player)


@bp.get("/t/<code>/events")
@limited("240/minute")
@guessing
@describe(Operation(answers={200: "text/event-stream"}, query=StreamQuery, path=_PATH))
def events(code: str) -> ResponseReturnValue:
    """Stream `moved` with a version, `watching` with a number of people, and `beat`; what lies there is fetched."""
    player, config = visitor.player(), _config()
    caps = ((f"v:{_visitor(player)}", OF_A_VISITOR), (f"a:{remote_key()}", OF_AN_ADDRESS))
    watches = commands.load(fields.table_code(code), player).seat_of(player) is None
    if request.method == "HEAD":
        return _stream(())  # nobody would read one to its end
    page = read(StreamQuery, request.args).page[:32]
    stream = commands.hub().join(code, watches, caps if config.rate_limits else (), page)
    if stream is None:
        status, sentence = refusal_of("too-many-streams")
        return Response(f"{sentence}\n", status, mimetype="text/plain", headers={"Retry-After": "30"})
    try:
        table = commands.load(code, player)  # after joining, so that nothing falls between
    except BaseException:
        stream.close()
        raise
    stream.tell(table.version, table.deadline or 0)
    response = _stream(_told(stream))
    response.call_on_close(stream.close)  # a generator that nobody has begun to read comes to no end of its own
    return response


def _stream(content: Iterable[str]) -> Response:
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(content, mimetype="text/event-stream", headers=headers)


def _told(stream: EventStream) -> Iterator[str]:
    """Return the lines of a stream. It must hold no request, no session and no connection."""
    yield "retry: 2000\n\n"
    for event, content in events_module.table_events(stream):
        yield f"event: {event}\ndata: {content}\n\n"


def _answer(table: Snapshot, player: str | None) -> ResponseReturnValue:
    if wants_json():
        return json_response(_as_answer(table, player))
    if request.method == "GET" or wants_fragment():
        return _page(table, player)
    return redirect(url_for("tables.show", code=table.code), 303)


def _refuse(code: str, player: str | None, why: str) -> ResponseReturnValue:
    """Return the refusal with the table as it stands."""
    rollback()
    status, sentence = refusal_of(why)
    table = commands.load(code, player)
    if wants_json():
        seen, watching = view_module.view_for(table, player), commands.hub().watching(code)
        return json_response(RefusedTableAnswer.of(seen, watching, error=why, message=sentence), status)
    return _page(table, player, status, sentence)


def _as_answer(table: Snapshot, player: str | None) -> TableAnswer:
    return TableAnswer.of(view_module.view_for(table, player), commands.hub().watching(table.code))


def _page(table: Snapshot, player: str | None, status: int = 200, refused: str = "") -> Response:
    """Return the page of a table, or its fragment.

    A fragment says nothing that changes by itself, so that all spectators have the same one: the time and the number of
    people who look on come with it as headers.
    """
    seen, watching = view_module.view_for(table, player), commands.hub().watching(table.code)
    root = _config().public_url or request.url_root.rstrip("/")
    is_fragment = wants_fragment()

    def make() -> Response:
        link = root + url_for("tables.show", code=table.code)
        private = root + url_for("tables.show", code=table.code, seat=seen.link) if seen.link else ""
        return render(
            "tables/show.html",
            status,
            table=seen,
            view=seen.view,
            rules=seen.rules,
            code=seen.game,
            now=None if is_fragment else seen.now,
            watching=None if is_fragment else watching,
            link=link,
            code_picture=qr.picture(link),
            private=private,
            private_picture=qr.picture(private) if private else "",
            offered=_offered(table) if seen.you is None else "",
            my_name=player_name(player),
            refused=refused,
        )

    if refused or player is not None or not is_fragment or "seat" in request.args:
        response = make()
    else:
        key = (root, seen.code, seen.version, language(), preferences())
        response = answer(spectator_cache.spectator_fragment(key, lambda: make().get_data(as_text=True)))
    if is_fragment:
        response.headers["X-Now"], response.headers["X-Watching"] = str(seen.now), str(watching)
    return response


def _offered(table: Snapshot) -> str:
    """Return the word of a private link that this request has, if it still leads to a seat; else nothing."""
    tried = request.form.get("arg", "") if request.form.get("verb", "").lower() == "take" else ""
    word = request.args.get("seat", "") or tried
    return word if any(word == seat.link for seat in table.seats if not seat.bot) else ""


def _default() -> str:
    return COMPANY.spec.default


def _name(text: str) -> str:
    """Return the name that comes with sitting down; empty if there is none.

    Raises:
        Refusal: ``bad-name``, ``machines-name``.
    """
    return display_names.parse_name(text) if text.strip() else ""


def _visitor(player: str | None) -> str:
    return player or f"{remote_key()} {request.user_agent.string[:80]}"


def _config() -> Config:
    config: Config = current_app.extensions["config"]
    return config
