"""Connections that go silent: no press is lost, the page says what it waits for, and is right again when the line is back."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.conftest import DESKTOP, PHONE, Console, Visit
from tests.e2e.dealer import Dealer
from tests.e2e.geometry import overlaid
from tests.e2e.test_bad_line import RETRY_AFTER
from tests.e2e.test_pushed_parts import at_version
from tests.e2e.test_tables import sit
from tests.e2e.visitor import Visitor, finger
from tests.support.dead_line import DeadLine, dead_line
from tests.support.server import Server
from tests.support.table_players import players, two_who_bet

BROKEN = r"net::ERR_|htmx:(sse:)?error"
SOON = 3_000
"""Milliseconds after the return of the network within which a page is right."""


@pytest.fixture
def line(server: Server) -> Iterator[DeadLine]:
    """A line to the server that can die."""
    with dead_line(server.url.removeprefix("http://")) as line:
        yield line


def dealt_over(phone: Page, dealer: Dealer, line: DeadLine) -> Visitor:
    """Open a hand with a pair to come over a line, with its first two cards held."""
    seat = dealer.seat(phone, "will be a pair", fresh=True)
    phone.context.add_cookies(
        [{"name": cookie["name"], "value": cookie["value"], "url": line.address} for cookie in phone.context.cookies()]
    )
    phone.goto(f"{line.address}/play/{seat.table.rpartition('/')[2]}")
    visitor = Visitor(phone, finger)
    visitor.hold(1)
    visitor.hold(2)
    return visitor


def test_an_answer_that_never_comes_is_spoken_of_and_the_press_is_sent_again(phone: Page, dealer: Dealer) -> None:
    phone.clock.install()
    phone.goto(dealer.seat(phone, "asked", fresh=True).table)
    visitor = Visitor(phone, finger)
    held: list[Route] = []
    phone.route("**/play/poker/**", lambda route: route.continue_() if held else held.append(route))
    phone.clock.pause_at(phone.evaluate("Date.now() + 1000"))  # else it goes on while a busy machine looks
    with phone.expect_request(lambda request: request.method == "POST"):
        visitor.button("collect").tap()
    expect(visitor.button("collect")).to_have_attribute("data-pressed", "")
    phone.clock.run_for(1100)
    expect(phone.locator("#connection")).to_be_hidden()
    phone.clock.run_for(200)
    expect(phone.get_by_text("One moment…")).to_be_visible()  # "Still dealing…" is for a hand that is asked for
    expect(phone.locator("#room[data-late]")).to_have_count(1)
    phone.clock.run_for(800)
    expect(phone.locator("#connection").get_by_text("Connecting…")).to_be_visible()
    phone.clock.run_for(1000)
    expect(visitor.button("collect")).to_have_count(0)
    expect(phone.locator("#connection")).to_be_hidden()
    assert visitor.verdict() == "Collected 100"
    expect(phone.locator("[data-pressed], [data-late]")).to_have_count(0)


def test_when_nothing_is_answered_the_page_says_so_and_its_buttons_live(
    phone: Page, dealer: Dealer, console: Console
) -> None:
    console.expect(BROKEN)
    phone.clock.install()
    phone.goto(dealer.seat(phone, "asked", fresh=True).table)
    visitor = Visitor(phone, finger)
    phone.route("**/play/poker/**", lambda _: None)
    with phone.expect_request(lambda request: request.method == "POST"):
        visitor.button("collect").tap()
    for _ in range(6):
        with phone.expect_request(lambda request: request.method == "POST"):
            phone.clock.run_for(3000)
    phone.clock.run_for(2000)
    said = phone.locator("#connection span")  # a screen reader is told, too, in a place of its own
    expect(said).to_have_text("No connection. Your hand is safe and waits for you.")
    phone.unroute("**/play/poker/**")
    visitor.collect()
    assert visitor.verdict() == "Collected 100"
    assert phone.request.get("/play/poker", headers={"Accept": "application/json"}).json()["purse"] == 100


def test_the_notice_of_a_lost_line_goes_by_itself_when_the_site_answers_again(
    phone: Page, dealer: Dealer, console: Console
) -> None:
    console.expect(BROKEN)
    phone.clock.install()
    phone.goto(dealer.seat(phone, "asked", fresh=True).table)
    phone.route("**/*", lambda route: route.abort())
    with phone.expect_event("requestfailed"):
        Visitor(phone, finger).button("collect").tap()
    for wait in RETRY_AFTER:
        with phone.expect_event("requestfailed"):
            phone.clock.fast_forward(wait)
    notice = phone.locator("#connection")
    expect(notice).to_contain_text("No connection")
    with phone.expect_event("requestfailed"):
        phone.clock.fast_forward(SOON)
    expect(notice).to_be_visible()
    phone.unroute("**/*")
    phone.clock.fast_forward(SOON)
    expect(notice).to_be_hidden()


@pytest.mark.parametrize("size", [(1280, 800), (1280, 577), (1920, 1080)])
def test_on_a_desk_the_notice_of_a_lost_line_covers_neither_links_nor_cards(
    desktop: Page, size: tuple[int, int]
) -> None:
    desktop.set_viewport_size({"width": size[0], "height": size[1]})
    for game in ("poker", "blackjack"):
        desktop.goto(f"/play/{game}")
        desktop.locator("#room [data-focus]").first.click()
        desktop.locator(".card").first.wait_for()
        desktop.evaluate("""() => {
          const bar = document.getElementById("connection");
          bar.firstElementChild.textContent = bar.dataset.lost;
          bar.hidden = false;
        }""")
        assert overlaid(desktop, "#connection", "header a, main .card, main .shoe") == [], game


@pytest.mark.parametrize("language", ["en", "ja"])
def test_on_a_phone_a_late_answer_is_told_beside_the_dock_and_covers_nothing(visit: Visit, language: str) -> None:
    phone = visit(PHONE, locale=language, viewport={"width": 360, "height": 640})
    for game in ("poker", "joker", "video", "blackjack"):
        phone.goto(f"/play/{game}")
        phone.locator(".dock .btn--primary").wait_for()
        away = phone.evaluate("""() => {
          const bar = document.getElementById("connection");
          bar.firstElementChild.textContent = bar.dataset.dealing;
          bar.lastElementChild.hidden = true;
          bar.hidden = false;
          const box = bar.getBoundingClientRect();
          return (box.top + box.bottom) / 2 - document.querySelector(".dock").getBoundingClientRect().top;
        }""")
        assert abs(away) < 8, game  # across its edge, but clear of what stands above it
        covered = "header a, main .btn:not(details *), main .chip, main .card, main .verdict *, main .paytable__row *"
        assert overlaid(phone, "#connection", covered) == [], game


@pytest.mark.parametrize("within", ["head", "content"])
def test_an_answer_that_breaks_off_twice_is_asked_for_again(
    phone: Page, dealer: Dealer, line: DeadLine, console: Console, within: str
) -> None:
    console.expect(BROKEN)
    visitor = dealt_over(phone, dealer, line)
    line.cut(2, within)
    visitor.draw()
    assert visitor.phase() == "ask"
    expect(phone.locator("#connection")).to_be_hidden()
    phone.goto("about:blank")


def test_a_site_that_is_unavailable_twice_is_asked_again(phone: Page, dealer: Dealer, console: Console) -> None:
    console.expect("status of 503")
    phone.goto(dealer.seat(phone, "asked", fresh=True).table)
    phone.route("**/play/poker/**", lambda route: route.fulfill(status=503, body="<h1>Back soon</h1>"), times=2)
    visitor = Visitor(phone, finger)
    visitor.collect()
    assert visitor.verdict() == "Collected 100"
    expect(phone.get_by_text("Back soon")).to_have_count(0)


@pytest.mark.parametrize("seconds", [4, 12])
def test_a_hand_goes_on_soon_after_a_silent_line_is_back(
    phone: Page, dealer: Dealer, line: DeadLine, console: Console, seconds: int
) -> None:
    console.expect(BROKEN)
    phone.clock.install()
    visitor = dealt_over(phone, dealer, line)
    line.die()
    visitor.draw_button.tap()
    phone.clock.run_for(1000 * seconds)
    expect(phone.locator("#connection").get_by_text("Connecting…")).to_be_visible()
    line.live()
    phone.clock.run_for(SOON)
    expect(phone.locator("#connection")).to_be_hidden()
    expect(phone.get_by_text("Pair of").first).to_be_visible()
    phone.goto("about:blank")


@pytest.mark.parametrize(
    ("sits", "seconds", "is_told"),
    [
        (False, 4, True),
        (True, 12, False),
        (False, 40, False),
        *(
            pytest.param(*case, marks=pytest.mark.soak)
            for case in ((True, 4, True), (False, 12, False), (True, 40, False))
        ),
    ],
)
def test_a_shared_table_is_right_soon_after_a_silent_line_is_back(
    visit: Visit, server: Server, line: DeadLine, console: Console, sits: bool, seconds: int, is_told: bool
) -> None:
    """A browser tells of a change of network; without its word, a beat that does not come tells the page."""
    console.expect(BROKEN)
    page, visitors = visit(PHONE), two_who_bet(server.url)
    page.clock.install()
    page.goto(f"{line.address}/t/{visitors[0].code}")
    if sits:
        sit(page, "Aki")
    expect(page.locator("[data-watching]")).not_to_be_empty()
    line.die()
    (player,) = players(visitors)
    player.now("bet", 10, "word")
    page.clock.run_for(1000 * seconds)
    line.live()
    if is_told:
        page.evaluate("window.dispatchEvent(new Event('online'))")
    page.clock.run_for(SOON)
    at_version(page, player.version)
    visitors[0].now("policy", "dealer")
    at_version(page, visitors[0].version)
    page.goto("about:blank")


def test_seven_tabs_of_ones_own_table_all_work(visit: Visit, server: Server) -> None:
    """A browser opens six connections to a site, and each stream is one."""
    first = visit(DESKTOP)
    first.goto(f"{server.url}/tables")
    first.get_by_role("button", name="Play with the house bot").click()
    first.wait_for_url("**/t/*")
    tabs = [first.context.new_page() for _ in range(6)]
    for tab in tabs:
        tab.goto(first.url)
        expect(tab.locator("#bet button")).to_be_visible()
    first.bring_to_front()
    first.locator("#bet button").click()
    for tab in (first, *tabs):
        expect(tab.locator("#state")).not_to_have_attribute("data-phase", re.compile("betting|waiting"), timeout=15_000)
    for tab in tabs:
        tab.close()


def test_after_sleep_a_clock_shows_the_time_that_is_left(visit: Visit, server: Server) -> None:
    """The clock of a page stands still while a device sleeps; the next word from the server corrects it."""
    page, visitors = visit(DESKTOP), two_who_bet(server.url)
    page.add_init_script(
        """(() => {
          const honest = performance.now.bind(performance);
          window.slept = 0;
          performance.now = () => honest() - window.slept;
        })();"""
    )
    page.goto(f"{server.url}/t/{visitors[0].code}")
    (player,) = players(visitors)
    player.now("bet", 10, "word")
    at_version(page, player.version)
    left = page.locator("[data-seconds]")
    expect(left).to_be_visible()
    before = int(left.inner_text())
    page.evaluate("window.slept = 12000")
    shown = "Number(document.querySelector('[data-seconds]').textContent)"
    page.wait_for_function(f"before => {shown} > before + 8", arg=before)
    page.evaluate("window.dispatchEvent(new Event('online'))")
    page.wait_for_function(f"before => {shown} <= before", arg=before)
    assert int(left.inner_text()) >= before - 20
