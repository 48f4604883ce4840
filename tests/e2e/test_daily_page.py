"""The page of the daily deals, on a phone and with a keyboard."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import PHONE, Visit
from tests.e2e.geometry import small_targets, too_large


def test_only_the_button_that_enter_presses_says_so(desktop: Page) -> None:
    desktop.goto("/daily")
    buttons = desktop.locator("#deals form button")
    expect(buttons).to_have_count(4)
    expect(buttons.locator(".key")).to_have_count(1)
    expect(buttons.first.locator(".key")).to_be_visible()
    assert [button.get_attribute("aria-keyshortcuts") for button in buttons.all()] == ["Enter Space", None, None, None]
    for game in ("Quest poker", "Joker poker", "Video poker", "Blackjack"):
        expect(buttons.filter(has_text=game)).to_have_count(1)
    desktop.keyboard.press("Enter")
    expect(desktop).to_have_url(re.compile("/play/poker"))


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
