"""Finished hands within pages of other sites: the frame of a hand, and how a site finds it by the link (oEmbed).

Both are the same for everybody who has the link: neither reads a cookie or sets one.
"""

from typing import Final

from flask import Blueprint, Response, render_template, request, url_for
from flask.typing import ResponseReturnValue

from webapp.services.core.errors import Refusal
from webapp.services.records import lookup
from webapp.services.records.finished import Finished, naming_step
from webapp.web.api import fields
from webapp.web.api.forms import OEmbedQuery, StepQuery, read
from webapp.web.api.hand_answers import OEmbedAnswer
from webapp.web.api.openapi_operations import Operation, describe
from webapp.web.api.serialize import ABSENT, json_response
from webapp.web.hand_page import embed, link_preview
from webapp.web.i18n.display_names import names_of
from webapp.web.i18n.refusals import refusal_of
from webapp.web.i18n.translations import in_language, use_language
from webapp.web.request.language import language_of_preview, language_of_request
from webapp.web.request.limits import limited
from webapp.web.request.logs import note_refusal
from webapp.web.request.proxies import site_root
from webapp.web.templating.static_files import static_url

bp = Blueprint("embed", __name__)

KEPT: Final = 300
"""Seconds for which an answer may be kept; then a name that was taken away is gone there too."""
KEPT_BY_SITES: Final = 24 * 3600
"""The same for those who show a hand by its link."""
THUMBNAIL: Final = (1200, 630)


@bp.get("/h/<key>/embed")
@limited("600/minute")
@describe(Operation(answers={200: "text/html"}, query=StepQuery, path={"key": "Key of the hand."}))
def show(key: str) -> ResponseReturnValue:
    """Return a finished hand and its replay as a page for the frame of another site."""
    try:
        hand = lookup.finished_hand(key)
    except Refusal as refusal:
        return _refused(refusal.code)
    steps, asked = hand.steps, read(StepQuery, request.args).step
    opened = naming_step(steps)
    step = steps[fields.index(asked, len(steps), opened)]
    page = site_root() + url_for("hands.show", key=key, step=step.index if asked else None)
    response = _frame(
        finished=hand, names=names_of(hand), steps=steps, step=step, opened=opened, page=page, title=_title(hand)
    )
    response.headers["Cache-Control"] = f"private, max-age={KEPT}"
    return response


@bp.get("/oembed")
@limited("600/minute")
@describe(Operation(answers={200: OEmbedAnswer}, query=OEmbedQuery))
def oembed() -> ResponseReturnValue:
    """Return how to show the finished hand of a link, by the oEmbed standard."""
    query = read(OEmbedQuery, request.args)
    if query.format not in ("", "json"):
        raise Refusal("oembed-json")
    widest, highest = _most(query.maxwidth), _most(query.maxheight)
    key, step, language = embed.hand_at(query.url) or ("", None, None)
    hand = lookup.finished_hand(key)
    width, height = map(min, embed.size_of(hand), (widest, highest))
    has_picture = THUMBNAIL[0] <= widest and THUMBNAIL[1] <= highest
    root = site_root()
    with use_language(language or language_of_preview()):
        title, picture = _title(hand), root + in_language(url_for("hands.as_picture", key=key))
    response = json_response(
        OEmbedAnswer(
            type="rich",
            version="1.0",
            title=title,
            author_name=hand.player or ABSENT,
            provider_name="Tefuda",
            provider_url=root + url_for("lobby.show"),
            cache_age=KEPT_BY_SITES,
            html=embed.frame(key, title, (width, height), step),
            width=width,
            height=height,
            thumbnail_url=picture if has_picture else ABSENT,
            thumbnail_width=THUMBNAIL[0] if has_picture else ABSENT,
            thumbnail_height=THUMBNAIL[1] if has_picture else ABSENT,
        )
    )
    response.headers["Cache-Control"] = f"public, max-age={KEPT}"
    response.headers["Vary"] = "Accept-Language"
    return response


def _refused(code: str) -> Response:
    """Return a page that says in the frame why there is no hand."""
    note_refusal(code)
    status, sentence = refusal_of(code)
    response = _frame(title=sentence, page=site_root() + url_for("lobby.show"))
    response.status_code = status
    return response


def _frame(**context: object) -> Response:
    with use_language(language_of_request()):
        response = Response(
            embed.with_own_art(render_template("hands/embed.html", **context), static_url("img/cards.svg"))
        )
    response.headers["Content-Security-Policy"] = embed.POLICY
    response.headers["X-Robots-Tag"] = embed.ROBOTS
    response.headers["Vary"] = "Accept-Language"
    return response


def _title(hand: Finished) -> str:
    return link_preview.link_text(hand).title


def _most(text: str) -> int:
    """Return the most pixels that a site has room for; without a limit, more than there are."""
    return fields.number(text, "bad-size") or 1 if text else 10**6
