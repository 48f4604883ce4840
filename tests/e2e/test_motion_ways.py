"""Cards move in and out, uncut and over the felt only; none appears or disappears at once."""

import re
from dataclasses import dataclass, replace
from functools import partial

import pytest
from playwright.sync_api import Page, Route

from tests.e2e.clocks import FRAME, frames, stopped
from tests.e2e.conftest import DESKTOP, LANDSCAPE, PHONE, Visit
from tests.e2e.dealer import Dealer
from tests.e2e.geometry import shifts, watch_shifts
from tests.e2e.motion_cases import CASES, SPLITS
from tests.e2e.recording import Case, record, states

pytestmark = pytest.mark.moving

COMES, LEAVES, MOVES = 260, 220, 200
"""Milliseconds: by them one knows what a card does."""

WAYS = """(() => {
  const animate = Element.prototype.animate;
  window.ways = [];
  Element.prototype.animate = function (frames, options) {
    const animation = animate.call(this, frames, options);
    if (this.matches(".flyer, .card")) {
      const {delay = 0, duration} = options;
      animation.currentTime = delay;
      const [own, felt] = [this, this.closest("[data-felt]")].map((each) => each.getBoundingClientRect());
      animation.currentTime = 0;
      ways.push({
        delay, duration, copied: this.matches(".flyer"), opacity: Number(getComputedStyle(this).opacity),
        beside: Math.max(felt.left - own.left, own.right - felt.right), above: felt.top - own.bottom,
        clipped: getComputedStyle(this.closest(".flyers") ?? document.body).overflow,
      });
    }
    return animation;
  };
})()"""


@dataclass(frozen=True)
class Way:
    """The way of one card. ``beside`` and ``above``: how far outside of the felt it started."""

    delay: float
    duration: float
    copied: bool
    opacity: float
    beside: float
    above: float
    clipped: str


def ways(page: Page, dealer: Dealer, name: str) -> list[Way]:
    page.add_init_script(WAYS)
    record(page, dealer.app, CASES[name], until_told=True)
    return [Way(**each) for each in page.evaluate("ways")]


@pytest.mark.parametrize(
    ("name", "come", "leave", "move"),
    [
        ("poker: a draw that pays", [0, 90, 180], 3, 2),
        ("poker: a card that decides", [0], 1, 4),
        ("joker: the second exchange", [0, 90, 180], 3, 1),
        ("blackjack: a split", [0], 0, 2),
    ],
)
def test_new_cards_come_at_once_and_what_was_there_leaves_or_moves(
    desktop: Page, dealer: Dealer, name: str, come: list[int], leave: int, move: int
) -> None:
    seen = ways(desktop, dealer, name)
    assert sorted(each.delay for each in seen if each.copied and each.duration == COMES) == come
    assert len([each for each in seen if each.copied and each.duration == LEAVES]) == leave
    assert len([each for each in seen if not each.copied and each.duration == MOVES]) == move


@pytest.mark.parametrize("device", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("name", ["poker: a deal", "blackjack: a deal"])
def test_cards_set_out_whole_and_from_the_felt(
    visit: Visit, dealer: Dealer, device: dict[str, object], name: str
) -> None:
    seen = [each for each in ways(visit(device), dealer, name) if each.duration == COMES]
    assert len(seen) >= 4
    for each in seen:
        assert each.opacity == 1
        assert each.clipped == "clip"
        assert each.beside <= 0, "from beside the felt"
        assert each.above <= 0, "from beyond the felt"


IN_THE_AIR = """() => ({
  copies: document.querySelectorAll(".flyer").length,
  seen: Array.from(document.querySelectorAll(".flyer"))
    .filter((copy) => Array.from(copy.children).some((side) => side.checkVisibility({visibilityProperty: true}))).length,
  isLast: document.querySelector("#room:not([data-first], [data-moving])") !== null,
})"""


@pytest.mark.parametrize("name", ["poker: a deal", "blackjack: a deal"])
def test_a_card_that_waits_for_its_flight_is_not_seen(phone: Page, dealer: Dealer, name: str) -> None:
    """The deck lies under the corner there, so its empty frame would look out."""
    address, before, after = states(dealer.app, CASES[name])

    def answer(route: Route) -> None:
        is_first = route.request.is_navigation_request()
        route.fulfill(body=before if is_first else after, content_type="text/html; charset=utf-8")

    phone.clock.install()
    phone.route(re.compile(r"/play/"), answer)
    phone.goto(address)
    phone.locator("#room").evaluate("room => room.setAttribute('data-first', '')")
    with stopped(phone):
        phone.locator(CASES[name].press).first.evaluate("button => button.click()")
        phone.locator("[data-moving]").wait_for(state="attached")
        shown = frames(phone, IN_THE_AIR, None)
    assert shown[0]["copies"] >= 4
    assert [each["seen"] for each in shown[: 90 // FRAME]] == [1] * (90 // FRAME)
    assert shown[90 // FRAME + 2]["seen"] == 2


LANDED = """() => document.addEventListener('landed', () => { document.body.dataset.landed = ''; })"""
REST = "() => document.getAnimations().every(each => each.playState !== 'running')"


def shifted(page: Page, dealer: Dealer, case: Case) -> list[str]:
    """Return layout shifts from one state to the other.

    Uses real time: with a stopped clock cards would land before they have arrived.
    """
    address, before, after = states(dealer.app, case)

    def answer(route: Route) -> None:
        is_first = route.request.is_navigation_request()
        route.fulfill(body=before if is_first else after, content_type="text/html; charset=utf-8")

    page.unroute_all()
    page.route(re.compile(r"/play/"), answer)
    page.goto(address)
    page.evaluate(LANDED)
    page.locator(case.press).first.evaluate("button => button.click()")
    page.locator("[data-landed]").wait_for(state="attached")
    page.wait_for_function(REST)
    return shifts(page)


@pytest.mark.parametrize("name", ["blackjack: a hand of two is bust", "blackjack: three boxes", "blackjack: a double"])
def test_nothing_shifts_when_cards_lie_there(phone: Page, dealer: Dealer, name: str) -> None:
    watch_shifts(phone)
    assert shifted(phone, dealer, CASES[name]) == []


@pytest.mark.parametrize("device", [PHONE, LANDSCAPE, DESKTOP], ids=["phone", "landscape", "desktop"])
def test_the_hands_of_a_split_stay_where_they_are(visit: Visit, dealer: Dealer, device: dict[str, object]) -> None:
    page = visit(device)
    watch_shifts(page)
    assert [(name, found) for name, case in SPLITS.items() if (found := shifted(page, dealer, case))] == []


GOLD = """() => {
  const gold = getComputedStyle(document.documentElement).getPropertyValue("--brass").trim();
  const asked = Object.assign(document.createElement("i"), {style: `color: ${gold}`});
  document.body.append(asked);
  const {color} = getComputedStyle(asked);
  asked.remove();
  return Array.from(document.querySelectorAll(".picks .card__face, .total")).filter((each) => {
    const {backgroundColor, boxShadow} = getComputedStyle(each);
    return backgroundColor === color || boxShadow.includes(color);
  }).length;
}"""
"""How many cards of a pick, or totals, wear gold."""


@pytest.mark.parametrize(
    ("name", "gold"),
    [("double-up: lost", 0), ("double-up: won", 1), ("blackjack: bust", 0), ("blackjack: the dealer draws", 0)],
)
def test_a_loss_wears_no_gold(visit: Visit, dealer: Dealer, name: str, gold: int) -> None:
    page = visit(PHONE, reduced_motion="reduce")
    record(page, dealer.app, CASES[name])
    assert page.evaluate(GOLD) == gold


def test_the_steps_of_a_replay_stay_where_they_are(phone: Page, dealer: Dealer) -> None:
    """Also between a hand and the rounds of its double-up."""
    case = CASES["replay: a round won"]
    places: set[tuple[int, int]] = set()
    for step in range(4):
        address, before, _ = states(dealer.app, replace(case, step=step))
        phone.route(re.compile(r"/h/"), partial(Route.fulfill, body=before, content_type="text/html"))
        phone.goto(address)
        box = phone.locator(".stepper").bounding_box()
        assert box
        places.add((round(box["y"]), round(box["height"])))
    assert len(places) == 1
