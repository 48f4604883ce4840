"""The bet before the deal: what is in the field is what is read."""

import pytest
from playwright.sync_api import Page

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
