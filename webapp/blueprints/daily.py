"""The daily deal: the same cards for everybody on one day, and the archive of the days before."""

from typing import Final

from flask import Blueprint, Response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp.services.circles import circles_of
from webapp.services.core.clock import next_deals_at
from webapp.services.core.errors import Refusal
from webapp.services.deals import daily, day_view, practice
from webapp.services.records.finished import Finished
from webapp.services.review.days import month_of
from webapp.services.review.quality import qualities_of
from webapp.web.api.daily_answers import DailyAnswer, DayAnswer
from webapp.web.api.forms import DailyForm, DailyQuery, PastDayForm, read
from webapp.web.api.openapi_operations import Operation, describe
from webapp.web.api.serialize import json_response
from webapp.web.api.solo_answers import BoardAnswer
from webapp.web.hand_page import daily_line, link_preview
from webapp.web.hand_page.picture_store import pictures
from webapp.web.i18n.translations import in_language, use_language
from webapp.web.request import visitor
from webapp.web.request.language import language_of_picture, language_of_preview
from webapp.web.request.limits import limited
from webapp.web.request.preferences import preferences
from webapp.web.request.proxies import site_root
from webapp.web.templating.render import render, wants_json

bp = Blueprint("daily", __name__)

_PATH: Final = {"code": "Code of the game.", "day": "Day in UTC, `2026-11-22`."}


@bp.get("/daily")
@describe(Operation(answers={200: DailyAnswer}, query=DailyQuery))
def show() -> ResponseReturnValue:
    """Return today's deals, and the commitments to later ones."""
    player = visitor.player()
    today, coming, played = day_view.day_for(player), day_view.coming(), day_view.days_played(player)
    month = month_of(player, read(DailyQuery, request.args).month)
    if wants_json():
        return json_response(DailyAnswer.of(today, coming, played, qualities_of(today), month))
    return render(
        "daily/show.html",
        **_shown(today),
        is_link=False,
        is_sent=False,
        coming=coming,
        month=month,
        circles=circles_of(player),
        next_at=next_deals_at(),
    )


@bp.get("/daily/<day>")
@describe(Operation(answers={303: None}, path=_PATH))
def typed(day: str) -> ResponseReturnValue:
    """Lead to a day's page from the address that is guessed from that of today's deals."""
    return redirect(url_for("daily.of_day", day=day), 303)


@bp.get("/d/<day>")
@limited("600/minute")
@describe(Operation(answers={200: DayAnswer}, path=_PATH))
def of_day(day: str) -> ResponseReturnValue:
    """Return a day's deals: their commitments, and the seeds after the end of the day."""
    found = day_view.day_for(visitor.player(), day)
    if wants_json():
        return json_response(DayAnswer.of(found, qualities_of(found)))
    return render(
        "daily/show.html",
        **_shown(found),
        is_link=True,
        is_sent=found.is_untouched and not (request.referrer or "").startswith(request.url_root),
        coming=(),
        month=None,
        circles=None,
        next_at=next_deals_at() if found.is_today else None,
    )


@bp.get("/d/<day>.png")
@limited("60/minute")
@describe(Operation(answers={200: "image/png"}, path=_PATH))
def as_picture(day: str) -> ResponseReturnValue:
    """Return the picture that chats show beside the link to a day: backs, and no card of it."""
    day_view.deals_of(day)
    picture = pictures().picture(f"day-{day}", link_preview.day_subject(day, language_of_picture()))
    return Response(picture, mimetype="image/png", headers={"Cache-Control": "public, max-age=31536000, immutable"})


@bp.post("/d/<day>/<code>")
@limited("300/hour")
@limited("30/minute")
@describe(Operation(answers={201: BoardAnswer, 200: BoardAnswer}, form=PastDayForm, path=_PATH))
def practise(day: str, code: str) -> ResponseReturnValue:
    """Start a practice hand with the cards of a past day (201), or return the open one (200)."""
    form = read(PastDayForm, request.form)
    chosen = None if wants_json() else preferences().of_games
    begun = visitor.as_player(
        lambda player: practice.play_day(player, day, code, form.after, chosen),
        lambda: practice.require_day(day, code),
    )
    if wants_json():
        return json_response(BoardAnswer.of(begun.board), 201 if begun.is_new else 200)
    return redirect(url_for("play.table", code=code, hand=begun.board.hand), 303)


@bp.post("/daily/<code>")
@limited("120/minute")
@describe(Operation(answers={201: BoardAnswer, 200: BoardAnswer}, form=DailyForm, path=_PATH))
def sit(code: str) -> ResponseReturnValue:
    """Deal the player's one try at a daily deal, or its next round (201), or return the open one (200)."""
    form = read(DailyForm, request.form)
    begun = visitor.as_player(
        lambda player: daily.sit(player, code, form.day or None), lambda: daily.require_game(code)
    )
    if wants_json():
        return json_response(BoardAnswer.of(begun.board), 201 if begun.is_new else 200)
    return redirect(url_for("play.table", code=code, hand=begun.board.hand), 303)


def _played(key: str) -> Finished | None:
    try:
        return visitor.finished_hand(key)
    except Refusal:  # no key opens it any more
        return None


def _shown(day: day_view.Day) -> dict[str, object]:
    root = site_root()
    url = root + url_for("daily.of_day", day=day.day)
    found, text = qualities_of(day), link_preview.day_text(day)
    with use_language(language_of_preview()):
        preview = {
            "told": link_preview.day_text(day),
            "url": in_language(url),
            "image": root + in_language(url_for("daily.as_picture", day=day.day)),
        }
    return {
        "day": day,
        "preview": {"title": text.title, "description": text.description, **preview},
        "qualities": found,
        "played": {key: _played(key) for deal in day.deals for key in deal.hands},
        "waits": any(each.waits for each in found.values()),
        "lines": {
            deal.game: daily_line.line(day.day, deal, url, found[deal.game].own) for deal in day.deals if deal.played
        },
    }
