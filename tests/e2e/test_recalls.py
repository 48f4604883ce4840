"""Decisions that are asked again: chosen in a review, answered by finger, keys or plain forms, at each size."""

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESKTOP, LANDSCAPE, PHONE, Visit
from tests.e2e.geometry import small_targets, too_large
from tests.e2e.test_drill import ON_CARDS
from tests.e2e.test_review import WORKED_OUT
from tests.support.moves import dealt_and_live, finished
from tests.support.player import OverHttp, Player
from tests.support.server import Server
from tests.support.table_players import TablePlayer, acting, bet_all, play_out, two_who_bet

pytestmark = pytest.mark.usefixtures("reviews")


@pytest.fixture
def played(server: Server) -> str:
    """Key of a finished hand of quest poker, which anybody with its link may be asked."""
    player = Player(server.url)
    dealt_and_live(player, "poker")
    return finished(player)


def a_day_later(server: Server) -> None:
    """Let everything be due that is asked tomorrow."""
    with closing(sqlite3.connect(server.instance / "tefuda.sqlite3", timeout=30)) as database, database:
        database.execute("UPDATE recall SET due_at = 0 WHERE asked = 0")


@pytest.mark.parametrize("size", [PHONE, LANDSCAPE, DESKTOP], ids=["phone", "landscape", "desktop"])
def test_it_is_chosen_in_a_review_and_answered_a_day_later(
    visit: Visit, server: Server, axe: Callable[[Page], list[str]], played: str, size: dict[str, Any]
) -> None:
    page = visit(size)
    page.goto(f"/h/{played}?step=0")
    page.locator(".review__decision summary").first.click(timeout=WORKED_OUT)
    page.get_by_role("button", name="Ask me this again").first.click()
    expect(page.locator("#asked-again")).to_contain_text("You are asked this tomorrow.")
    assert page.url.endswith(f"/h/{played}?step=0"), "the hand stays"
    page.goto("/drill/again")
    expect(page.get_by_role("link", name="Begin")).to_have_count(0)
    assert axe(page) == []
    a_day_later(server)
    page.reload()
    assert axe(page) == [] and small_targets(page) == []
    page.get_by_role("link", name="Begin").click()
    page.wait_for_url(re.compile("/drill/again/."))  # and for its scripts: keys mean nothing before
    assert played not in page.content()
    page.keyboard.press("1")
    page.get_by_role("button", name=re.compile("^Draw")).click()
    expect(page.locator(".quiz__done")).to_have_text(re.compile("Asked again in 3 days"), timeout=WORKED_OUT)
    assert page.evaluate(ON_CARDS) == []
    assert too_large(page, tall=size == DESKTOP) == []
    assert axe(page) == []
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/drill/again$"))


def decided_in_company(server: Server) -> TablePlayer:
    """Return who took the first decision of a finished round; ``table["last"]`` is its page."""
    while True:
        visitors = two_who_bet(server.url)
        bet_all(visitors)
        if visitors[0].phase == "playing" and visitors[0].table["acting"] != visitors[0].table["banker"]:
            decider = acting(visitors)
            play_out(visitors)
            decider.see()
            return decider


@pytest.mark.parametrize("size", [PHONE, LANDSCAPE, DESKTOP], ids=["phone", "landscape", "desktop"])
def test_an_own_decision_at_a_shared_table_is_asked_as_it_was_seen(
    visit: Visit, server: Server, axe: Callable[[Page], list[str]], size: dict[str, Any]
) -> None:
    player = decided_in_company(server)
    page, key = visit(size), player.table["last"]
    assert isinstance(player.line, OverHttp)
    page.context.add_cookies([{"name": n, "value": v, "url": server.url} for n, v in player.line.cookies.items()])
    page.goto(f"{key}?step=0")
    page.locator(".review__decision summary").first.click(timeout=WORKED_OUT)
    page.get_by_role("button", name="Ask me this again").first.click()
    expect(page.locator("#asked-again")).to_contain_text("You are asked this tomorrow.")
    a_day_later(server)
    page.goto("/drill/again")
    page.get_by_role("link", name="Begin").click()
    expect(page.get_by_role("region", name="You", exact=True)).to_be_visible()
    expect(page.locator(".place")).to_have_count(2)
    expect(page.get_by_role("img", name="Face-down card")).to_have_count(1)
    assert key.removeprefix("/h/") not in page.content()
    assert axe(page) == [] and small_targets(page) == []
    assert too_large(page, tall=size == DESKTOP) == []
    page.keyboard.press("s")
    expect(page.locator(".quiz__done")).to_have_text(re.compile("Asked again in 3 days"), timeout=WORKED_OUT)
    expect(page.locator(".verdict__name")).to_contain_text(": Stand")
    assert too_large(page, tall=size == DESKTOP) == []
    assert axe(page) == []
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/drill/again$"))


def test_it_works_without_scripts(no_js: Page, server: Server, played: str) -> None:
    no_js.goto(f"/h/{played}/review")
    while not no_js.locator(".review__decision summary").count():
        no_js.goto(f"/h/{played}/review")
    no_js.locator(".review__decision summary").first.click()
    no_js.get_by_role("button", name="Ask me this again").first.click()
    expect(no_js).to_have_url(re.compile("/drill/again$"))
    a_day_later(server)
    no_js.reload()
    no_js.get_by_role("link", name="Begin").click()
    no_js.locator("#hold-1").check(force=True)
    no_js.get_by_role("button", name=re.compile("^Draw")).click()
    while no_js.get_by_role("button", name="Look again").count():
        no_js.get_by_role("button", name="Look again").click()
    expect(no_js.locator(".coach__text")).to_contain_text("Best:")
    assert "To the hand" in no_js.content()


def test_the_page_of_ratings_can_be_read_by_all(visit: Visit, axe: Callable[[Page], list[str]]) -> None:
    page = visit(PHONE)
    page.request.post("/play/poker", headers={"accept": "application/json"})
    for number in range(10):
        while page.request.post("/drill/poker", form={"spot": f"rated{number}", "answer": "hold"}).status == 202:
            pass
    page.goto("/me/rating")
    expect(page.get_by_role("rowheader", name="Drills")).to_be_visible()
    assert axe(page) == [] and small_targets(page) == []
