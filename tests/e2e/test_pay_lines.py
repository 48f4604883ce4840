"""A line of the pay table unfolds: five small cards and half a sentence, which cover no card in play."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import LANDSCAPE, Visit
from tests.e2e.dealer import Dealer
from tests.e2e.geometry import measured, overlaid, shifts, too_large, watch_shifts
from tests.support.languages import CODES
from webapp.engine.games import GAMES

TOUCHING = """() => [...document.querySelectorAll(".paytable__row")].flatMap((row) => {
  const [name, number] = ["dt", "dd"].map((each) => {
    const text = document.createRange();
    text.selectNodeContents(row.querySelector(each));
    return text.getBoundingClientRect();
  });
  const {marginLeft, width} = getComputedStyle(row.querySelector("dt"), "::after");
  const mark = name.right + parseFloat(marginLeft) + 1.2 * parseFloat(width); // it is turned
  return number.left - mark < 4 ? [`${row.textContent.trim()}: ${number.left - mark}`] : [];
})"""


def test_a_line_of_the_pay_table_unfolds_and_folds(phone: Page, dealer: Dealer, axe: Callable[..., list[str]]) -> None:
    watch_shifts(phone)
    dealer.show(phone, "dealt")
    line = phone.locator("[data-unfold]", has_text="Flush").last
    line.tap()
    panel = phone.locator(".unfold")
    expect(panel).to_contain_text("Five of one suit, in any order.")
    expect(panel.locator(".card")).to_have_count(5)
    expect(phone.get_by_role("status").first).to_have_text("Flush: Five of one suit, in any order.")
    assert overlaid(phone, ".unfold", ".stage > .hand > *") == []
    assert shifts(phone) == []
    assert axe(phone) == []
    phone.keyboard.press("Escape")
    expect(panel).to_have_count(0)


def test_without_a_script_it_leads_to_the_line_of_the_rules(visit: Visit, dealer: Dealer) -> None:
    page = visit(java_script_enabled=False)
    dealer.show(page, "dealt")
    page.locator("[data-unfold]", has_text="Full house").click()
    expect(page.locator(":target")).to_contain_text("Full house")


@pytest.mark.parametrize("game", ["video", "joker"])
def test_the_mark_behind_a_name_keeps_clear_of_the_number(phone: Page, dealer: Dealer, game: str) -> None:
    for language in CODES:
        dealer.prefer(phone, language=language)
        phone.goto(f"/play/{game}")
        for width, height in ((360, 640), (280, 653), (280, 568)):
            phone.set_viewport_size({"width": width, "height": height})
            assert measured(phone, TOUCHING) == [], (language, width)
            assert too_large(phone, tall=False) == [], (language, width, height)


@pytest.mark.parametrize("game", ["poker", "video"])
def test_and_in_large_text_on_a_phone_held_sideways(visit: Visit, dealer: Dealer, game: str) -> None:
    page = visit(LANDSCAPE)
    for language in CODES:
        dealer.prefer(page, language=language, text="200")
        page.goto(f"/play/{game}")
        assert measured(page, TOUCHING) == [], language


TABLES = [(code, table) for code in ("joker", "video") for table in GAMES[code].spec.variants]
IN_COLUMNS = """() => Object.values(Object.groupBy(document.querySelectorAll(".paytable__row"),
  (row) => Math.round(row.getBoundingClientRect().left))).map((rows) => rows.length)"""


@pytest.mark.parametrize(("code", "table"), TABLES)
def test_the_two_columns_of_a_pay_table_are_as_long_as_each_other(phone: Page, code: str, table: str) -> None:
    phone.goto(f"/play/{code}?table={table}")
    left, right = phone.evaluate(IN_COLUMNS)
    assert left - right in (0, 1)
