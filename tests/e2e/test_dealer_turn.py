"""The dealer's turn at blackjack is told card by card: every total counts the cards that lie there, and no other."""

import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.clocks import FRAME, frames, stopped
from tests.e2e.conftest import PHONE, Visit
from tests.e2e.dealer import Dealer
from tests.e2e.geometry import watch_shifts
from tests.e2e.motion_cases import CASES, NEXT, blackjack, button
from tests.e2e.recording import Case, states
from tests.e2e.test_motion_ways import shifted
from webapp.engine.cards import parse_cards
from webapp.engine.twenty_one.hand import total

pytestmark = pytest.mark.moving

SEVEN = "Th 2d 6s 3c 5h 2c 2d 3h 4s 9d"
TURNS = {
    "seven cards": blackjack(SEVEN, "hit", press=button("hit")),
    "a soft total": blackjack("Th Ad 9s 2c 3h 8d 5s", "decline", "stand", press=button("stand")),
    "a dealer who busts": blackjack("Th 6d 9s Kc Qh", "stand", press=button("stand")),
    "boxes": blackjack("Th 9c 4d 6d 6s 9s 7h Kc 5d 9h", *("stand",) * 3, press=button("stand"), boxes=3),
    "hands of a split": blackjack(
        "8h 6d 8s Tc 3h 5d 7c 5c 6h", "split", "stand", "hit", "stand", press=button("stand")
    ),
    "seven cards again": Case("blackjack", "vegas", (SEVEN,), ("deal", "hit"), NEXT, (100,), step=0),
    **{
        name: CASES[name]
        for name in (
            "blackjack: a natural",
            "blackjack: a hit to 21",
            "blackjack: bust",
            "blackjack: a double",
            "blackjack: the dealer's natural",
            "blackjack: no hole card",
            "classic: the dealer draws",
            "replay: a double",
        )
    },
}

LOOK = """() => {
  const names = (fan) => Array.from(fan.querySelectorAll(".card:not(.card--coming) use"), (use) => use.getAttribute("href").split("#c-")[1]);
  const read = (part) => {
    const shown = part.querySelector(".total");
    const isSeen = shown?.checkVisibility({visibilityProperty: true});
    return [names(part.querySelector("[data-cards]")), isSeen ? (part.querySelector(".total__long") ?? shown).textContent.trim() : null];
  };
  const sum = document.querySelector(".purse__sum");
  return {
    hands: Array.from(document.querySelectorAll(".dealer:not(.dealer--none), .pile"), read),
    sentence: document.querySelector(".verdict__name").textContent.trim(),
    states: Array.from(document.querySelectorAll(".pile__word"), (word) => word.textContent.trim()),
    purse: Number(sum?.checkVisibility({visibilityProperty: true}) ? sum.textContent.replace(",", "") : 0),
    bets: Array.from(document.querySelectorAll("[data-laid]"), (laid) => Number(laid.dataset.laid)),
    isTold: document.querySelector("[data-moving=told]") !== null,
    isLast: document.querySelector("#room:not([data-first], [data-moving]), #finish:not([data-first], [data-moving])") !== null,
  };
}"""
"""The cards that lie open in each hand, with the total that is shown beside them; and the rest that is said."""


def seen(page: Page, dealer: Dealer, case: Case, is_mute: bool = False) -> list[dict[str, Any]]:
    """Return what each frame of a case shows. ``is_mute``: the page knows nothing but the result."""
    address, before, after = states(dealer.app, case)
    if is_mute:
        after = re.sub(r"<template data-with.*?</template>", "", after, flags=re.DOTALL)
    page.clock.install()

    def answer(route: Route) -> None:
        body = before if route.request.is_navigation_request() else after
        route.fulfill(body=body, content_type="text/html; charset=utf-8")

    page.route(re.compile(r"/(play|h)/"), answer)
    page.goto(address)
    root = page.locator("#room, #finish").first
    root.evaluate("root => root.setAttribute('data-first', '')")
    with stopped(page):
        page.locator(case.press).first.evaluate("button => button.click()")
        page.locator("[data-moving]").wait_for(state="attached")
        return frames(page, LOOK, None)


def counted(cards: list[str]) -> int:
    return total(parse_cards("".join(card for card in cards if card != "back")))


def number(text: str) -> int:
    return int(re.sub(r"\D", "", text))


def miscounted(shown: list[dict[str, Any]]) -> list[tuple[int, int, str]]:
    """Return totals that count other cards than those that lie there, with the time and the hand.

    A total may be one frame late.
    """
    wrong = []
    allowed: list[set[int]] = []
    for nth, frame in enumerate(shown):
        sums = [counted(cards) for cards, _ in frame["hands"]]
        allowed = [{now, *(before - {0})} for now, before in zip(sums, allowed or [set()] * len(sums), strict=True)]
        wrong += [
            (nth * FRAME, hand, text)
            for hand, (_, text) in enumerate(frame["hands"])
            if text is not None and number(text) not in allowed[hand]
        ]
        allowed = [{now} for now in sums]
    return wrong


@pytest.mark.parametrize("name", TURNS)
def test_every_total_counts_the_cards_that_lie_there(desktop: Page, dealer: Dealer, name: str) -> None:
    shown = seen(desktop, dealer, TURNS[name])
    assert len(shown) > 20
    assert miscounted(shown) == []
    for frame in shown:
        if frame["sentence"].startswith("Dealer "):
            assert number(frame["sentence"]) == number(frame["hands"][0][1])


@pytest.mark.parametrize("name", ["seven cards", "seven cards again", "blackjack: a double"])
def test_a_page_that_tells_nothing_but_the_result_is_found_out(desktop: Page, dealer: Dealer, name: str) -> None:
    assert miscounted(seen(desktop, dealer, TURNS[name], is_mute=True)) != []


def sentences(shown: list[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(frame["sentence"] for frame in shown))


def test_the_dealer_says_what_the_rule_is_before_the_result(desktop: Page, dealer: Dealer) -> None:
    shown = seen(desktop, dealer, TURNS["seven cards"])
    assert sentences(shown) == [
        "You have 16",
        "You have 21",
        *(f"Dealer {total}: must draw" for total in (5, 7, 9, 12, 16)),
        "Dealer 25: bust",
        "The dealer is bust, you win: +100",
    ]
    last = [nth for nth, frame in enumerate(shown) if frame["sentence"] == "Dealer 25: bust"]
    assert 240 <= len(last) * FRAME <= 240 + 2 * FRAME
    setting_out = [
        next(n for n, frame in enumerate(shown) if f" {total}:" in frame["sentence"]) for total in (9, 12, 16)
    ]
    assert [round((b - a) * FRAME / 70) * 70 for a, b in pairwise(setting_out)] == [420, 560]


def test_the_box_no_longer_waits_for_its_player_while_the_dealer_plays(desktop: Page, dealer: Dealer) -> None:
    for name, state in (("a dealer who busts", "stands"), ("blackjack: a double", "doubled")):
        shown = seen(desktop, dealer, TURNS[name])
        told = [frame for frame in shown if frame["sentence"].startswith("Dealer")]
        assert told
        assert all(frame["states"] == [state] for frame in told)


def test_a_stake_leaves_the_purse_at_once_and_lies_in_its_box_with_the_card(desktop: Page, dealer: Dealer) -> None:
    shown = seen(desktop, dealer, CASES["blackjack: a double"])
    purse = [frame["purse"] for frame in shown]
    assert purse[0] == 900
    assert purse[240 // FRAME : -1] == [800] * (len(purse) - 1 - 240 // FRAME)
    assert [frame["bets"] for frame in shown][: 250 // FRAME] == [[100]] * (250 // FRAME)
    assert shown[300 // FRAME]["bets"] == [200]


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("joker: a deal that pays", 90),
        ("joker: the second exchange", 90),
        ("video: a deal", 90),
        ("video: a draw for nothing", 90),
        ("blackjack: a deal", 900),
    ],
)
def test_a_bet_leaves_the_purse_while_the_cards_are_dealt(desktop: Page, dealer: Dealer, name: str, left: int) -> None:
    purse = [frame["purse"] for frame in seen(desktop, dealer, CASES[name])]
    assert purse[240 // FRAME :] == [left] * (len(purse) - 240 // FRAME)


DISCS = """(() => {
  const animate = Element.prototype.animate;
  window.discs = [];
  Element.prototype.animate = function (frames, options) {
    if (this.matches(".disc")) discs.push({ look: this.className, left: this.style.left, top: this.style.top, to: frames[1].transform, ends: options.duration });
    return animate.call(this, frames, options);
  };
})()"""


@pytest.mark.parametrize(
    ("name", "discs"),
    [
        ("blackjack: a double", ["disc chip--100"]),
        ("blackjack: a split", ["disc chip--100"]),
        ("blackjack: insurance for nothing", ["disc chip--50"]),
        ("blackjack: a hit", []),
    ],
)
def test_a_disc_goes_from_the_purse_to_the_box(desktop: Page, dealer: Dealer, name: str, discs: list[str]) -> None:
    desktop.add_init_script(DISCS)
    address, before, after = states(dealer.app, CASES[name])

    def answer(route: Route) -> None:
        body = before if route.request.is_navigation_request() else after
        route.fulfill(body=body, content_type="text/html; charset=utf-8")

    desktop.route(re.compile(r"/play/"), answer)
    desktop.goto(address)
    desktop.locator("#room").evaluate("root => root.setAttribute('data-first', '')")
    desktop.locator(CASES[name].press).first.evaluate("button => button.click()")
    desktop.locator("#room:not([data-first], [data-moving])").wait_for(state="attached")
    thrown = desktop.evaluate("discs")
    assert [each["look"] for each in thrown] == discs
    assert all(each["ends"] == 220 for each in thrown)
    expect(desktop.locator(".wins > .disc")).to_have_count(0)


def test_the_actions_fade_in_their_shape_while_the_dealer_plays(phone: Page, dealer: Dealer) -> None:
    address, before, after = states(dealer.app, TURNS["seven cards"])

    def answer(route: Route) -> None:
        body = before if route.request.is_navigation_request() else after
        route.fulfill(body=body, content_type="text/html; charset=utf-8")

    phone.route(re.compile(r"/play/"), answer)
    phone.goto(address)
    phone.locator(button("hit")).evaluate("button => button.click()")
    faded = phone.locator("[data-moving=told] .dock[inert] .acts")
    faded.wait_for(state="attached")
    faded.evaluate("acts => acts.getAnimations().forEach(each => each.finish())")
    opacity, height = faded.evaluate("acts => [getComputedStyle(acts).opacity, acts.getBoundingClientRect().height]")
    assert (opacity, height > 100) == ("0", True)


def test_nothing_shifts_while_the_dealer_plays(visit: Visit, dealer: Dealer) -> None:
    page = visit(PHONE)
    watch_shifts(page)
    for name in ("seven cards", "boxes", "hands of a split"):
        assert shifted(page, dealer, TURNS[name]) == [], name
