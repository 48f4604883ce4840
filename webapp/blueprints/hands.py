"""Finished hands as page, JSON, text and picture, for everybody who has the link."""

from typing import Final

from flask import Blueprint, Response, current_app, request, url_for
from flask.typing import ResponseReturnValue

from webapp.config import Config
from webapp.services.fairness.verification import checks_once
from webapp.services.records import lookup
from webapp.services.records.finished import Finished, naming_step
from webapp.web.api import fields
from webapp.web.api.answers.finished import FinishedAnswer
from webapp.web.api.forms import HandQuery, read
from webapp.web.api.operations import Operation, describe
from webapp.web.api.serialize import json_response, to_json
from webapp.web.hand_page import share, transcript
from webapp.web.hand_page.picture.pictures import pictures
from webapp.web.hand_page.tf1_script import commands
from webapp.web.i18n.display_names import names_of
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
    hand = lookup.finished_hand(key)
    answer = FinishedAnswer.of(hand)
    if wants_json():
        return json_response(answer)
    facts, steps = to_json(answer), hand.steps
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
    )


@bp.get("/<key>.json")
@limited("600/minute")
@describe(Operation(answers={200: FinishedAnswer}, path=_PATH))
def as_json(key: str) -> ResponseReturnValue:
    """Return a finished hand, whatever is accepted. Proxies may keep it: it only changes with the name of a player."""
    hand = lookup.finished_hand(key)
    response = json_response(FinishedAnswer.of(hand))
    if hand.proof is not None:
        response.headers["Cache-Control"] = f"public, max-age={JSON_KEPT}"
    return response


@bp.get("/<key>.txt")
@limited("600/minute")
@describe(Operation(answers={200: "text/plain"}, path=_PATH))
def as_text(key: str) -> ResponseReturnValue:
    """Return a finished hand as text: its notation, then move by move."""
    return Response(transcript.write(lookup.finished_hand(key)), mimetype="text/plain")


@bp.get("/<key>.png")
@limited("60/minute")
@describe(Operation(answers={200: "image/png"}, path=_PATH))
def as_picture(key: str) -> ResponseReturnValue:
    """Return the picture of a finished hand that chats show beside its link."""
    hand = lookup.finished_hand(key)
    picture = pictures().picture(hand.key, share.subject_of(hand))
    return Response(picture, mimetype="image/png", headers={"Cache-Control": f"public, max-age={PICTURE_KEPT}"})


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
