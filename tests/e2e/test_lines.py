"""Several hands from one hold: by touch, by keyboard and without JavaScript, on small screens and large ones."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESKTOP, LANDSCAPE, PHONE, Visit
from tests.e2e.dealer import Dealer
from tests.e2e.geometry import clipped, measured, too_large
from tests.e2e.taps import click
from tests.e2e.visitor import Visitor, finger, keys
from tests.support.languages import WIDEST

TABLE = "/play/video"
LINES = ".lines > .line"
OUTSIDE = """() => {
  const button = [...document.querySelectorAll(".dock button")].at(-1).getBoundingClientRect();
  const seen = [...document.querySelectorAll(".stage .card, .line__made, .verdict__name, .verdict__text")].map((each) => each.getBoundingClientRect());
  const dock = document.querySelector(".dock").getBoundingClientRect();
  return [
    ...(button.bottom > innerHeight || button.top < 0 ? ["the button"] : []),
    ...seen.filter((box) => box.bottom > Math.max(dock.top, 0) + 1 || box.right > innerWidth || box.left < 0 || box.top < 0).map((box) => JSON.stringify(box)),
  ];
}"""
"""What is not within the window: the button of the next deal, cards and their names."""


def sit(page: Page, count: int, bet: str = "1") -> None:
    page.goto(TABLE)
    page.get_by_label("Hands drawn from one hold").select_option(str(count))
    page.locator("#stake").fill(bet)


def deal(visitor: Visitor) -> None:
    with visitor.change():
        visitor.press(visitor.page, visitor.page.locator("#sit .btn--primary"), "Enter")
        visitor.page.locator("[data-mark]").last.wait_for()


def evening(visitor: Visitor, count: int) -> None:
    """Play ten deals with the same bet and number of hands; the purse has what the hands have paid."""
    page = visitor.page
    purse = 100
    for _ in range(10):
        deal(visitor)
        visitor.hold_what_repeats()
        visitor.draw()
        expect(page.locator(LINES)).to_have_count(count)
        paid = sum(map(int, page.locator(".line__made b").all_inner_texts()))
        purse += paid - count
        expect(page.locator(".purse__sum")).to_have_text(str(purse))
        # the headline is of all hands: the best one need not be the large one
        assert page.locator(".verdict__name").inner_text().endswith(f" {paid}") or not paid
        assert measured(page, OUTSIDE) == []
        expect(page.get_by_label("Hands drawn from one hold")).to_have_value(str(count))


def test_ten_deals_of_three_hands_by_touch(visit: Visit) -> None:
    page = visit(PHONE)
    sit(page, 3)
    evening(Visitor(page, finger), 3)
    page.goto(str(page.locator("main a[data-share]").first.get_attribute("href")))
    page.get_by_role("button", name="Deal it again in my browser").click()
    expect(page.locator("[data-proof-result]")).to_contain_text("cards are the same")
    expect(page.locator("[data-proof-result] .proof__tick--wrong")).to_have_count(0)


def test_ten_deals_of_three_hands_by_keyboard(visit: Visit) -> None:
    page = visit(DESKTOP)
    sit(page, 3)
    page.keyboard.press("Escape")
    page.locator("#stake").blur()
    evening(Visitor(page, keys), 3)


@pytest.mark.parametrize("device", [PHONE, LANDSCAPE, DESKTOP, {**PHONE, "viewport": {"width": 320, "height": 568}}])
@pytest.mark.parametrize("language", WIDEST)
def test_ten_hands_and_the_next_deal_are_on_one_screen(visit: Visit, dealer: Dealer, device, language: str) -> None:
    page = visit(device)
    dealer.prefer(page, language=language)
    page.goto(TABLE)
    page.locator("[data-lines]").select_option("10")
    page.locator("#stake").fill("1")
    page.locator("#sit .btn--primary").click()
    page.locator("[data-mark]").last.wait_for()
    click(page.locator("[data-draw]:not([data-away]), [data-hold-sure]:not([hidden])").first)
    page.locator("#room:not([data-moving]) .lines").wait_for()
    expect(page.locator(LINES)).to_have_count(10)
    assert measured(page, OUTSIDE) == []
    assert too_large(page, tall=device is DESKTOP) == []
    assert [each for each in clipped(page) if "line" in each] == []


def test_as_many_hands_are_offered_as_the_purse_pays_for_and_the_bet_follows(desktop: Page) -> None:
    desktop.goto(TABLE)
    desktop.locator("#stake").fill("100")
    lines = desktop.locator("[data-lines]")
    lines.select_option("10")
    expect(desktop.locator("#stake")).to_have_value("10")
    expect(desktop.locator("[data-times]")).to_have_text("= 100")
    note = desktop.locator(".rail__note")
    expect(note).to_have_text("Your chips no longer pay 100 × 10: the bet is 10 × 10 = 100 now.")
    lines.select_option("3")
    expect(note).to_have_count(0)
    desktop.keyboard.press("m")
    expect(desktop.locator("#stake")).to_have_value("33")


def test_ten_hands_can_be_read_and_used_by_all(visit: Visit, axe: Callable[..., list[str]]) -> None:
    page = visit(PHONE)
    sit(page, 10)
    visitor = Visitor(page, finger)
    deal(visitor)
    visitor.draw()
    assert axe(page) == []
    said = page.locator("#room").get_attribute("data-say") or ""
    assert " 10 hands" in said


def test_without_scripts_all_hands_are_read_as_a_list(no_js: Page) -> None:
    no_js.goto(TABLE)
    no_js.locator("#sit .btn--primary").click()
    no_js.get_by_label("Hands drawn from one hold").select_option("5")
    no_js.get_by_role("button", name="Cut and deal").click()
    no_js.locator("[data-draw]").click()
    hands = no_js.get_by_role("list", name="All hands").get_by_role("listitem")
    expect(hands).to_have_count(5)
    for hand in hands.all()[1:]:
        assert hand.inner_text().count(" of ") >= 5, "five cards, by their names"


def test_what_was_chosen_before_the_seal_is_still_there_without_a_script(no_js: Page) -> None:
    sit(no_js, 3, "25")
    no_js.get_by_role("button", name="Deal").click()
    expect(no_js.get_by_role("heading", name="The deck is sealed")).to_be_visible()
    expect(no_js.locator("#stake")).to_have_value("25")
    expect(no_js.get_by_label("Hands drawn from one hold")).to_have_value("3")
    no_js.get_by_role("button", name="Cut and deal").click()
    expect(no_js.locator("[data-mark]")).to_have_count(5)
    expect(no_js.locator(".purse__sum")).to_have_text("25")


def test_an_address_deals_nothing_by_itself(phone: Page) -> None:
    phone.goto(TABLE + "?stake=25&stake=25")
    expect(phone.locator("#stake")).to_have_value("25")
    phone.locator("#sit .btn--primary").tap()
    expect(phone.locator("[data-mark]")).to_have_count(5)
    phone.goto(TABLE + "?stake=25&stake=25")
    expect(phone.locator("[data-mark]")).to_have_count(5)
