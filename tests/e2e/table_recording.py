"""Recordings of a shared table between two states, while its cards move.

The site's bot banks, and the page's player is the only one against it. Forced moves follow at once and reach the page
as separate steps, so cards may arrive several times.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any
from unittest.mock import patch

from flask import Flask
from playwright.sync_api import Page, Route

from tests.e2e.clocks import FRAME, MOST_FRAMES, frames, stopped
from tests.e2e.recording import ANIMATED, REST, replayed
from tests.support.table_players import TablePlayer
from webapp.engine.cards import Card, parse_cards

TELLING = (
    ".topbar__title, .purse, .company__verdict, .company__dock, .clock, .panel, .history, .total, .lie, .lie__word, "
    ".place, .place--free .btn"
)
TOLD = """telling => Array.from(document.querySelectorAll(telling))
  .filter(each => each.matches(".lie") || each.checkVisibility({visibilityProperty: true}))
  .map(each => each.matches(".lie, .place")
    ? Array.from(each.classList).filter(name => /won|lost|active|turn$/.test(name)).join(" ")
    : `${each.classList[0]} ${each.textContent.replace(/\\d+ s\\b|\\s+/g, " ").trim()}`)
  .filter(Boolean)"""
"""All but the seconds of the clock, which runs by itself."""
RESULTS = """document.addEventListener("result-shown", (event) => {
  (window.results ??= []).push([event.detail.tier, event.detail.isLost, document.querySelectorAll(".card--coming").length]);
});"""
LOOK = f"""(telling, time) => ({{
  coming: document.querySelectorAll(".card--coming").length, told: ({TOLD})(telling), animated: ({ANIMATED})(),
  isLast: time >= {8 * FRAME} && !document.querySelector("[data-moving], [data-stepping]"),
}})"""
"""What one frame shows."""


@dataclass(frozen=True)
class TableCase:
    """Two states of a round.

    ``cards`` are in dealing order; ``press``: selector of the button that leads to the last state.
    """

    cards: str
    moves: tuple[str, ...]
    press: str


@dataclass
class TableRecording:
    """For each frame the number of moving cards and the texts shown. ``before``: the texts shown at first.

    ``results``: tier, whether it is a loss, and the number of cards moving when it was shown.
    """

    before: list[str]
    frames: list[tuple[int, int, list[str]]] = field(default_factory=list)
    animated: list[str] = field(default_factory=list)
    results: list[list[Any]] = field(default_factory=list)

    @property
    def told_too_early(self) -> list[tuple[int, list[str]]]:
        """Return texts that appeared in a frame while cards were moving."""
        known, early = self.before, []
        for time, coming, told in self.frames:
            new = [text for text in told if text not in known]
            if coming and new:
                early.append((time, new))
            known = told
        return early

    @property
    def landings(self) -> list[int]:
        """Times at which all cards have arrived."""
        on_their_way = [True, *(bool(coming) for _, coming, _ in self.frames)]
        changes = zip(self.frames, pairwise(on_their_way), strict=True)
        return [time for (time, _, _), (was, now) in changes if was and not now]


@contextmanager
def dealt(cards: str) -> Iterator[None]:
    rows = (parse_cards((cards + REST).replace(" ", "")),)

    def shuffled(*_: Any) -> tuple[tuple[Card, ...], ...]:
        return rows

    with patch("webapp.services.records.stored_round.ShuffledPacks", shuffled):
        yield


def _played(app: Flask, case: TableCase) -> Iterator[TablePlayer]:
    """Yield the player before the last move, and again after it."""
    player = TablePlayer(app.test_client())
    with dealt(case.cards):
        player.open(bot=1, name="Aki")
        for text in case.moves:
            if text is case.moves[-1]:
                yield player
            verb, *args = text.split()
            player.do(verb, *args)
            assert player.status == 200, player.answer.text
        yield player


def states(app: Flask, case: TableCase) -> tuple[str, str, str]:
    """Return the address of the table, its page in the first state, and its fragment in the second one."""
    before, after = (
        (player.code, player.get(f"/t/{player.code}", Accept="text/html", **more).text)
        for player, more in zip(_played(app, case), ({}, {"HX-Request": "true"}), strict=True)
    )
    return f"/t/{before[0]}", before[1], after[1]


def replay_states(app: Flask, case: TableCase, step: int) -> tuple[str, str, str]:
    """Return the address of the finished round at a step, its page, and the fragment of the next step."""
    *_, player = _played(app, case)
    with dealt(case.cards):
        return replayed(player, player.see()["last"].rsplit("/", 1)[-1], step)


def record(page: Page, app: Flask, case: TableCase, most: int = MOST_FRAMES) -> TableRecording:
    """Record frame by frame what the page shows until the last state is shown and a little longer."""
    return record_answered(page, *states(app, case), case.press, most)


def answered_by(before: str, after: str) -> Callable[[Route], None]:
    """Return a route handler that responds to navigation with ``before`` and to requests with ``after``."""

    def answer(route: Route) -> None:
        if route.request.is_navigation_request():
            route.fulfill(body=before, content_type="text/html; charset=utf-8")
        elif route.request.method == "POST":
            route.fulfill(body=after, content_type="text/html; charset=utf-8")
        else:
            route.fulfill(status=204)

    return answer


def record_answered(
    page: Page, address: str, before: str, after: str, press: str, most: int = MOST_FRAMES
) -> TableRecording:
    """Record a page whose ``press`` is answered with the fragment of another state."""
    page.clock.install()

    def bring() -> None:
        with page.expect_response(lambda response: response.request.method == "POST"):
            page.locator(press).first.evaluate("button => button.click()")

    page.add_init_script(RESULTS)
    page.route(re.compile(r"/t/"), answered_by(before, after))
    page.goto(address)
    with stopped(page):
        return record_news(page, bring, most)


def record_news(page: Page, bring: Callable[[], None], most: int = MOST_FRAMES) -> TableRecording:
    """Record a page with a stopped clock from calling ``bring`` until everything it brings is shown."""
    recording = TableRecording(page.evaluate(TOLD, TELLING))
    bring()
    page.locator("#room:is([data-moving], [data-stepping], :has(> [data-phase=settled]))").wait_for(state="attached")
    seen = frames(page, LOOK, TELLING, most)
    recording.frames = [(nth * FRAME, each["coming"], each["told"]) for nth, each in enumerate(seen)]
    page.clock.run_for(2 * FRAME)  # a win begins with the next frame
    recording.animated = sorted({name for each in seen for name in each["animated"]})
    recording.results = page.evaluate("window.results ?? []")
    return recording
