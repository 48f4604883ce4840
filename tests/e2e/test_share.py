"""What *Share* hands on: of a result its line and its address, of a hand its game, of a table the address alone."""

import re

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from tests.e2e.conftest import PHONE, Visit
from tests.e2e.dealer import Dealer
from tests.e2e.geometry import small_targets, too_large
from tests.support.moves import finished
from tests.support.player import Player
from webapp.web.request.session import COOKIE

SHEET = "navigator.share = async (content) => { window.shared = content; }"
"""In place of the system's dialog."""


def handed_on(page: Page) -> dict[str, str]:
    """Return what was given to the dialog last, whose script is loaded with the first press."""
    page.wait_for_function("() => window.shared")
    shared: dict[str, str] = page.evaluate("() => { const { shared } = window; window.shared = null; return shared; }")
    return shared


def has_played_todays_poker(page: Page, dealer: Dealer) -> str:
    """Play today's poker as the player of this page; return the key of the hand."""
    client: FlaskClient = dealer.app.test_client()
    player = Player(client)
    player.board, player.game = player.post("/daily/poker").json, "poker"
    player.deal("my-cut")
    finished(player)
    cookie = client.get_cookie(COOKIE)
    assert cookie is not None
    page.context.add_cookies([{"name": COOKIE, "value": cookie.value, "url": dealer.url}])
    return player.hand


def test_the_line_of_todays_deal_is_copied_as_it_stands_there(desktop: Page, dealer: Dealer) -> None:
    desktop.context.grant_permissions(["clipboard-read", "clipboard-write"])
    has_played_todays_poker(desktop, dealer)
    desktop.goto("/daily")
    line = desktop.locator(".daily__line")
    desktop.get_by_role("link", name="Share").click()
    expect(desktop.get_by_role("link", name="Copied")).to_be_visible()
    assert desktop.evaluate("navigator.clipboard.readText()") == line.text_content()


def test_the_line_of_todays_deal_is_the_text_of_a_share_sheet(desktop: Page, dealer: Dealer) -> None:
    has_played_todays_poker(desktop, dealer)
    desktop.goto("/daily")
    desktop.evaluate(SHEET)
    desktop.get_by_role("link", name="Share").click()
    shared = handed_on(desktop)
    assert f"{shared['text']} {shared['url']}" == desktop.locator(".daily__line").text_content()
    assert "http" not in shared["text"]


def test_the_address_of_todays_deal_stands_on_a_line_of_its_own(visit: Visit, dealer: Dealer) -> None:
    phone = visit(PHONE, locale="ja")
    has_played_todays_poker(phone, dealer)
    phone.goto("/daily")
    address = phone.locator(".daily__line").evaluate(
        """line => {
          const range = document.createRange(), text = line.lastChild;
          range.selectNodeContents(text);
          const family = each => getComputedStyle(each).fontFamily;
          return [text.textContent, range.getClientRects().length, family(text) === family(document.body)];
        }"""
    )
    assert address[0].startswith("http")
    assert address[1:] == [1, True]


def test_a_round_of_today_is_shared_as_its_day_which_is_open_to_a_friend(
    desktop: Page, visit: Visit, dealer: Dealer
) -> None:
    key = has_played_todays_poker(desktop, dealer)
    desktop.goto(f"/h/{key}")
    desktop.evaluate(SHEET)
    desktop.get_by_role("link", name="Share").click()
    shared = handed_on(desktop)
    assert shared["text"] == shared["title"]
    assert re.fullmatch(r"Tefuda \d{4}-\d\d-\d\d Quest poker", shared["text"])
    friend = visit(PHONE)
    friend.goto(shared["url"])
    expect(friend.get_by_role("heading", name="Quest poker")).to_be_visible()


@pytest.mark.parametrize("where", ["collected", "page of collected"])
def test_a_finished_hand_is_shared_with_the_name_of_its_game(desktop: Page, dealer: Dealer, where: str) -> None:
    desktop.context.grant_permissions(["clipboard-read", "clipboard-write"])
    dealer.show(desktop, where)
    show, ask = (desktop.get_by_role("link", name=name) for name in ("Show the hand", "Ask what they would do"))
    expect(show).to_be_hidden()
    desktop.get_by_role("button", name="Share").click()
    show.click()
    expect(desktop.get_by_role("link", name="Copied")).to_be_visible()
    copied = desktop.evaluate("navigator.clipboard.readText()")
    said, _, address = copied.rpartition(" ")
    assert said == "Tefuda, Quest poker: look at this hand"
    assert address.startswith(f"{dealer.url}/h/")
    expect(ask).to_be_hidden()  # what was chosen closes the sheet
    desktop.evaluate(SHEET)
    desktop.get_by_role("button", name="Share").click()
    show.click()
    shared = handed_on(desktop)
    assert (shared["text"], shared["url"]) == (said, address)
    desktop.get_by_role("button", name="Share").click()
    ask.click()
    shared = handed_on(desktop)
    assert shared["text"] == "What would you do? Quest poker"
    assert shared["url"] == f"{address}?ask=0"


@pytest.mark.parametrize("size", [(360, 640), (740, 290), (1280, 800)], ids=str)
def test_what_is_handed_on_is_chosen_on_a_sheet_that_a_key_or_its_cross_closes(
    visit: Visit, dealer: Dealer, size: tuple[int, int]
) -> None:
    page = visit({"viewport": dict(zip(("width", "height"), size, strict=True))})
    dealer.show(page, "collected")
    button = page.get_by_role("button", name="Share")
    button.click()
    expect(page.get_by_role("link", name="Ask what they would do")).to_be_in_viewport(ratio=1)
    for next_one in (page.get_by_role("button", name="Close"), page.get_by_role("link", name="Show the hand")):
        page.keyboard.press("Tab")
        expect(next_one).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="Show the hand")).to_be_hidden()
    expect(button).to_be_focused()
    button.click()
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("link", name="Show the hand")).to_be_hidden()


def test_a_friend_is_asked_by_the_one_who_played(desktop: Page, dealer: Dealer) -> None:
    hand = dealer.seat(desktop, "collected", fresh=True)
    desktop.goto("/me/settings")
    desktop.get_by_label("Name on your finished hands").fill("Aki")
    desktop.get_by_role("button", name="Save").click()
    desktop.goto(hand.page)
    desktop.evaluate(SHEET)
    desktop.get_by_role("button", name="Share").click()
    desktop.get_by_role("link", name="Ask what they would do").click()
    assert handed_on(desktop)["text"].startswith("Aki asks you: what would you do?")
    desktop.goto(f"{hand.page}?step=0")
    desktop.evaluate(SHEET)
    desktop.get_by_role("link", name="Ask a friend: what would you do?").click()
    shared = handed_on(desktop)
    assert shared["text"].startswith("Aki asks you: what would you do?")
    assert shared["url"].endswith(f"{hand.page}?ask=0")
    desktop.goto(shared["url"])
    expect(desktop).to_have_title(re.compile("^Aki asks you: what would you do?"))
    expect(desktop.get_by_role("heading", name="What would you do?")).to_be_visible()


@pytest.mark.parametrize("size", [(320, 568), (360, 640), (390, 844)], ids=str)
def test_a_friend_plays_the_cards_with_one_tap_and_then_sees_both_hands(
    visit: Visit, dealer: Dealer, size: tuple[int, int]
) -> None:
    page = visit({**PHONE, "viewport": dict(zip(("width", "height"), size, strict=True))})
    page.goto("/about")
    sent = dealer.seat(page, "doubled").page
    page.context.clear_cookies()
    page.goto(sent)
    play = page.get_by_role("button", name="Play these cards")
    expect(play).to_be_in_viewport(ratio=1)
    expect(page.locator(".finish__stage .card").first).to_be_in_viewport(ratio=1)
    assert too_large(page) + small_targets(page) == []
    play.tap()
    page.locator("[data-draw]").tap()
    both = page.get_by_role("link", name="Side by side")
    take = page.locator("button[value=collect]")
    expect(both.or_(take)).to_be_visible()
    if take.count():
        take.tap()
    both.tap()
    expect(page.get_by_role("heading", name="The same deal, side by side")).to_be_in_viewport()
    expect(page.locator(".sides__row").first).to_be_in_viewport(ratio=1)
