"""An evening of quest poker with random cards on a real server, until a hand has ended in every possible way."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.geometry import fits
from tests.e2e.visitor import Visitor, finger, keys, mouse, swapped, tab_to

pytestmark = pytest.mark.moving

ENDS = {"nothing", "collected", "doubled", "lost"}
MOST_HANDS = 80

# Any three of them lead through the double-up; chance may take its time with the fourth.
long_or_short = pytest.mark.parametrize("ends", [3, pytest.param(len(ENDS), marks=pytest.mark.soak)])


def evening(visitor: Visitor, ends: int) -> None:
    seen: set[str] = set()
    for _ in range(MOST_HANDS):
        seen.add(visitor.play(seen))
        assert visitor.phase() == "over"
        if len(seen) >= ends:
            return
        visitor.deal()
    pytest.fail(f"in {MOST_HANDS} hands only {seen} were seen")


def walk(page: Page, to: str, press_key: bool) -> None:
    with swapped(page, "#finish"):
        if press_key:
            page.keyboard.press(to)
        else:
            page.locator(f"a[aria-keyshortcuts='{to}']").tap()


def replay(page: Page, by_keys: bool) -> None:
    """Step from the first state of a finished hand to the last, and back again."""
    step = page.get_by_text(re.compile(r"Step \d+ of \d+"))
    last = int(step.inner_text().split()[-1])
    walk(page, "Home", by_keys)
    for number in range(1, last):
        expect(step).to_contain_text(f"Step {number} of {last}")
        expect(page).to_have_url(re.compile(rf"\?step={number - 1}$"))
        walk(page, "ArrowRight", by_keys)
    expect(step).to_contain_text(f"Step {last} of {last}")
    walk(page, "ArrowLeft", by_keys)
    expect(step).to_contain_text(f"Step {last - 1} of {last}")
    walk(page, "End", by_keys)
    expect(step).to_contain_text(f"Step {last} of {last}")


def every_tick_appears(page: Page) -> None:
    found = page.locator("[data-proof-result] li")
    expect(found).to_have_count(2)
    for row in found.all():
        expect(row).to_contain_text("✓")
        expect(row).not_to_contain_text("✗")
    expect(found.first).to_contain_text("The seed opens the seal")


@long_or_short
def test_by_touch_on_a_phone(phone: Page, ends: int) -> None:
    visitor = Visitor(phone, finger, checked=fits)
    phone.goto("/")
    phone.get_by_role("button", name="Quest poker").tap()  # one tap, and five cards are on the table
    expect(phone.locator("[data-mark]")).to_have_count(5)
    evening(visitor, ends)
    phone.get_by_role("link", name="Replay").tap()
    expect(phone).to_have_url(re.compile("/h/[0-9A-Za-z]{10}$"))
    replay(phone, by_keys=False)
    phone.get_by_role("button", name="Deal it again in my browser").tap()
    every_tick_appears(phone)
    phone.get_by_role("button", name="New hand").tap()
    expect(phone.locator("[data-mark]")).to_have_count(5)


@long_or_short
def test_by_keys_alone(desktop: Page, ends: int) -> None:
    visitor = Visitor(desktop, keys)
    desktop.goto("/")
    tab_to(desktop, desktop.get_by_role("button", name="Quest poker"))
    desktop.keyboard.press("Enter")
    expect(desktop.locator("[data-mark]")).to_have_count(5)
    expect(desktop.locator("#room[data-moving]")).to_have_count(0)  # a key would only bring the cards
    evening(visitor, ends)
    desktop.keyboard.press("l")
    expect(desktop).to_have_url(re.compile("/h/[0-9A-Za-z]{10}$"))
    replay(desktop, by_keys=True)
    tab_to(desktop, desktop.get_by_role("button", name="Deal it again in my browser"))
    desktop.keyboard.press("Enter")
    every_tick_appears(desktop)


def test_space_draws_and_deals_where_no_control_has_the_focus(desktop: Page) -> None:
    visitor = Visitor(desktop, keys)
    desktop.goto("/play/poker")
    with visitor.change():
        desktop.keyboard.press("Space")
        expect(desktop.locator("[data-mark]")).to_have_count(5)
    desktop.reload()  # nothing has the focus now
    with visitor.change():
        desktop.keyboard.press("Space")
    assert visitor.phase() in ("ask", "over")


def test_the_question_mark_shows_the_keys_and_hides_them_again(desktop: Page) -> None:
    desktop.goto("/play/poker")
    shown = desktop.get_by_role("region", name="Rules and keys")
    expect(shown).to_have_count(0)
    desktop.keyboard.press("?")
    expect(shown).to_be_visible()
    expect(shown).to_be_focused()
    expect(shown).to_contain_text("hold a card, or pick one")
    desktop.keyboard.press("Escape")
    expect(shown).to_have_count(0)
    expect(
        desktop.get_by_role("link", name="Rules and keys")
    ).not_to_be_focused()  # Enter deals, and does not open it again


def test_the_help_stays_open_from_one_move_to_the_next(desktop: Page) -> None:
    visitor = Visitor(desktop, keys)
    desktop.goto("/play/poker")
    desktop.keyboard.press("?")
    expect(desktop.get_by_role("region", name="Rules and keys")).to_be_visible()
    visitor.deal()
    expect(desktop.get_by_role("region", name="Rules and keys")).to_be_visible()


@long_or_short
def test_without_scripts(no_js: Page, ends: int) -> None:
    visitor = Visitor(no_js, mouse, scripts=False)
    no_js.goto("/")
    no_js.get_by_role("button", name="Quest poker").click()
    expect(no_js.get_by_role("heading", name="The deck is sealed")).to_be_visible()
    visitor.cut_and_deal("")  # a silent seat
    evening(visitor, ends)
    no_js.get_by_role("link", name="Replay").click()
    proof = no_js.get_by_role("region", name="The house could not cheat")
    expect(proof).to_be_visible()
    expect(proof.get_by_role("button", name="Deal it again in my browser")).to_be_hidden()
    ticks = proof.get_by_role("img", name="correct")
    expect(ticks).to_have_count(proof.get_by_role("listitem").count())
    no_js.get_by_role("link", name="First step").click()
    expect(no_js.get_by_text("Before the exchange")).to_be_visible()
    no_js.get_by_role("link", name="Step forward").click()
    expect(no_js).to_have_url(re.compile(r"\?step=1$"))
    no_js.get_by_role("button", name="New hand").click()
    expect(no_js.get_by_role("heading", name="The deck is sealed")).to_be_visible()
