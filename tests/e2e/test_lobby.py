"""The lobby: five games of equal weight, and first what a returning player wants."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESKTOP, PHONE, Visit
from tests.e2e.dealer import Dealer
from tests.e2e.geometry import shifts, small_targets, still, too_large, watch_shifts
from tests.support.languages import CODES, WIDEST

SIZES = {
    "phone": PHONE,
    "tall": {**PHONE, "viewport": {"width": 390, "height": 844}},
    "landscape": {**PHONE, "viewport": {"width": 640, "height": 360}},
    "tablet": {**PHONE, "viewport": {"width": 768, "height": 1024}},
    "desktop": DESKTOP,
    "large": {"viewport": {"width": 1920, "height": 1080}},
}
BOXES = "all => all.map(each => each.getBoundingClientRect()).map(box => [box.top, box.width, box.height])"


@pytest.mark.parametrize("size", SIZES)
def test_five_games_have_equal_weight(visit: Visit, dealer: Dealer, size: str) -> None:
    page = visit(SIZES[size])
    dealer.regular(page)
    page.goto("/")
    still(page)
    assert page.locator(".games .game").count() == page.locator(".games .game__art .card:visible").count() / 3 == 5
    boxes = page.locator(".games .game").evaluate_all(BOXES)
    assert len({round(width) for _, width, _ in boxes}) == 1
    for top in {round(top) for top, _, _ in boxes}:
        assert len({round(height) for y, _, height in boxes if round(y) == top}) == 1
    arts = page.locator(".games .game__art").evaluate_all(BOXES)
    assert len({(round(width), round(height)) for _, width, height in arts}) == 1
    assert too_large(page) == []


@pytest.mark.parametrize("language", WIDEST)
def test_the_lobby_fits_in_every_language(phone: Page, dealer: Dealer, language: str) -> None:
    dealer.prefer(phone, language=language)
    dealer.regular(phone)
    watch_shifts(phone)
    phone.goto("/")
    assert too_large(phone) == []
    assert small_targets(phone) == []
    assert shifts(phone) == []


@pytest.mark.parametrize("language", WIDEST)
def test_sideways_a_stranger_sees_all_games_whole_and_todays_deal(visit: Visit, language: str) -> None:
    page = visit(SIZES["landscape"], locale=language)
    page.goto("/")
    expect(page.locator(".game")).to_have_count(5)
    for each in page.locator(".game, .today").all():
        expect(each).to_be_in_viewport(ratio=1)
    assert too_large(page) == []
    assert small_targets(page) == []


def test_who_comes_back_finds_the_hand_in_play_first_and_purse_and_result_on_the_game(
    phone: Page, dealer: Dealer
) -> None:
    dealer.regular(phone)
    phone.goto("/")
    first = phone.locator("main a, main button").first
    expect(first).to_contain_text("Continue your hand")
    mine = phone.locator(".game", has_text="Quest poker").locator(".game__mine")
    expect(mine.locator(".game__purse")).to_contain_text("700")
    expect(mine.locator(".game__last")).to_have_text("No hand")
    expect(phone.locator(".game__mine")).to_have_count(1)
    expect(phone.locator(".lobby__claim")).to_be_hidden()


def test_a_stranger_reads_what_the_room_is_and_sees_the_games_on_the_first_screen(phone: Page) -> None:
    phone.goto("/")
    expect(phone.locator(".lobby__claim")).to_be_visible()
    expect(phone.locator(".game__mine")).to_have_count(0)
    tops = [box[0] for box in phone.locator(".games .game").evaluate_all(BOXES)]
    assert max(tops) + 76 <= 640


@pytest.mark.parametrize("size", ["phone", "tablet", "desktop"])
def test_one_s_own_page_has_a_card_for_each_game_with_small_fans_that_are_whole(
    visit: Visit, dealer: Dealer, size: str
) -> None:
    page = visit(SIZES[size])
    dealer.regular(page)
    page.goto("/me")
    still(page)
    expect(page.locator(".career")).to_have_count(1)
    expect(page.locator(".best__hand")).to_have_count(2)
    margins = page.locator(".best__felt").evaluate_all(
        """all => all.flatMap(felt => {
          const cards = Array.from(felt.querySelectorAll(".card")).map(card => card.getBoundingClientRect());
          const box = felt.getBoundingClientRect();
          return [cards[0].left - box.left, box.right - cards.at(-1).right, box.bottom - cards[0].bottom];
        })"""
    )
    assert min(margins) >= 0
    line, number = (page.locator(f".chart__{part}").first.bounding_box() for part in ("plot", "number--high"))
    assert line is not None
    assert number is not None
    assert number["x"] + number["width"] <= line["x"]
    assert too_large(page) == []
    page.locator(".best__hand").first.click()
    expect(page).to_have_url(re.compile("/h/"))


@pytest.mark.parametrize("language", CODES)
def test_on_a_low_phone_the_name_of_a_game_is_one_line(visit: Visit, language: str) -> None:
    page = visit({"viewport": {"width": 640, "height": 360}}, locale=language)
    page.goto("/")
    lines = page.locator(".game__name").evaluate_all(
        "names => names.map(name => name.offsetHeight / parseFloat(getComputedStyle(name).lineHeight))"
    )
    assert [round(count) for count in lines] == [1] * 5


def test_the_tables_of_a_game_are_folded_and_unfolded_without_a_script(no_js: Page) -> None:
    no_js.goto("/")
    tables = no_js.get_by_role("navigation", name="Tables of Video poker")
    expect(tables).to_be_hidden()
    no_js.get_by_text("Tables of Video poker").click()
    expect(tables.get_by_role("link").first).to_be_visible()
