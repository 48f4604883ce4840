"""The page of the daily deals, on a phone and with a keyboard."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import PHONE, Visit
from tests.e2e.geometry import small_targets, too_large


def test_no_key_begins_a_try_and_enter_goes_on_with_one(desktop: Page) -> None:
    desktop.goto("/daily")
    buttons = desktop.locator("#deals form button")
    expect(buttons).to_have_count(4)
    expect(buttons.locator(".key")).to_have_count(0)
    desktop.keyboard.press("Enter")
    expect(desktop).to_have_url(re.compile("/daily$"))
    for game in ("Quest poker", "Joker poker", "Video poker", "Blackjack"):
        expect(buttons.filter(has_text=game)).to_have_count(1)
    buttons.filter(has_text="Video poker").click()
    expect(desktop).to_have_url(re.compile("/play/video"))
    desktop.goto("/daily")
    expect(buttons.locator(".key")).to_have_count(1)
    expect(buttons.filter(has_text="Video poker").locator(".key")).to_be_visible()
    desktop.keyboard.press("Enter")
    expect(desktop).to_have_url(re.compile("/play/video"))


@pytest.mark.parametrize("language", ["en", "ja", "zh-CN", "zh-TW"])
def test_everything_can_be_hit_with_a_finger(visit: Visit, axe: Callable[..., list[str]], language: str) -> None:
    phone = visit(PHONE, locale=language)
    phone.goto("/daily")
    for seal in phone.locator("summary").all():
        box = seal.bounding_box()
        assert box is not None
        assert box["height"] >= 44
    assert small_targets(phone) == []
    assert too_large(phone) == []
    assert axe(phone) == []


def test_the_frame_of_today_is_beside_no_other_text(phone: Page) -> None:
    """In whichever column it is: here in the first, whose numbers stand at the edge of the text."""
    phone.goto("/daily")
    edge, left, bottom, below = phone.locator(".month").evaluate(
        """month => {
          const day = month.querySelector("[aria-current]"), note = month.querySelector(".panel__note");
          day.parentElement.style.gridColumnStart = 1;
          while (day.parentElement.nextElementSibling) day.parentElement.nextElementSibling.remove();
          const framed = [day, ...day.children].find(each => getComputedStyle(each).boxShadow !== "none");
          const box = framed.getBoundingClientRect(), text = note.getBoundingClientRect();
          return [text.left, box.left, box.bottom, text.top];
        }"""
    )
    assert left >= edge - 1
    assert below - bottom >= 8


def test_in_japanese_titles_and_claims_break_between_phrases_and_text_does_not(visit: Visit) -> None:
    page = visit(PHONE, locale="ja")
    for address in ("/daily", "/"):
        page.goto(address)
        how = "all => Array.from(new Set(all.map(each => getComputedStyle(each).wordBreak)))"
        assert page.locator("main p:not(.lobby__claim)").evaluate_all(how) in (["normal"], []), address
        assert page.locator("main :is(h1, h2, .lobby__claim)").evaluate_all(how) == ["auto-phrase"], address
