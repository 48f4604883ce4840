"""Laws for solo and shared tables, which use the same script (static/js/room.js)."""

import html
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Request, Route, expect

from tests.e2e.conftest import DESKTOP, Console, Visit
from tests.e2e.dealer import Dealer
from tests.e2e.test_bad_line import RETRY_AFTER, lose_the_line, sent_twice_the_same
from tests.e2e.traffic import actions, requests_of

NO_LINE = r"net::ERR_(FAILED|INTERNET_DISCONNECTED|ABORTED)"
SAFE = "No connection. Your hand is safe and waits for you."
NO_HAND = "No connection. Nothing is lost."
GOES_ON = "No connection. When your time is up, the table goes on without you."


@dataclass(frozen=True)
class Table:
    """A table at which the page can act: by a button, or by its key."""

    page: Page
    button: Locator
    key: str
    actions: str
    """Where its actions are sent to."""
    other: Locator
    """Something else that could be done."""
    number: Callable[[], Any]
    """What the action changes, once: as programs see it."""
    done: Any
    lost: str
    """What is said when the line stays away."""

    def act(self) -> None:
        self.button.evaluate("button => button.click()")  # no double tap is meant


def alone(page: Page, dealer: Dealer) -> Table:
    """Open a hand with two pairs, to be collected or doubled."""
    page.goto(dealer.seat(page, "asked", fresh=True).table)

    def purse() -> Any:
        return page.request.get("/play/poker", headers={"Accept": "application/json"}).json()["purse"]

    collect, double = (page.locator(f"button[name=verb][value={verb}]") for verb in ("collect", "double"))
    return Table(page, collect, "c", "**/play/poker/*/*", double, purse, 100, SAFE)


def shared(page: Page, dealer: Dealer) -> Table:
    """Open a shared table with a bet to be placed and a bot as the bank."""
    page.goto("/tables")
    page.get_by_role("button", name="Play with the house bot").click()
    page.wait_for_url("**/t/*")
    address = page.url

    def bet() -> Any:
        board = page.request.get(address, headers={"Accept": "application/json"}).json()
        return board["seats"][board["you"]]["bet"]

    expect(page.locator("#bet button")).to_be_visible()
    page.locator("#stake").fill("20")
    return Table(page, page.locator("#bet button"), "Enter", "**/t/*/*", page.locator("#policy"), bet, 20, GOES_ON)


KINDS = {"a table for one": alone, "a table that people share": shared}


@pytest.fixture(params=KINDS)
def table(request: pytest.FixtureRequest, visit: Visit, dealer: Dealer) -> Table:
    """A table of each kind, on a desktop."""
    page = visit(DESKTOP)
    page.clock.install()
    return KINDS[request.param](page, dealer)


@contextmanager
def first(page: Page, actions_of: str, answer: Callable[[Route], object]) -> Iterator[list[Request]]:
    """Answer the first action of this block with ``answer``. Yield the list of requests."""
    sent: list[Request] = []

    def take(route: Route) -> None:
        if route.request.method != "POST":
            return route.fallback()
        sent.append(route.request)
        if len(sent) > 1:
            return route.continue_()
        answer(route)
        return None

    page.route(actions_of, take)
    yield sent
    page.unroute(actions_of, take)


@contextmanager
def room_read(page: Page) -> Iterator[None]:
    """Wait until the page has fetched its room and shown it. An open event stream is ignored."""
    with page.expect_response(
        lambda answer: answer.ok and answer.request.method == "GET" and "/events" not in answer.url
    ) as read:
        yield
    read.value.finished()
    page.evaluate("fetch(location.href).then((answer) => answer.text())")  # earlier responses have been shown by then


def lost(route: Route) -> None:
    """Let the site receive the request, and the page no response."""
    route.fetch()
    route.abort()


def bad_gateway(route: Route) -> None:
    route.fulfill(status=502, body="<h1>Bad gateway</h1>", content_type="text/html")


@pytest.mark.parametrize("answer", [lost, bad_gateway])
def test_an_action_without_an_answer_is_sent_again_the_same_and_done_once(
    table: Table, console: Console, answer: Callable[[Route], object]
) -> None:
    console.expect(NO_LINE + "|status of (502|409)")  # the table has changed by a request whose response was lost
    with first(table.page, table.actions, answer) as sent:
        table.act()
        expect(table.page.locator("#connection")).to_have_text("Connecting…Try again")
        # a shared table may tell of the action before it is sent again: wait for the second response, not for the room
        with table.page.expect_response(lambda response: response.request.method == "POST"):
            table.page.clock.run_for(RETRY_AFTER[0])
        expect(table.button).to_have_count(0)
    assert sent_twice_the_same(sent)
    assert len(sent) == 2
    assert table.number() == table.done
    expect(table.page.locator("#connection")).to_be_hidden()
    expect(table.page.get_by_text("Bad gateway")).to_have_count(0)


def test_while_an_action_is_on_its_way_nothing_else_is_sent(table: Table) -> None:
    held: list[Route] = []
    with first(table.page, table.actions, held.append), requests_of(table.page) as sent:
        with table.page.expect_request(lambda request: request.method == "POST"):  # sent, and so in `held`
            table.act()
        expect(table.page.locator("form.htmx-request")).to_have_count(1)
        table.act()
        press = "other => other.form.requestSubmit(other.matches('button') ? other : undefined)"
        table.other.evaluate(press)
        held[0].continue_()
        expect(table.button).to_have_count(0)
    assert len(actions(sent)) == 1
    assert table.number() == table.done


def test_a_line_that_stays_away_is_said_and_the_action_can_be_done_afterwards(table: Table, console: Console) -> None:
    console.expect(NO_LINE)
    table.page.route(table.actions, lambda route: route.abort())
    with table.page.expect_event("requestfailed"):
        table.act()
    for wait in RETRY_AFTER:
        with table.page.expect_event("requestfailed"):
            table.page.clock.fast_forward(wait)
    expect(table.page.locator("#connection span")).to_have_text(table.lost)
    table.page.clock.run_for(100)
    expect(table.page.get_by_role("status").first).to_have_text(table.lost)
    table.page.unroute(table.actions)
    table.act()
    expect(table.button).to_have_count(0)
    expect(table.page.locator("#connection")).to_be_hidden()
    assert table.number() == table.done


def test_without_a_hand_no_hand_is_said_to_wait(desktop: Page, console: Console) -> None:
    console.expect(NO_LINE)
    desktop.clock.install()
    desktop.goto("/play/poker")
    heard = "() => { window.heard = []; new MutationObserver(([{ target }]) => heard.push(target.textContent))"
    desktop.evaluate(heard + ".observe(document.getElementById('status'), { childList: true }); }")
    desktop.route("**/play/poker/*/*", lambda route: route.abort())
    with desktop.expect_event("requestfailed"):
        desktop.locator("#room [data-focus]").first.click()
    for wait in RETRY_AFTER:
        with desktop.expect_event("requestfailed"):
            desktop.clock.fast_forward(wait)
    expect(desktop.locator("#connection span")).to_have_text(NO_HAND)
    desktop.clock.run_for(2000)
    assert [sentence for sentence in desktop.evaluate("heard") if sentence] == ["Connecting…", NO_HAND]


def test_by_its_key_an_action_leads_to_the_next_decision(table: Table) -> None:
    table.page.evaluate("document.activeElement.blur()")
    table.page.keyboard.press(table.key)
    expect(table.button).to_have_count(0)
    expect(table.page.locator("#room [data-focus]").first).to_be_focused()


SAID = """() => {
  globalThis.said = [];
  const status = document.getElementById("status");
  new MutationObserver(() => { if (status.textContent) said.push(status.textContent); }).observe(status, { childList: true });
}"""


def test_a_page_that_comes_back_says_nothing_that_is_not_new_and_keeps_the_focus(
    table: Table, console: Console
) -> None:
    console.expect(NO_LINE)
    table.page.clock.run_for(1000)
    table.button.focus()
    table.page.evaluate("globalThis.before = document.getElementById('room').dataset.say")
    with room_read(table.page):
        lose_the_line(table.page)
    table.page.clock.run_for(1000)  # announcements so far, which may be repeated
    table.page.evaluate(SAID)
    with room_read(table.page):
        lose_the_line(table.page)
    table.page.clock.run_for(1000)
    expect(table.button).to_be_focused()
    assert table.page.evaluate("document.getElementById('room').dataset.say === before")
    assert table.page.evaluate("globalThis.said") == []


def test_the_focus_outlasts_two_rooms_that_come_before_the_next_frame(table: Table, console: Console) -> None:
    console.expect(NO_LINE)
    page = table.page
    page.clock.run_for(1000)
    table.button.focus()
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))  # stops animation frames
    for _ in range(2):
        with room_read(page):
            page.evaluate("window.dispatchEvent(new Event('online'))")
    page.clock.run_for(1000)
    expect(table.button).to_be_focused()


@pytest.mark.parametrize("status", [413, 429, 500])
def test_what_is_refused_for_now_is_said_in_the_bar_and_the_table_stays(
    table: Table, console: Console, status: int
) -> None:
    console.expect(f"status of ({status}|404)")
    page = table.page
    error = page.request.get("/nothing-here", headers={"HX-Request": "true", "Accept": "text/html"}).text()
    sentence = html.unescape(re.findall(r'data-say="([^"]+)"', error)[0])
    with first(page, table.actions, lambda route: route.fulfill(status=status, body=error, content_type="text/html")):
        table.act()
        expect(page.locator("#connection span")).to_have_text(sentence)
    expect(table.button).to_be_visible()
    page.clock.run_for(100)
    expect(page.get_by_role("status").first).to_have_text(sentence)
    table.act()
    expect(table.button).to_have_count(0)
    assert table.number() == table.done


def test_an_error_comes_as_a_whole_room_and_is_said(table: Table, console: Console) -> None:
    console.expect("status of 4")
    page = table.page
    error = page.request.get("/nothing-here", headers={"HX-Request": "true", "Accept": "text/html"}).text()
    with first(page, table.actions, lambda route: route.fulfill(status=404, body=error, content_type="text/html")):
        table.act()
        expect(page.locator("#room.room--play")).to_have_count(0)
    sentence = page.locator(".lost__what").inner_text()
    page.clock.run_for(100)
    expect(page.get_by_role("status").first).to_have_text(re.compile(re.escape(sentence)))
