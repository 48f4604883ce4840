"""The review of a finished hand arrives in its page after the page itself."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import PHONE, TALL, Visit
from tests.e2e.dealer import Dealer
from tests.e2e.geometry import clipped, overlaid, shifts, small_targets, too_large, watch_shifts
from tests.e2e.pictures import shoot

ALL_OF_IT = {"viewport": {"width": 1280, "height": 2400}, "has_touch": True}
"""So high that whatever moves is seen to move."""
WORKED_OUT = 120_000
"""Milliseconds: the tables of a game are built before its first review, at the lowest priority."""
GRADE = re.compile(r"Best|Fine|Slip|Mistake|Blunder")

pytestmark = pytest.mark.usefixtures("reviews")


@pytest.mark.parametrize(
    "device, language", [(PHONE, "en"), (PHONE, "ja"), (ALL_OF_IT, "zh-CN")], ids=["en", "ja", "whole page"]
)
def test_it_comes_without_moving_anything(
    visit: Visit, dealer: Dealer, axe: Callable[..., list[str]], device: dict[str, object], language: str
) -> None:
    phone = visit(device, locale=language)
    watch_shifts(phone)
    phone.goto(dealer.seat(phone, "doubled", fresh=True).page)
    expect(phone.locator("#review .review__sentence")).to_be_visible(timeout=WORKED_OUT)
    assert shifts(phone) == []
    assert too_large(phone) == []
    assert small_targets(phone) == []
    assert axe(phone) == []


def test_the_verdict_stands_beside_its_step_and_decisions_unfold(phone: Page, dealer: Dealer) -> None:
    phone.goto(dealer.seat(phone, "doubled", fresh=True).page + "?step=0")
    decision = phone.locator("#review details.review__decision").first
    expect(decision).to_be_visible(timeout=WORKED_OUT)
    expect(phone.locator("#verdict")).to_have_text(GRADE)
    decision.locator("summary").tap()
    expect(decision.get_by_role("table")).to_be_visible()
    assert decision.locator("tbody tr").count() >= 5


def test_without_a_script_a_link_leads_to_it(visit: Visit, dealer: Dealer) -> None:
    page = visit(PHONE, java_script_enabled=False)
    page.goto(dealer.seat(page, "doubled", fresh=True).page)
    link = page.locator("#review a")
    expect(link).to_be_visible()
    link.tap()
    expect(page).to_have_url(re.compile("#review$"))


@pytest.mark.parametrize("device", [PHONE, TALL], ids=["phone", "tall"])
def test_ones_own_decisions_fit_a_phone_with_text_of_twice_the_size(
    visit: Visit, dealer: Dealer, device: dict[str, object]
) -> None:
    page = visit(device)
    dealer.regular(page)
    page.goto("/me/decisions")
    expect(page.locator("#decisions .decisions__dearest").first).to_be_visible(timeout=WORKED_OUT)
    expect(page.locator("#decisions[data-poll]")).to_have_count(0, timeout=WORKED_OUT)
    assert too_large(page) == []
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    page.locator("#decisions").scroll_into_view_if_needed()
    shoot(page, f"decisions-twice-{page.viewport_size['width']}")  # type: ignore[index]
    assert too_large(page) == []
    assert clipped(page) == []
    assert overlaid(page, ".stat dt", ".stat dd") == []


def test_ones_own_decisions_that_are_known_come_without_moving_anything(visit: Visit, dealer: Dealer) -> None:
    page = visit(ALL_OF_IT)
    dealer.regular(page)
    page.goto("/me/decisions")
    expect(page.locator("#decisions[data-poll]")).to_have_count(0, timeout=WORKED_OUT)
    watch_shifts(page)
    page.reload()
    expect(page.locator("#decisions[data-poll]")).to_have_count(0, timeout=WORKED_OUT)
    expect(page.locator("#decisions .decisions__dearest").first).to_be_visible()
    assert shifts(page) == []


def test_a_tab_leads_to_each_part_of_ones_own_pages(phone: Page, dealer: Dealer) -> None:
    dealer.regular(phone)
    phone.goto("/me")
    parts = {"Hands": "All hands", "Settings": "Settings", "Decisions": "My decisions", "Career": "Quest poker"}
    for tab, part in parts.items():
        link = phone.get_by_role("navigation", name="My pages").get_by_role("link", name=tab, exact=True)
        link.tap()
        expect(phone.get_by_role("heading", name=part)).to_be_in_viewport()
        expect(link).to_have_attribute("aria-current", "page")
