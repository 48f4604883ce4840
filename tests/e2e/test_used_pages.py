"""A page that is reused for another test is as good as new, or it is closed."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.e2e.conftest import DESKTOP, PHONE
from tests.e2e.used_pages import KEPT, Options, UsedPages
from tests.support.server import Server

LEFT = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done({
  cookies: document.cookie,
  stored: [localStorage.length, sessionStorage.length],
  name: window.name,
  hovered: document.querySelectorAll("main :hover").length,
  size: [innerWidth, innerHeight],
  own: window.own ?? null,
}))))"""
"""What may have been left behind, when the page has been drawn and has found what lies under its pointer."""

SAYS_IN_ITS_NEXT_TURN = """() => {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => console.error("late");
  channel.port2.postMessage(0);
}"""

LOOK = """() => [document.documentElement.lang, navigator.language, innerWidth,
  ...["(prefers-reduced-motion: reduce)", "(prefers-color-scheme: dark)", "print", "(forced-colors: active)"]
    .map(wish => matchMedia(wish).matches)]"""

SPOILT: dict[str, Callable[[Page], object]] = {
    "a script": lambda page: page.add_init_script("window.own = 1"),
    "a script of the context": lambda page: page.context.add_init_script("window.own = 1"),
    "a clock": lambda page: page.clock.install(),
    "another tab": lambda page: page.context.new_page(),
    "no connection": lambda page: page.context.set_offline(True),
    "a function": lambda page: page.expose_function("told", lambda: None),
    "a session of the protocol": lambda page: page.context.new_cdp_session(page),
    "a page that is closed": lambda page: page.close(),
}


@pytest.fixture
def pages(browser: Browser) -> Iterator[UsedPages]:
    pages = UsedPages(browser)
    yield pages
    pages.close()


@pytest.fixture
def options(server: Server) -> Options:
    return {"base_url": server.url, "service_workers": "block", **DESKTOP}


def test_what_a_test_leaves_behind_is_wiped(pages: UsedPages, options: Options) -> None:
    used = pages.take(options, "")
    page = used.page
    heard: list[str] = []
    page.goto("/")
    new = page.evaluate(LEFT)
    page.on("request", lambda request: heard.append(request.url))
    page.route("**/about", lambda route: route.abort())
    page.set_viewport_size({"width": 500, "height": 500})
    page.context.add_cookies([{"name": "prefs", "value": "language=ja", "url": options["base_url"]}])
    page.evaluate("() => { localStorage.a = sessionStorage.a = document.cookie = window.name = 'a'; }")
    page.locator("main a").first.hover()
    assert all(page.evaluate(LEFT)[each] != value for each, value in new.items() if each != "own")
    pages.give_back(used)
    heard.clear()
    again = pages.take(options, "")
    assert again.page is page
    page.goto("/")
    assert page.evaluate(LEFT) == new
    page.goto("/about")
    assert page.locator("html").get_attribute("lang") == "en"
    assert heard == []


def test_what_a_page_says_at_the_very_end_of_a_test_is_heard(pages: UsedPages, options: Options) -> None:
    used = pages.take(options, "")
    heard: list[str] = []
    used.page.goto("/")
    used.page.on("console", lambda message: heard.append(message.text))
    used.page.evaluate(SAYS_IN_ITS_NEXT_TURN)
    pages.give_back(used)
    assert heard == ["late"]


@pytest.mark.parametrize("name", SPOILT)
def test_what_cannot_be_wiped_ends_with_its_page(pages: UsedPages, options: Options, name: str) -> None:
    used = pages.take(options, "")
    used.page.goto("/")
    SPOILT[name](used.page)
    pages.give_back(used)
    assert used.page.is_closed()
    assert pages.take(options, "").page is not used.page


def test_pages_of_another_kind_are_not_taken(pages: UsedPages, options: Options) -> None:
    used = pages.take(options, "")
    pages.give_back(used)
    for others, script in (({**options, **PHONE}, ""), (options, "window.own = 1")):
        assert pages.take(others, script).page is not used.page


def test_a_page_takes_on_another_size_language_motion_and_theme_and_puts_them_off(
    pages: UsedPages, options: Options
) -> None:
    used = pages.take(options, "")
    used.page.goto("/")
    before = used.page.evaluate(LOOK)
    pages.give_back(used)
    changed = {"viewport": {"width": 360, "height": 640}, "locale": "ja"}
    again = pages.take({**options, **changed, "reduced_motion": "reduce", "color_scheme": "dark"}, "")
    assert again.page is used.page
    again.page.goto("/")
    assert again.page.evaluate(LOOK) == ["ja", "ja", 360, True, True, False, False]
    again.page.emulate_media(media="print", forced_colors="active", color_scheme="dark")
    pages.give_back(again)
    assert pages.take(options, "").page is used.page
    used.page.goto("/")
    assert used.page.evaluate(LOOK) == before == ["en", "en-GB", 1280, False, False, False, False]


def test_only_so_many_pages_wait(pages: UsedPages, options: Options) -> None:
    taken = [pages.take(options, "") for _ in range(KEPT + 1)]
    for each in taken:
        pages.give_back(each)
    assert [each.page.is_closed() for each in taken] == [True, *[False] * KEPT]
