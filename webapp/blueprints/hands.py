"""Finished hands as page, JSON, text and picture, for everybody who has the link."""

from typing import Final

from flask import Blueprint, Response, current_app, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp.config import Config
from webapp.services.deals import crowd, practice
from webapp.services.fairness.verification import checks_once
from webapp.services.records import lookup
from webapp.services.records.finished import Finished, naming_step
from webapp.services.records.stored_practice import is_practice_key
from webapp.web.api import fields
from webapp.web.api.answers.finished import FinishedAnswer
from webapp.web.api.answers.solo import BoardAnswer
from webapp.web.api.forms import HandQuery, read
from webapp.web.api.operations import Operation, describe
from webapp.web.api.serialize import json_response, to_json
from webapp.web.hand_page import comparison, share, transcript
from webapp.web.hand_page.picture.pictures import pictures
from webapp.web.hand_page.tf1_script import commands
from webapp.web.i18n.display_names import names_of
from webapp.web.request import visitor
from webapp.web.request.limits import limited
from webapp.web.templating.render import render, wants_json

bp = Blueprint("hands", __name__, url_prefix="/h")

JSON_KEPT: Final = 300
"""Seconds for which proxies may keep a finished hand as JSON; then a name that was taken away is gone there too."""
PICTURE_KEPT: Final = 24 * 3600
"""Seconds for which they may keep its picture, which may show names."""
_PATH: Final = {"key": "Key of the hand."}


@bp.get("/<key>")
@limited("600/minute")
@describe(Operation(answers={200: FinishedAnswer}, query=HandQuery, path=_PATH))
def show(key: str) -> ResponseReturnValue:
    """Return a finished hand."""
    hand = _finished(key)
    answer = FinishedAnswer.of(hand)
    if wants_json():
        return json_response(answer)
    facts, steps, compared = to_json(answer), hand.steps, crowd.side_by_side(hand)
    opened = naming_step(steps)
    return render(
        "hands/show.html",
        finished=hand,
        names=names_of(hand),
        steps=steps,
        step=steps[fields.index(read(HandQuery, request.args).step, len(steps), opened)],
        opened=opened,
        preview=_preview(hand),
        proof_facts=facts["proof"] and facts["proof"] | {"hand": facts["hand"], "cards": facts["cards"]},
        commands=commands(hand.proof) if hand.proof else (),
        check=checks_once(facts),
        compared=compared,
        compared_rows=comparison.compared_rows(hand, compared),
        may_repeat=bool(hand.proof) and not hand.seats,
    )


@bp.get("/<key>.json")
@limited("600/minute")
@describe(Operation(answers={200: FinishedAnswer}, path=_PATH))
def as_json(key: str) -> ResponseReturnValue:
    """Return a finished hand, whatever is accepted. Proxies may keep it: it only changes with the name of a player."""
    hand = _finished(key)
    response = json_response(FinishedAnswer.of(hand))
    if hand.proof is not None and not is_practice_key(key):
        response.headers["Cache-Control"] = f"public, max-age={JSON_KEPT}"
    return response


@bp.get("/<key>.txt")
@limited("600/minute")
@describe(Operation(answers={200: "text/plain"}, path=_PATH))
def as_text(key: str) -> ResponseReturnValue:
    """Return a finished hand as text: its notation, then move by move."""
    return Response(transcript.write(_finished(key)), mimetype="text/plain")


@bp.get("/<key>.png")
@limited("60/minute")
@describe(Operation(answers={200: "image/png"}, path=_PATH))
def as_picture(key: str) -> ResponseReturnValue:
    """Return the picture of a finished hand that chats show beside its link."""
    hand = _finished(key)
    whose = "private" if is_practice_key(key) else "public"
    picture = pictures().picture(hand.key, share.subject_of(hand))
    return Response(picture, mimetype="image/png", headers={"Cache-Control": f"{whose}, max-age={PICTURE_KEPT}"})


@bp.post("/<key>/again")
@limited("120/minute")
@describe(Operation(answers={201: BoardAnswer, 200: BoardAnswer}, path=_PATH))
def again(key: str) -> ResponseReturnValue:
    """Begin a practice hand with the cards of a finished one (201), or return the one that is open (200)."""
    begun = visitor.as_player(lambda player: practice.play_again(player, key))
    if wants_json():
        return json_response(BoardAnswer.of(begun.board), 201 if begun.is_new else 200)
    return redirect(url_for("play.table", code=begun.board.code, hand=begun.board.hand), 303)


def _finished(key: str) -> Finished:
    """Return a finished hand. Who looks only matters, and is only asked, where a hand is not everybody's yet."""
    return lookup.finished_hand(key, visitor.player() if is_practice_key(key) else None)


def _preview(hand: Finished) -> dict[str, str]:
    """Return what a chat shows of the link. Addresses are absolute."""
    config: Config = current_app.extensions["config"]
    root = config.public_url or request.url_root.rstrip("/")
    text = share.link_text(hand)
    return {
        "title": text.title,
        "description": text.description,
        "url": root + url_for("hands.show", key=hand.key),
        "image": root + url_for("hands.as_picture", key=hand.key),
    }
