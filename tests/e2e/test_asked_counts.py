"""The count that is asked between two rounds: by keys, by touch, without scripts, spoken, and in no one's way."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESKTOP, LANDSCAPE, PHONE, TALL, Visit
from tests.e2e.geometry import measured, small_targets, too_large
from tests.e2e.taps import tap, to_the_next_page
from tests.e2e.visitor import swapped, tab_to
from tests.support.player import ACCEPT, SAME_ORIGIN

ASKED = ".ask__form"
TOLD = re.compile(
    r"^\s*(Right: (0|[+−]\d+)\.|The count is (0|[+−]\d+)\. Off by \d+\.)\s*True count (0|[+−]\d+\.\d)\s*$"
)
HIDDEN = """() => [...document.querySelectorAll(".card, .dock .btn, .verdict__name")].filter((part) => {
  const { left, right, top, bottom } = part.getBoundingClientRect();
  const bar = document.querySelector(".ask").getBoundingClientRect();
  const isUnder = top < bar.bottom && bottom > bar.top && left < bar.right && right > bar.left;
  return part.checkVisibility() && (isUnder || part.matches(".dock *") && bottom > innerHeight + 1);
}).map((part) => part.className.baseVal ?? part.className)"""
"""Parts that the question covers, and actions that are not on the screen."""


SPILT = """() => [...document.querySelectorAll(".ask *")].filter((part) => {
  const { left, right, top, bottom, width } = part.getBoundingClientRect();
  const bar = document.querySelector(".ask").getBoundingClientRect();
  return width && (left < 0 || right > innerWidth || top < bar.top - 1 || bottom > bar.bottom + 1);
}).map((part) => part.tagName)"""
"""Parts of the question that are outside of it."""


def prefer(page: Page, **more: str) -> None:
    chosen = {"count": "now-and-then", "sound": "0", **more}
    assert page.request.post("/settings", form=chosen, headers=SAME_ORIGIN).ok


def play_until_asked(page: Page) -> None:
    """Play rounds of a single deck by keys until the count is asked."""
    page.goto("/play/blackjack?table=single")
    for _ in range(60):
        play_a_round(page)
        if page.locator(ASKED).count():
            return
    raise AssertionError("never asked")


def play_a_round(page: Page) -> None:
    with swapped(page, "#room"):
        page.keyboard.press("Enter")
    while not page.get_by_text("Deal again").count():
        with swapped(page, "#room"):
            page.keyboard.press("n" if page.locator(".acts--ask").count() else "s")


def look_at_a_question(page: Page) -> None:
    """Play rounds by a program until the count is asked, and look at the page."""

    def sent(address: str, **form: str) -> Any:
        return page.request.post(address, form=form, headers={**ACCEPT, **SAME_ORIGIN}).json()

    for _ in range(60):
        board = sent("/play/blackjack", table="single")
        board = sent(f"/play/blackjack/{board['hand']}/0", verb="deal", stake="10")
        while not board["result"]:
            board = sent(f"/play/blackjack/{board['hand']}/{board['step']}", verb=board["actions"][-1])
        page.goto(f"/play/blackjack?table=single&hand={board['hand']}")
        if page.locator(ASKED).count():
            return
    raise AssertionError("never asked")


def test_by_keys_it_is_answered_or_passed_over(desktop: Page) -> None:
    prefer(desktop)
    play_until_asked(desktop)
    expect(desktop.locator("#status")).to_contain_text("What is the count?")
    hand = desktop.locator("#room").get_attribute("data-hand")
    play_a_round(desktop)
    assert desktop.locator("#room").get_attribute("data-hand") != hand, "dealt without an answer"
    play_until_asked(desktop)
    desktop.locator("[data-stake]").first.fill("25")
    tab_to(desktop, desktop.get_by_label("What is the count?"))
    desktop.keyboard.type("-3")
    desktop.keyboard.press("Enter")
    expect(desktop.get_by_role("status").filter(has=desktop.locator("b"))).to_have_text(TOLD)
    assert desktop.locator("[data-stake]").first.input_value() == "25", "the bet stays as it was"
    hand = desktop.locator("#room").get_attribute("data-hand")
    play_a_round(desktop)
    assert desktop.locator("#room").get_attribute("data-hand") != hand


def test_by_touch_it_is_put_away(visit: Visit) -> None:
    page = visit(PHONE)
    prefer(page)
    look_at_a_question(page)
    expect(page.locator(".purse")).to_be_attached()
    tap(page.locator(".ask").get_by_role("link", name="Close"))
    expect(page.locator(".ask")).to_have_count(0)
    expect(page.get_by_text("Deal again")).to_be_visible()


def test_without_scripts(no_js: Page) -> None:
    prefer(no_js)
    look_at_a_question(no_js)
    no_js.get_by_label("What is the count?").fill("4")
    to_the_next_page(no_js.get_by_role("button", name="Answer"))
    expect(no_js.locator(".ask p")).to_have_text(TOLD)
    expect(no_js.locator(".ask p")).to_be_focused()
    to_the_next_page(no_js.get_by_role("button", name="Deal again"))
    expect(no_js.locator(".ask")).to_have_count(0)


@pytest.mark.parametrize("size", [PHONE, TALL, LANDSCAPE, DESKTOP], ids=["phone", "tall", "landscape", "desktop"])
def test_it_covers_no_card_and_the_next_deal_is_on_the_screen(
    visit: Visit, axe: Callable[[Page], list[str]], size: dict[str, Any]
) -> None:
    page = visit(size)
    prefer(page)
    look_at_a_question(page)
    for _ in range(2):
        assert measured(page, HIDDEN) == []
        assert too_large(page, tall=size == DESKTOP) == [] and small_targets(page) == []
        assert axe(page) == []
        if page.locator(ASKED).count():
            page.get_by_label("What is the count?").fill("0")
            page.get_by_role("button", name="Answer").click()
            expect(page.locator(".ask p")).to_have_text(TOLD)


@pytest.mark.parametrize("width", [280, 360])
@pytest.mark.parametrize("language", ["en", "ja", "zh"])
def test_it_is_whole_with_text_of_twice_the_size(visit: Visit, language: str, width: int) -> None:
    page = visit(PHONE)
    prefer(page)
    look_at_a_question(page)
    page.set_viewport_size({"width": width, "height": 640})
    prefer(page, language=language, text="200")
    page.reload()
    expect(page.locator("#count-asked")).to_have_css("text-align", "center")
    assert measured(page, SPILT) == []
    field = page.locator("#count-asked")
    field.fill(field.get_attribute("min") or "")
    page.locator(".ask__form button").click()
    expect(page.locator(".ask p")).to_be_visible()
    assert measured(page, SPILT) == []
    assert too_large(page) == []
