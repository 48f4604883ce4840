"""What moving cards cost: time of the processor in our scripts for each frame, the longest task, and how soon a first card
moves after *Deal again* at a round trip of 300 ms. In a browser, on the site's own pages; looked at by its tracing.
"""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Page, sync_playwright

from tests.bench.table import Row, show
from tests.e2e import browser as browsers
from tests.e2e.chosen_cards import ChosenCards, chosen_cards
from tests.support.app import close, make_app, migrate

SCRIPT_A_FRAME: Final = 4.0


ROUND_TRIP: Final = 300
ROUNDS: Final = "8h Kd 8s 3c 2d"

_TRACED: Final = ("devtools.timeline", "blink.user_timing")
_SCRIPTS: Final = ("FunctionCall", "RunMicrotasks", "v8.evaluateModule")
"""A call of ours, what goes on after a wait, and a module that is fetched when it is needed."""

_MARKS: Final = """
addEventListener("click", () => performance.mark("tap"), true);
document.addEventListener("swapping", () => performance.mark("swapping"));
document.addEventListener("landed", () => performance.mark("landed"));
document.addEventListener("card", () => performance.mark("set out"));
document.addEventListener("card", () => requestAnimationFrame(() => {
  if (!performance.getEntriesByName("first frame").length) performance.mark("first frame");
}));
"""
_STILL: Final = "() => !document.querySelector('[data-moving], .flyer, .wins')"
_TWO_FRAMES: Final = (
    "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))"
)
_LANDED: Final = """() => {
  const [first, landed] = ["first frame", "landed"].map((name) => performance.getEntriesByName(name).at(-1)?.startTime);
  return landed > first;
}"""


@contextmanager
def _traced(page: Page) -> Iterator[list[dict[str, Any]]]:
    """What the browser did in this block, as its tracing tells it."""
    line, events, done = page.context.new_cdp_session(page), list[dict[str, Any]](), list[bool]()
    line.on("Tracing.dataCollected", lambda part: events.extend(part["value"]))
    line.on("Tracing.tracingComplete", lambda _: done.append(True))
    line.send("Tracing.start", {"traceConfig": {"includedCategories": list(_TRACED)}, "transferMode": "ReportEvents"})
    yield events
    line.send("Tracing.end")
    while not done:
        page.evaluate("() => 0")
    line.detach()


def _figures(name: str, events: list[dict[str, Any]]) -> Row:
    """After the swap, which is a figure of its own until the first card sets out: what scripts take, the longest within 16 ms, and a task."""
    marks = {event["name"]: event["ts"] for event in reversed(events) if event.get("cat") == "blink.user_timing"}
    thread = next(event["tid"] for event in events if event["name"] == "swapping")
    own = [e for e in events if e["tid"] == thread and e["ph"] == "X" and e.get("tdur")]
    begin = marks["set out"]
    swap = (begin - max(event["ts"] for event in events if event["name"] == "swapping" and event["ts"] < begin)) / 1000
    scripts = [(e["ts"], e["tdur"] / 1000) for e in _outermost(own, _SCRIPTS) if e["ts"] > begin]
    frames = [sum(cost for at, cost in scripts if start <= at < start + 16_000) for start, _ in scripts]
    tasks = [e["tdur"] / 1000 for e in own if e["ts"] > begin]
    return {
        "while cards move": name,
        "script in a frame, ms": round(max(frames, default=0.0), 1),
        "at most": SCRIPT_A_FRAME,
        "swap, ms": round(swap, 1),
        "longest task, ms": round(max(tasks, default=0.0), 1),
        "tap to first frame, ms": round((marks["first frame"] - marks["tap"]) / 1000),
    }


def _outermost(events: list[dict[str, Any]], names: tuple[str, ...]) -> list[dict[str, Any]]:
    """Those of these names that are not part of another one, whose time has theirs in it."""
    found: list[dict[str, Any]] = []
    for event in sorted((e for e in events if e["name"] in names), key=lambda e: (e["ts"], -e["dur"])):
        if not found or event["ts"] >= found[-1]["ts"] + found[-1]["dur"]:
            found.append(event)
    return found


def _measured(page: Page, name: str, press: str, round_trip: int = 0) -> Row:
    page.locator(press).first.wait_for(state="attached")
    page.wait_for_function(_STILL)
    page.wait_for_timeout(700)  # new buttons ignore taps at first
    page.evaluate("() => performance.clearMarks()")
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    speed = {"offline": False, "latency": round_trip, "downloadThroughput": -1, "uploadThroughput": -1}
    line.send("Network.emulateNetworkConditions", speed)
    with _traced(page) as events:
        page.locator(press).first.evaluate("button => button.click()")
        page.wait_for_function(_LANDED)
        page.evaluate(_TWO_FRAMES)  # a win begins with the next frame
        page.wait_for_function(_STILL)
    line.send("Network.emulateNetworkConditions", {**speed, "latency": 0})
    return _figures(name, events)


def _poker(page: Page, site: ChosenCards) -> Iterator[Row]:
    site.deal("9c 9d 9h 4s 2c 4d 6h 7s", *(ROUNDS,) * 10)
    page.goto("/play/poker")
    yield _measured(page, "poker: a deal", "#sit button")
    for place in (1, 2, 3, 4):
        page.locator(f"#hold-{place}").evaluate("box => box.checked || box.click()")
    yield _measured(page, "poker: a full house", "[data-draw]")
    yield _measured(page, "double-up: its cards", "button[value=double]")
    yield _measured(page, "double-up: won", ".picks > :nth-child(1)")
    page.locator("button[value=collect]").evaluate("button => button.click()")
    page.locator("#sit button").wait_for()
    yield _measured(page, "poker: deal again, 300 ms", "#sit button", ROUND_TRIP)


def _royal(page: Page, site: ChosenCards) -> Iterator[Row]:
    site.deal("Th Jh Qh Kh 2c Ah 6d 7s", *(ROUNDS,) * 10)
    page.goto("/play/poker")
    page.locator("#sit button").first.click()
    for place in (1, 2, 3, 4):
        page.locator(f"#hold-{place}").evaluate("box => box.checked || box.click()")
    yield _measured(page, "poker: a royal flush", "[data-draw]")


def _blackjack(page: Page, site: ChosenCards) -> Iterator[Row]:
    site.deal("Th 6d 9s 2c 3h 4d 5s 8c 9d 2h 3s 4c")
    page.goto("/play/blackjack?table=vegas")
    page.locator("[data-stake]").first.fill("100")
    yield _measured(page, "blackjack: a deal", "#sit button, #deal button")
    yield _measured(page, "blackjack: the dealer draws", "button[value=stand]")


def _boxes(page: Page, site: ChosenCards) -> Iterator[Row]:
    site.deal("Th 8h 5c 6d Ks 8d 6h 2c 3h 4d 5s 8c 9d 2h 3s 4c")
    page.goto("/play/blackjack?table=vegas")
    for button in page.locator("[data-again]").all():
        button.evaluate("button => button.click()")
    for field in page.locator("[data-stake]").all():
        field.fill("50")
    yield _measured(page, "blackjack: three boxes", "#sit button, #deal button")


def measure() -> list[Row]:
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="tefuda-bench-") as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browsers.find(playwright.chromium.executable_path), args=list(browsers.FLAGS)
        )
        for play in (_poker, _royal, _blackjack, _boxes):
            rows += _played(browser, Path(folder, play.__name__), play)
        browser.close()
    show("What moving cards cost the processor of this machine", rows)
    return rows


def _played(browser: Any, folder: Path, play: Callable[[Page, ChosenCards], Iterator[Row]]) -> list[Row]:
    folder.mkdir()
    blank = folder / "blank.sqlite3"
    app = make_app(f"sqlite:///{blank}", folder)
    migrate(app)
    close(app)
    with chosen_cards(blank, folder) as site:
        context = browser.new_context(
            base_url=site.url, viewport={"width": 360, "height": 640}, service_workers="block"
        )
        context.add_init_script(_MARKS)
        rows = list(play(context.new_page(), site))
        context.close()
    return rows
