"""A finished hand: page, JSON, text and picture. Anyone may open it."""

from flask import Blueprint, Response, current_app, jsonify, request, url_for
from flask.typing import ResponseReturnValue

from webapp.config import Config
from webapp.services.fairness.verification import checks_once
from webapp.services.records import lookup
from webapp.services.records.finished import Finished
from webapp.web.api.serialize import finished_json
from webapp.web.hand_page import preview, transcript
from webapp.web.hand_page.tf1_script import commands
from webapp.web.i18n.display_names import names_of
from webapp.web.i18n.messages import say_at
from webapp.web.i18n.vocabulary import game_name, number
from webapp.web.request.limits import limited
from webapp.web.templating.render import render, wants_json

bp = Blueprint("hands", __name__, url_prefix="/h")


@bp.get("/<key>")
@limited("600/minute")
def show(key: str) -> ResponseReturnValue:
    hand = lookup.finished_hand(key)
    if wants_json():
        return jsonify(finished_json(hand))
    told = finished_json(hand)
    steps = hand.steps
    asked = request.args.get("step", "")
    index = (
        min(int(asked), len(steps) - 1) if asked.isascii() and asked.isdigit() and len(asked) < 4 else len(steps) - 1
    )
    return render(
        "hands/show.html",
        finished=hand,
        names=names_of(hand),
        steps=steps,
        step=steps[index],
        preview=_preview(hand),
        proof_facts=told["proof"] and told["proof"] | {"hand": told["hand"], "cards": told["cards"]},
        commands=commands(hand.proof) if hand.proof else (),
        check=checks_once(told),
    )


@bp.get("/<key>.json")
@limited("600/minute")
def as_json(key: str) -> ResponseReturnValue:
    return jsonify(finished_json(lookup.finished_hand(key)))


@bp.get("/<key>.txt")
@limited("600/minute")
def as_text(key: str) -> ResponseReturnValue:
    return Response(transcript.write(lookup.finished_hand(key)), mimetype="text/plain")


@bp.get("/<key>.png")
@limited("60/minute")
def as_picture(key: str) -> ResponseReturnValue:
    hand = lookup.finished_hand(key)
    picture = preview.picture(preview.subject_of(hand))
    return Response(picture, mimetype="image/png", headers={"Cache-Control": "public, max-age=31536000, immutable"})


def _preview(hand: Finished) -> dict[str, str]:
    """What a chat shows of the link. Addresses are absolute."""
    config: Config = current_app.extensions["config"]
    root = config.public_url or request.url_root.rstrip("/")
    said = [say_at(label, names_of(hand)) for label in hand.labels]
    return {
        "title": said[0] if hand.seats else f"{said[0]}, {number(hand.score)}",
        "description": f"{game_name(hand.game.spec.code)}. " + " ".join(f"{sentence}." for sentence in said),
        "url": root + url_for("hands.show", key=hand.key),
        "image": root + url_for("hands.as_picture", key=hand.key),
    }
