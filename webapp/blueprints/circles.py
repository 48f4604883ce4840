"""Circles: a private link among friends, who see what each makes of the daily deals, once they have played them."""

from typing import Final

from flask import Blueprint, Response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp.services import circles
from webapp.services.core.errors import Refusal
from webapp.services.operations import moderation
from webapp.services.players import player_name
from webapp.services.review import circle_days
from webapp.services.tables import lobby
from webapp.web import refused_names
from webapp.web.api import fields
from webapp.web.api.circle_answers import BesideAnswer, CircleAnswer, CirclesAnswer
from webapp.web.api.forms import CircleMemberForm, CircleNameForm, NewCircleForm, SureForm, read
from webapp.web.api.openapi_operations import Operation, describe
from webapp.web.api.serialize import json_response
from webapp.web.hand_page.comparison import compared_rows
from webapp.web.request import visitor
from webapp.web.request.limits import guessing, limited
from webapp.web.request.proxies import site_root
from webapp.web.templating.render import render, wants_json

bp = Blueprint("circles", __name__)

_PATH: Final = {"code": "Code of the circle."}


@bp.get("/circles")
@describe(Operation(answers={200: CirclesAnswer}))
def listing() -> ResponseReturnValue:
    """Return the player's circles."""
    player = visitor.player()
    own = circles.circles_of(player)
    if wants_json():
        return json_response(CirclesAnswer.of(own))
    return render("circles/list.html", circles=own, my_name=player_name(player))


@bp.post("/circles")
@limited("30/minute")
@describe(Operation(answers={201: CircleAnswer, 200: CircleAnswer}, form=NewCircleForm))
def open_one() -> ResponseReturnValue:
    """Open a circle (201); a player who keeps one of the same name gets that one (200)."""
    form = read(NewCircleForm, request.form)
    name, own_name = _name(form.name), _own_name(form.member)
    player = visitor.require_player()
    code, is_new = circles.open_circle(player, name, own_name)
    return _answer(code, 201 if is_new else 200)


@bp.get("/c/<code>")
@limited("600/minute")
@guessing
@describe(Operation(answers={200: CircleAnswer}, path=_PATH))
def show(code: str) -> ResponseReturnValue:
    """Return a circle: to members what each has made of the deals of eight days, to others its name alone."""
    seen = circles.find(fields.circle_code(code), visitor.player())
    days = circle_days.days_of(seen)
    if wants_json():
        return json_response(CircleAnswer.of(seen, days))
    return render(
        "circles/show.html",
        circle=seen,
        days=days,
        members={member.number: member for member in seen.members},
        tables=lobby.free_tables_of([seen.code]) if seen.you is not None else (),
        my_name=player_name(visitor.player()),
        link=site_root() + url_for("circles.show", code=seen.code),
    )


@bp.get("/c/<code>/<day>/<game>/<member>")
@limited("240/minute")
@guessing
@describe(
    Operation(
        answers={200: BesideAnswer},
        path=_PATH | {"day": "Day in UTC.", "game": "Code of the game.", "member": "Number of the member."},
    )
)
def compare(code: str, day: str, game: str, member: str) -> ResponseReturnValue:
    """Return a member's try at a daily deal beside the viewer's own, which comes first."""
    seen = circles.require_member(fields.circle_code(code), visitor.player())
    number = fields.number(member, "hand-not-found", digits=6)
    other, rounds = circle_days.side_by_side(seen, day, game, number)
    if wants_json():
        return json_response(BesideAnswer.of(day, game, other, rounds))
    shown = [(each, compared_rows(each.mine, each.compared) if each.mine and each.compared else ()) for each in rounds]
    return render("circles/compare.html", circle=seen, day=day, code=game, member=other, rounds=shown)


@bp.post("/c/<code>/join")
@limited("120/minute")  # a class may be behind one address, and most of it players of no game yet
@guessing
@describe(Operation(answers={200: CircleAnswer}, form=CircleNameForm, path=_PATH))
def join(code: str) -> ResponseReturnValue:
    """Become a member. Who is one already stays as before."""
    code = circles.find(fields.circle_code(code), visitor.player()).code  # no player is created for a wrong code
    name = _own_name(read(CircleNameForm, request.form).name)
    circles.join(visitor.require_player(), code, name)
    return _answer(code)


@bp.post("/c/<code>/name")
@limited("60/minute")
@guessing
@describe(Operation(answers={200: CircleAnswer}, form=CircleNameForm, path=_PATH))
def rename_member(code: str) -> ResponseReturnValue:
    """Change the viewer's own name in the circle."""
    code, name = fields.circle_code(code), _name(read(CircleNameForm, request.form).name)
    circles.rename_member(_member(), code, name)
    return _answer(code)


@bp.post("/c/<code>/leave")
@limited("60/minute")
@guessing
@describe(Operation(answers={200: CirclesAnswer}, path=_PATH))
def leave(code: str) -> ResponseReturnValue:
    """Leave the circle, and return the others. Sent again, it changes nothing."""
    circles.leave(_member(), fields.circle_code(code))
    return _answer_others()


@bp.post("/c/<code>/rename")
@limited("60/minute")
@guessing
@describe(Operation(answers={200: CircleAnswer}, form=CircleNameForm, path=_PATH))
def rename(code: str) -> ResponseReturnValue:
    """Change the name of the circle, as its keeper."""
    code, name = fields.circle_code(code), _name(read(CircleNameForm, request.form).name)
    circles.rename(_member(), code, name)
    return _answer(code)


@bp.post("/c/<code>/remove")
@limited("60/minute")
@guessing
@describe(Operation(answers={200: CircleAnswer}, form=CircleMemberForm, path=_PATH))
def remove(code: str) -> ResponseReturnValue:
    """Remove a member, as the keeper. Sent again, it changes nothing."""
    code, form = fields.circle_code(code), read(CircleMemberForm, request.form)
    circles.remove(_member(), code, fields.number(form.member, "no-name-there", digits=6))
    return _answer(code)


@bp.post("/c/<code>/renew")
@limited("60/minute")
@guessing
@describe(Operation(answers={200: CircleAnswer}, form=SureForm, path=_PATH))
def renew(code: str) -> ResponseReturnValue:
    """Give the circle another link, as its keeper, and return it there: the old one leads nowhere, members stay."""
    player, code = _member(), fields.circle_code(code)
    if not read(SureForm, request.form).sure:
        raise Refusal("not-sure")
    return _answer(circles.renew(player, code))


@bp.post("/c/<code>/close")
@limited("60/minute")
@guessing
@describe(Operation(answers={200: CirclesAnswer}, form=SureForm, path=_PATH))
def close(code: str) -> ResponseReturnValue:
    """Close the circle for all its members, as the keeper, and return the others."""
    player, code = _member(), fields.circle_code(code)
    if not read(SureForm, request.form).sure:
        raise Refusal("not-sure")
    circles.close(player, code)
    return _answer_others()


@bp.get("/c/<code>/reports")
@limited("120/minute")
@guessing
def names(code: str) -> ResponseReturnValue:
    """Show the names in a circle that may be reported."""
    seen = circles.require_member(fields.circle_code(code), visitor.player())
    return render("circles/reports.html", circle=seen, done="done" in request.args)


@bp.post("/c/<code>/reports")
@limited("12/hour")
@guessing
@describe(Operation(answers={204: None, 303: None}, form=CircleMemberForm, path=_PATH))
def report(code: str) -> ResponseReturnValue:
    """Report the name of a member, or with the number 0 that of the circle, to the operator. Nobody is informed."""
    code, form = fields.circle_code(code), read(CircleMemberForm, request.form)
    number = fields.number(form.member, "no-name-there", digits=6)
    moderation.report_in_circle(code, number, form.name, _member())
    if wants_json():
        return Response(status=204)
    return redirect(url_for("circles.names", code=code, done=1), 303)


def _answer(code: str, status: int = 200) -> ResponseReturnValue:
    if not wants_json():
        return redirect(url_for("circles.show", code=code), 303)
    seen = circles.find(code, visitor.player())
    return json_response(CircleAnswer.of(seen, circle_days.days_of(seen)), status)


def _answer_others() -> ResponseReturnValue:
    if not wants_json():
        return redirect(url_for("circles.listing"), 303)
    return json_response(CirclesAnswer.of(circles.circles_of(visitor.player())))


def _member() -> str:
    """Return the player, who is none yet and so no member of any circle otherwise."""
    visitor.require_readable()
    player = visitor.player()
    if player is None:
        raise Refusal("not-a-member")
    return player


def _name(text: str) -> str:
    """Return a name that was typed.

    Raises:
        Refusal: ``no-name``; as ``refused_names.parse_name`` does.
    """
    name = refused_names.parse_name(text)
    if not name:
        raise Refusal("no-name")
    return name


def _own_name(text: str) -> str:
    """Return the name for a circle: the one that was typed, else that of the player."""
    return _name(text if text.strip() else player_name(visitor.player()))
