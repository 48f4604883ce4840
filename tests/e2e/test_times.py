"""Days in a browser are those of the reader's calendar."""

import re
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESKTOP, Visit
from tests.support.moves import dealt, finished
from tests.support.player import ACCEPT, SAME_ORIGIN, Json, Player


def hand_of_now(page: Page) -> tuple[str, datetime]:
    """Return the address of a hand that has just ended, and when it did."""
    page.goto("/about")
    player = Player(page.evaluate("location.origin"))
    dealt(player)
    key = finished(player)
    return f"/h/{key}", datetime.fromisoformat(player.get(f"/h/{key}").json["finished_at"])


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Asia/Tokyo", "Pacific/Pago_Pago"])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_hand_is_of_the_readers_day(visit: Visit, zone: str, language: str) -> None:
    page = visit(DESKTOP, timezone_id=zone, locale=language)
    address, at = hand_of_now(page)
    page.goto(address)
    shown = page.locator("time")
    expect(shown).not_to_contain_text("UTC")
    here = at.astimezone(ZoneInfo(zone))
    assert {str(here.year), f"{here.day:02}" if language == "ja" else str(here.day)} <= {
        *re.findall(r"\d+", shown.inner_text())
    }


def test_the_list_of_hands_has_the_minute_of_the_reader(visit: Visit) -> None:
    page = visit(DESKTOP, timezone_id="Asia/Kolkata", locale="ja")

    def post(path: str, **form: str) -> Json:
        answer = page.request.post(path, form=form, headers={**ACCEPT, **SAME_ORIGIN})
        assert answer.ok, answer.text()
        board: Json = answer.json()
        return board

    hand = post("/play/video")["hand"]
    post(f"/play/video/{hand}/0", verb="deal", stake="1")
    post(f"/play/video/{hand}/0", verb="hold")
    ended = datetime.fromisoformat(page.request.get(f"/h/{hand}.json").json()["finished_at"])
    page.goto("/me/hands")
    at = ended.astimezone(ZoneInfo("Asia/Kolkata"))
    expect(page.locator(".history__item time")).to_have_text(re.compile(rf"\b{at.hour}:{at.minute:02}$"))


def test_without_scripts_it_says_that_its_day_is_that_of_utc(visit: Visit, no_js: Page) -> None:
    address, _ = hand_of_now(visit(DESKTOP))
    no_js.goto(address)
    expect(no_js.locator("time")).to_contain_text("(UTC)")
