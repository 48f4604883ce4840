"""Taps and clicks that the page never takes for a double tap, however fast the machine is.

The page ignores a second tap that follows soon and close to the first. A person looks at the table before tapping
again; here the next tap is at another point of its control.
"""

from math import dist

from playwright.sync_api import Locator, Page, Position

NEAR = 24
"""Pixels: a tap further away than this is one of its own (static/js/app.js)."""
PLACES = (0.5, 0.2, 0.8)
"""Where a control is tapped, as parts of its width and height: in the middle if possible."""

REMEMBER = """
  document.addEventListener("click", (event) => {
    if (!event.detail) return; // pressed by a key or a script
    globalThis.lastTap = [event.clientX, event.clientY];
    globalThis.taps = (globalThis.taps ?? 0) + 1;
  }, true);
"""
"""Runs in every page before its own scripts."""


def aside(control: Locator) -> Position:
    """Return a point of this control, relative to its corner, at which the page was not tapped last."""
    control.click(trial=True)  # until it is there and does not move any more
    box, last = control.bounding_box(), control.page.evaluate("globalThis.lastTap ?? null")
    assert box is not None
    places = [(box["width"] * x, box["height"] * y) for x in PLACES for y in PLACES]
    if last is None:
        return {"x": places[0][0], "y": places[0][1]}
    x, y = next(place for place in places if dist((box["x"] + place[0], box["y"] + place[1]), last) > NEAR)
    return {"x": x, "y": y}


def tap(control: Locator) -> None:
    """Tap the control."""
    control.tap(position=aside(control))


def click(control: Locator) -> None:
    """Click the control."""
    control.click(position=aside(control))


def tap_at(page: Page, x: float, y: float) -> None:
    """Tap this point of the screen, and wait until the page has received it."""
    before = page.evaluate("globalThis.taps ?? 0")
    page.touchscreen.tap(x, y)
    page.wait_for_function("before => globalThis.taps > before", arg=before)


def to_the_next_page(control: Locator) -> None:
    """Click the control of a page without scripts, and wait until the page that answers has been read to its end."""
    with control.page.expect_event("load"):
        control.click()
