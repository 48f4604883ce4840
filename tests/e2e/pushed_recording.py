"""The end of a round on the pages of all viewers: the player of the last move gets a response, the others an update.

The site's app plays the round and pushes updates; each page receives the lines of its own stream, and is recorded
alone.
"""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

from flask import Flask
from playwright.sync_api import Page, Route

from tests.e2e.clocks import stopped
from tests.e2e.table_recording import RESULTS, TableRecording, dealt, record_answered, record_news
from tests.support.streams import OpenStream
from tests.support.table_players import TablePlayer, banker_of, bet_all, betting, people, play_out, players, see_all

SLOW = {"turn_clock": 300, "bet_clock": 300, "absent_after": 120}
STAND = "button[value=stand]"
LINE = """(() => {
  const honest = window.fetch;
  const headers = { "Content-Type": "text/event-stream" };
  const stream = () => new ReadableStream({ start(line) { window.line = line; } });
  window.fetch = async (url, options) => (url.includes("/events") ? new Response(stream(), { headers }) : honest(url, options));
})();"""
HEAR = "text => window.line.enqueue(new TextEncoder().encode(text))"


@dataclass(frozen=True)
class Ending:
    """A viewer's page before the last move, and what arrives: the ``lines`` of the stream, or the response."""

    address: str
    page: str
    lines: str = ""
    answer: str = ""


@contextmanager
def _streams(visitors: list[TablePlayer]) -> Iterator[list[OpenStream]]:
    see_all(visitors)
    opened = [OpenStream(each.line.client, each.code, since=each.version) for each in visitors]
    try:
        yield opened
    finally:
        for stream in opened:
            stream.close()


def with_bets_open(app: Flask) -> list[TablePlayer]:
    """Return three people in their second round, the first one that all of them play."""
    visitors = betting(app, 3, **SLOW)
    bet_all(visitors)
    play_out(visitors)
    for each in visitors:
        each.now("ready")
    see_all(visitors)
    assert (visitors[0].phase, len(players(visitors))) == ("betting", 2)
    return visitors


def endings(app: Flask, cards: str) -> dict[str, Ending]:
    """Return the end of a round by viewer: bank, both players, and a watcher.

    Both players stand, and the second ends it.

    ``cards`` in dealing order: one to each player, one to the bank, and the same again.

    Runs in another thread: streams need an event loop, and this thread has the browser's.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(_played, app, cards).result()


def _played(app: Flask, cards: str) -> dict[str, Ending]:
    with dealt(cards):
        visitors = with_bets_open(app)
        first, second = players(visitors)
        (watcher,) = people(app, 1)
        watcher.come(first.code)
        viewers = {"the bank": banker_of(visitors), "a player": first, "who moves": second, "a watcher": watcher}
        bet_all(visitors)
        with _streams(list(viewers.values())) as streams:
            first.now("stand")
            for stream in streams:  # so that the last move is pushed as what differs
                stream.until(f"event: moved\ndata: {first.version}\n")
            address = f"/t/{first.code}"
            pages = [each.get(address, Accept="text/html").text for each in viewers.values()]
            second.now("stand")
            assert second.phase == "settled"
            lines = [stream.until(f"event: moved\ndata: {second.version}\n") for stream in streams]
        answer = second.get(address, Accept="text/html", **{"HX-Request": "true"}).text
    return {
        name: Ending(address, page, answer=answer) if name == "who moves" else Ending(address, page, said)
        for name, page, said in zip(viewers, pages, lines, strict=True)
    }


def record_ending(page: Page, ending: Ending) -> TableRecording:
    """Record frame by frame what a viewer's page shows when the end of the round arrives."""
    if ending.answer:
        return record_answered(page, ending.address, ending.page, ending.answer, STAND)
    assert "<hx-partial" in ending.lines
    page.clock.install()

    def answer(route: Route) -> None:
        if route.request.is_navigation_request():
            route.fulfill(body=ending.page, content_type="text/html; charset=utf-8")
        else:
            route.fulfill(status=204)

    page.add_init_script(LINE + RESULTS)
    page.route(re.compile(r"/t/"), answer)
    page.goto(ending.address)
    with stopped(page):
        return record_news(page, lambda: page.evaluate(HEAR, ending.lines))
