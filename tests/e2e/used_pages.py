"""Browser pages that are reused by the next test.

A new context starts a process, which loads style sheets, scripts and fonts anew: a table of poker takes 0.29 s of CPU
time there, and 0.11 s in a page that was used before, wiping included. If a test leaves behind something that cannot be
wiped, its page is closed.
"""

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from playwright.sync_api import Browser, Error

Options = dict[str, Any]

KEPT: Final = 8
"""Pages of one worker that wait for another test, at most: each is a process with about 80 MB."""
CHANGED: Final = ("viewport", "locale", "reduced_motion", "color_scheme", "forced_colors")
"""What can be changed about a page that was used before."""
EMPTY: Final = "/healthz"
"""A page of the site without a script. A page of another site would end the process."""

# Methods whose effects are not taken back when a page is wiped.
OF_CONTEXT: Final = (
    *("add_init_script", "close", "expose_binding", "expose_function", "grant_permissions", "new_cdp_session"),
    *("new_page", "on", "once", "route", "route_web_socket", "set_extra_http_headers", "set_offline"),
)
OF_PAGE: Final = (
    *("add_init_script", "add_locator_handler", "close", "expose_binding", "expose_function"),
    *("once", "route_web_socket", "set_extra_http_headers"),
)
OF_CLOCK: Final = ("install", "pause_at", "set_fixed_time", "set_system_time")


class UsedPage:
    """A page in a context of its own."""

    def __init__(self, browser: Browser, options: Options, script: str) -> None:
        self.kind = kind(options, script)
        self._is_spoilt = options["service_workers"] != "block"
        lasting = {name: value for name, value in options.items() if name not in CHANGED[1:]}
        self.context = browser.new_context(**(options if self._is_spoilt else lasting))
        self.context.add_init_script(script)
        self.page = self.context.new_page()
        if not self._is_spoilt:  # with a second session, a page loaded while offline takes itself for online
            self._protocol = self.context.new_cdp_session(self.page)
            self._agent = self._protocol.send("Browser.getVersion")["userAgent"]
        self._has_script = options.get("java_script_enabled", True)
        self._listeners: list[tuple[Any, Callable[..., Any]]] = []
        for owner, names in ((self.context, OF_CONTEXT), (self.page, OF_PAGE), (self.page.clock, OF_CLOCK)):
            for name in names:
                setattr(owner, name, self._spoiling(getattr(owner, name)))
        setattr(self.page, "on", self._noting(self.page.on))  # noqa: B010 - a method, which a type checker protects

    def _spoiling(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **options: Any) -> Any:
            self._is_spoilt = True
            return method(*args, **options)

        return call

    def _noting(self, listen: Callable[..., None]) -> Callable[..., None]:
        def on(event: str, listener: Callable[..., Any]) -> None:
            self._listeners.append((event, listener))
            listen(event, listener)

        return on

    def become(self, options: Options) -> None:
        """Take on the size, language, motion and theme of these options, and put off what a test has emulated."""
        if self._is_spoilt:  # it was new, and has them
            return
        if self.page.viewport_size != options["viewport"]:
            self.page.set_viewport_size(options["viewport"])
        language = {"userAgent": self._agent, "acceptLanguage": options.get("locale", "en-GB")}
        self._protocol.send("Emulation.setUserAgentOverride", language)
        self.page.emulate_media(
            media="null",
            color_scheme=options.get("color_scheme", "light"),
            reduced_motion=options.get("reduced_motion", "no-preference"),
            forced_colors=options.get("forced_colors", "null"),
        )

    def wipe(self) -> bool:
        """Make the page as good as new. Return False, with the page closed, if that is impossible."""
        with suppress(Error):  # it has been closed, or has crashed
            self.page.evaluate("0")  # waits for earlier console messages
        for event, listener in self._listeners:
            self.page.remove_listener(event, listener)
        self._listeners.clear()
        if not self._is_spoilt:
            try:
                self._wipe()
            except Error:  # it has crashed, or its server has ended
                pass
            else:
                return True
        self.context.close()
        return False

    def _wipe(self) -> None:
        self.page.unroute_all()
        self.page.goto(EMPTY)
        if self._has_script:
            self.page.evaluate("localStorage.clear(), sessionStorage.clear(), window.name = ''")
        self.context.clear_cookies()


class UsedPages:
    """The unused pages of one worker."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._waiting: list[UsedPage] = []

    def take(self, options: Options, script: str) -> UsedPage:
        """Return an unused page of this kind, or a new one. ``script`` runs before the scripts of each document."""
        wanted = kind(options, script)
        found = next((each for each in self._waiting if each.kind == wanted), None)
        if found is None:
            found = UsedPage(self._browser, options, script)
        else:
            self._waiting.remove(found)
        found.become(options)
        return found

    def give_back(self, used: UsedPage) -> None:
        """Wipe a page and keep it; the one unused for longest is closed if there are too many."""
        if used.wipe():
            self._waiting.append(used)
            if len(self._waiting) > KEPT:
                self._waiting.pop(0).context.close()

    def close(self) -> None:
        while self._waiting:
            self._waiting.pop().context.close()


def kind(options: Options, script: str) -> str:
    """Return what cannot be changed later about a page."""
    lasting = {name: value for name, value in options.items() if name not in CHANGED}
    return json.dumps([lasting, script], sort_keys=True)
