"""Pages about stored data: what is stored, its export, forgetting a player, and reports of names."""

from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import IO, Final

from flask import Blueprint, Response, current_app, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp.services.core.errors import Refusal
from webapp.services.operations import moderation, personal_data
from webapp.services.tables import loading
from webapp.services.tables.table_view import view_for
from webapp.web.api import fields
from webapp.web.api.forms import ForgetForm, ReportForm, read
from webapp.web.api.openapi_operations import Operation, describe
from webapp.web.i18n.translations import gettext as _
from webapp.web.request import visitor
from webapp.web.request.limits import guessing, limited
from webapp.web.request.proxies import site_root
from webapp.web.templating.render import render, wants_json

bp = Blueprint("privacy", __name__)

PIECE: Final = 64 * 1024
_PATH: Final = {"code": "Code of the table."}


@bp.get("/privacy")
def show() -> ResponseReturnValue:
    """Show what is stored, and for how long."""
    return render("privacy.html", config=current_app.extensions["config"], is_player=visitor.player() is not None)


@bp.get("/me/export")
@limited("12/hour")
@describe(Operation(answers={200: "application/json"}))
def export_all() -> ResponseReturnValue:
    """Return all rows of the database about the player."""
    player = visitor.player()
    if player is None:
        raise Refusal("nobody-yet")
    file = TemporaryFile()  # noqa: SIM115  # closed when it has been read
    for piece in personal_data.export(player, _way_back()):
        file.write(piece.encode())
    file.seek(0)
    headers = {"Content-Disposition": "attachment; filename=tefuda.json"}
    response = Response(_pieces(file), mimetype="application/json", headers=headers)
    response.call_on_close(file.close)  # the body of a response to HEAD is not read
    return response


def _way_back() -> str:
    page = site_root() + url_for("me.show")
    return _("To play on in another browser, choose “Take it along” here: %(page)s") % {"page": page}


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while piece := file.read(PIECE):
            yield piece


@bp.get("/me/forget")
def ask() -> ResponseReturnValue:
    """Ask for confirmation before the player is forgotten, and explain the consequences."""
    return render("forget.html", is_player=visitor.player() is not None, done="done" in request.args)


@bp.post("/me/forget")
@limited("12/hour")
@describe(Operation(answers={303: None}, form=ForgetForm))
def forget() -> ResponseReturnValue:
    """Forget the player. Sent again, or with an old cookie, it changes nothing."""
    visitor.require_readable()
    player = visitor.player()
    if player is not None:
        if not read(ForgetForm, request.form).sure:
            raise Refusal("unconfirmed")
        personal_data.forget(player)
        visitor.start_afresh()
    return redirect(url_for("privacy.ask", done=1), 303)


@bp.get("/t/<code>/reports")
@limited("120/minute")
@guessing
def names(code: str) -> ResponseReturnValue:
    """Show the names at a table that may be reported."""
    player = visitor.player()
    table = view_for(loading.load(fields.table_code(code), player), player)
    return render("tables/reports.html", table=table, done="done" in request.args)


@bp.post("/t/<code>/reports")
@limited("12/hour")
@guessing
@describe(Operation(answers={204: None, 303: None}, form=ReportForm, path=_PATH))
def report(code: str) -> ResponseReturnValue:
    """Report the name of a seat to the operator. The table is not informed."""
    player = visitor.player()
    loading.load(fields.table_code(code), player)
    if player is None:
        raise Refusal("nobody-yet")
    form = read(ReportForm, request.form)
    moderation.report(code.upper(), fields.number(form.seat, "no-name-there", digits=2), form.name, player)
    if wants_json():
        return Response(status=204)
    return redirect(url_for("privacy.names", code=code, done=1), 303)
