"""The order of events at a shared table: cards first, and what they come to when the last one lies there."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import PHONE, Visit
from tests.support.table_players import TablePlayer

LAST = 3 * 90
"""Milliseconds after which the last of four cards sets out."""

TELLS = """() => ({
  cards: document.querySelectorAll(".place .card").length,
  totals: Array.from(document.querySelectorAll(".place .total")).filter(each => each.checkVisibility({visibilityProperty: true})).length,
  sentence: document.querySelector(".company__verdict").textContent.trim(),
  dock: document.querySelector(".company__dock").textContent.replace(/\\s+/g, " ").trim(),
  purse: document.querySelector(".purse").textContent.trim(),
})"""


def about_to_be_dealt(page: Page) -> TablePlayer:
    """The page has to bet last, against a bank that is somebody else; nobody has cards yet."""
    page.clock.install()
    page.goto("/tables")
    guest = TablePlayer(page.evaluate("location.origin"))
    guest.come(guest.open(bet_clock=60, turn_clock=60))
    guest.now("sit", 1)
    page.goto(f"/t/{guest.code}")
    page.get_by_role("button", name="Sit down and play", exact=True).click()
    guest.now("ready")
    expect(page.locator("#bet button")).to_be_visible()
    return guest


def dealt(visit: Visit) -> tuple[Page, dict[str, object]]:
    """A page whose clock stands still, with the cards on their way, and what it told before them; nobody has blackjack."""
    for _ in range(6):
        page = visit(PHONE)
        guest = about_to_be_dealt(page)
        page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 60)
        before = page.evaluate(TELLS)
        with page.expect_response("**/t/*/*"):
            page.locator("#bet button").evaluate("button => button.click()")
        if guest.see()["phase"] == "playing":
            expect(page.locator(".place .card")).to_have_count(4)
            return page, before
    raise AssertionError("six naturals")


@pytest.mark.moving
def test_nothing_tells_what_the_cards_are_before_the_last_one_lies_there(visit: Visit) -> None:
    page, before = dealt(visit)
    for passed in (0, LAST):
        page.clock.run_for(passed)
        assert page.evaluate(TELLS) == {**before, "cards": 4}, passed
    page.clock.run_for(1000)
    after = page.evaluate(TELLS)
    assert after["totals"] == 2
    assert "Your turn: " in after["sentence"]
    assert [name for name in ("dock", "purse") if after[name] == before[name]] == []


@pytest.mark.moving
def test_a_tap_shows_at_once_what_the_cards_are(visit: Visit) -> None:
    page, _ = dealt(visit)
    expect(page.locator(".place--landing")).to_have_count(2)
    page.locator(".company__felt").dispatch_event("pointerdown")
    expect(page.locator(".place--landing")).to_have_count(0)
    assert "Your turn: " in page.evaluate(TELLS)["sentence"]


def test_with_less_motion_all_is_there_at_once(visit: Visit) -> None:
    page, _ = dealt(visit)
    expect(page.locator(".company__verdict")).to_contain_text("Your turn: ")
    expect(page.locator(".place--landing")).to_have_count(0)
