"""The requests of a page, to prove that something was sent once or not at all, without waiting for a timeout."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, Request, Route

FENCE = "/healthz?fence"


@contextmanager
def requests_of(page: Page) -> Iterator[list[Request]]:
    """Collect the requests of the page in this block, without pictures and fonts; the list is complete at its end.

    A browser reports requests in the order in which they are sent. The last one of the block is the test's own: when it
    has been answered, everything the page had sent before it is in the list.
    """
    sent: list[Request] = []

    def note(request: Request) -> None:
        if "/static/" not in request.url and FENCE not in request.url:
            sent.append(request)

    page.on("request", note)
    yield sent
    page.evaluate("async fence => (await fetch(fence, { cache: 'no-store' })).status", FENCE)
    page.remove_listener("request", note)


def actions(sent: list[Request]) -> list[str]:
    """Return path and body of the requests that are actions."""
    return [f"{request.url} {request.post_data}" for request in sent if request.method == "POST"]


@contextmanager
def held_back(page: Page, url: str, then: Callable[[], object]) -> Iterator[None]:
    """Call ``then`` while the first action of this block is on its way, before the site receives it."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        if route.request.method == "POST" and not held:
            held.append(route)
            then()
        route.continue_()

    page.route(url, hold)
    yield
    assert held, "nothing was done"
    page.unroute(url, hold)
