"""The lab in a browser: the progress of a simulation, on a phone, in both themes, and without JavaScript."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.axe import in_both_lights
from tests.e2e.conftest import PHONE, Console, Visit
from tests.e2e.geometry import still
from tests.e2e.pictures import shoot
from tests.e2e.traffic import requests_of
from tests.support.languages import WIDEST

SIMULATED = 240_000
"""Milliseconds for the lab, whose processes have the lowest priority and wait for all others of a busy machine."""
OVERFLOWS = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


def begin(page: Page, rounds: str = "300000") -> None:
    page.goto("/lab")
    page.locator("[name=rounds]").fill(rounds)
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url(re.compile("/lab/[0-9a-f]{16}"))


def test_a_simulation_comes_to_its_end_by_itself(phone: Page) -> None:
    phone.clock.install()
    begin(phone)
    expect(phone.get_by_role("heading", name="Finished")).to_be_visible(timeout=SIMULATED)
    expect(phone.get_by_text("300,000 of 300,000 rounds")).to_be_visible()
    with requests_of(phone) as asked:
        phone.clock.run_for(60_000)
    assert asked == [], "what is finished is not asked for again"
    assert in_both_lights(phone, lambda light: shoot(phone, f"lab-run-360x640-{light}")) == []
    assert not phone.evaluate(OVERFLOWS)


CLIPPED = """() => [...document.querySelectorAll(".stat, .stat dd, .btn, .run__title")]
  .filter((each) => each.scrollWidth > each.clientWidth || (each.matches(".btn") && each.scrollHeight > each.clientHeight))
  .map((each) => `${each.className} ${each.textContent.trim()}`)"""


def test_no_figure_of_a_comparison_touches_the_edge_of_its_card(desktop: Page) -> None:
    """A difference of +6.924 % once overlapped the edge where three cards were side by side, or two at 360 px."""
    desktop.goto("/lab?table=vegas&other_table=single&other_strategy=mimic&rounds=100000")
    desktop.get_by_role("button", name="Begin").click()
    expect(desktop.get_by_role("heading", name="Finished")).to_be_visible(timeout=SIMULATED)
    for width in (360, 375, 390, 412, 430, 600, 768, 960, 1280):
        desktop.set_viewport_size({"width": width, "height": 800})
        assert desktop.evaluate(CLIPPED) == [], width
        assert not desktop.evaluate(OVERFLOWS), width


def test_bets_by_the_count_are_read_at_any_size(desktop: Page) -> None:
    desktop.goto(
        "/lab?count=hi-lo&ramp=1-8&other_ramp=-2:0,-1:1,0:2,1:4,2:8,3:12,4:16,5:20&bankroll=1000000&rounds=100000"
    )
    expect(desktop.get_by_label("Counting system")).to_have_value("hi-lo")
    desktop.get_by_role("button", name="Begin").click()
    expect(desktop.get_by_role("heading", name="Finished")).to_be_visible(timeout=SIMULATED)
    for name in ("counts", "paths-1", "paths-2"):
        desktop.locator(f"#{name} > summary").click()
    for width in (320, 360, 390, 640, 768, 1280):
        desktop.set_viewport_size({"width": width, "height": 800})
        assert desktop.evaluate(CLIPPED) == [], width
        assert not desktop.evaluate(OVERFLOWS), width
        assert in_both_lights(desktop, lambda light, width=width: shoot(desktop, f"lab-counting-{width}-{light}")) == []


TILES = """() => [...document.querySelectorAll(".stats__row")].flatMap((row) => {
  const tiles = [...row.children].map((each) => each.getBoundingClientRect());
  const edge = row.getBoundingClientRect().right;
  return [...new Set(tiles.map((each) => each.top))].flatMap((top) => {
    const line = tiles.filter((each) => each.top === top);
    const heights = new Set(line.map((each) => Math.round(each.height)));
    const hole = edge - Math.max(...line.map((each) => each.right));
    return heights.size > 1 || hole > 1 ? [`${[...heights]} high, ${hole} px empty`] : [];
  });
})"""


@pytest.mark.parametrize("language", WIDEST)
def test_figures_of_a_result_fill_their_rows(visit: Visit, language: str) -> None:
    """At no size there is a single tile in a row, or one lower than its neighbours."""
    page = visit(locale=language)
    page.goto("/lab?table=vegas&other_table=single&other_strategy=mimic&rounds=100000")
    page.locator("main form button[type=submit]").last.click()
    page.wait_for_url(re.compile("/lab/[0-9a-f]{16}"))
    expect(page.locator("#run:not([data-poll])")).to_have_count(1, timeout=SIMULATED)
    for size in ((320, 640), (360, 640), (390, 844), (768, 1024), (1280, 800), (1920, 1080), (640, 360)):
        page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))  # type: ignore[arg-type]
        assert page.locator(".run .stat").count() == 9
        assert page.evaluate(TILES) == [], size
        assert page.evaluate(CLIPPED) == [], size
        assert not page.evaluate(OVERFLOWS), size


def test_what_is_stopped_keeps_what_was_counted(desktop: Page) -> None:
    begin(desktop, "20000000")
    stop = desktop.get_by_role("button", name="Stop, and keep what was counted")
    over = desktop.get_by_role("heading", name=re.compile("Stopped|Finished"))
    expect(stop.or_(over).first).to_be_visible()
    stop.evaluate_all("found => found.forEach(button => button.click())")  # if the job has not ended meanwhile
    expect(over).to_be_visible(timeout=SIMULATED)


def test_what_is_unfolded_stays_so_when_the_page_has_asked_again(desktop: Page) -> None:
    """The page reloads its results every second during a simulation; here the test triggers the reload."""
    begin(desktop)
    expect(desktop.get_by_role("heading", name="Finished")).to_be_visible(timeout=SIMULATED)
    desktop.evaluate("""() => {
      const run = document.getElementById("run");
      const asks = { "data-poll": "", "hx-get": location.pathname, "hx-trigger": "again", "hx-swap": "outerHTML" };
      for (const [name, value] of Object.entries(asks)) run.setAttribute(name, value);
      htmx.process(run);
    }""")
    desktop.get_by_text("As a table").click()
    desktop.evaluate("htmx.trigger('#run', 'again')")
    expect(desktop.locator("#run:not([data-poll])")).to_have_count(1)
    expect(desktop.locator("#course")).to_have_attribute("open", "")


@pytest.mark.parametrize("path", ["/lab", "/lab/exercise?seed=7", "/lab?table=vegas,decks=2&other_table=single"])
def test_the_pages_please_axe(phone: Page, path: str) -> None:
    phone.goto(path)
    name = path.strip("/").replace("/", "-").partition("?")[0]
    assert in_both_lights(phone, lambda light: shoot(phone, f"lab-{name}-{light}")) == []


@pytest.mark.parametrize("language", WIDEST)
def test_the_pages_fit_a_phone(visit: Visit, language: str) -> None:
    page = visit(PHONE, locale=language)
    for path in ("/lab", "/lab/exercise?seed=7", "/lab?table=vegas,decks=2&other_table=single"):
        page.goto(path)
        still(page)
        assert not page.evaluate(OVERFLOWS), path


def test_without_scripts_it_is_looked_at_again(no_js: Page, desktop: Page) -> None:
    """Another page, with scripts, shows when the result is there."""
    begin(no_js, "20000000")
    expect(no_js.get_by_text("of 20,000,000 rounds")).to_be_visible()
    desktop.goto(no_js.url)
    expect(desktop.get_by_role("heading", name="Finished")).to_be_visible(timeout=SIMULATED)
    expect(no_js.get_by_role("heading", name="Finished")).to_have_count(0)
    no_js.get_by_role("link", name="Look again").click()
    expect(no_js.get_by_role("heading", name="Finished")).to_be_visible()
    expect(no_js.get_by_text("20,000,000 of 20,000,000 rounds")).to_be_visible()


def test_what_is_wrong_is_said_at_its_field_and_the_rest_is_kept(desktop: Page, console: Console) -> None:
    console.expect("status of 422")
    desktop.goto("/lab")
    desktop.get_by_label("Table").first.select_option("single")
    desktop.locator("[name=rounds]").fill("0")
    desktop.get_by_role("button", name="Begin").click()
    field = desktop.locator("[name=rounds]")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description(re.compile("Choose how many rounds to play: a whole number from 1 to"))
    expect(desktop.get_by_label("Table").first).to_have_value("single")
