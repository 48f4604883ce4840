"""Fixtures of the browser tests: pages of a real browser on a running server.

``phone``, ``desktop`` and ``no_js`` are pages of three different people, each with cookies of their own, and with the
server's address as base URL: ``phone.goto("/")``. ``visit(...)`` opens more. A test fails if one of its pages writes to
the console, which includes reports of the content security policy, if an exception is not caught, or if a request gets
no response, unless the test has called ``console.expect("409")``. ``dealer`` has hands in every state.

Unless motion is tested (``moving``), pages prefer reduced motion, which saves a third of the work. Pages are reused
after they were wiped (used_pages.py).
"""

import os
import re
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Playwright, Request, expect

from tests.e2e import axe as axe_core
from tests.e2e import browser as browsers
from tests.e2e.dealer import Dealer
from tests.e2e.pictures import picture
from tests.e2e.taps import REMEMBER
from tests.e2e.used_pages import UsedPage, UsedPages
from tests.support.server import Server

FAILED = pytest.StashKey[bool]()

# Pixels are painted by the processor here. A phone has four or nine for each of these; nothing depends on them.
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 640},
    "device_scale_factor": 1,
    "has_touch": True,
    "is_mobile": True,
}
TALL = {**PHONE, "viewport": {"width": 390, "height": 844}}
LANDSCAPE = {**PHONE, "viewport": {"width": 640, "height": 360}}
TABLET = {**PHONE, "viewport": {"width": 768, "height": 1024}}
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}

REPORTS = """
addEventListener("securitypolicyviolation", (event) =>
  console.error(`blocked by policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
"""

NO_REVIEWS = """
addEventListener("htmx:before:request", (event) => {
  if (["review", "decisions"].includes(event.target.id)) event.preventDefault();
});
"""
"""A review arrives whenever another process has worked it out: pages ask only in tests with the fixture ``reviews``."""

CUTS = """
(() => {
  const honest = crypto.getRandomValues.bind(crypto);
  let last = SEED;
  const next = () => (last = (Math.imul(last, 1664525) + 1013904223) >>> 0) >>> 24;
  crypto.getRandomValues = (array) =>
    array instanceof Uint8Array && array.length === 12 ? Object.assign(array, array.map(next)) : honest(array);
})();
"""
"""Cuts, which are 12 bytes, are the same in every run of a test: its server deals by a seed."""

PATIENCE = 30_000
"""Milliseconds until what is waited for is taken to have failed. A fast machine never waits for them."""
expect.set_options(timeout=PATIENCE)

Visit = Callable[..., Page]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("e2e")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any], playwright: Playwright) -> dict[str, Any]:
    path = browsers.find(playwright.chromium.executable_path)
    if path is None:
        pytest.fail(browsers.MISSING, pytrace=False)
    return {**browser_type_launch_args, "executable_path": path, "args": list(browsers.FLAGS)}


class Console:
    """Console messages of the pages, without those that the test expects."""

    def __init__(self) -> None:
        self.complaints: list[str] = []
        # a service worker would answer what the tests want to hold back; one of them lets it work
        self._expected: list[str] = ["Service Worker registration blocked by Playwright"]

    def expect(self, pattern: str) -> None:
        """Ignore messages that match this regular expression."""
        self._expected.append(pattern)

    def listen(self, page: Page, scripts: bool = True) -> None:
        """Collect the messages of a page.

        Where scripts are disabled the browser warns about preloaded modules; that is ignored.
        """
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.complaints.append(f"uncaught: {error}"))
        page.on("requestfailed", self._failed if scripts else self._failed_without_scripts)

    def unexpected(self) -> list[str]:
        return [each for each in self.complaints if not any(re.search(pattern, each) for pattern in self._expected)]

    def _heard(self, message: ConsoleMessage) -> None:
        self.complaints.append(f"{message.type}: {message.text} ({message.location.get('url', '')})")

    def _failed_without_scripts(self, request: Request) -> None:
        if (request.resource_type, request.failure) != ("script", "csp"):
            self._failed(request)

    def _failed(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # given up by the page itself, when it was left
            self.complaints.append(f"no answer: {request.method} {request.url} {request.failure}")


@pytest.fixture(scope="session")
def session_dealer(server: Server) -> Iterator[Dealer]:
    with Dealer.of(server) as found:
        yield found


@pytest.fixture
def dealer(session_dealer: Dealer, request: pytest.FixtureRequest) -> Dealer:
    """Hands in every state, on the tables of the site."""
    return session_dealer.serve(request.node.nodeid)


@pytest.fixture
def console() -> Console:
    return Console()


@pytest.fixture(scope="session")
def used_pages(browser: Browser) -> Iterator[UsedPages]:
    waiting = UsedPages(browser)
    yield waiting
    waiting.close()


@pytest.fixture
def visit(used_pages: UsedPages, server: Server, console: Console, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """Open a page of another person: ``visit(PHONE)``, ``visit(DESKTOP, locale="ja", java_script_enabled=False)``."""
    taken: list[UsedPage] = []

    def open_page(device: dict[str, Any] | None = None, **options: Any) -> Page:
        still = {} if request.node.get_closest_marker("moving") else {"reduced_motion": "reduce"}
        options = {
            "base_url": server.url,
            "locale": "en-GB",
            "service_workers": "block",
            **still,
            **(device or DESKTOP),
            **options,
        }
        seed = crc32(f"{len(taken)} {os.environ.get('TEST_CHANCE', '')}".encode())
        scripts = [REPORTS, REMEMBER, CUTS.replace("SEED", str(seed))]
        if "reviews" not in request.fixturenames:
            scripts.append(NO_REVIEWS)
        used = used_pages.take(options, "\n".join(scripts))
        used.page.set_default_timeout(PATIENCE)
        console.listen(used.page, options.get("java_script_enabled", True))
        taken.append(used)
        return used.page

    yield open_page
    failed = request.node.stash.get(FAILED, False)
    for number, used in enumerate(taken):
        if failed and not used.page.is_closed():
            picture(used.page, f"failed-{request.node.name}-{number}")
        if failed:
            used.context.close()
        else:
            used_pages.give_back(used)
    if complaints := console.unexpected():
        pytest.fail("the console complains:\n" + "\n".join(complaints), pytrace=False)


@pytest.fixture
def phone(visit: Visit) -> Page:
    """A page of 360x640 with touch."""
    return visit(PHONE)


@pytest.fixture
def desktop(visit: Visit) -> Page:
    """A page of 1280x800 with mouse and keyboard."""
    return visit(DESKTOP)


@pytest.fixture
def no_js(visit: Visit) -> Page:
    """A desktop page with JavaScript disabled."""
    return visit(DESKTOP, java_script_enabled=False)


@pytest.fixture
def axe() -> Callable[..., list[str]]:
    """Return violations that are more than minor: ``assert axe(page) == []``."""
    return axe_core.axe
