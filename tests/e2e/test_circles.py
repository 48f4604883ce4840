"""Circles in a browser: with and without scripts, by finger and by keyboard, in every language."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.axe import in_both_lights
from tests.e2e.conftest import DESKTOP, PHONE, Visit
from tests.e2e.geometry import small_targets, too_large
from tests.support.moves import finished
from tests.support.player import Player
from tests.support.server import Server

LANDSCAPE = {**PHONE, "viewport": {"width": 640, "height": 360}}
CIRCLE = re.compile(r"/c/[0-9A-Z]{8}$")


def open_circle(page: Page, name: str) -> str:
    """Open a circle on its page, whatever the language; return its path."""
    page.goto("/circles")
    page.locator("[name=name]").fill(name)
    page.locator("[name=member]").fill("Ada")
    page.locator("[name=member]").press("Enter")
    expect(page).to_have_url(CIRCLE)
    return "/c/" + page.url.rpartition("/c/")[2]


def friend_of(server: Server, path: str) -> Player:
    """Return a member who has played today's poker."""
    friend = Player(server.url)
    friend.post(f"{path}/join", [("name", "Bo the Second of Bohemia")])
    assert friend.status == 200, friend.answer.text
    friend.board, friend.game = friend.post("/daily/poker").json, "poker"
    finished(friend)
    return friend


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_a_friend_is_invited_and_each_sees_the_other(visit: Visit, server: Server, scripts: bool) -> None:
    host, guest = (visit(PHONE, java_script_enabled=scripts) for _ in range(2))
    path = open_circle(host, f"Friends {scripts}")
    guest.goto(path)
    expect(guest.get_by_role("heading", level=1)).to_have_text(f"Friends {scripts}")
    expect(guest.get_by_text("Ada")).to_have_count(0)
    guest.get_by_label("Your name in it").fill("Bo")
    guest.get_by_role("button", name="Join", exact=True).tap()
    expect(guest.get_by_role("rowheader", name="Ada")).to_be_visible()
    host.reload()
    expect(host.get_by_role("rowheader", name="Bo")).to_be_visible()
    host.get_by_text("Keep the circle").tap()
    host.get_by_label("Remove a member").select_option(label="Bo")
    host.get_by_role("button", name="Remove").tap()
    expect(host.get_by_role("rowheader")).to_have_count(1)
    host.get_by_text("Keep the circle").tap()
    host.get_by_label("Close the circle for all").check()
    host.get_by_role("button", name="Close the circle").tap()
    expect(host).to_have_url(re.compile("/circles$"))


def test_by_keyboard_one_plays_and_then_sees_the_decisions_side_by_side(visit: Visit, server: Server) -> None:
    page = visit(DESKTOP)
    path = open_circle(page, "Keys")
    friend_of(server, path)
    page.reload()
    cell = page.get_by_role("row", name=re.compile("Bo the Second")).get_by_role("cell").first
    expect(cell).to_have_text(re.compile("played"))
    expect(cell.get_by_role("link")).to_have_count(0)
    page.get_by_role("link", name="To today’s deal").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name=re.compile("^Play")).first.press("Enter")
    expect(page).to_have_url(re.compile("/play/poker"))
    me = Player(server.url)
    me.line.cookies.update({each["name"]: each["value"] for each in page.context.cookies()})  # type: ignore[union-attr]
    me.look("poker", re.search(r"hand=([\w-]+)", page.url)[1])  # type: ignore[index]
    finished(me)
    page.goto(path)
    cell.get_by_role("link").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("Side by side with Bo"))
    expect(page.locator(".sides__mine").first).to_be_visible()


@pytest.mark.parametrize("language", ["en", "ja", "zh-CN", "zh-TW"])
@pytest.mark.parametrize("device", [PHONE, LANDSCAPE], ids=["phone", "landscape"])
def test_everything_fits_and_can_be_hit_and_read(
    visit: Visit, server: Server, axe: Callable[..., list[str]], device: dict[str, object], language: str
) -> None:
    page = visit(device, locale=language)
    path = open_circle(page, "長い名前の友だちのサークルですよ")
    friend_of(server, path)
    stranger = visit(device, locale=language)
    stranger.goto(path)
    page.goto(path)
    for summary in page.locator("summary").all():
        summary.tap()
    for each in (page, stranger):
        assert small_targets(each) == []
        assert too_large(each) == []
        assert in_both_lights(each) == []
    page.goto("/circles")
    assert small_targets(page) == []
    assert too_large(page) == []
    assert axe(page) == []


@pytest.mark.parametrize("width", [320, 360])
def test_no_name_of_a_game_is_broken_on_a_phone(visit: Visit, width: int) -> None:
    page = visit({**PHONE, "viewport": {"width": width, "height": 640}})
    open_circle(page, f"Narrow {width}")
    heads = page.locator(".circle__table").first.locator("thead th")
    broken = """heads => heads.flatMap(head => [...head.firstChild.data.matchAll(/\\S+/g)].filter(word => {
      const range = new Range();
      range.setStart(head.firstChild, word.index);
      range.setEnd(head.firstChild, word.index + word[0].length);
      return range.getClientRects().length !== 1;
    }).map(word => word[0]))"""
    assert heads.count() == 5
    assert heads.evaluate_all(broken) == []
    assert too_large(page) == []
