"""Accessibility: screen readers, keyboard, reduced motion, and both themes."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.axe import in_both_lights
from tests.e2e.conftest import DESKTOP, PHONE, Console, Visit
from tests.e2e.dealer import FINISHED, PAGES, TABLE, Dealer, complaints
from tests.e2e.geometry import still
from tests.e2e.pictures import shoot
from tests.e2e.visitor import Visitor, finger, keys, mouse, tab_to
from webapp.engine.games import SOLO

Axe = Callable[[Page], list[str]]


@pytest.mark.parametrize("places", [TABLE, FINISHED, tuple(PAGES)], ids=["the table", "finished hands", "other pages"])
def test_axe_finds_nothing_serious(phone: Page, dealer: Dealer, console: Console, places: tuple[str, ...]) -> None:
    console.expect("status of 404")
    dealer.prefer(phone, deal="cut")

    def wrong(page: Page, where: str) -> list[str]:
        return in_both_lights(page, lambda light: shoot(page, f"{where}-360x640-{light}-en"))

    assert complaints(phone, dealer, wrong, places) == {}


@pytest.mark.parametrize("where", ["dealt", "picking", "page of lost", "lobby", "my hands"])
def test_axe_finds_nothing_serious_on_a_desktop(desktop: Page, dealer: Dealer, axe: Axe, where: str) -> None:
    dealer.show(desktop, where)
    if where == "dealt":
        desktop.keyboard.press("?")
    still(desktop)
    assert axe(desktop) == []


def test_with_keys_the_focus_is_where_the_next_decision_is(desktop: Page, dealer: Dealer) -> None:
    visitor = Visitor(desktop, keys)
    desktop.goto("/play/poker")
    visitor.deal()
    expect(desktop.locator(".dock .dock__main")).to_be_focused()
    focus_can_be_seen(desktop)
    dealer.seat(desktop, "will be a pair", fresh=True)
    desktop.goto("/play/poker")
    visitor.hold(1)
    visitor.hold(2)
    visitor.draw()
    expect(visitor.button("collect")).to_be_focused()
    focus_can_be_seen(desktop)
    visitor.double()
    expect(visitor.hidden_card(1)).to_be_focused()
    focus_can_be_seen(desktop)
    visitor.pick(4)
    expect(desktop.locator("[data-focus]").first).to_be_focused()
    focus_can_be_seen(desktop)


def focus_can_be_seen(page: Page) -> None:
    """Assert that the focused element has an outline, or the picture of the card beside its checkbox."""
    style, width = page.evaluate(
        """() => {
          const focused = document.activeElement;
          const shown = focused.matches("[data-mark]") ? focused.nextElementSibling : focused;
          const style = getComputedStyle(shown);
          return [focused.matches(":focus-visible") && style.outlineStyle, parseFloat(style.outlineWidth)];
        }"""
    )
    assert style not in (False, "none")
    assert width >= 2


def test_everything_on_the_table_can_be_reached_with_the_tabulator(desktop: Page, dealer: Dealer) -> None:
    dealer.show(desktop, "dealt")
    visitor = Visitor(desktop, keys)
    for control in (
        desktop.get_by_role("link", name="Rules and keys"),
        visitor.card(1),
        visitor.card(5),
        visitor.draw_button,
    ):
        tab_to(desktop, control)
        focus_can_be_seen(desktop)


@pytest.mark.parametrize("game", SOLO)
def test_the_tabulator_leads_from_the_cards_to_the_actions(desktop: Page, game: str) -> None:
    """Explanations and the pay table, with its links, come after what is decided."""
    desktop.goto(f"/play/{game}")
    tab_to(desktop, desktop.get_by_role("link", name="To the content"))
    desktop.keyboard.press("Enter")
    in_dock = "() => document.activeElement.closest('.dock') !== null"
    desktop.keyboard.press("Tab")
    assert desktop.evaluate(in_dock), "before the deal"
    desktop.locator(".dock [data-focus]").press("Enter")
    expect(desktop.locator("[data-moment]")).to_be_attached()
    still(desktop)
    cards = desktop.locator("[data-mark]")
    if cards.count():
        cards.last.focus()
        desktop.keyboard.press("Tab")
        assert desktop.evaluate(in_dock), "after the cards"
    assert desktop.locator("main:has(.side ~ .dock)").count() == 0


@pytest.mark.parametrize("game", SOLO)
def test_the_tabulator_leads_from_what_is_due_to_the_deal(desktop: Page, dealer: Dealer, game: str) -> None:
    """That is the cut, or the bet, after whose deal the cut is; Enter in its field deals, too."""
    dealer.prefer(desktop, deal="cut")
    desktop.goto(f"/play/{game}")
    desktop.locator(".dock [data-focus]").press("Enter")
    expect(desktop.locator("#cut")).to_be_visible()
    fields = desktop.locator("[data-stake], #cut, #deal button")
    order = fields.evaluate_all(
        "all => all.map(each => each.id === 'cut' ? 'cut' : each.form && each.type !== 'submit' ? 'bet' : 'deal')"
    )
    bets = [each for each in order if each == "bet"]
    assert order == ([*bets, "deal", "cut"] if bets else ["cut", "deal"])


def test_what_happens_is_said(phone: Page, dealer: Dealer) -> None:
    phone.goto("/play/poker")
    visitor = Visitor(phone, finger)
    said = phone.get_by_role("status").first
    said.evaluate("element => { element.theFirstOne = true; }")
    visitor.deal()
    expect(said).to_have_text(re.compile(r"^Dealt: .* of .*\. \S.*\.$"))
    visitor.hold_what_repeats()  # a full house would not be drawn away by one tap
    visitor.draw()
    expect(said).to_have_text(re.compile(r"^Drawn: "))
    assert said.evaluate("element => element.theFirstOne")  # a live region must stay the same
    dealer.seat(phone, "asked", fresh=True)
    phone.goto("/play/poker")
    visitor.double()
    expect(said).to_have_text(re.compile(r"^Beat the .* of .*\.$"))
    visitor.pick(1)
    expect(said).to_have_text(re.compile(r"beats|loses to|meets"))


@pytest.mark.parametrize("game", SOLO)
def test_after_a_reload_it_is_said_where_the_hand_stands(desktop: Page, game: str) -> None:
    desktop.goto(f"/play/{game}")
    desktop.locator(".dock [data-focus]").press("Enter")
    expect(desktop.locator("[data-moment]")).to_be_attached()
    if not desktop.locator("#room[data-safe]").count():
        pytest.skip("over with the deal")
    desktop.reload()
    expect(desktop.get_by_role("status").first).to_have_text(re.compile(r"\w"))


def test_a_replay_is_said_too(phone: Page, dealer: Dealer) -> None:
    dealer.show(phone, "page of lost")
    phone.get_by_role("link", name="First step").tap()
    expect(phone.get_by_role("status").first).to_have_text(re.compile("^Dealt: "))


WATCH_MOTION = """
  globalThis.motions = [];
  const look = () => {
    for (const each of document.getAnimations()) {
      const lasts = each.effect.getComputedTiming().endTime;
      if (lasts > 0) motions.push(`${each.animationName ?? each.transitionProperty} ${lasts} ms`);
    }
  };
  document.addEventListener("swapped", look);
  document.addEventListener("DOMContentLoaded", look);
  document.addEventListener("change", () => requestAnimationFrame(look));
"""


@pytest.mark.parametrize("still_for", ["system", "setting", "nobody"])
@pytest.mark.moving
def test_nothing_moves_for_who_does_not_want_it(visit: Visit, dealer: Dealer, still_for: str) -> None:
    page = visit(PHONE, **({"reduced_motion": "reduce"} if still_for == "system" else {}))
    page.add_init_script(WATCH_MOTION)
    if still_for == "setting":
        dealer.prefer(page, speed="fast")
    page.goto(dealer.seat(page, "will be a pair", fresh=True).table)
    visitor = Visitor(page, finger)
    visitor.hold(1)
    visitor.hold(2)
    visitor.draw()
    visitor.double()
    visitor.pick(3)
    motions = page.evaluate("() => motions")
    assert bool(motions) == (still_for == "nobody"), motions


def test_the_table_can_be_read_in_forced_colours(visit: Visit, dealer: Dealer, axe: Axe) -> None:
    page = visit(PHONE, forced_colors="active")
    dealer.show(page, "marked")
    words = page.get_by_text("HOLD", exact=True)
    assert [words.nth(n).is_visible() for n in range(5)] == [False, True, False, True, False]
    assert axe(page) == []


def test_at_twice_the_size_a_hand_can_be_played(visit: Visit, dealer: Dealer) -> None:
    page = visit({**DESKTOP, "viewport": {"width": 640, "height": 400}, "device_scale_factor": 2})
    page.goto(dealer.seat(page, "will be a pair", fresh=True).table)
    visitor = Visitor(page, mouse)
    visitor.hold(1)
    visitor.hold(2)
    visitor.draw()
    visitor.double()
    visitor.pick(3)
    assert visitor.phase() in ("ask", "pick", "over")
