"""Control of the page's clock: timers and animations run when the test lets them."""

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
    for (let task = 0; task < 6 || globalThis.reading > 0; task++) {
      await new Promise((done) => { others.port1.onmessage = done; others.port2.postMessage(0); });
    }
  }
  others.port1.close();
  return JSON.stringify(seen);
}"""
"""Step the clock in the page itself, as ``page.clock.run_for(FRAME)`` does from outside at ten times the work.

Between frames other tasks have their turns, until all answers are read, which takes no time of this clock."""

COUNT_READINGS = """() => {
  if ("reading" in globalThis) return;
  globalThis.reading = 0;
  const text = Response.prototype.text;
  Response.prototype.text = async function () {
    globalThis.reading += 1;
    try { return await text.call(this); }
    finally { globalThis.reading -= 1; }
  };
}"""
"""Count the answers whose text is being read."""


@contextmanager
def stopped(page: Page) -> Iterator[None]:
    """Stop the page's clock for this block, in which only ``page.clock.run_for`` moves it.

    ``page.clock.install()`` must have been called before the page was opened.
    """
    page.evaluate(COUNT_READINGS)
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 60)
    yield
    page.clock.resume()


def run_until(page: Page, found: Locator) -> None:
    """Let a stopped clock run in small steps until the locator is visible."""
    for _ in range(MOST_STEPS):
        if found.is_visible():
            return
        page.clock.run_for(STEP)
    expect(found).to_be_visible()


def frames(
    page: Page, look: str, argument: Any, most: int = MOST_FRAMES, at_a_time: int = MOST_FRAMES
) -> list[dict[str, Any]]:
    """Let a stopped clock run frame by frame. Return the results of ``look`` up to the one with ``isLast``.

    ``look`` is a JavaScript function of the page, the argument and the milliseconds since the first frame. All frames
    run in one call; if the page sends requests meanwhile that the test answers, pass a small ``at_a_time``.
    """
    script = FRAMES.replace("LOOK", look).replace("FRAME", str(FRAME))
    seen: list[dict[str, Any]] = []
    while len(seen) < most and not (seen and seen[-1]["isLast"]):
        seen += json.loads(page.evaluate(script, [len(seen), min(at_a_time, most - len(seen)), argument]))
    return seen
