"""Shared tables behind a proxy that buffers event streams: the streams open and deliver nothing, so pages poll."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import PHONE, Visit
from tests.e2e.test_pushed_parts import at_version
from tests.e2e.test_tables import sit
from tests.support.buffering_proxy import buffering_proxy
from tests.support.server import Server
from tests.support.table_players import players, two_who_bet


@pytest.fixture
def behind_proxy(server: Server) -> Iterator[str]:
    """Address of the server behind the proxy. A page has to leave it before the test ends."""
    with buffering_proxy(server.url.removeprefix("http://")) as address:
        yield address


def count_events(page: Page) -> None:
    """Count in ``window`` the streams that a page opens, and the events that they deliver."""
    page.add_init_script("""
        Object.assign(window, { opened: 0, delivered: 0 });
        addEventListener("htmx:sse:after:connection", () => { window.opened++; });
        addEventListener("htmx:sse:before:message", () => { window.delivered++; });""")


@pytest.mark.parametrize("sits", [False, True])
def test_a_page_sees_what_happens(visit: Visit, server: Server, behind_proxy: str, sits: bool) -> None:
    phone, visitors = visit(PHONE), two_who_bet(server.url)
    count_events(phone)
    phone.goto(f"{behind_proxy}/t/{visitors[0].code}")
    if sits:
        sit(phone, "Aki")
    phone.wait_for_function("least => opened >= least", arg=2 if sits else 1)
    opened = phone.evaluate("opened")
    (player,) = players(visitors)
    player.now("bet", 10, "word")
    at_version(phone, player.version)
    expect(phone.locator("#state")).to_have_attribute("data-phase", player.phase)
    assert phone.evaluate("[opened, delivered]") == [opened, 0], "the page has asked, and not for a new stream"
    phone.goto("about:blank")
