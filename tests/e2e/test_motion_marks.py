"""Cards that are marked automatically because they pay are marked after the last card has arrived."""

import re
from dataclasses import replace

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.conftest import PHONE, Visit
from tests.e2e.dealer import Dealer
from tests.e2e.motion_cases import CASES, DEAL
from tests.e2e.recording import record, states

pytestmark = pytest.mark.moving


def marks(told: list[str]) -> list[str]:
    return [each for each in told if each.startswith("mark ")]


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("poker: a deal that pays", "", "12"),
        ("poker: a deal that pays with all five", "", "12345"),
        ("joker: a deal that pays", "", "12"),
        ("joker: an exchange that pays with more", "12", "1235"),
        ("joker: an exchange that pays with others", "1", "24"),
    ],
)
def test_marks_of_the_site_wait_and_those_that_were_there_stay(
    desktop: Page, dealer: Dealer, name: str, before: str, after: str
) -> None:
    recording = record(desktop, dealer.app, CASES[name])
    was, comes = ([f"mark {place}: tag, line" for place in places] for places in (before, after))
    seen = [(time, marks(told)) for time, told in recording.frames]
    assert {tuple(told) for time, told in seen if time < recording.landing} == {tuple(was)}
    assert seen[-1][1] == comes


HINT = """<p class="coach__said" id="coach" data-asked data-verb="hold" data-args="1 2"><span class="coach__text">Best: hold</span></p>"""


@pytest.mark.parametrize("name", ["poker: a deal that pays", "joker: a deal that pays"])
def test_the_coach_is_asked_when_the_last_card_lies_there(desktop: Page, dealer: Dealer, name: str) -> None:
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(desktop.evaluate("() => document.querySelector('[data-moving]') ? 'moving' : 'landed'"))
        route.fulfill(body=HINT, content_type="text/html")

    desktop.route(re.compile("/hint$"), answer)
    # many frames, since the answer takes real time, and the page's clock is moved on meanwhile
    case = replace(CASES[name], prefs="deal=cut&coach=before")
    recording = record(desktop, dealer.app, case, watch=1000, at_a_time=1)
    assert asked == ["landed"]
    advised = [time for time, told in recording.frames if "advised" in " ".join(told)]
    assert advised[0] >= recording.landing
    assert len(advised) >= 2


@pytest.mark.parametrize("key", ["tap", "1"])
def test_who_ends_the_deal_on_a_marked_card_keeps_its_mark(visit: Visit, dealer: Dealer, key: str) -> None:
    page = visit(PHONE)
    _deal_a_pair(page, dealer)
    card = page.locator(".card--hold").first
    expect(card).to_have_attribute("data-look", "loose")
    expect(card.locator("input")).to_be_checked()  # for a screen reader
    expect(card.locator(".card__tag--hold")).to_be_hidden()
    card.tap(force=True) if key == "tap" else page.keyboard.press(key)
    expect(page.locator("#room:not([data-moving])")).to_be_attached()
    expect(page.locator(".card--hold input:checked")).to_have_count(2)
    expect(page.locator(".card__tag--hold").first).to_be_visible()
    expect(page.locator("[data-look]")).to_have_count(0)


def test_a_tap_on_another_card_holds_it_at_once(visit: Visit, dealer: Dealer) -> None:
    page = visit(PHONE)
    _deal_a_pair(page, dealer)
    page.locator(".card--hold").nth(4).tap(force=True)
    expect(page.locator(".card--hold input:checked")).to_have_count(3)


def _deal_a_pair(page: Page, dealer: Dealer) -> None:
    """Open a table and stop while five cards are being dealt, two of which pay."""
    address, before, after = states(dealer.app, CASES["poker: a deal that pays"])
    page.clock.install()

    def answer(route: Route) -> None:
        is_first = route.request.is_navigation_request()
        route.fulfill(body=before if is_first else after, content_type="text/html; charset=utf-8")

    page.route(re.compile(r"/play/"), answer)
    page.goto(address)
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 60)
    page.locator(DEAL).evaluate("button => button.click()")
    page.locator("#room[data-moving]").wait_for(state="attached")
    page.clock.run_for(300)


@pytest.mark.parametrize("speed", ["fast", "reduced"])
def test_who_wants_no_motion_has_the_marks_at_once(visit: Visit, dealer: Dealer, speed: str) -> None:
    page = visit(PHONE, reduced_motion="reduce" if speed == "reduced" else "no-preference")
    case = replace(CASES["poker: a deal that pays"], prefs=f"deal=cut&speed={'fast' if speed == 'fast' else 'normal'}")
    recording = record(page, dealer.app, case)
    assert recording.landing == 0
    assert marks(recording.frames[0][1]) == ["mark 1: tag, line", "mark 2: tag, line"]
