"""The automatic replay of a finished hand."""

import re
from collections.abc import Callable
from functools import partial

import pytest
from flask import Flask
from playwright.sync_api import Page, Route, expect

from tests.e2e.clocks import frames, stopped
from tests.e2e.conftest import DESKTOP, PHONE, Visit
from tests.e2e.dealer import Dealer
from tests.e2e.geometry import small_targets
from tests.e2e.motion_cases import CASES
from tests.e2e.recording import states
from tests.e2e.table_recording import TableCase, replay_states

SETTLED = 100
PACE = 1500
"""Milliseconds for which a step is looked at (static/js/replay.js)."""
FLIGHT = 260
"""Milliseconds for which a card flies (static/js/pace.js)."""
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


STEPS: dict[str, Callable[[Flask], tuple[str, str, str]]] = {
    **{name: partial(states, case=case) for name, case in CASES.items() if case.step is not None},
    "the bank turns its card": partial(
        replay_states, case=TableCase("Th 6d 9s 2c 3h 4d 5s", ("bet 100", "stand"), ""), step=0
    ),
}
"""Single steps of replays: the address, its page, and the answer with the next step."""

CAPTION = """() => ({
  caption: document.querySelector(".stepper__now").textContent.replace(/\\s+/g, " ").trim(),
  step: Number(document.querySelector("#finish").dataset.step) + 1,
  dots: document.querySelectorAll(".stepper__dot--on").length,
  isLast: document.querySelector("#finish:not([data-moving])") !== null,
})"""


@pytest.mark.moving
@pytest.mark.parametrize("name", STEPS)
def test_the_caption_is_of_the_step_whose_cards_are_coming(desktop: Page, dealer: Dealer, name: str) -> None:
    """First what was done, and what came of it when the last card lies there."""
    address, before, after = STEPS[name](dealer.app)

    def answer(route: Route) -> None:
        body = before if route.request.is_navigation_request() else after
        route.fulfill(body=body, content_type="text/html; charset=utf-8")

    desktop.clock.install()
    desktop.route(re.compile(r"/h/"), answer)
    desktop.goto(address)
    with stopped(desktop):
        desktop.locator("#step-arrowright").evaluate("link => link.click()")
        desktop.locator("[data-moving]").wait_for(state="attached")
        seen = frames(desktop, CAPTION, None)
    assert len(seen) > 10
    for frame in seen:
        assert f"Step {frame['step']} of " in frame["caption"]
        assert frame["dots"] == frame["step"]
    done, came = dict.fromkeys(frame["caption"] for frame in seen)
    assert done != came


ASKED = """() => {
  window.asked = 0;
  document.addEventListener("htmx:before:request", ({ target }) => { window.asked += !target.closest("[data-poll]"); });
}"""


@pytest.mark.moving
def test_a_step_is_looked_at_from_when_its_last_card_lies_there(desktop: Page, dealer: Dealer) -> None:
    begin(desktop, dealer)
    desktop.get_by_role("button", name="Play", exact=True).click()
    at(desktop, 1)
    desktop.clock.run_for(PACE)
    expect(desktop.locator("[data-moving]")).to_be_attached()
    desktop.evaluate(ASKED)
    desktop.clock.run_for(PACE + FLIGHT - 50)
    assert desktop.evaluate("asked") == 0
    desktop.clock.run_for(PACE)
    assert desktop.evaluate("asked") == 1
