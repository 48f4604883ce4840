"""Tables that people share: open one, sit, play, watch, and be told when it has moved."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import Final, ParamSpec

from flask import Blueprint, Response, current_app, jsonify, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp.config import Config
from webapp.engine.errors import EngineError
from webapp.engine.games import COMPANY
from webapp.extensions import db, is_within, limited, remote_key
from webapp.services.core.errors import Refusal
from webapp.services.records.statistics import player_name
from webapp.services.tables import commands, lobby, seating
from webapp.services.tables import events as events_module
from webapp.services.tables import view as view_module
from webapp.services.tables.commands import Command, Stale
from webapp.services.tables.pubsub import EventStream
from webapp.services.tables.snapshot import Snapshot
from webapp.web.api.serialize import table_json, to_json
from webapp.web.i18n import display_names
from webapp.web.i18n.refusals import refusal_of
from webapp.web.request import visitor
from webapp.web.templating import qr, spectator_cache
from webapp.web.templating.render import answer, render, wants_fragment, wants_json

bp = Blueprint("tables", __name__)

P = ParamSpec("P")

_CODE: Final = re.compile(r"[0-9A-Za-z]{1,8}", re.ASCII)
_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,8}", re.ASCII)
_VERB: Final = re.compile(r"[a-z]{1,20}", re.ASCII)
OF_A_VISITOR: Final = 6
OF_AN_ADDRESS: Final = 96
"""Live lines: a class may look on from behind one address."""
GUESSES: Final = "30/minute"
"""Codes that lead to no table, and links that lead to no seat."""


def guessing(view: Callable[P, ResponseReturnValue]) -> Callable[P, ResponseReturnValue]:
    """Limit the guesses, and nothing else: a code that leads to a table is answered however many others were wrong, or
    one guesser would keep a whole school from playing. Refusal ``too-many-guesses``."""

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
    """Nobody loses a seat for asking too often, or because others do: whoever asks is there, whatever is answered."""
    code = (request.view_args or {}).get("code")
    if response.status_code == 429 and code:
        commands.hear(code, visitor.player())
    return response


@bp.get("/tables")
def listing() -> ResponseReturnValue:
    wanted = "".join(request.args.get("code", "").split())
    if wanted:
        return redirect(url_for("tables.show", code=wanted[:20].upper()), 303)
    chosen = request.args.get("table", _default())
    rules = COMPANY.rules(chosen)
    tables, mine = lobby.list_public_tables(), seating.table_of(visitor.player())
    if wants_json():
        return jsonify(
            tables=[{**to_json(table), "url": url_for("tables.show", code=table.code)} for table in tables],
            mine=url_for("tables.show", code=mine) if mine else None,
        )
    own, choices = chosen != _default(), COMPANY.choices()
    return render("tables/list.html", tables=tables, mine=mine, choices=choices, rules=rules, own=own)


@bp.post("/tables")
@limited("30/minute")
def open_one() -> ResponseReturnValue:
    form = request.form
    chosen = {name: form[name] for name in COMPANY.choices() if form.get(name)}
    variant = COMPANY.own_table(chosen) if chosen else form.get("table") or _default()
    name, player = _name(), visitor.player_made()
    try:
        code, status = lobby.open_table(player, variant, _is_on("public"), _is_on("bot")), 201
    except Refusal as refusal:
        if refusal.code != "seated-elsewhere":
            raise
        code, status = refusal.detail, 200  # as with hands: the round that is open is played first
    if name:
        commands.rename_player(player, name)
    if wants_json():
        response = _as_json(commands.load(code, player), player)
        response.status_code = status
        return response
    return redirect(url_for("tables.show", code=code), 303)


@bp.get("/t/<code>")
@limited("1200/minute")
@guessing
def show(code: str) -> ResponseReturnValue:
    if code != code.upper():
        return redirect(url_for("tables.show", code=code.upper(), seat=request.args.get("seat")), 302)
    player = visitor.player()
    table = commands.load(_known(code), player, announced="since" in request.args)
    if request.args.get("since", "") == str(table.version) and (wants_fragment() or wants_json()):
        return Response(status=204, headers={"Cache-Control": "no-store"})
    if "still" in request.args:
        commands.hub().saw(code, _visitor(player))
    return _answer(table, player)


@bp.post("/t/<code>/<version>")
@limited("600/minute")
@guessing
def act(code: str, version: str) -> ResponseReturnValue:
    visitor.require_readable()
    form = request.form
    verb = form.get("verb", "").lower()
    player = visitor.player() or ""
    if _known(code) and verb in ("sit", "take"):
        if not player:
            commands.load(code, None, announced=True)  # nobody is made for a table that is none
        player = visitor.player_made()
    try:
        if _NUMBER.fullmatch(version) is None:
            raise Refusal("bad-step", version[:80])
        if _VERB.fullmatch(verb) is None:
            raise Refusal("bad-notation", verb[:80])
        name = _name() if verb == "sit" else ""
        deed = Command(verb, form.get("arg", "").strip()[:40], form.get("cut", ""))
        table = commands.execute(code, int(version), player, deed)
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
def events(code: str) -> ResponseReturnValue:
    """Only ever says that the table has moved, and where to; what lies on it everybody fetches for themselves."""
    player, config = visitor.player(), _config()
    caps = ((f"v:{_visitor(player)}", OF_A_VISITOR), (f"a:{remote_key()}", OF_AN_ADDRESS))
    watches = commands.load(_known(code), player).seat_of(player) is None
    if request.method == "HEAD":
        return _stream(())  # nobody would read one to its end
    stream = commands.hub().join(code, watches, caps if config.rate_limits else (), request.args.get("page", "")[:32])
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
    """No request, no session and no connection is held in here."""
    yield "retry: 2000\n\n"
    for event, content in events_module.table_events(stream):
        yield f"event: {event}\ndata: {content}\n\n"


def _answer(table: Snapshot, player: str | None) -> ResponseReturnValue:
    if wants_json():
        return _as_json(table, player)
    if request.method == "GET" or wants_fragment():
        return _page(table, player)
    return redirect(url_for("tables.show", code=table.code), 303)


def _refuse(code: str, player: str | None, why: str) -> ResponseReturnValue:
    """Say no, and show the table as it stands."""
    db.session.rollback()
    status, sentence = refusal_of(why)
    table = commands.load(code, player)
    if wants_json():
        response = _as_json(table, player, error=why, message=sentence)
        response.status_code = status
        return response
    return _page(table, player, status, sentence)


def _as_json(table: Snapshot, player: str | None, **more: str) -> Response:
    return jsonify(**table_json(view_module.view_for(table, player), commands.hub().watching(table.code)), **more)


def _page(table: Snapshot, player: str | None, status: int = 200, refused: str = "") -> Response:
    seen, watching = view_module.view_for(table, player), commands.hub().watching(table.code)
    root = _config().public_url or request.url_root.rstrip("/")

    def make() -> Response:
        link = root + url_for("tables.show", code=table.code)
        private = root + url_for("tables.show", code=table.code, seat=seen.link) if seen.link else ""
        return render(
            "tables/show.html",
            status,
            sight=seen,
            view=seen.view,
            rules=seen.rules,
            code=seen.game,
            watching=watching,
            link=link,
            code_picture=qr.picture(link),
            private=private,
            private_picture=qr.picture(private) if private else "",
            offered=_offered(table) if seen.you is None else "",
            my_name=player_name(player),
            refused=refused,
        )

    if refused or player is not None or not wants_fragment() or "seat" in request.args:
        return make()
    key = (root, seen.code, seen.version, visitor.language(), visitor.preferences())
    return answer(spectator_cache.spectator_fragment(key, seen, watching, lambda: make().get_data(as_text=True)))


def _offered(table: Snapshot) -> str:
    """The word of a private link that this address has, or that came too late just now: if it still leads to a seat."""
    tried = request.form.get("arg", "") if request.form.get("verb", "").lower() == "take" else ""
    word = request.args.get("seat", "") or tried
    return word if any(word == seat.link for seat in table.seats if not seat.bot) else ""


def _known(code: str) -> str:
    if _CODE.fullmatch(code) is None:
        raise Refusal("table-not-found", code[:20])
    return code


def _default() -> str:
    return COMPANY.spec.default


def _is_on(field: str) -> bool:
    return request.form.get(field, "").lower() in ("1", "true", "on", "yes")


def _name() -> str:
    """A name that comes with sitting down; empty if there is none. Refusals ``bad-name`` and ``machines-name``."""
    name = request.form.get("name", "")
    return display_names.parse_name(name) if name.strip() else ""


def _visitor(player: str | None) -> str:
    return player or f"{remote_key()} {request.user_agent.string[:80]}"


def _config() -> Config:
    config: Config = current_app.extensions["config"]
    return config
