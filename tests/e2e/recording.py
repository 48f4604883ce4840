"""Recordings of a table between two states, while its cards move.

Both states are real pages of the site's app, dealt from chosen packs. The browser opens the first one and presses the
button that leads to the second; the test responds with it. The page's clock is stopped and moved by the recording, so
that every frame is seen, however slow the machine is.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from flask import Flask
from playwright.sync_api import Page, Route

from tests.e2e.clocks import FRAME, MOST_FRAMES, frames, stopped
from tests.support.player import Player
from webapp.engine.cards import Card, parse_cards

REST = "5d6c7h8s9d2c3h4s" * 6

TELLING = (
    ".topbar__title, .purse, .verdict, .paytable__row, .side__more, .dock, .odds, .score, .ladder, .total, "
    ".pile__foot, .line__made, .dealer__word, .shoe, .history, .stepper__now, .pile, .lie, .lie__word, .place, .card--hold, #coach"
)
"""What tells how the hand stands."""

MARKED = """card => {
  const face = card.querySelector(".card__face");
  const tag = card.querySelector(".card__tag--hold");
  const {boxShadow, outlineStyle} = getComputedStyle(face);
  const isSeen = face.checkVisibility({visibilityProperty: true});
  const marks = [
    tag.checkVisibility({visibilityProperty: true}) && "tag",
    isSeen && boxShadow.includes("2.5px") && "line",
    isSeen && outlineStyle === "dashed" && "advised",
  ].filter(Boolean);
  return marks.length ? `mark ${card.querySelector("input").value}: ${marks.join(", ")}` : "";
}"""
"""How a card that may be held is marked, if it is."""

SAID = 240
"""Milliseconds for which what the dealer must do stands before the result."""

TOLD = (
    f"telling => {{ const marked = {MARKED};"
    """return Array.from(document.querySelectorAll(telling))
  .filter(each => each.matches(".side__more, .lie") || each.checkVisibility({visibilityProperty: true}))
  .filter(each => !each.matches("[data-told]") && !each.closest("[data-after][data-told]"))
  .map(each => each.matches(".pile, .lie, .place")
    ? Array.from(each.classList).filter(name => /won|lost|even|active|turn$/.test(name)).join(" ")
    : each.matches(".card--hold") ? marked(each)
    : `${each.className} ${each.textContent.replace(/\\s+/g, " ").trim()}`)
  .filter(Boolean); }"""
)
"""All but what is said with a card before the result (`data-told`), of which tests/e2e/test_dealer_turn.py has a law."""

FLIGHTS = """() => {
  const layer = Array.from(document.querySelectorAll(".flyers")).at(-1);
  const all = document.getAnimations().filter(each => layer?.contains(each.effect.target));
  return all.filter(each => !each.effect.target.closest(".card--faded")).map(each => each.effect.getComputedTiming().endTime);
}"""

ANIMATED = """() => Array.from(new Set(document.getAnimations().flatMap(each => each.effect.getKeyframes().flatMap(Object.keys))))
  .filter(name => !["offset", "computedOffset", "easing", "composite"].includes(name)).sort()"""

BEGUN = f"() => [({ANIMATED})(), Math.max(0, ...({FLIGHTS})())]"

LOOK = f"""({{telling, before, landing, watch, untilTold}}, time) => {{
  const told = ({TOLD})(telling);
  const tellsMore = told.some((text) => !before.includes(text));
  const isMoving = document.querySelector("[data-moving]") !== null;
  return {{told, tellsMore, isLast: (untilTold && tellsMore) || (!isMoving && time > landing + watch)}};
}}"""
"""What one frame tells, and whether that is more than was told before."""


@dataclass(frozen=True)
class Case:
    """Two states of a game.

    ``packs`` are dealt in order, each followed by low cards. ``moves`` lead to the first state; ``press`` is the
    selector of the button that leads to the second. ``step``: the step of the finished hand from which to go to the
    next. ``prefs``: the preferences cookie.
    """

    game: str
    table: str
    packs: tuple[str, ...]
    moves: tuple[str, ...]
    press: str
    stakes: tuple[int, ...] = ()
    step: int | None = None
    prefs: str = "deal=cut"


@dataclass(frozen=True)
class Recording:
    """What the page showed in each frame. ``landing``: the time at which the last relevant card has arrived."""

    landing: float
    animated: list[str]
    frames: list[tuple[int, list[str]]]
    told_at: int | None
    """The time of the first frame that tells more than was told before."""


@contextmanager
def dealt_from(packs: tuple[str, ...]) -> Iterator[None]:
    rows = tuple(parse_cards((pack + REST).replace(" ", "")) for pack in packs)

    def shuffled(
        _seed: bytes, _id: str, _cuts: tuple[str, ...], _packs: Any, offset: int = 0
    ) -> tuple[tuple[Card, ...], ...]:
        return rows

    with patch("webapp.services.records.stored_hand.ShuffledPacks", shuffled):
        yield


def states(app: Flask, case: Case) -> tuple[str, str, str]:
    """Return the address of the first state, its page, and the response that leads to the second state."""
    player = Player(app.test_client())
    player.line.client.set_cookie("prefs", case.prefs)

    def page(path: str) -> str:
        return player.get(path, Accept="text/html").text

    def move(text: str) -> None:
        """Send an action as a browser does; only then cards that pay are marked."""
        verb, *args = text.split()
        fields = [("verb", verb), *(("arg", each) for each in args), *(("stake", str(each)) for each in case.stakes)]
        fields += [("cut", "recorded")] if verb == "deal" else []
        hand = player.hand
        player.post(f"/play/{case.game}/{hand}/{player.step}", fields, Accept="text/html")
        assert player.status == 303, player.answer.text
        player.look(hand=hand)

    with dealt_from(case.packs):
        player.sit(case.game, case.table)
        for each in case.moves[:-1]:
            move(each)
        table = f"/play/{case.game}"
        before = page(table)
        move(case.moves[-1])
        if case.step is None:
            after = page(f"{table}?hand={player.hand}")
            found = re.search(r'<div id="room".*?(?=<dialog|<p id="status")', after, re.DOTALL)
            assert found
            return table, before, found[0]
        return replayed(player, player.hand, case.step)


def replayed(player: Player, key: str, step: int) -> tuple[str, str, str]:
    """Return the address of a finished hand at a step, its page, and the fragment of the next step."""
    address = f"/h/{key}?step={step}"
    before, after = (player.get(each, Accept="text/html").text for each in (address, f"/h/{key}?step={step + 1}"))
    found = re.search(r'<main id="finish".*</main>', after, re.DOTALL)
    assert found
    return address, before, found[0]


WITH_GLORY = """() => Promise.all([...document.querySelectorAll('script[src*="/js/wins.js"]')]
  .map(({ src }) => import(src.replace("wins.js", "glory.js"))))"""
"""Load what a win loads when it comes: the clock of a recording does not wait for it."""


def record(
    page: Page, app: Flask, case: Case, watch: int = 60, until_told: bool = False, at_a_time: int = MOST_FRAMES
) -> Recording:
    """Record frame by frame what the page shows until all cards have arrived and a little longer.

    until_told: stop as soon as it shows more than before.
    """
    root = "#room" if case.step is None else "#finish"
    return record_states(page, states(app, case), case.press, watch, root, until_told, at_a_time)


def record_states(
    page: Page,
    states: tuple[str, str, str],
    press: str,
    watch: int = 60,
    root: str = "#room",
    until_told: bool = False,
    at_a_time: int = MOST_FRAMES,
    begins_with: str = "",
) -> Recording:
    """Record a page between two states: its address, the first of them, and the response to ``press``.

    begins_with: a selector to wait for before the first frame, for what a script shows that is loaded only then.
    """
    address, before, after = states
    page.clock.install()

    def answer(route: Route) -> None:
        is_first = route.request.is_navigation_request()
        if route.request.url.endswith("/hint"):
            route.fallback()
            return
        route.fulfill(body=before if is_first else after, content_type="text/html; charset=utf-8")

    page.route(re.compile(r"/(play|h)/"), answer)
    page.goto(address)
    page.evaluate(WITH_GLORY)
    page.locator(root).evaluate("root => root.setAttribute('data-first', '')")
    with stopped(page):
        told = page.evaluate(TOLD, TELLING)
        page.locator(press).first.evaluate("button => button.click()")
        page.locator(f"{root}:not([data-first])").wait_for(state="attached")
        if begins_with:
            page.locator(begins_with).first.wait_for(state="attached")
        animated, landing = page.evaluate(BEGUN)
        asked = {"telling": TELLING, "before": told, "landing": landing, "watch": watch, "untilTold": until_told}
        seen = [(nth * FRAME, each) for nth, each in enumerate(frames(page, LOOK, asked, at_a_time=at_a_time))]
    told_at = next((time for time, each in seen if each["tellsMore"]), None)
    return Recording(landing, animated, [(time, each["told"]) for time, each in seen], told_at)
