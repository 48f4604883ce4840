"""The page's own clock, in the test's hands: what it does after a while, it does when the test says so."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Locator, Page, expect

STEP = 50
MOST_STEPS = 2000


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
