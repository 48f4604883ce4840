"""A full house is not drawn away by accident, and the golden button keeps it."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.clocks import stopped
from tests.e2e.conftest import PHONE, Visit
from tests.e2e.dealer import Dealer
from tests.e2e.taps import click
from tests.e2e.traffic import actions, requests_of
from tests.e2e.visitor import Visitor, finger, mouse
from tests.support.languages import CODES

pytestmark = pytest.mark.moving

LONG = 700
"""Milliseconds for which the button is held down: more than the half second that it takes."""
HINT = "Hold down to draw"


def drawn(page: Page) -> bool:
    return page.locator("[data-mark]").count() == 0


def test_with_a_full_house_the_golden_button_keeps_it_and_drawing_says_what_it_takes(
    phone: Page, dealer: Dealer
) -> None:
    phone.goto(dealer.seat(phone, "dealt a full house").table)
    draw = Visitor(phone, finger).draw_button
    expect(draw).to_contain_text(HINT)
    expect(draw).to_contain_text("gives up 500")
    expect(draw).to_have_attribute("aria-description", "Draw all 5")
    gold = phone.locator(".dock .btn--primary")
    expect(gold).to_contain_text("Keep all five")
    expect(gold).not_to_have_attribute("data-guarded", "")


def test_a_short_tap_draws_nothing_and_half_a_second_does(phone: Page, dealer: Dealer) -> None:
    phone.clock.install()
    phone.goto(dealer.seat(phone, "dealt a full house", fresh=True).table)
    visitor = Visitor(phone, finger)
    with requests_of(phone) as sent:
        visitor.draw_button.tap()
        click(visitor.draw_button)
    assert sent == []
    assert phone.locator(".btn__fill").count() == 0
    expect(phone.get_by_role("status")).to_have_text(HINT)
    visitor.draw_button.hover()
    with requests_of(phone) as sent, visitor.change():
        phone.mouse.down()
        expect(phone.locator(".btn__fill")).to_be_visible()
        phone.clock.fast_forward(LONG)
        phone.mouse.up()
    (asked,) = actions(sent)
    assert "verb=hold" in asked
    assert "arg=" not in asked


def test_who_slips_off_the_button_has_drawn_nothing(desktop: Page, dealer: Dealer) -> None:
    desktop.clock.install()
    desktop.goto(dealer.seat(desktop, "dealt a full house").table)
    visitor = Visitor(desktop, mouse)
    with requests_of(desktop) as sent:
        visitor.draw_button.hover()
        desktop.mouse.down()
        desktop.mouse.move(10, 300)
        desktop.clock.fast_forward(LONG)
        desktop.mouse.up()
    assert sent == []


def test_by_key_it_takes_two_presses(desktop: Page, dealer: Dealer) -> None:
    desktop.clock.install()
    desktop.goto(dealer.seat(desktop, "dealt a full house", fresh=True).table)
    visitor = Visitor(desktop, mouse)
    with visitor.change(), stopped(desktop):  # the second press counts for a while
        with requests_of(desktop) as sent:
            desktop.keyboard.press("x")
            expect(visitor.draw_button).to_contain_text("Once more to draw")
        assert sent == []
        with requests_of(desktop) as sent:
            desktop.keyboard.press("x")
        assert len(actions(sent)) == 1
    assert drawn(desktop)


def test_a_full_house_that_is_held_whole_is_kept_at_once_and_with_a_card_let_go_it_is_guarded(
    desktop: Page, dealer: Dealer
) -> None:
    desktop.goto(dealer.seat(desktop, "dealt a full house", fresh=True).table)
    visitor = Visitor(desktop, mouse)
    for position in range(1, 5):
        visitor.hold(position)
    expect(visitor.draw_button).to_contain_text(HINT)
    expect(visitor.draw_button).to_have_attribute("aria-description", "Draw 1 card")
    visitor.hold(5)
    expect(desktop.locator(".dock button:visible")).to_have_count(1)
    expect(visitor.keep_button).to_contain_text("Keep all five")
    expect(visitor.keep_button).not_to_have_attribute("data-guarded", "")
    with requests_of(desktop) as sent, visitor.change():
        click(visitor.keep_button)
    (asked,) = actions(sent)
    assert asked.count("arg=") == 5


def test_a_pair_is_drawn_away_by_one_press_that_says_what_it_gives_up(desktop: Page, dealer: Dealer) -> None:
    desktop.goto(dealer.seat(desktop, "dealt a pair", fresh=True).table)
    visitor = Visitor(desktop, mouse)
    ranks = [card.split()[0] for card in visitor.cards()]
    visitor.hold(next(place for place, rank in enumerate(ranks, 1) if ranks.count(rank) == 1))
    expect(visitor.draw_button).to_contain_text("gives up 50")
    with requests_of(desktop) as sent, visitor.change():
        click(visitor.draw_button)
    assert len(actions(sent)) == 1


def test_collect_has_the_focus_and_is_as_large_as_double(desktop: Page, dealer: Dealer) -> None:
    desktop.goto(dealer.seat(desktop, "dealt a pair", fresh=True).table)
    visitor = Visitor(desktop, mouse)
    with visitor.change():
        desktop.keyboard.press("s")
    collect, double = visitor.button("collect"), visitor.button("double")
    expect(collect).to_be_focused()
    one, other = collect.bounding_box(), double.bounding_box()
    assert one is not None
    assert other is not None
    assert abs(one["width"] - other["width"]) <= 1
    looks = "it => [...it.classList].filter((name) => name.startsWith('btn'))"
    assert collect.evaluate(looks) == double.evaluate(looks)


@pytest.mark.parametrize("language", CODES)
def test_on_a_phone_the_guarded_button_has_two_lines_at_most(visit: Visit, dealer: Dealer, language: str) -> None:
    page = visit(PHONE, locale=language)
    page.goto(dealer.seat(page, "dealt a full house").table)
    button = page.locator("[data-guarded]")
    for held in (0, 4):  # with cards held it is the main button, whose border is wider
        for place in range(1, held + 1):
            page.locator(f"#hold-{place}").check(force=True)
        for part in ("[data-draw-text]", "[data-gives-up]"):
            lines = button.locator(part).evaluate(
                "text => text.offsetHeight / parseFloat(getComputedStyle(text).lineHeight)"
            )
            assert round(lines) == 1, (part, held)
