"""What *Share* hands on: of a result its line and its address, of a table the address alone."""

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from tests.e2e.dealer import Dealer
from tests.support.moves import finished
from tests.support.player import Player
from webapp.web.request.session import COOKIE

SHEET = "navigator.share = async (content) => { window.shared = content; }"
"""In place of the system's dialog."""


def has_played_todays_poker(page: Page, dealer: Dealer) -> None:
    client: FlaskClient = dealer.app.test_client()
    player = Player(client)
    player.board, player.game = player.post("/daily/poker").json, "poker"
    player.deal("my-cut")
    finished(player)
    cookie = client.get_cookie(COOKIE)
    assert cookie is not None
    page.context.add_cookies([{"name": COOKIE, "value": cookie.value, "url": dealer.url}])


def test_the_line_of_todays_deal_is_copied_as_it_stands_there(desktop: Page, dealer: Dealer) -> None:
    desktop.context.grant_permissions(["clipboard-read", "clipboard-write"])
    has_played_todays_poker(desktop, dealer)
    desktop.goto("/daily")
    line = desktop.locator(".daily__line code")
    desktop.get_by_role("link", name="Share").click()
    expect(desktop.get_by_role("link", name="Copied")).to_be_visible()
    assert desktop.evaluate("navigator.clipboard.readText()") == line.text_content()


def test_the_line_of_todays_deal_is_the_text_of_a_share_sheet(desktop: Page, dealer: Dealer) -> None:
    has_played_todays_poker(desktop, dealer)
    desktop.goto("/daily")
    desktop.evaluate(SHEET)
    desktop.get_by_role("link", name="Share").click()
    shared = desktop.evaluate("window.shared")
    assert f"{shared['text']} {shared['url']}" == desktop.locator(".daily__line code").text_content()
    assert "http" not in shared["text"]


@pytest.mark.parametrize("where", ["collected", "page of collected"])
def test_a_finished_hand_is_shared_with_what_it_came_to(desktop: Page, dealer: Dealer, where: str) -> None:
    desktop.context.grant_permissions(["clipboard-read", "clipboard-write"])
    dealer.show(desktop, where)
    desktop.get_by_role("link", name="Share").click()
    expect(desktop.get_by_role("link", name="Copied")).to_be_visible()
    copied = desktop.evaluate("navigator.clipboard.readText()")
    said, _, address = copied.rpartition(" ")
    assert said
    assert address.startswith(f"{dealer.url}/h/")
    desktop.evaluate(SHEET)
    expect(desktop.get_by_role("link", name="Share")).to_be_visible()
    desktop.get_by_role("link", name="Share").click()
    shared = desktop.evaluate("window.shared")
    assert (shared["text"], shared["url"]) == (said, address)
