"""The page's own clock, in the test's hands: what it does after a while, it does when the test says so."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Locator, Page, expect

STEP = 50
MOST_STEPS = 2000
FRAME = 16
MOST_FRAMES = 400

FRAMES = """async ([first, most, argument]) => {
  const look = LOOK, seen = [];
  const others = new MessageChannel();
  for (let nth = first; nth < first + most; nth++) {
    const found = look(argument, nth * FRAME);
    seen.push(found);
    if (found.isLast) break;
    await globalThis.__pwClock.controller.runFor(FRAME);
    await new Promise((done) => { others.port1.onmessage = done; others.port2.postMessage(0); });
  }
  others.port1.close();
  return JSON.stringify(seen);
}"""
"""Step the clock in the page itself, as ``page.clock.run_for(FRAME)`` does from outside at ten times the work."""


@contextmanager
def stopped(page: Page) -> Iterator[None]:
    """Stop the page's clock in this block, where only ``page.clock.run_for`` moves it. It goes on afterwards.

    ``page.clock.install()`` must have been called before the page was opened.
    """
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 60)
    yield
    page.clock.resume()


def run_until(page: Page, found: Locator) -> None:
    """Let a stopped clock run in small steps until this can be seen, and not much further."""
    for _ in range(MOST_STEPS):
        if found.is_visible():
            return
        page.clock.run_for(STEP)
    expect(found).to_be_visible()


def frames(
    page: Page, look: str, argument: Any, most: int = MOST_FRAMES, at_a_time: int = MOST_FRAMES
) -> list[dict[str, Any]]:
    """Let a stopped clock run frame by frame. Return what ``look`` finds in each, until that says ``isLast``.

    ``look`` is a function of the page, of the argument and of the milliseconds since the first frame. All is done in one
    go: where the page asks for something in the meantime that the test answers, give it time by few frames ``at_a_time``.
    """
    script = FRAMES.replace("LOOK", look).replace("FRAME", str(FRAME))
    seen: list[dict[str, Any]] = []
    while len(seen) < most and not (seen and seen[-1]["isLast"]):
        seen += json.loads(page.evaluate(script, [len(seen), min(at_a_time, most - len(seen)), argument]))
    return seen
