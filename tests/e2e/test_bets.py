"""The bet before the deal: what is in the field is what is read."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import PHONE, Visit
from tests.e2e.dealer import Dealer
from tests.e2e.geometry import clipped

SIZES = {"small": (320, 568), "phone": (360, 640), "landscape": (640, 360)}
BETS = {"joker": ("10", "25", "100", "1000", "100000"), "blackjack": ("10", "100", "1000")}


@pytest.fixture(params=SIZES.values(), ids=SIZES)
def page(visit: Visit, request: pytest.FixtureRequest) -> Page:
    width, height = request.param
    return visit({**PHONE, "viewport": {"width": width, "height": height}})


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
def test_every_digit_of_a_bet_and_every_name_of_a_box_is_seen(page: Page, dealer: Dealer, language: str) -> None:
    dealer.prefer(page, language=language)
    wrong = {}
    for game, bets in BETS.items():
        page.goto(f"/play/{game}")
        for bet in bets:
            for field in page.locator("[data-stake]").all():
                field.fill(bet)
            wrong[game, bet] = [
                each for each in clipped(page) if each.startswith(("input.", "span.stake__", "span.bet__"))
            ]
    assert {where: found for where, found in wrong.items() if found} == {}


def test_a_number_that_was_set_small_is_as_large_as_before_when_there_is_room(page: Page) -> None:
    page.goto("/play/joker")
    field = page.locator("#stake")

    def size() -> float:
        return float(field.evaluate("field => parseFloat(getComputedStyle(field).fontSize)"))

    field.fill("1")
    usual = size()
    field.fill("1234567890123456")
    assert size() < usual
    field.fill("1")
    assert size() == usual


def test_in_the_field_of_a_bet_a_letter_is_a_key_and_escape_leaves_it(desktop: Page) -> None:
    desktop.goto("/play/joker")
    field = desktop.locator("#stake")
    desktop.keyboard.press("b")
    expect(field).to_be_focused()
    desktop.keyboard.type("7")
    expect(field).to_have_value("7")
    desktop.keyboard.press("m")
    expect(field).to_have_value("100")
    desktop.keyboard.press("x")
    expect(field).to_have_value("100")
    desktop.keyboard.press("Escape")
    expect(field).not_to_be_focused()
    desktop.keyboard.press("Enter")
    expect(desktop.locator("[data-mark]")).to_have_count(5)


def test_the_ring_of_the_field_does_not_cover_the_limits(desktop: Page) -> None:
    desktop.goto("/play/joker")
    desktop.keyboard.press("b")
    ring, shade = desktop.locator("#stake").evaluate(
        "field => (({outlineOffset, boxShadow}) => [outlineOffset, boxShadow])(getComputedStyle(field))"
    )
    assert (ring, shade) == ("-3px", "none")


def test_a_card_that_is_marked_by_its_key_is_told(desktop: Page, dealer: Dealer) -> None:
    desktop.goto(dealer.seat(desktop, "dealt", fresh=True).table)
    name = desktop.locator("#hold-2").get_attribute("aria-label")
    desktop.keyboard.press("2")
    expect(desktop.get_by_role("status").first).to_have_text(f"{name}: held")
    desktop.keyboard.press("2")
    expect(desktop.get_by_role("status").first).to_have_text(f"{name}: not held")
