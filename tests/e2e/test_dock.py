"""The golden button never gives anything up: it keeps a hand that pays, and drawing says what it gives up."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import Visit
from tests.e2e.dealer import Dealer
from tests.e2e.geometry import moved, places
from tests.e2e.visitor import Visitor, finger, swapped


def gold(page: Page) -> Locator:
    return page.locator(".dock .btn--primary")


def test_gold_keeps_a_hand_that_pays_while_nothing_is_held(phone: Page, dealer: Dealer) -> None:
    phone.goto(dealer.seat(phone, "dealt a pair", fresh=True).table)
    expect(gold(phone)).to_have_count(1)
    expect(gold(phone)).to_contain_text("Keep all five")
    draw = Visitor(phone, finger).draw_button
    expect(draw).to_contain_text("Draw 5 cards")
    expect(draw).to_contain_text("gives up 50")
    with swapped(phone, "#room"):
        gold(phone).tap()
    expect(phone.get_by_role("button", name="Collect")).to_contain_text("50")


def test_gold_draws_when_the_hand_pays_nothing(phone: Page, dealer: Dealer) -> None:
    phone.goto(dealer.seat(phone, "dealt nothing", fresh=True).table)
    expect(phone.locator(".dock button")).to_have_count(1)
    expect(gold(phone)).to_contain_text("Draw 5 cards")
    expect(gold(phone)).not_to_contain_text("gives up")


def test_with_the_first_card_held_gold_draws_and_without_one_it_keeps_again(phone: Page, dealer: Dealer) -> None:
    phone.goto(dealer.seat(phone, "dealt a pair", fresh=True).table)
    before, visitor = places(phone), Visitor(phone, finger)
    visitor.hold(1)
    expect(gold(phone)).to_contain_text("Draw 4 cards")
    expect(phone.get_by_text("gives up")).to_be_visible()  # half of the pair
    assert moved(before, places(phone)) == []
    phone.reload()
    expect(gold(phone)).to_contain_text("Draw 4 cards")
    visitor.hold(1)
    expect(gold(phone)).to_contain_text("Keep all five")


def test_drawing_with_the_whole_pair_held_gives_nothing_up(phone: Page, dealer: Dealer) -> None:
    phone.goto(dealer.seat(phone, "dealt a pair", fresh=True).table)
    Visitor(phone, finger).hold_what_repeats()
    expect(gold(phone)).to_contain_text("Draw 3 cards")
    expect(phone.get_by_text("gives up")).to_be_hidden()


def test_with_all_five_held_one_button_keeps_them_and_stays_where_it_was(phone: Page, dealer: Dealer) -> None:
    """Once two buttons said that they keep all five."""
    phone.goto(dealer.seat(phone, "dealt a pair", fresh=True).table)
    buttons, visitor = phone.locator(".dock button:visible"), Visitor(phone, finger)
    for position in range(1, 5):
        visitor.hold(position)
    before = places(phone)
    visitor.hold(5)
    expect(buttons).to_have_text(re.compile("Keep all five"))
    assert moved(before, places(phone)) == []
    phone.reload()
    expect(buttons).to_have_text(re.compile("Keep all five"))
    assert moved(before, places(phone)) == []
    visitor.hold(5)
    expect(buttons).to_have_text([re.compile("Keep all five"), re.compile("Draw 1 card")])
    visitor.hold(5)
    with swapped(phone, "#room"):
        gold(phone).tap()
    expect(phone.get_by_role("button", name="Collect")).to_contain_text("50")


def test_enter_keeps_a_hand_that_pays_and_the_focus_follows_the_gold(desktop: Page, dealer: Dealer) -> None:
    desktop.goto(dealer.seat(desktop, "dealt a pair", fresh=True).table)
    gold(desktop).focus()
    desktop.keyboard.press("3")
    expect(gold(desktop)).to_contain_text("Draw 4 cards")
    expect(gold(desktop)).to_be_focused()
    desktop.keyboard.press("3")
    expect(gold(desktop)).to_contain_text("Keep all five")
    with swapped(desktop, "#room"):
        desktop.keyboard.press("Enter")
    expect(desktop.get_by_role("button", name="Collect")).to_be_focused()


def test_without_a_script_both_can_be_done_too(no_js: Page, dealer: Dealer) -> None:
    no_js.goto(dealer.seat(no_js, "dealt a pair", fresh=True).table)
    expect(no_js.locator("[data-draw]")).to_contain_text("Draw")
    gold(no_js).click()
    expect(no_js.get_by_role("button", name="Collect")).to_be_visible()


def test_collect_and_double_weigh_the_same(phone: Page, dealer: Dealer) -> None:
    phone.goto(dealer.seat(phone, "asked").table)
    looks = phone.locator(".dock button").evaluate_all(
        "all => all.map(each => [each.offsetWidth, each.offsetHeight, getComputedStyle(each).backgroundImage])"
    )
    assert len(looks) == 2
    assert looks[0] == looks[1]
    expect(phone.locator("[data-focus]")).to_contain_text("Collect")


@pytest.mark.parametrize("scene", ["picking", "ace up"])
def test_the_odds_of_a_pick_sum_to_a_hundred(visit: Visit, dealer: Dealer, scene: str) -> None:
    page = visit()
    page.goto(dealer.seat(page, scene).table)
    assert sum(int(text.rstrip(" %")) for text in page.locator(".odds__pct").all_text_contents()) == 100


def test_an_ace_up_says_what_can_still_save_you(phone: Page, dealer: Dealer) -> None:
    phone.goto(dealer.seat(phone, "ace up").table)
    expect(phone.locator(".verdict")).to_contain_text("Only another ace saves you.")
