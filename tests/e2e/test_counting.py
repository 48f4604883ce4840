"""Drills of counting in a browser: by touch, by keys, at a pace, without scripts."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.clocks import run_until, stopped
from tests.e2e.conftest import DESKTOP, LANDSCAPE, PHONE, TALL, Console, Visit
from tests.e2e.geometry import measured, small_targets, too_large
from tests.e2e.taps import tap, to_the_next_page

WORKED_OUT = 60_000
HI_LO = {
    "Two": 1,
    "Three": 1,
    "Four": 1,
    "Five": 1,
    "Six": 1,
    "Ten": -1,
    "Jack": -1,
    "Queen": -1,
    "King": -1,
    "Ace": -1,
}
SIZES: Any = pytest.mark.parametrize(
    "size", [PHONE, TALL, LANDSCAPE, DESKTOP], ids=["phone", "tall", "landscape", "desktop"]
)
SHOWN = ".counted .card[role=img]"
STEPS = {
    "deck": "/drill/counting/deck?spot=e2e&at_a_time=3&step=2",
    "question": "/drill/counting/deck?spot=e2e&step={stop}&ask=1",
    "true": "/drill/counting/true?spot=e2e",
    "tray": "/drill/counting/tray?spot=e2e&table=vegas,decks=8",
    "tray of one deck": "/drill/counting/tray?spot=e2e&table=single",
}
OUTSIDE = """() => [...document.querySelectorAll(".verdict, .counted .card, .counted__worth, .tray, .dock .btn, .dock .input")].filter((part) => {
  const { left, right, top, bottom } = part.getBoundingClientRect();
  return left < 0 || right > innerWidth + 1 || top < 0 || bottom > innerHeight + 1;
}).map((part) => part.className.baseVal ?? part.className)"""
"""Parts that are not within the window."""


def counted(page: Page) -> int:
    """Return what the cards on the felt add."""
    names = page.locator(SHOWN).evaluate_all("all => all.map((each) => each.getAttribute('aria-label').split(' ')[0])")
    return sum(HI_LO.get(name, 0) for name in names)


def first_stop(page: Page) -> int:
    """Return the step after which the count of this deck is asked first."""
    return next(
        step
        for step in range(1, 52)
        if page.request.get(f"/drill/counting/deck?spot=e2e&step={step}&ask=1").status == 200
    )


def test_a_deck_is_counted_down_by_touch(visit: Visit) -> None:
    page = visit(PHONE)
    page.goto("/drill/counting?table=vegas")
    page.get_by_label("Cards at a time").select_option("3")
    expect(page.get_by_role("button", name="Begin", exact=True)).to_have_count(0)  # each says what begins
    page.get_by_role("button", name="Begin Count down a deck").tap()
    expect(page.locator(".verdict__name")).to_have_text("The count starts at 0")
    count = 0
    for number in range(1, 18):
        expect(page.locator(SHOWN)).to_have_count(3)
        if number > 1:
            expect(page.locator(".verdict__name")).to_have_text(f"Card {3 * number} of 52")
        count += counted(page)
        page.locator("#step-on").tap()
        page.wait_for_function(
            "seen => !document.querySelector('.verdict__name').textContent.includes(seen)",
            arg=("starts at" if number == 1 else f"Card {3 * number} of"),
        )
        if page.locator("#answer").count():
            expect(page.locator("#answer")).to_be_focused()
            page.locator("#answer").fill(str(count))
            tap(page.get_by_role("button", name="Answer"))
            expect(page.locator(".verdict__name")).to_contain_text(
                f"Right: {f'{count:+}'.replace('-', '−') if count else 0}"
            )
            tap(page.locator(".dock__main"))
            expect(page.locator("#answer, .dock__main kbd")).to_have_count(1 if number < 17 else 0)
    expect(page.locator("#drilled")).to_have_text("4 of 4 right")


@pytest.mark.parametrize("scripts", [True, False])
def test_after_a_wrong_count_the_cards_are_shown_with_what_each_adds(visit: Visit, scripts: bool) -> None:
    page = visit(PHONE, java_script_enabled=scripts)
    page.goto("/drill/counting/deck?spot=e2e&step=1")
    expect(page.locator(".counted__runs")).to_contain_text("2–6 +1")
    stop = first_stop(page)
    page.goto(f"/drill/counting/deck?spot=e2e&step={stop}&ask=1")
    page.locator("#answer").fill("20")
    page.get_by_role("button", name="Answer").click()
    told = page.locator(".counted--told > li")
    expect(told).to_have_count(stop)
    added = [int(text.replace("−", "-")) for text in told.locator("b").all_inner_texts()]
    assert sum(added) == counted(page)
    expect(page.locator(".verdict__name")).to_contain_text(f"{sum(added):+}".replace("-", "−") if sum(added) else "0")
    assert too_large(page) == []


def test_digits_go_into_the_field_though_nothing_had_the_focus(desktop: Page) -> None:
    desktop.goto("/drill/counting/deck?spot=e2e&at_a_time=3&step=1")
    while not desktop.locator("#answer").count():
        said = desktop.locator(".verdict__name").inner_text()
        desktop.keyboard.press("Enter")
        expect(desktop.locator(".verdict__name")).not_to_have_text(said)
    expect(desktop.get_by_role("status").first).to_have_text("What is the count?")
    expect(desktop.locator("#answer")).to_be_focused()


def test_a_count_is_tapped_without_a_minus_on_the_keys(visit: Visit) -> None:
    page = visit(PHONE)
    page.goto(f"/drill/counting/deck?spot=e2e&step={first_stop(page)}&ask=1")
    for name, count in (("One less", "−1"), ("One less", "−2"), ("One more", "−1"), ("One more", "0")):
        page.get_by_role("button", name=name).tap()
        expect(page.locator("#answer")).to_have_value(count)


def test_an_untouched_field_is_no_answer(phone: Page, console: Console) -> None:
    console.expect("422")
    phone.goto("/drill/counting/true?spot=empty")
    phone.get_by_role("button", name="Answer").tap()
    expect(phone.locator(".verdict__text").first).to_contain_text("A count is a whole number, here from −20 to 20.")
    phone.get_by_role("button", name="One less").tap()
    phone.get_by_role("button", name="Answer").tap()
    expect(phone.locator(".verdict__text").first).to_contain_text("÷")


def test_ten_true_counts_by_keys(desktop: Page) -> None:
    desktop.goto("/drill/counting/true?spot=keys")
    for number in range(1, 11):
        expect(desktop.locator(".topbar")).to_contain_text(f"Question {number} of 10")
        expect(desktop.locator("#answer")).to_be_focused()
        desktop.keyboard.type("-3")
        expect(desktop.locator("#answer")).to_have_value("−3")
        desktop.keyboard.press("Enter")
        expect(desktop.locator("#answer")).to_have_count(0)
        expect(desktop.locator(".verdict__text").first).to_contain_text("÷")
        desktop.keyboard.press("Enter")
    expect(desktop.locator("#drilled")).to_contain_text("of 10 right")


def test_cards_come_at_a_pace_and_are_spoken(desktop: Page) -> None:
    desktop.clock.install()
    desktop.goto("/drill/counting/deck?spot=e2e&pace=2&step=1")
    said = desktop.locator(".verdict__name")
    with stopped(desktop):
        run_until(desktop, desktop.get_by_text("Card 2 of 52"))
        desktop.clock.run_for(1500)
        assert said.text_content() == "Card 2 of 52"
        run_until(desktop, desktop.get_by_text("Card 3 of 52"))
        name = str(desktop.locator(SHOWN).get_attribute("aria-label"))
        run_until(desktop, desktop.locator("#status", has_text=re.compile(name, re.IGNORECASE)))
    desktop.get_by_role("link", name="By hand").click()
    expect(desktop.get_by_role("link", name="By hand")).to_have_count(0)
    before = said.text_content()
    with stopped(desktop):
        desktop.clock.run_for(10_000)
        assert said.text_content() == before


def test_a_tray_without_scripts(no_js: Page) -> None:
    no_js.goto("/drill/counting")
    to_the_next_page(no_js.locator("form[action$=tray] button"))
    assert re.match(
        r"The discards fill \d+\s*% of a tray for 6 decks\.", str(no_js.locator(".tray").get_attribute("aria-label"))
    )
    to_the_next_page(no_js.get_by_role("button", name="2.5 decks"))
    expect(no_js.locator(".verdict__name")).to_contain_text("left")
    to_the_next_page(no_js.get_by_role("link", name="Next spot"))
    expect(no_js.locator(".topbar")).to_contain_text("Question 2 of 10")


@SIZES
@pytest.mark.parametrize("step", STEPS)
def test_all_is_within_the_window(
    visit: Visit, axe: Callable[[Page], list[str]], size: dict[str, Any], step: str
) -> None:
    page = visit(size)
    page.goto("/drill/counting")
    assert too_large(page) == [] and axe(page) == []
    page.goto(STEPS[step].format(stop=first_stop(page)))
    assert measured(page, OUTSIDE) == []
    assert too_large(page, tall=size == DESKTOP) == [] and small_targets(page) == []
    assert axe(page) == []


PLAYS = "/drill/counting/plays?table=vegas,split_by=none&spot="


def first_play(page: Page, insurance: bool) -> str:
    """Return the address of the first hand that is to be insured or not, or of one that is to be played."""
    page.goto(f"{PLAYS}e2e")
    expect(page.locator(".verdict__name")).to_contain_text("True count", timeout=WORKED_OUT)
    for number in range(100):
        if ("Insurance?" in page.request.get(f"{PLAYS}{number}").text()) == insurance:
            return f"{PLAYS}{number}"
    raise AssertionError("no such hand")


@SIZES
@pytest.mark.parametrize(("insurance", "key"), [(False, "s"), (True, "y")], ids=["play", "insurance"])
def test_index_plays_by_keys_and_in_any_window(
    visit: Visit, axe: Callable[[Page], list[str]], size: dict[str, Any], insurance: bool, key: str
) -> None:
    page = visit(size)
    page.goto(first_play(page, insurance))
    said = page.locator(".verdict__name")
    expect(page.locator(".verdict__text").first).to_contain_text("Insurance?" if insurance else "What would you do?")
    assert measured(page, OUTSIDE) == []
    assert too_large(page, tall=size == DESKTOP) == [] and small_targets(page) == []
    assert axe(page) == []
    names = page.locator(".counted .card[role=img]").evaluate_all(
        "all => all.map((each) => each.ariaLabel.toLowerCase())"
    )
    assert all(name in str(page.locator("#room").get_attribute("data-say")) for name in names), "cards are spoken"
    page.keyboard.press(key)
    expect(said).to_contain_text("Best: ")
    expect(page.locator(".counted__best").first).to_be_visible()
    assert measured(page, OUTSIDE) == []
    assert too_large(page, tall=size == DESKTOP) == [] and axe(page) == []
    page.keyboard.press("Enter")
    expect(page.locator(".topbar")).to_contain_text("Question 2 of 10")
