"""The automatic replay of a finished hand."""

import re

from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESKTOP, PHONE, Visit
from tests.e2e.dealer import Dealer
from tests.e2e.geometry import small_targets

SETTLED = 100
PACE = 1500
"""Milliseconds for which a step is looked at (static/js/replay.js)."""
STEP = re.compile(r"Step \d+ of \d+")


def begin(page: Page, dealer: Dealer, scene: str = "doubled") -> str:
    """Open a hand, and stop the clock. Return its number of steps."""
    page.clock.install()
    page.goto(dealer.seat(page, scene).page)
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 60)
    return page.get_by_text(STEP).inner_text().split()[-1]


def let_it_go_on(page: Page) -> None:
    """Let the replay take its next step: motion ends first, then the pause."""
    page.clock.run_for(SETTLED)
    page.clock.run_for(PACE)


def at(page: Page, number: int | str) -> None:
    expect(page.get_by_text(STEP)).to_contain_text(f"Step {number} of ")


def test_play_shows_all_steps_from_the_first_one_and_stops_at_the_last(phone: Page, dealer: Dealer) -> None:
    last = begin(phone, dealer)
    at(phone, 2)  # the hand that gives it its name
    button = phone.get_by_role("button", name="Play", exact=True)
    button.tap()
    for number in range(1, int(last) + 1):
        at(phone, number)
        expect(button).to_have_attribute("aria-pressed", "true" if number < int(last) else "false")
        let_it_go_on(phone)
    at(phone, last)
    assert small_targets(phone) == []


def test_a_tap_stops_it_and_play_goes_on_from_there(phone: Page, dealer: Dealer) -> None:
    begin(phone, dealer)
    button = phone.get_by_role("button", name="Play", exact=True)
    button.tap()
    at(phone, 1)
    let_it_go_on(phone)
    at(phone, 2)
    phone.locator(".stepper__now").tap()
    expect(button).to_have_attribute("aria-pressed", "false")
    phone.clock.run_for(5000)
    at(phone, 2)
    button.tap()
    at(phone, 3)


def test_keys_step_and_stop_it(visit: Visit, dealer: Dealer) -> None:
    page = visit(DESKTOP)
    last = begin(page, dealer)
    page.keyboard.press("p")
    at(page, 1)
    page.keyboard.press("End")
    at(page, last)
    page.clock.run_for(5000)
    expect(page.locator("[data-play]")).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("ArrowLeft")
    at(page, int(last) - 1)
    page.keyboard.press("Home")
    at(page, 1)


def test_without_a_script_there_is_no_button_that_does_nothing(visit: Visit, dealer: Dealer) -> None:
    page = visit(PHONE, java_script_enabled=False)
    page.goto(dealer.seat(page, "doubled").page)
    expect(page.locator("[data-play]")).to_be_hidden()
    expect(page.locator(".stepper__bar a")).to_have_count(4)
