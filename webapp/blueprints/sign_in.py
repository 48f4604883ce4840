"""Links that sign another browser in as the same player."""

from typing import Final

from flask import Blueprint, make_response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp.services import sign_in_links
from webapp.services.core.errors import Refusal
from webapp.services.core.randomness import new_key
from webapp.services.players import PlayerSession
from webapp.services.solo import prepared
from webapp.web.api.forms import SignInForm, read
from webapp.web.api.openapi_operations import Operation, describe
from webapp.web.api.page_answers import SignInAnswer, SignInLinkAnswer
from webapp.web.api.serialize import json_response
from webapp.web.request import seed_cookie, visitor
from webapp.web.request.limits import guessing, limited
from webapp.web.request.preferences import Preferences, keep_preferences, preferences
from webapp.web.request.proxies import site_root
from webapp.web.templating.render import render, wants_json

bp = Blueprint("sign_in", __name__, url_prefix="/me/link")

_PATH: Final = {"word": "Word of the link."}
_PRIVATE: Final = {"Cache-Control": "no-store", "X-Robots-Tag": "noindex", "Referrer-Policy": "no-referrer"}


@bp.post("")
@limited("30/hour")
@describe(Operation(answers={201: SignInLinkAnswer}))
def make() -> ResponseReturnValue:
    """Make a link that signs another browser in as this player, once and within ten minutes."""
    visitor.require_readable()
    player = visitor.player()
    if player is None:
        raise Refusal("nobody-yet")
    session = PlayerSession(player, visitor.session_number())
    word, expires = sign_in_links.make(session, preferences().cookie())
    url = site_root() + url_for("sign_in.show", word=word)
    if wants_json():
        answer = json_response(SignInLinkAnswer(url=url, expires=expires), 201)
    else:
        answer = render("me/link.html", 201, link=url, expires=expires)
    answer.headers.update(_PRIVATE)
    return answer


@bp.get("/<word>")
@limited("120/minute")
@guessing
@describe(Operation(answers={200: SignInAnswer}, path=_PATH))
def show(word: str) -> ResponseReturnValue:
    """Show who has made a link, and what this browser would no longer reach. Nothing is changed."""
    player = visitor.player()
    link = sign_in_links.find(word, player)
    theirs = sign_in_links.belongings(link.player_id)
    if wants_json():
        answer = json_response(SignInAnswer.of(theirs, link.expires_at, is_you=link.player_id == player))
    else:
        mine = sign_in_links.belongings(player) if player and player != link.player_id else None
        answer = render(
            "me/sign_in.html",
            word=word,
            theirs=theirs,
            mine=mine if mine and mine.hands else None,
            is_you=link.player_id == player,
            once=new_key(22),
        )
    answer.headers.update(_PRIVATE)
    return answer


@bp.post("/<word>")
@limited("30/minute")
@guessing
@describe(Operation(answers={303: None}, form=SignInForm, path=_PATH))
def use(word: str) -> ResponseReturnValue:
    """Make this browser that of the player who made the link. Sent again with the same word, it does the same."""
    visitor.require_readable()
    player = visitor.player()
    link = sign_in_links.use(word, read(SignInForm, request.form).once[:64], player)
    answer = make_response(redirect(url_for("me.show", arrived=1), 303))
    if link.player_id != player:
        visitor.sign_in(PlayerSession(link.player_id, link.session_number))
        seed_cookie.hold(prepared.held_seeds(link.player_id))
        keep_preferences(answer, Preferences.of_cookie(link.preferences))
    answer.headers.update(_PRIVATE)
    return answer
