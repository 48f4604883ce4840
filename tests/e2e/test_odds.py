"""The odds desk in a browser: by touch, by keyboard, without JavaScript; the price of rules; the chart."""

import os
import re
import subprocess
import sys
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.axe import in_both_lights
from tests.e2e.conftest import DESKTOP, PHONE, TABLET, Console, Visit
from tests.e2e.geometry import overlaid, still
from tests.e2e.pictures import shoot
from tests.e2e.visitor import tab_to
from tests.support.languages import CODES, WIDEST
from tests.support.server import Server

OVERFLOWS = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
TOO_WIDE = """all => all.filter(it => it.scrollWidth > it.clientWidth).map(it =>
  `${it.textContent} ${it.scrollWidth} in ${it.clientWidth}`)"""
SIXTEEN = "/odds/blackjack?cards=Th6s&dealer=Tc&table=vegas"
ROYAL = "/odds/joker?table=kings-or-better&cards=AhKhQhJh2c"
HOLDS = "/odds/video/holds?table=deuces-full"
INDEX = "/odds/blackjack/index?table=classic"
ANSWERED = "#desk .odds__table"
STANDS = """() => { window.stood = new Set();
  const look = () => { const { y } = document.querySelector("form.own").getBoundingClientRect();
    stood.add(Math.round(y + scrollY)); requestAnimationFrame(look); };
  look(); }"""
MOST_LOOKS = 1000
"""On a busy machine a page that does not ask by itself is looked at often."""


@pytest.fixture(scope="module", autouse=True)
def tables(server: Server) -> None:
    """Build the slowest tables in advance: on a busy machine builders have the lowest priority."""
    environ = {**os.environ, "TEFUDA_INSTANCE": str(server.instance)}
    for words in (
        ("hold", "Ah Kh Qh Jh 2c", "--table", "joker/kings-or-better"),
        ("game", "blackjack/vegas"),
        ("game", "blackjack/vegas,blackjack_pays=6:5"),
    ):
        script = "from webapp.cli import main; main()"
        subprocess.run([sys.executable, "-c", script, "odds", *words], env=environ, check=True, capture_output=True)


def tap_in(page: Page, *names: str) -> None:
    """Tap keys one by one, each when the previous one has had its effect."""
    for name in names:
        url = page.url
        key = page.get_by_role("link", name=name, exact=True)
        key.tap() if page.viewport_size and page.viewport_size["width"] < 600 else key.click()
        page.wait_for_url(lambda now, before=url: now != before)


def test_a_hand_is_tapped_in_on_a_phone(phone: Page) -> None:
    phone.goto("/odds/joker?table=kings-or-better")
    tap_in(phone, "Ace of hearts", "King of hearts", "Queen of hearts", "Jack of hearts", "Two of clubs")
    expect(phone.get_by_role("heading", name=re.compile("Best: Hold"))).to_be_visible(timeout=120_000)
    best = phone.locator(f"{ANSWERED} .odds__best").first
    expect(best).to_contain_text("19.8958")
    still(phone)
    phone.get_by_role("link", name="Two of clubs: take it away").dispatch_event("click")  # wherever the page has put it
    expect(phone.get_by_text("Choose 1 more card.")).to_be_visible()


def test_a_tap_while_an_answer_is_on_its_way_is_made_on_what_it_shows(desktop: Page) -> None:
    desktop.goto("/odds/joker?table=kings-or-better")
    held: list[Route] = []

    def tap_meanwhile(route: Route) -> None:
        if not held:
            held.append(route)
            for name in ("King of hearts", "Queen of hearts"):
                desktop.get_by_role("link", name=name, exact=True).click()
        route.continue_()

    desktop.route("**/odds/joker?*", tap_meanwhile)
    desktop.get_by_role("link", name="Ace of hearts", exact=True).click()
    expect(desktop.locator(".desk__laid")).to_have_count(3)
    expect(desktop.get_by_text("Choose 2 more cards.")).to_be_visible()
    expect(desktop).to_have_url(re.compile("cards=AhKhQh"))


def test_a_spot_of_blackjack_is_tapped_in_and_hit_upon(phone: Page) -> None:
    phone.goto("/odds/blackjack?table=vegas")
    tap_in(phone, "10", "6", "10")
    expect(phone.get_by_role("heading", name="Best: Hit")).to_be_visible(timeout=120_000)
    tap_in(phone, "4")
    expect(phone.get_by_role("heading", name="Best: Stand")).to_be_visible(timeout=120_000)
    phone.reload()
    expect(phone.get_by_role("heading", name="Best: Stand")).to_be_visible()


@pytest.mark.parametrize("size", [(360, 640), (390, 740)])
def test_the_keys_of_ranks_make_way_for_the_answer(phone: Page, size: tuple[int, int]) -> None:
    phone.set_viewport_size({"width": size[0], "height": size[1]})
    phone.goto("/odds/blackjack?cards=Th6s")
    phone.locator("#rank-9").tap()
    expect(phone.locator("#worth")).to_contain_text("Best:", timeout=60_000)
    expect(phone.locator("#worth")).to_be_in_viewport()
    assert overlaid(phone, ".desk__keys", ".odds > *, .footlinks") == []
    expect(phone.locator(".desk__keys")).to_contain_text("over 21")


def test_with_keys_the_focus_stays_where_the_last_card_was_chosen(desktop: Page) -> None:
    desktop.goto("/odds/blackjack?table=vegas")
    tab_to(desktop, desktop.get_by_role("link", name="8", exact=True))
    for card in range(2):
        desktop.keyboard.press("Enter")
        expect(desktop.locator(".desk__laid")).to_have_count(card + 1)
        expect(desktop.get_by_role("link", name="8", exact=True)).to_be_focused()
    desktop.keyboard.press("Enter")
    expect(desktop.get_by_role("heading", name="Best: Split")).to_be_visible(timeout=120_000)
    expect(desktop.get_by_role("status").first).to_have_text("Best: Split")


def test_it_works_without_scripts(no_js: Page) -> None:
    no_js.goto("/odds/blackjack?table=vegas")
    for name in ("10", "6", "10"):
        no_js.get_by_role("link", name=name, exact=True).click()
    answer, again = no_js.get_by_role("heading", name="Best: Hit"), no_js.get_by_role("link", name="Look again")
    for _ in range(MOST_LOOKS):
        expect(answer.or_(again).first).to_be_visible()
        if answer.count():
            break
        again.click()
    expect(answer).to_be_visible()
    no_js.goto("/rules/blackjack?table=vegas")
    no_js.get_by_label("Blackjack pays").select_option("6:5")
    no_js.get_by_role("button", name="What are these rules worth?").click()
    expect(no_js.get_by_role("heading", name="What these rules are worth")).to_be_visible()


def test_the_price_follows_every_rule_that_is_chosen(desktop: Page, console: Console) -> None:
    console.expect("htmx:(afterRequest|sendAbort)")
    first: list[Route] = []
    desktop.route("**/odds/blackjack/price?table=vegas", lambda route: first.append(route))
    desktop.goto("/rules/blackjack?table=vegas")
    with desktop.expect_event("requestfailed", lambda request: request.url.endswith("/price?table=vegas")):
        desktop.get_by_label("Blackjack pays").select_option("6:5")  # the price of the table before is not wanted
    assert first
    price = desktop.locator("#price")
    expect(price.get_by_text("Blackjack pays: 6:5 instead of 3:2")).to_be_visible(timeout=120_000)
    expect(price.get_by_text("costs 13.6 chips")).to_be_visible()
    assert desktop.url.endswith("/rules/blackjack?table=vegas")
    assert in_both_lights(desktop, lambda light: shoot(desktop, f"odds-price-1280x800-{light}")) == []


@pytest.mark.parametrize(
    ("device", "language"), [*((PHONE, language) for language in CODES), (TABLET, "ja"), (DESKTOP, "ja")]
)
def test_the_rules_stay_where_they_are_whatever_their_price_says(
    visit: Visit, device: dict[str, Any], language: str
) -> None:
    page = visit(device, locale=language)

    def look_first(route: Route) -> None:
        page.evaluate(STANDS)
        route.continue_()

    page.route("**/odds/blackjack/price?table=vegas", look_first)
    page.goto("/rules/blackjack?table=vegas")
    expect(page.locator("#price b")).to_be_visible(timeout=120_000)
    page.locator("form.own [name=blackjack_pays]").select_option("6:5")
    expect(page.locator("#price li b")).to_be_visible(timeout=120_000)
    page.locator("form.own [name=decks]").select_option("8")  # a price that is not cached
    expect(page.get_by_role("progressbar").or_(page.locator("#price li").nth(1))).to_be_visible(timeout=120_000)
    assert len(page.evaluate("() => [...stood]")) == 1


def test_the_exact_return_of_an_own_pay_table_is_there_as_it_is_changed(phone: Page) -> None:
    phone.goto("/rules/video?table=jacks-9-6")
    expect(phone.locator("#price b")).to_have_text("0.9954 coins", timeout=120_000)
    phone.locator("select[name=full_house]").select_option("8")
    expect(phone.locator("#price b")).to_have_text("0.9839 coins", timeout=120_000)
    expect(phone.locator("#price")).to_contain_text("Exactly 38009381393/38630291700")
    phone.locator("select[name=flush]").select_option("5")
    expect(phone.locator("#price")).to_contain_text("34.6 chips less", timeout=120_000)
    phone.get_by_role("button", name="To this table").click()
    expect(phone).to_have_url(re.compile(r"/play/video\?table=jacks-8-5$"))


def test_the_price_above_the_rules_leaves_room_for_them(visit: Visit) -> None:
    for width, height in ((360, 640), (390, 844), (640, 360), (844, 390), (768, 1024)):
        page = visit({**PHONE, "viewport": {"width": width, "height": height}})
        page.goto("/rules/blackjack?table=vegas")
        expect(page.locator("#price b")).to_be_visible(timeout=120_000)
        price = page.locator(".price__now").bounding_box()
        assert price and price["height"] <= 0.27 * height, (width, height)


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_the_pages_please_axe(request: pytest.FixtureRequest, size: str) -> None:
    page: Page = request.getfixturevalue(size)
    wrong = {}
    for name, path in {
        "blackjack": SIXTEEN,
        "joker": ROYAL,
        "empty": "/odds/poker",
        "chart": "/lab/chart",
        "holds": HOLDS,
        "index": INDEX,
    }.items():
        page.goto(path)
        if "cards" in path or path == INDEX:
            expect(page.locator(ANSWERED if "cards" in path else ".plays__index").first).to_be_visible(timeout=120_000)
        found = in_both_lights(page, lambda light, name=name: shoot(page, f"odds-{name}-{size}-{light}"))
        wrong |= {name: found} if found else {}
        assert not page.evaluate(OVERFLOWS), name
    assert wrong == {}


@pytest.mark.parametrize("language", WIDEST)
def test_the_pages_fit_a_phone_in_every_language(visit: Visit, language: str) -> None:
    page = visit(PHONE, locale=language)
    for path in (
        SIXTEEN,
        ROYAL,
        HOLDS,
        INDEX,
        "/odds/table21",
        "/lab/chart?table=european",
        "/odds/joker?table=arcade",
    ):
        page.goto(path)
        if "cards" in path or path == INDEX:
            expect(page.locator(ANSWERED if "cards" in path else ".plays__index").first).to_be_visible(timeout=120_000)
        still(page)
        assert not page.evaluate(OVERFLOWS), path


def test_no_hand_of_the_chart_reaches_into_its_row_on_the_smallest_phone(visit: Visit) -> None:
    for language in CODES:
        page = visit({**PHONE, "viewport": {"width": 320, "height": 568}}, locale=language)
        for path in ("/lab/chart?table=european", INDEX):
            page.goto(path)
            cells = page.locator(".plays__table th, .plays__table td")
            expect(cells.nth(60)).to_be_visible(timeout=120_000)
            assert cells.evaluate_all(TOO_WIDE) == []
            assert not page.evaluate(OVERFLOWS)


@pytest.mark.parametrize("size", [(360, 640), (768, 1024), (1024, 768)])
def test_every_key_of_the_deck_can_be_hit_with_a_thumb(visit: Visit, size: tuple[int, int]) -> None:
    page = visit({**PHONE, "viewport": dict(zip(("width", "height"), size, strict=True))})
    for path in ("/odds/joker?table=kings-or-better", "/odds/blackjack"):
        page.goto(path)
        keys = page.locator("a.allcards__card, a.ranks__key, a.desk__place")
        sizes = keys.evaluate_all(
            "(all) => all.map((key) => key.getBoundingClientRect()).map((r) => [r.width, r.height])"
        )
        assert sizes and min(min(size) for size in sizes) >= 40, path


def test_the_names_of_the_cards_fit_their_keys(visit: Visit) -> None:
    page = visit(DESKTOP)
    for width in (320, 632, 960, 1024, 1199, 1200, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto("/odds/joker")
        keys = page.locator(".allcards__card")
        assert keys.count() == 53
        assert keys.evaluate_all(TOO_WIDE) == [], width


def test_the_chart_is_printed_without_what_is_around_it(desktop: Page) -> None:
    desktop.goto("/lab/chart")
    desktop.emulate_media(media="print")
    expect(desktop.locator(".topbar")).to_be_hidden()
    expect(desktop.locator(".foot")).to_be_hidden()
    expect(desktop.get_by_role("table", name="Hard totals")).to_be_visible()
