"""The golden button plays well: it holds what pays, and what gives something up says so and is not golden."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import Visit
from tests.e2e.dealer import Dealer
from tests.e2e.geometry import moved, places
from tests.e2e.traffic import actions, requests_of
from tests.e2e.visitor import Visitor, finger, swapped


def gold(page: Page) -> Locator:
    return page.locator(".dock .btn--primary")


def due(page: Page) -> Locator:
    """The main button where the site does not say that it is best."""
    return page.locator(".dock .btn--due")


def test_collect_and_double_look_alike_and_lie_well_apart(desktop: Page, dealer: Dealer) -> None:
    desktop.goto(dealer.seat(desktop, "asked").table)
    expect(due(desktop)).to_have_count(2)
    expect(gold(desktop)).to_have_count(0)
    boxes = [button.bounding_box() for button in due(desktop).all()]
    assert boxes[0] and boxes[1]
    assert boxes[1]["x"] - boxes[0]["x"] - boxes[0]["width"] >= 16


def test_what_happens_after_a_draw_that_pays_is_said_once(desktop: Page, dealer: Dealer) -> None:
    desktop.goto(dealer.seat(desktop, "asked").table)
    expect(desktop.get_by_text("asked before the next cards are seen").filter(visible=True)).to_have_count(1)


def test_gold_holds_the_pair_while_nothing_is_held(phone: Page, dealer: Dealer) -> None:
    phone.goto(dealer.seat(phone, "dealt a pair", fresh=True).table)
    visitor = Visitor(phone, finger)
    ranks = [card.split()[0] for card in visitor.cards()]
    pair = [place for place, rank in enumerate(ranks, 1) if ranks.count(rank) == 2]
    expect(gold(phone)).to_contain_text(re.compile(r"^Hold the \w+, draw 3"))
    expect(phone.locator(".dock__row button:visible")).to_have_text(
        [re.compile("Keep all five"), re.compile("Hold the")]
    )
    with requests_of(phone) as sent, swapped(phone, "#room"):
        gold(phone).tap()
    (asked,) = set(actions(sent))  # a late answer is asked for again
    assert re.findall(r"arg=(\d)", asked) == [str(place) for place in pair]


def test_the_button_beside_it_keeps_all_five(phone: Page, dealer: Dealer) -> None:
    phone.goto(dealer.seat(phone, "dealt a pair", fresh=True).table)
    with swapped(phone, "#room"):
        Visitor(phone, finger).keep_button.tap()
    expect(phone.get_by_role("button", name="Collect")).to_contain_text("50")


def test_nothing_is_golden_when_the_hand_pays_nothing(phone: Page, dealer: Dealer) -> None:
    phone.goto(dealer.seat(phone, "dealt nothing", fresh=True).table)
    expect(gold(phone)).to_have_count(0)
    expect(phone.locator(".dock__row > :visible")).to_have_count(1)  # nothing that only looks like a button
    draw = Visitor(phone, finger).draw_button
    expect(draw).to_contain_text("Draw all 5")
    expect(draw).not_to_contain_text("gives up")
    before = places(phone)
    Visitor(phone, finger).hold(2)
    expect(due(phone)).to_contain_text("Draw 4 cards")
    assert moved(before, places(phone)) == []
    Visitor(phone, finger).hold(2)
    expect(due(phone)).to_have_count(0)


def test_half_a_pair_is_not_golden_and_without_it_the_pair_is_again(phone: Page, dealer: Dealer) -> None:
    phone.goto(dealer.seat(phone, "dealt a pair", fresh=True).table)
    before, visitor = places(phone), Visitor(phone, finger)
    ranks = [card.split()[0] for card in visitor.cards()]
    one = next(place for place, rank in enumerate(ranks, 1) if ranks.count(rank) == 2)
    for _ in range(2):
        visitor.hold(one)
        expect(gold(phone)).to_have_count(0)
        expect(due(phone)).to_contain_text("Draw 4 cards")
        expect(phone.get_by_text("gives up")).to_be_visible()
        assert moved(before, places(phone)) == []
        phone.reload()
        expect(due(phone)).to_contain_text("Draw 4 cards")
        visitor.hold(one)
        expect(gold(phone)).to_contain_text("Hold the")


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
        phone.locator(".dock__main").tap()
    expect(phone.get_by_role("button", name="Collect")).to_contain_text("50")


def test_enter_holds_the_pair_and_the_focus_follows_the_main_button(desktop: Page, dealer: Dealer) -> None:
    desktop.goto(dealer.seat(desktop, "dealt a pair", fresh=True).table)
    gold(desktop).focus()
    desktop.keyboard.press("3")
    expect(desktop.locator(".dock__main")).to_contain_text("Draw 4 cards")
    expect(desktop.locator(".dock__main")).to_be_focused()
    desktop.keyboard.press("3")
    expect(gold(desktop)).to_contain_text("Hold the")
    expect(gold(desktop)).to_be_focused()
    with requests_of(desktop) as sent, swapped(desktop, "#room"):
        desktop.keyboard.press("Enter")
    # a late answer is asked for again; what the keys above have marked may be sent only now
    (asked,) = {each for each in actions(sent) if "verb=mark" not in each}
    assert asked.count("arg=") == 2


def test_without_a_script_all_can_be_done_too(no_js: Page, dealer: Dealer) -> None:
    no_js.goto(dealer.seat(no_js, "dealt a pair", fresh=True).table)
    expect(no_js.locator("[data-draw]")).to_be_visible()
    expect(no_js.locator("button[form=keep]")).to_be_visible()
    expect(gold(no_js)).to_contain_text("Hold the")
    gold(no_js).click()
    expect(no_js.locator("[data-mark]")).to_have_count(0)


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
    assert sum(int(text.strip("· %")) for text in page.locator(".odds__pct").all_text_contents()) == 100


def test_an_ace_up_says_what_can_still_save_you(phone: Page, dealer: Dealer) -> None:
    phone.goto(dealer.seat(phone, "ace up").table)
    expect(phone.locator(".verdict")).to_contain_text("Only another ace saves you.")
