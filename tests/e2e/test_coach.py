"""The coach at the table: a hint on request, and its mark on the hand."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESKTOP, LANDSCAPE, PHONE, TABLET, TALL, Visit
from tests.e2e.dealer import Dealer, Hand
from tests.e2e.geometry import measured, shifts, small_targets, too_large, watch_shifts
from tests.e2e.stacked import stacked
from tests.e2e.traffic import requests_of
from tests.e2e.visitor import Visitor, finger
from tests.support.cookies import cookie_of
from tests.support.languages import WIDEST
from tests.support.player import Player
from tests.support.server import Server
from webapp.engine.games import SOLO

WORKED_OUT = 60_000
HINT = "form[data-hint] button"
SAID = "#coach .coach__text"


@pytest.fixture(scope="module", autouse=True)
def tables(server: Server) -> None:
    """Build the odds tables in advance: their builders run at the lowest priority."""
    environ = {**os.environ, "TEFUDA_INSTANCE": str(server.instance)}
    script = "from webapp.cli import main; main()"
    words = ("odds", "hold", "Ah Kh Qh Jh 2c", "--table", "poker/quest")
    subprocess.run([sys.executable, "-c", script, *words], env=environ, check=True, capture_output=True)


@pytest.mark.parametrize("language", WIDEST)
def test_a_hint_stands_in_its_place_and_moves_nothing(
    visit: Visit, dealer: Dealer, axe: Callable[..., list[str]], language: str
) -> None:
    phone = visit(PHONE, locale=language)
    watch_shifts(phone)
    phone.goto(dealer.seat(phone, "dealt", fresh=True).table)
    phone.locator(HINT).tap()
    expect(phone.locator(SAID)).to_be_visible(timeout=WORKED_OUT)
    expect(phone.locator(HINT)).to_be_hidden()
    # the label of the draw button is centred, and says something else once the best cards are held
    assert [shift for shift in shifts(phone) if shift.split(maxsplit=1)[1] != "['SPAN.by-script']"] == []
    assert too_large(phone, tall=False) == []
    assert small_targets(phone) == []
    assert axe(phone) == []


def test_by_keys_values_are_shown_and_the_hand_is_marked(desktop: Page, dealer: Dealer) -> None:
    hand = dealer.seat(desktop, "dealt", fresh=True)
    desktop.goto(hand.table)
    desktop.keyboard.press("i")
    expect(desktop.locator(SAID)).to_contain_text("Best:", timeout=WORKED_OUT)
    values = desktop.locator("#coach .coach__values")
    expect(values).to_be_hidden()
    desktop.keyboard.press("e")
    expect(values).to_be_visible()
    board = desktop.request.get("/play/poker", headers={"Accept": "application/json"}).json()
    assert (board["hand"], board["helped"]) == (hand.key, True)


BELOW = """values => {
  const end = values.getBoundingClientRect().bottom + 2; // descenders are as high
  return [...values.children].filter(each => each.getBoundingClientRect().bottom > end).map(each => each.innerText);
}"""
"""Values that lie below the last line that is seen."""


@pytest.mark.parametrize("size", [PHONE, TALL], ids=["phone", "tall"])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_on_a_phone_no_value_is_cut(visit: Visit, dealer: Dealer, size: dict[str, Any], language: str) -> None:
    page = visit(size, locale=language)
    page.goto(dealer.seat(page, "dealt", fresh=True).table)
    page.locator(HINT).tap()
    page.locator("[data-coach-values]").tap(timeout=WORKED_OUT)
    values = page.locator("#coach .coach__values")
    expect(values).to_be_visible()
    assert values.locator("> span").count() > 1
    assert values.locator("> span").first.inner_text() == {"en": "Points:", "ja": "点数："}[language]
    assert values.evaluate("each => each.scrollWidth - each.clientWidth") == 0
    assert values.evaluate(BELOW) == []
    page.locator("[data-coach-values]").tap()
    expect(page.locator("[data-coach-why]")).to_be_visible()


@pytest.mark.parametrize("size", [PHONE, TALL], ids=["phone", "tall"])
def test_what_the_player_held_before_a_hint_stands_beside_the_best_and_in_the_odds(
    visit: Visit, dealer: Dealer, size: dict[str, Any]
) -> None:
    page = visit(size)
    page.goto(dealer.seat(page, "dealt", fresh=True).table)
    for place in range(5):  # all of them: of nothing that is never the best
        page.locator("[data-felt] label.card").nth(place).tap()
    page.locator(HINT).tap()
    page.locator("[data-coach-values]").tap(timeout=WORKED_OUT)
    expect(page.locator(".coach__yours")).to_have_text(re.compile(r"^Yours:\s+[\d.]+\s*$"))
    assert page.locator("#coach .coach__values").evaluate(BELOW) == []
    if size is PHONE:  # there Why comes back with the sentence
        page.locator("[data-coach-values]").tap()
    page.locator("[data-coach-why]").tap()
    expect(page.locator("#why .odds__held").first).to_be_attached(timeout=WORKED_OUT)


@pytest.mark.parametrize("pressed", ["its key", "its button"])
def test_after_a_hint_enter_does_what_the_dock_says(desktop: Page, dealer: Dealer, pressed: str) -> None:
    desktop.goto(dealer.seat(desktop, "dealt", fresh=True).table)
    if pressed == "its key":
        desktop.keyboard.press("i")
    else:
        desktop.locator(HINT).press("Enter")
    expect(desktop.locator(SAID)).to_contain_text("Best:", timeout=WORKED_OUT)
    desktop.keyboard.press("Enter")
    expect(desktop.locator("[data-mark]")).to_have_count(0)


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_at_blackjack_the_hinted_button_is_the_only_golden_one_and_has_the_keyboard(
    visit: Visit, dealer: Dealer, script: bool
) -> None:
    player = Player(dealer.app.test_client())
    with stacked("Th 8d 6s 8c Kc"):
        player.sit("blackjack", "vegas")
        player.deal("hint", (100,))
    page = visit(DESKTOP, java_script_enabled=script)
    dealer.give(page, Hand(player.hand, cookie_of(player), over=False))
    page.goto("/play/blackjack")
    page.locator(HINT).press("Enter")
    expect(page.locator(SAID)).to_contain_text("Best:", timeout=WORKED_OUT)
    gold, verb = page.locator(".dock .btn--primary"), page.locator("#coach").get_attribute("data-verb")
    expect(gold).to_have_count(1)
    expect(gold).to_have_attribute("value", str(verb))
    expect(gold).to_have_attribute("data-focus", "")
    expect(page.locator(".dock [data-focus]")).to_have_count(1)
    if script:
        expect(gold).to_be_focused()


def test_what_the_hint_says_is_held_and_golden_and_kept_by_the_site(phone: Page, dealer: Dealer) -> None:
    phone.goto(dealer.seat(phone, "dealt", fresh=True).table)
    with requests_of(phone):
        phone.locator(HINT).tap()
        expect(phone.locator(SAID)).to_contain_text("Best:", timeout=WORKED_OUT)
    best = [int(place) for place in str(phone.locator("#coach").get_attribute("data-args")).split()]
    visitor = Visitor(phone, finger)
    assert visitor.held() == best
    gold = phone.locator(".dock .btn--primary")
    expect(gold).to_have_count(1)
    if len(best) < 5:
        expect(gold).to_contain_text(re.compile(rf"Draw (all )?{5 - len(best)}"))
        visitor.hold(next(place for place in range(1, 6) if place not in best))
        expect(gold).to_have_count(0)
        visitor.hold(next(place for place in range(1, 6) if place not in best))
        expect(gold).to_have_count(1)
    board = phone.request.get("/play/poker", headers={"Accept": "application/json"}).json()
    assert board["marks"] == best


def test_without_a_script_a_hint_is_a_page(visit: Visit, dealer: Dealer) -> None:
    page = visit(PHONE, java_script_enabled=False)
    page.goto(dealer.seat(page, "dealt", fresh=True).table)
    page.locator(HINT).tap()
    expect(page.locator(SAID)).to_be_visible()
    best = [int(place) for place in str(page.locator("#coach").get_attribute("data-args")).split()]
    assert Visitor(page, finger, scripts=False).held() == best
    expect(page.locator(".dock .btn--primary")).to_have_count(1)


COVERED = """() => {
  const { left, top } = document.getElementById("why").getBoundingClientRect();
  return [...document.querySelectorAll(".hand .card, .hand .card__tag--hold, .fan .card")].filter((card) => {
    const index = card.getBoundingClientRect();
    return index.bottom > top && index.left + index.width / 3 > left;
  }).length;
}"""
"""How many cards or badges have an index that cannot be seen, or are cut off below."""
READ = """() => {
  const edge = document.getElementById("why-body").getBoundingClientRect().bottom + 1;
  return [...document.querySelectorAll("#why tbody tr")].filter((line) => line.getBoundingClientRect().bottom <= edge).length;
}"""
"""How many lines of values are read without scrolling."""


TOUCHED = """(link) => {
  const { left, top, bottom } = link.getBoundingClientRect();
  let lines = 0;
  for (let y = Math.floor(top) - 40; y < bottom + 40; y += 1) lines += link.contains(document.elementFromPoint(left + 20, y));
  return lines;
}"""


@pytest.mark.parametrize("size", [PHONE, TALL, LANDSCAPE], ids=["phone", "tall", "landscape"])
@pytest.mark.parametrize("game", SOLO)
def test_the_line_of_a_first_hand_is_high_enough_for_a_thumb(visit: Visit, size: dict[str, Any], game: str) -> None:
    page = visit(size)
    page.goto(f"/play/{game}")
    page.keyboard.press("Enter")
    line = page.locator(".coach__whisper > a, .acts__info > a").filter(visible=True)
    expect(line.or_(page.get_by_role("button", name="Deal again")).first).to_be_visible()
    assert [lines for lines in line.evaluate_all(f"all => all.map({TOUCHED})") if lines < 32] == []


@pytest.mark.parametrize("game", ["poker", "blackjack"])
@pytest.mark.parametrize(
    "size", [PHONE, TALL, LANDSCAPE, TABLET, DESKTOP], ids=["phone", "tall", "landscape", "tablet", "desktop"]
)
def test_why_leaves_the_cards_to_be_seen(visit: Visit, size: dict[str, Any], game: str) -> None:
    page = visit(size)
    page.goto(f"/play/{game}")
    while not page.locator(HINT).count():  # a hand may be over as soon as it is dealt
        moment = page.locator("[data-felt]").get_attribute("data-moment") or ""
        page.keyboard.press("Enter")
        page.locator(f"[data-moment]:not([data-moment='{moment}'])").wait_for()
    page.keyboard.press("i")
    page.locator("[data-coach-why]").click(timeout=WORKED_OUT)
    expect(page.locator("#why .odds__why")).to_be_visible(timeout=WORKED_OUT)
    assert measured(page, COVERED) == 0
    assert size is LANDSCAPE or measured(page, READ) >= 2
    page.keyboard.press("Escape")
    expect(page.locator("main")).to_have_css("translate", "none")  # the browser says a little later that it is closed


@pytest.mark.parametrize("size", [PHONE, LANDSCAPE, DESKTOP], ids=["phone", "landscape", "desktop"])
def test_why_opens_over_the_table_and_leaves_it_where_it_is(
    visit: Visit, dealer: Dealer, axe: Callable[..., list[str]], size: dict[str, Any]
) -> None:
    page = visit(size)
    hand = dealer.seat(page, "dealt", fresh=True)
    page.goto(hand.table)
    page.keyboard.press("i")
    expect(page.locator(SAID)).to_contain_text("Best:", timeout=WORKED_OUT)
    address = page.url
    why = page.locator("[data-coach-why]")
    why.click()
    sheet = page.locator("dialog#why[open]")
    expect(sheet.locator(".odds__table").first).to_be_visible(timeout=WORKED_OUT)
    expect(sheet.locator("#worth")).to_contain_text("Best:")
    assert page.url == address
    box = sheet.bounding_box()
    view = page.viewport_size
    assert box and view and box["y"] >= 0 and box["x"] >= 0
    assert box["y"] + box["height"] <= view["height"] + 1 and box["x"] + box["width"] <= view["width"] + 1
    assert axe(page) == []
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    expect(page.locator(".dock [data-focus]")).to_be_focused()
    expect(page.locator(".hand .card")).to_have_count(5)
    page.keyboard.press("Enter")
    page.locator(f"[data-hand='{hand.key}'] [data-moment$='-1']").wait_for(state="attached")


def test_why_is_a_link_to_the_odds_desk_without_a_script(visit: Visit, dealer: Dealer) -> None:
    page = visit(PHONE, java_script_enabled=False)
    page.goto(dealer.seat(page, "dealt", fresh=True).table)
    page.locator(HINT).tap()
    page.locator("[data-coach-why]").click()
    expect(page.locator("#worth")).to_contain_text("Best:")
