"""Drills at the table: cards are tapped, each verb has its key, and one spot follows another."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESKTOP, LANDSCAPE, PHONE, TALL, Visit
from tests.e2e.geometry import measured, small_targets, too_large
from tests.e2e.taps import to_the_next_page

WORKED_OUT = 60_000
SIZES: Any = pytest.mark.parametrize(
    "size", [PHONE, TALL, LANDSCAPE, DESKTOP], ids=["phone", "tall", "landscape", "desktop"]
)
ON_CARDS = """() => {
  const words = [...document.querySelectorAll(".verdict__name, .verdict__text, .coach__text, .dock .btn")];
  const cards = [...document.querySelectorAll("[data-cards] .card__face")].map((card) => card.getBoundingClientRect());
  return words.filter((word) => {
    const { left, right, top, bottom } = word.getBoundingClientRect();
    const meets = (card) => left < card.right - 1 && right > card.left + 1 && top < card.bottom - 1 && bottom > card.top + 1;
    return bottom > innerHeight + 1 || cards.some(meets);
  }).map((word) => word.textContent);
}"""
"""Words that lie on a card, or below the window."""


def best_of(page: Page, path: str, any_answer: str = "hold") -> str:
    """Return the best action of a spot."""
    while True:
        answer = page.request.get(f"{path}&answer={any_answer}", headers={"accept": "application/json"}).json()
        if answer["verdict"]:
            return str(answer["verdict"]["best"])


def test_the_button_of_an_exchange_is_called_what_it_is_called_in_the_game(desktop: Page) -> None:
    desktop.goto("/drill/poker?spot=drill")
    button = desktop.locator(".dock__main")
    for key, name in (("", "Draw all 5"), ("1", "Draw 4 cards"), ("234", "Draw 1 card"), ("5", "Keep all five")):
        for each in key:
            desktop.keyboard.press(each)
        expect(button).to_have_accessible_name(name)


def test_cards_are_tapped_and_the_best_hold_is_raised(visit: Visit) -> None:
    page = visit(PHONE)
    page.goto("/drill/poker?spot=drill")
    for place in (1, 3):
        page.locator(f"label:has(#hold-{place})").tap()
    page.get_by_role("button", name=re.compile("^Draw")).tap()
    text = page.locator(".coach__text")
    expect(text).to_contain_text("Best:", timeout=WORKED_OUT)
    raised = page.locator(".card__check:checked").evaluate_all(
        "all => all.map(each => each.getAttribute('aria-label'))"
    )
    assert raised == ["Nine of diamonds", "Jack of diamonds, your choice"]
    own = page.get_by_role("checkbox", name="your choice")
    expect(own).to_have_count(2)
    for place in (1, 3):
        card = page.locator(f".hand > :nth-child({place})")
        expect(card.get_by_role("checkbox", name="your choice")).to_have_count(1)
        expect(card.get_by_text("You", exact=True)).to_be_visible()
    expect(page.get_by_text("Best", exact=True).filter(visible=True)).to_have_count(2)
    expect(page.locator(".verdict__name")).to_contain_text(": you held ")
    expect(page.locator(".verdict__text")).to_contain_text(", yours ")
    expect(page.locator(".topbar")).to_contain_text("1 of 10")
    page.locator(".hand").tap(position={"x": 150, "y": 60})
    expect(page.locator(".topbar")).to_contain_text("2 of 10")
    expect(page.locator(".verdict__name")).to_have_text("What would you do?")


def test_a_round_by_keys_ends_with_what_it_came_to(desktop: Page) -> None:
    desktop.goto("/drill/blackjack?table=classic&spot=drill")
    for number in range(1, 11):
        expect(desktop.locator(".topbar")).to_contain_text(f"{number} of 10")
        desktop.locator(".act--stand, .act--insure").first.wait_for()
        desktop.keyboard.press("s")
        expect(desktop.locator("[data-coach-why]")).to_be_visible(timeout=WORKED_OUT)
        desktop.keyboard.press("Enter")
        expect(desktop.locator("[data-coach-why]")).to_have_count(0)
        expect(desktop.locator("[data-focus]")).to_be_focused()
    expect(desktop.locator("#drilled")).to_have_text(re.compile(r"\d+ of 10 best"))
    desktop.keyboard.press("Enter")
    expect(desktop.locator(".topbar")).to_contain_text("1 of 10")


@pytest.mark.parametrize("scripts", [True, False])
def test_the_mistakes_of_a_round_can_be_looked_at_again(visit: Visit, scripts: bool) -> None:
    """Each shows its cards, the answer that was given and the best one, and leads back to the end of the round."""
    page = visit(PHONE, java_script_enabled=scripts)
    page.goto("/drill/poker?spot=drill&answer=hold&round=" + "_".join(["two-pair.0.1"] * 9))
    while page.get_by_text("Being worked out").count():
        page.reload()
    expect(page.locator(".drilled__score")).to_have_text("✓ 9 of 10")
    page.get_by_role("link", name="How it went").click()
    expect(page.locator("#drilled")).to_have_text("9 of 10 best")
    mistakes = page.locator(".drilled__mistakes a")
    expect(mistakes).to_have_count(1)
    assert small_targets(page) == []
    mistakes.first.click()
    expect(page.locator(".verdict__name")).to_contain_text("Draw all 5")
    expect(page.locator(".coach__text")).to_contain_text("Best:")
    expect(page.locator("[data-cards] .card")).not_to_have_count(0)
    page.get_by_role("link", name="How it went").click()
    expect(page.locator("#drilled")).to_have_text("9 of 10 best")


def test_a_right_answer_leads_on_by_itself_and_a_wrong_one_waits(desktop: Page) -> None:
    path = "/drill/poker?spot=drill"
    desktop.goto(f"{path}&answer={best_of(desktop, path)}")
    expect(desktop.locator(".card__tag--own")).to_have_count(0)
    expect(desktop.locator(".topbar")).to_contain_text("2 of 10")
    desktop.goto(f"{path}&answer=hold")
    expect(desktop.locator(".coach__text")).to_have_text(re.compile(r"^Costs [\d.]+ points\s·\sBest: "))
    assert "delay" not in str(desktop.locator(".dock__main").get_attribute("hx-trigger"))


def test_no_hand_is_to_act_that_was_answered(desktop: Page) -> None:
    desktop.goto("/drill/blackjack?table=classic&spot=drill")
    expect(desktop.locator(".pile__word")).to_have_text("your turn")
    desktop.keyboard.press("s")
    expect(desktop.locator("[data-coach-why]")).to_be_visible(timeout=WORKED_OUT)
    expect(desktop.locator(".pile__word")).to_have_text("")


def test_the_next_spot_is_announced_after_the_verdict(desktop: Page) -> None:
    """By the button after a mistake, and by itself after a right answer."""
    status = desktop.get_by_role("status").first
    desktop.goto("/drill/poker?spot=drill&answer=hold")
    expect(desktop.locator(".coach__text")).to_be_visible(timeout=WORKED_OUT)
    desktop.keyboard.press("Enter")
    expect(status).to_contain_text("Dealt:")
    path = "/drill/blackjack?table=classic&spot=drill"
    desktop.goto(f"{path}&answer={best_of(desktop, path, 'hit')}")
    expect(status).to_contain_text("The dealer shows")


def test_a_spot_without_scripts(no_js: Page) -> None:
    no_js.goto("/drill/poker?spot=drill")
    no_js.locator("#hold-1").check(force=True)
    to_the_next_page(no_js.get_by_role("button", name=re.compile("^Draw")))
    while no_js.get_by_text("Being worked out").count():
        to_the_next_page(no_js.get_by_role("link", name="Look again"))
    expect(no_js.locator(".coach__text")).to_contain_text("Best:")
    no_js.get_by_role("link", name="Next spot").click()
    expect(no_js.locator(".topbar")).to_contain_text("2 of 10")


@SIZES
@pytest.mark.parametrize("game", ["poker", "joker", "video", "blackjack"])
def test_words_lie_on_no_card_and_all_buttons_are_seen(
    visit: Visit, axe: Callable[[Page], list[str]], size: dict[str, Any], game: str
) -> None:
    page = visit(size)
    path = f"/drill/{game}?spot=drill"
    page.goto(path)
    assert measured(page, ON_CARDS) == []
    assert too_large(page, tall=size == DESKTOP) == [] and small_targets(page) == []
    page.goto(f"{path}&answer={'hit' if game == 'blackjack' else 'hold'}")
    expect(page.locator(".coach__text")).to_be_visible(timeout=WORKED_OUT)
    assert measured(page, ON_CARDS) == []
    assert too_large(page, tall=size == DESKTOP) == []
    assert axe(page) == []
