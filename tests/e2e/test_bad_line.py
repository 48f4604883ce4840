"""Lost connections, repeated taps and two tabs: each action happens once, and the table shows the current state."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Request, Route, expect

from tests.e2e.clocks import stopped
from tests.e2e.conftest import PHONE, Console, Visit
from tests.e2e.dealer import Dealer
from tests.e2e.taps import click, tap_at
from tests.e2e.traffic import actions, held_back, requests_of
from tests.e2e.visitor import Press, Visitor, finger, keys, mouse
from tests.support.languages import WIDEST

pytestmark = pytest.mark.moving

EVERYTHING = "**/play/**"
GONE = r"net::ERR_(FAILED|INTERNET_DISCONNECTED|ABORTED)"


TAPS_ARE_NOT_COUNTED = """
  const counted = Object.getOwnPropertyDescriptor(UIEvent.prototype, "detail").get;
  Object.defineProperty(UIEvent.prototype, "detail", { get() { return Math.min(1, counted.call(this)); } });
"""

RETRY_AFTER = (500, 1000, 2000, 4000)
"""Milliseconds after which the page sends an unanswered action again (static/js/app.js)."""


def board(page: Page) -> Any:
    """Return the JSON of the open hand."""
    return page.request.get("/play/poker", headers={"Accept": "application/json"}).json()


@contextmanager
def answer_lost(page: Page, console: Console) -> Iterator[list[Request]]:
    """Let the site receive the next action but not the page its response. Yield the list of requests."""
    console.expect(GONE)
    sent: list[Request] = []

    def lose_first(route: Route) -> None:
        sent.append(route.request)
        if len(sent) > 1:
            return route.continue_()
        route.fetch()
        return route.abort()

    page.route(EVERYTHING, lose_first)
    yield sent
    page.unroute(EVERYTHING)


def with_a_pair_to_come(page: Page, press: Press, dealer: Dealer, scene: str = "will be a pair") -> Visitor:
    """Open a hand whose exchange leads to the scene, and hold its first two cards."""
    page.goto(dealer.seat(page, scene, fresh=True).table)
    visitor = Visitor(page, press)
    visitor.hold(1)
    visitor.hold(2)
    return visitor


def sent_twice_the_same(sent: list[Request]) -> bool:
    first, second = sent[:2]
    return (first.url, first.post_data, first.method) == (second.url, second.post_data, "POST")


def test_the_lost_answer_of_a_draw_is_asked_for_again(phone: Page, dealer: Dealer, console: Console) -> None:
    visitor = with_a_pair_to_come(phone, finger, dealer)
    with answer_lost(phone, console) as sent:
        visitor.draw()
    assert sent_twice_the_same(sent)
    assert visitor.phase() == "ask"
    assert board(phone)["step"] == 1
    assert board(phone)["view"]["held"] == [1, 2]
    expect(phone.locator("#connection")).to_be_hidden()


def test_a_score_is_collected_once(phone: Page, dealer: Dealer, console: Console) -> None:
    phone.goto(dealer.seat(phone, "asked", fresh=True).table)
    visitor = Visitor(phone, finger)
    with answer_lost(phone, console) as sent:
        visitor.collect()
    assert sent_twice_the_same(sent)
    assert visitor.verdict() == "Collected 100"
    assert board(phone)["purse"] == 100
    phone.unroute(EVERYTHING)
    visitor.deal()
    visitor.hold_what_repeats()  # a full house would not be drawn away by one tap
    visitor.draw()
    assert board(phone)["purse"] == 100


def test_a_whole_double_up_over_a_line_that_loses_every_first_answer(
    phone: Page, dealer: Dealer, console: Console
) -> None:
    hand = dealer.seat(phone, "will be doubled", fresh=True)
    phone.goto(hand.table)
    visitor = Visitor(phone, finger)
    with answer_lost(phone, console):
        visitor.double()
    open_card = board(phone)["view"]["rounds"][-1]["open"]
    with answer_lost(phone, console):
        visitor.pick(int(hand.to_come[1].removeprefix("pick-")))
    assert board(phone)["purse"] == 0
    with answer_lost(phone, console):
        visitor.collect()
    finished = phone.request.get(f"{hand.page}.json").json()
    assert finished["moves"][1:] == list(hand.to_come)
    assert finished["cards"][1][0] == open_card


def test_five_cards_are_dealt_although_both_first_answers_were_lost(phone: Page, console: Console) -> None:
    phone.goto("/play/poker")
    visitor = Visitor(phone, finger)
    lost: set[str] = set()

    def lose_first(route: Route) -> None:
        if (url := route.request.url) in lost:
            return route.continue_()
        lost.add(url)
        route.fetch()
        return route.abort()

    console.expect(GONE)
    phone.route(EVERYTHING, lose_first)
    visitor.deal()
    assert len(lost) == 2
    assert board(phone)["seq"] == 1


def test_a_proxys_error_page_is_not_shown_but_asked_again(phone: Page, dealer: Dealer, console: Console) -> None:
    console.expect("status of 502")
    phone.goto(dealer.seat(phone, "asked", fresh=True).table)
    visitor = Visitor(phone, finger)
    phone.route(EVERYTHING, lambda route: route.fulfill(status=502, body="<h1>Bad gateway</h1>"), times=1)
    visitor.collect()
    assert visitor.verdict() == "Collected 100"


def test_without_a_line_it_waits_and_goes_on_when_the_line_is_back(
    phone: Page, dealer: Dealer, console: Console
) -> None:
    console.expect(GONE)
    phone.goto(dealer.seat(phone, "asked", fresh=True).table)
    visitor = Visitor(phone, finger)
    with visitor.change():
        phone.context.set_offline(True)
        visitor.button("double").tap()
        expect(phone.locator("#connection").get_by_text("Connecting…")).to_be_visible()
        assert visitor.phase() == "ask"
        phone.context.set_offline(False)
    assert visitor.phase() == "pick"
    expect(phone.locator("#connection").get_by_text("Connecting…")).to_be_hidden()


def test_a_line_that_stays_away_is_said_calmly_and_the_hand_is_safe(
    phone: Page, dealer: Dealer, console: Console
) -> None:
    console.expect(GONE)
    phone.clock.install()
    phone.goto(dealer.seat(phone, "asked", fresh=True).table)
    phone.context.set_offline(True)
    visitor = Visitor(phone, finger)
    with phone.expect_event("requestfailed"):
        visitor.button("collect").tap()
    message = phone.get_by_text("No connection. Your hand is safe and waits for you.").and_(phone.locator("span"))
    for wait in RETRY_AFTER:  # running the clock too far does no harm, because it also runs by itself
        with phone.expect_event("requestfailed"):
            phone.clock.fast_forward(wait)
    expect(message).to_be_visible()
    expect(phone.get_by_role("link", name="Try again")).to_be_visible()
    assert phone.locator(".connection__again").evaluate("way => getComputedStyle(way).whiteSpace === 'nowrap'")
    with visitor.change():
        phone.context.set_offline(False)
    expect(message).to_be_hidden()
    visitor.collect()
    assert visitor.verdict() == "Collected 100"


def test_when_the_line_is_back_the_table_is_read_again(phone: Page, dealer: Dealer) -> None:
    phone.goto(dealer.seat(phone, "asked", fresh=True).table)
    visitor = Visitor(phone, finger)
    lose_the_line(phone)
    elsewhere = phone.context.new_page()
    elsewhere.goto("/play/poker")
    Visitor(elsewhere, finger).double()
    assert visitor.phase() == "ask"
    with visitor.change():
        lose_the_line(phone)
    assert visitor.phase() == "pick"


def test_when_the_line_is_back_a_finished_hand_still_lies_there(phone: Page, dealer: Dealer) -> None:
    phone.goto(dealer.seat(phone, "asked", fresh=True).table)
    visitor = Visitor(phone, finger)
    visitor.collect()
    with visitor.change():
        lose_the_line(phone)
    assert visitor.verdict() == "Collected 100"


def test_a_double_tap_on_draw_draws_once(phone: Page, dealer: Dealer) -> None:
    visitor = with_a_pair_to_come(phone, finger, dealer)
    tap = tap_beside_the_middle(visitor.draw_button)
    held: list[Route] = []
    phone.route("**/play/poker/**", lambda route: held.append(route))
    with requests_of(phone) as sent, visitor.change():
        with phone.expect_request(lambda request: request.method == "POST"):
            tap()
        tap()  # before the response, on a machine of any speed
        for route in held:
            route.continue_()
        phone.unroute("**/play/poker/**")
    assert len(actions(sent)) == 1
    assert visitor.phase() == "ask"
    assert board(phone)["step"] == 1


def test_whoever_taps_fast_through_a_replay_comes_as_far_as_they_tapped(phone: Page, dealer: Dealer) -> None:
    phone.goto(dealer.seat(phone, "doubled").page + "?step=0")
    step = phone.get_by_text(re.compile(r"Step \d+ of \d+"))
    for number in range(1, 4):
        expect(step).to_contain_text(f"Step {number} of")
        phone.locator("#step-arrowright").tap()
    expect(step).to_contain_text("Step 4 of")


@pytest.mark.parametrize(("scene", "verdict"), [("will be a pair", "Pair of"), ("will be nothing", "No hand")])
def test_the_second_of_two_taps_does_not_press_what_the_first_one_brought(
    phone: Page, dealer: Dealer, scene: str, verdict: str
) -> None:
    phone.add_init_script(TAPS_ARE_NOT_COUNTED)
    phone.clock.install()
    dealer.prefer(phone, speed="fast")
    visitor = with_a_pair_to_come(phone, finger, dealer, scene)
    tap = tap_beside_the_middle(visitor.draw_button)
    with stopped(phone):
        with held_back(phone, EVERYTHING, lambda: phone.clock.run_for(100)), visitor.change():
            tap()
        phone.clock.run_for(299)
        with requests_of(phone) as sent:
            tap()
        assert sent == []
        assert visitor.verdict().startswith(verdict)


@pytest.mark.parametrize("scene", ["will be a pair", "will be nothing"])
def test_a_tap_after_four_tenths_of_a_second_is_one_of_its_own(phone: Page, dealer: Dealer, scene: str) -> None:
    phone.clock.install()
    dealer.prefer(phone, speed="fast")
    visitor = with_a_pair_to_come(phone, finger, dealer, scene)
    tap = tap_beside_the_middle(visitor.draw_button)
    with stopped(phone):
        with held_back(phone, EVERYTHING, lambda: phone.clock.run_for(100)), visitor.change():
            tap()
        phone.clock.run_for(300)
        with requests_of(phone) as sent, visitor.change():
            tap()
    assert len(actions(sent)) >= 1


def lose_the_line(page: Page) -> None:
    """Go offline for a moment."""
    page.context.set_offline(True)
    page.context.set_offline(False)


def tap_beside_the_middle(control: Locator) -> Callable[[], None]:
    """Return a function that taps where "Draw" is now, and "Double" and "Deal again" will be."""
    box = control.bounding_box()
    assert box is not None
    return lambda: tap_at(control.page, box["x"] + box["width"] * 0.75, box["y"] + box["height"] / 2)


def test_a_double_click_draws_and_does_nothing_else(desktop: Page, dealer: Dealer) -> None:
    visitor = with_a_pair_to_come(desktop, mouse, dealer)
    with requests_of(desktop) as sent, visitor.change():
        visitor.draw_button.dblclick()
    assert len(actions(sent)) == 1
    assert visitor.phase() == "ask"


def test_a_key_that_is_held_down_draws_and_does_nothing_else(desktop: Page, dealer: Dealer) -> None:
    visitor = with_a_pair_to_come(desktop, keys, dealer)
    visitor.draw_button.focus()
    with requests_of(desktop) as sent:
        with visitor.change():
            desktop.keyboard.down("Enter")
        expect(visitor.button("collect")).to_be_focused()
        for _ in range(5):  # the same key again, without letting go: the keyboard repeats
            desktop.keyboard.down("Enter")
        desktop.keyboard.up("Enter")
    assert len(actions(sent)) == 1
    assert visitor.phase() == "ask"


def test_in_two_tabs_the_second_draw_shows_what_the_first_one_did(desktop: Page, dealer: Dealer) -> None:
    desktop.goto(dealer.seat(desktop, "will be a pair", fresh=True).table)
    second_tab = desktop.context.new_page()
    second_tab.goto("/play/poker")
    first, second = Visitor(desktop, mouse), Visitor(second_tab, mouse)
    first.hold(1)
    first.hold(2)
    first.draw()
    assert second.phase() == "exchange"
    second.draw()
    assert second.phase() == "ask"
    expect(second_tab.get_by_text("The hand has moved on; this is how it stands.").last).to_be_visible()
    assert board(desktop)["step"] == 1
    assert board(desktop)["view"]["held"] == [1, 2]
    second.collect()
    click(first.button("double"))
    expect(first.button("double")).to_be_hidden()
    assert board(desktop)["purse"] == 50


def test_in_two_tabs_one_hand_is_dealt(desktop: Page) -> None:
    desktop.goto("/play/poker")
    second_tab = desktop.context.new_page()
    second_tab.goto("/play/poker")
    Visitor(desktop, mouse).deal()
    second = Visitor(second_tab, mouse)
    second.deal()
    assert second.cards() == Visitor(desktop, mouse).cards()
    assert board(desktop)["seq"] == 1


SEEN = """() => [...document.querySelectorAll(".table, .table *")]
  .filter((part) => part.getClientRects().length && part.checkVisibility({ visibilityProperty: true }))
  .map((part) => part.className)"""


@pytest.mark.parametrize("cut", ['<section class="help', "data-draw"], ids=["before the help", "in the draw button"])
def test_a_page_that_was_cut_short_on_its_way_is_shown_all_the_same(
    desktop: Page, dealer: Dealer, console: Console, cut: str
) -> None:
    """The table is hidden while it loads, so that nothing moves as its rest arrives."""
    console.expect("Did not find element expected to be parsed")
    hand = dealer.seat(desktop, "marked")

    def cut_short(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().partition(cut)[0])

    desktop.route("**/play/poker", cut_short)
    clock = desktop.context.new_cdp_session(desktop)
    clock.send("Animation.enable")
    clock.send("Animation.setPlaybackRate", {"playbackRate": 0})
    desktop.goto(hand.table)
    expect(desktop.locator(".card__check:checked").first).to_be_attached()
    assert desktop.evaluate(SEEN) == []
    clock.send("Animation.setPlaybackRate", {"playbackRate": 1})
    expect(desktop.locator(".hand .card")).to_have_count(5)
    expect(desktop.locator(".hand .card").first).to_be_visible()


COVERED = """(state) => {
  const bar = document.getElementById("connection");
  bar.hidden = false;
  bar.querySelector("span").textContent = bar.dataset[state];
  bar.querySelector("a").hidden = true;
  const notice = bar.getBoundingClientRect();
  const texts = document.createTreeWalker(document.querySelector(".room"), NodeFilter.SHOW_TEXT);
  const found = notice.width && bar.querySelector("span").scrollWidth <= bar.clientWidth ? [] : ["the notice is cut"];
  while (texts.nextNode()) {
    const { data, parentElement: element } = texts.currentNode;
    if (!data.trim() || element.closest(".visually-hidden") || !element.checkVisibility({ visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    for (const { left, right, top, bottom } of range.getClientRects()) {
      const above = (bottom - top) * 0.24; // letters are that much lower than their line
      if (left < notice.right && right > notice.left && top + above < notice.bottom && bottom - above > notice.top) found.push(data.trim());
    }
  }
  bar.hidden = true;
  return found;
}"""
"""Texts on which the notice of a line that is slow would lie."""


@pytest.mark.parametrize("width", [360, 390])
@pytest.mark.parametrize("language", WIDEST)
def test_that_a_line_is_slow_is_said_over_no_other_text(
    visit: Visit, dealer: Dealer, language: str, width: int
) -> None:
    page = visit({**PHONE, "viewport": {"width": width, "height": 640}})
    dealer.prefer(page, language=language)
    for address in ("/play/poker", "/play/joker", "/play/video", "/play/blackjack"):
        page.goto(address)
        for state in ("dealing", "connecting"):
            assert page.evaluate(COVERED, state) == [], address
