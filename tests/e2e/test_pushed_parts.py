"""Updates pushed to the pages of a shared table, in a browser: pages apply them, and fetch what does not fit."""

import re
from collections.abc import Callable
from urllib.parse import urlsplit

from playwright.sync_api import Page, Request, expect

from tests.e2e.conftest import Console, Visit
from tests.support.server import Server
from tests.support.table_players import banker_of, players, two_who_bet

HEARD = """window.heard = [];
addEventListener("htmx:sse:before:message", ({ detail: { message } }) => heard.push(message));"""
"""Keeps the messages of the page's stream. One without a name holds parts, and its id is the version."""
PUSHED = "heard.filter(({ event }) => !event).map(({ id }) => Number(id))"


def watch(page: Page, server: Server, code: str) -> list[str]:
    """Watch a table with a stream; return the list of requests for it that the page makes from now on."""
    with page.expect_request(lambda request: "/events" in request.url) as stream:
        page.goto(f"{server.url}/t/{code}")
    assert re.search(r"since=\d+", stream.value.url)
    expect(page.locator("[data-watching]")).to_have_text("1")  # the stream is there
    asked: list[str] = []

    def note(request: Request) -> None:
        if urlsplit(request.url).path == f"/t/{code}":
            asked.append(request.url)

    page.on("request", note)
    return asked


def at_version(page: Page, version: int) -> None:
    page.wait_for_function("at => Number(document.getElementById('state').dataset.version) >= at", arg=version)


def test_a_page_that_looks_on_is_sent_what_happens_and_asks_for_nothing(visit: Visit, server: Server) -> None:
    page, visitors = visit(), two_who_bet(server.url)
    asked = watch(page, server, visitors[0].code)
    (player,), banker = players(visitors), banker_of(visitors)
    player.now("bet", 10, "word")
    at_version(page, player.version)
    assert player.phase == "playing"
    expect(page.locator("#state")).to_have_attribute("data-phase", "playing")
    expect(page.locator(f'[data-part="seat-{player.you}"] .card').first).to_be_visible()
    while player.phase == "playing":
        waits = next(each for each in (player, banker) if each.now("policy", "timid")["acting"] == each.you)
        waits.do("stand")
        player.see()
    at_version(page, player.version)
    expect(page.locator("#state")).to_have_attribute("data-phase", player.phase)
    assert asked == []


def test_a_page_that_is_told_of_a_version_and_not_sent_it_asks_for_it(visit: Visit, server: Server) -> None:
    page, visitors = visit(), two_who_bet(server.url)
    page.add_init_script("""addEventListener("htmx:sse:before:message", (event) => {
      if (!event.detail.message.event) event.preventDefault();
    });""")
    asked = watch(page, server, visitors[0].code)
    (player,) = players(visitors)
    player.now("bet", 10, "word")
    at_version(page, player.version)
    expect(page.locator("#state")).to_have_attribute("data-phase", player.phase)
    assert asked, "it has asked"


def test_a_name_that_is_being_typed_outlives_what_is_pushed(visit: Visit, server: Server) -> None:
    page, visitors = visit(), two_who_bet(server.url)
    asked = watch(page, server, visitors[0].code)
    page.get_by_label("Your name").fill("Aki")
    (player,) = players(visitors)
    player.now("bet", 10, "word")
    at_version(page, player.version)
    expect(page.get_by_label("Your name")).to_have_value("Aki")
    expect(page.get_by_label("Your name")).to_be_focused()
    assert asked == []
    page.get_by_role("button", name="Sit down and play", exact=True).click()
    expect(page.locator(".place--you")).to_contain_text("Aki")


SHOW = """state => {
  Object.defineProperty(document, "visibilityState", { configurable: true, get: () => state });
  Object.defineProperty(document, "hidden", { configurable: true, get: () => state === "hidden" });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_a_phone_that_slept_asks_once_and_listens_from_there_on(visit: Visit, server: Server) -> None:
    page, visitors = visit(), two_who_bet(server.url)
    page.add_init_script(HEARD)
    asked = watch(page, server, visitors[0].code)
    before = page.evaluate("Number(document.getElementById('state').dataset.version)")
    page.evaluate(SHOW, "hidden")
    for number in range(6):  # more versions than the site remembers
        visitors[0].now("policy", ("timid", "basic")[number % 2])
    (player,) = players(visitors)
    player.now("bet", 10, "word")
    assert page.evaluate("Number(document.getElementById('state').dataset.version)") == before, "it hears nothing"
    with page.expect_request(lambda request: "/events" in request.url):
        page.evaluate(SHOW, "visible")
    at_version(page, player.version)
    expect(page.locator("#state")).to_have_attribute("data-phase", player.phase)
    assert len(asked) == 1
    visitors[0].now("policy", "dealer")
    at_version(page, visitors[0].version)
    assert len(asked) == 1
    assert page.evaluate(PUSHED)[-1] == visitors[0].version
    assert len(page.evaluate(PUSHED)) <= 2, "it hears where things stand, and not all that it has slept through"


def test_a_page_listens_again_after_the_site_was_restarted(
    visit: Visit, serving: Callable[..., Server], console: Console
) -> None:
    console.expect(r"net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE)|htmx:sse:error")
    site = serving(TEFUDA_LAB_WORKERS="0")
    page, visitors = visit(), two_who_bet(site.url)
    page.goto(f"{site.url}/t/{visitors[0].code}")
    expect(page.locator("[data-watching]")).to_have_text("1")
    with page.expect_response(lambda answer: "/events" in answer.url and answer.status == 200):
        site.stop()
        serving(port=int(site.url.rpartition(":")[2]), TEFUDA_LAB_WORKERS="0")
    (player,) = players(visitors)
    player.now("bet", 10, "word")
    at_version(page, player.version)
    page.goto("about:blank")  # before the site is killed, which is no quiet end


def test_behind_a_proxy_that_keeps_the_stream_to_itself_the_page_asks(visit: Visit, server: Server) -> None:
    page, visitors = visit(), two_who_bet(server.url)
    page.add_init_script("Date.now = () => 0;")  # no stream is silent for so long that it is given up
    page.route("**/events?*", lambda _: None)  # the request is never answered
    page.goto(f"{server.url}/t/{visitors[0].code}")
    (player,) = players(visitors)
    player.now("bet", 10, "word")
    at_version(page, player.version)
    expect(page.locator("#state")).to_have_attribute("data-phase", player.phase)
