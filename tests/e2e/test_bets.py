"""The bet before the deal: the value of the field is used, and chips add to it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.chosen_cards import ChosenCards, chosen_cards
from tests.e2e.conftest import DESKTOP, LANDSCAPE, PHONE, TALL, Console, Visit
from tests.e2e.dealer import Dealer
from tests.e2e.geometry import clipped, colliding, measured, small_targets, too_large
from tests.e2e.taps import click, to_the_next_page
from tests.support.languages import WIDEST

SIZES = {"small": (320, 568), "phone": (360, 640), "landscape": (640, 360)}
BETS = {"joker": ("10", "25", "100", "1000", "100000"), "blackjack": ("10", "100", "1000")}


@pytest.fixture(params=SIZES.values(), ids=SIZES)
def page(visit: Visit, request: pytest.FixtureRequest) -> Page:
    width, height = request.param
    return visit({**PHONE, "viewport": {"width": width, "height": height}})


@pytest.mark.parametrize("language", WIDEST)
def test_every_digit_of_a_bet_and_every_name_of_a_box_is_seen(page: Page, dealer: Dealer, language: str) -> None:
    dealer.prefer(page, language=language)
    wrong = {}
    for game, bets in BETS.items():
        page.goto(f"/play/{game}")
        for bet in bets:
            while page.locator(".stake--closed").count():
                page.locator(".stake--closed [data-again]").first.click()
            for field in page.locator("[data-stake]").all():
                field.fill(bet)
            wrong[game, bet] = [
                each for each in clipped(page) if each.startswith(("input.", "span.stake__", "span.bet__"))
            ]
    assert {where: found for where, found in wrong.items() if found} == {}


def test_a_number_that_was_set_small_is_as_large_as_before_when_there_is_room(page: Page) -> None:
    page.goto("/play/joker")
    field = page.locator("#stake")

    def size() -> float:
        return float(field.evaluate("field => parseFloat(getComputedStyle(field).fontSize)"))

    field.fill("1")
    usual = size()
    field.fill("1234567890123456")
    assert size() < usual
    field.fill("1")
    assert size() == usual


def test_in_the_field_of_a_bet_a_letter_is_a_key_and_escape_leaves_it(desktop: Page) -> None:
    desktop.goto("/play/joker")
    field = desktop.locator("#stake")
    desktop.keyboard.press("b")
    expect(field).to_be_focused()
    desktop.keyboard.type("7")
    expect(field).to_have_value("7")
    desktop.keyboard.press("m")
    expect(field).to_have_value("100")
    desktop.keyboard.press("x")
    expect(field).to_have_value("100")
    desktop.keyboard.press("Escape")
    expect(field).not_to_be_focused()
    desktop.keyboard.press("Enter")
    expect(desktop.locator("[data-mark]")).to_have_count(5)


def test_the_ring_of_the_field_does_not_cover_the_limits(desktop: Page) -> None:
    desktop.goto("/play/joker")
    desktop.keyboard.press("b")
    ring, shade = desktop.locator("#stake").evaluate(
        "field => (({outlineOffset, boxShadow}) => [outlineOffset, boxShadow])(getComputedStyle(field))"
    )
    assert (ring, shade) == ("-3px", "none")


def test_a_card_that_is_marked_by_its_key_is_told(desktop: Page, dealer: Dealer) -> None:
    desktop.goto(dealer.seat(desktop, "dealt", fresh=True).table)
    name = desktop.locator("#hold-2").get_attribute("aria-label")
    desktop.keyboard.press("2")
    expect(desktop.get_by_role("status").first).to_have_text(f"{name}: held")
    desktop.keyboard.press("2")
    expect(desktop.get_by_role("status").first).to_have_text(f"{name}: not held")


@pytest.mark.parametrize("address", ["video", "blackjack?table=vegas"])
def test_a_bet_above_the_purse_is_marked_as_it_is_typed(phone: Page, address: str) -> None:
    phone.goto(f"/play/{address}")
    field = phone.locator("[data-stake]").first
    usual = str(field.evaluate("field => getComputedStyle(field).color"))
    pays = phone.locator("[data-pays]")
    field.fill("1001")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).not_to_have_css("color", usual)
    assert "1,001" not in pays.all_inner_texts(), "nothing is promised for it"
    field.fill("10")
    expect(field).to_have_attribute("aria-invalid", "false")
    expect(field).to_have_css("color", usual)


def test_chips_add_and_the_stack_gives_back_the_last_one(phone: Page) -> None:
    phone.clock.install()
    phone.goto("/play/joker")
    field, stack = phone.locator("#stake"), phone.get_by_role("button", name="Take the last chip off")
    field.fill("")
    for _ in range(2):
        phone.locator("[data-chip='25']").tap()
    expect(field).to_have_value("50")
    phone.locator("[data-chip='5']").tap()
    expect(field).to_have_value("55")
    assert stack.locator("i").evaluate_all("all => all.map(each => each.className.split('--')[1])") == ["25", "25", "5"]
    stack.tap()
    expect(field).to_have_value("50")
    phone.get_by_role("button", name="×2").tap()
    expect(field).to_have_value("100")
    phone.locator("[data-chip='100']").tap()
    expect(field).to_have_value("100")  # there are no more in the purse
    stack.hover()
    phone.mouse.down()
    phone.clock.fast_forward(700)
    phone.mouse.up()
    expect(field).to_have_value("")


@pytest.mark.parametrize(
    ("path", "width", "height", "there"),
    [
        ("blackjack?table=vegas", 640, 360, "×2 max back"),
        ("blackjack?table=vegas", 740, 290, "×2 max back"),
        ("joker", 640, 360, "×2"),
        ("joker", 740, 290, "×2 max back"),
        ("video", 740, 290, "×2 max"),
        ("video", 844, 390, "×2 max back"),
    ],
)
def test_a_phone_in_landscape_has_the_keys_of_a_bet_that_fit(
    visit: Visit, path: str, width: int, height: int, there: str
) -> None:
    page = visit({**PHONE, "viewport": {"width": width, "height": height}})
    page.goto(f"/play/{path}")
    keys = {
        "×2": "[data-twice]",
        "max": ".chip--max",
        "back": ".dock [data-stack='stake'], .dock [data-stack='stake-1']",
    }
    assert " ".join(name for name, key in keys.items() if page.locator(key).is_visible()) == there
    assert small_targets(page) == []


def test_a_number_that_was_typed_is_taken_apart_by_its_smallest_chip(phone: Page) -> None:
    phone.goto("/play/joker")
    phone.locator("#stake").fill("31")
    stack = phone.get_by_role("button", name="Take the last chip off")
    seen = []
    for _ in range(3):
        stack.tap()
        seen.append(phone.locator("#stake").input_value())
    assert seen == ["30", "25", ""]


@pytest.mark.parametrize("game", ["joker", "blackjack"])
def test_a_chip_has_one_colour_in_all_games(phone: Page, game: str) -> None:
    phone.goto(f"/play/{game}")
    colours = phone.locator("[data-chip]").evaluate_all(
        "all => Object.fromEntries(all.map(each => [each.dataset.chip, getComputedStyle(each).backgroundColor]))"
    )
    palette = {
        "1": "rgb(246, 241, 228)",
        "5": "rgb(176, 42, 32)",
        "10": "rgb(45, 95, 158)",
        "25": "rgb(31, 122, 74)",
        "100": "rgb(35, 38, 46)",
        "500": "rgb(107, 45, 125)",
    }
    assert colours == {chip: palette[chip] for chip in colours}
    assert len(colours) == 4


def test_blackjack_opens_with_one_box_and_the_others_come_one_by_one(phone: Page) -> None:
    phone.goto("/play/blackjack")
    second, third = (phone.locator(".stake").nth(n).locator("[data-again]") for n in (1, 2))
    expect(phone.locator("[data-stake]:visible")).to_have_count(1)
    expect(phone.locator(".slot")).to_have_count(0)
    expect(phone.locator(".shoe__text")).to_have_count(0)
    expect(second).to_contain_text("+ second box")
    expect(third).to_be_hidden()
    second.tap()
    expect(phone.locator("#stake-2")).to_have_value("100")
    expect(third).to_contain_text("+ third box")
    phone.locator("[data-chip='25']").tap()
    expect(phone.locator("#stake-2")).to_have_value("125")
    assert small_targets(phone) == []
    for _ in range(2):
        phone.get_by_role("button", name="Box 2: take the last chip off").tap()
    expect(phone.locator("[data-stake]:visible")).to_have_count(1)


def test_without_a_script_a_refused_bet_is_still_what_was_typed(no_js: Page, console: Console) -> None:
    console.expect("status of 422")
    no_js.goto("/play/joker")
    to_the_next_page(no_js.get_by_role("button", name="Deal"))
    no_js.locator("#stake").fill("101")
    to_the_next_page(no_js.get_by_role("button", name="Cut and deal"))
    expect(no_js.locator("#stake")).to_have_value("101")


def test_a_bet_is_sent_in_full_width(phone: Page) -> None:
    """As Japanese and Chinese input methods write it: the browser lets it pass, and the table reads it."""
    phone.goto("/play/blackjack?table=vegas")
    phone.locator("#stake-1").fill("２５")
    phone.get_by_role("button", name="Deal").first.click()
    expect(phone.locator(".card").first).to_be_visible()
    assert "25" in phone.locator("main").inner_text()


def test_so_are_a_bet_and_a_cut_without_a_script(no_js: Page) -> None:
    no_js.goto("/play/joker")
    to_the_next_page(no_js.get_by_role("button", name="Deal"))
    no_js.locator("#stake").fill("２５")
    no_js.locator("#cut").fill("Ｍｙ－ｃｕｔ＿９")
    no_js.get_by_role("button", name="Cut and deal").click()
    expect(no_js.locator("[data-mark]")).to_have_count(5)


def test_somebody_who_has_never_played_begins_at_the_beginners_table(phone: Page) -> None:
    phone.goto("/")
    phone.get_by_text("Tables of Blackjack").tap()
    tables = phone.get_by_role("navigation", name="Tables of Blackjack").get_by_role("link")
    expect(tables.first).to_have_text("Classic, for beginners")
    phone.get_by_role("button", name="Blackjack").tap()
    expect(phone.get_by_role("heading", name="Blackjack")).to_contain_text("Classic, for beginners")
    expect(phone.locator("[data-stake]")).to_have_count(0)


NOTHING, DEALER_HAS_NINETEEN = "2h 5d 7s 9c Jh 3d 4h 8d Tc Kh", "Th 9d 6s Kc 2c 3c"
LOWERED = {
    "joker": ("joker", NOTHING, 1, "60", "[data-keep]", ("60", "40")),
    "video": ("video", NOTHING, 1, "60", "[data-draw]", ("60", "40")),
    "ten hands": ("video", NOTHING, 10, "6", "[data-draw]", ("6 × 10", "4 × 10")),
    "blackjack": ("blackjack?table=vegas", DEALER_HAS_NINETEEN, 1, "600", "[value=stand]", ("600", "400")),
}
"""The address, cards, how many hands, the bet, a move with which all is lost, and the bets before and after."""
OUTSIDE = """() => [".rail__note", "#sit .btn--primary", ".verdict__name"].flatMap((each) => {
  const { top, left, right, bottom } = document.querySelector(each).getBoundingClientRect();
  const isWithin = bottom > top && top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth;
  return isWithin ? [] : [`${each} ${left} ${top} ${right} ${bottom}`];
})"""


@pytest.fixture(scope="module")
def losing(blank_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChosenCards]:
    with chosen_cards(blank_sqlite, tmp_path_factory.mktemp("losing")) as site:
        yield site


def lose(page: Page, losing: ChosenCards, game: str) -> tuple[str, str]:
    """Lose the first hand of a purse, and return the bet of before and the one that is filled in now."""
    address, cards, lines, bet, move, bets = LOWERED[game]
    losing.deal(*(cards,) * 10)
    page.goto(f"/play/{address}")
    page.locator("[data-stake]").first.fill(bet)
    if lines > 1:
        page.locator("[data-lines]").select_option(str(lines))
    page.locator("#sit .btn--primary").click()
    cut = page.get_by_role("button", name="Cut and deal")
    page.locator(move).or_(cut).first.wait_for()
    if not page.locator(move).count():  # without a script
        cut.click()
    click(page.locator(move))
    page.locator("#room:not([data-moving]) #sit").wait_for()
    return bets


@pytest.mark.parametrize(
    "device", [PHONE, TALL, LANDSCAPE, DESKTOP, {**PHONE, "viewport": {"width": 320, "height": 568}}]
)
@pytest.mark.parametrize("game", LOWERED)
def test_a_bet_that_the_purse_does_not_pay_any_more_is_said_to_be_lower(
    visit: Visit, losing: ChosenCards, game: str, device: dict[str, Any]
) -> None:
    page = visit(device, base_url=losing.url)
    was, now = lose(page, losing, game)
    note = page.locator(".rail__note")
    expect(note).to_contain_text(f" {was}")
    expect(note).to_contain_text(f" {now} now.")
    assert measured(page, OUTSIDE) == []
    assert [each for each in colliding(page) if was in each] == []
    assert too_large(page, tall=device is DESKTOP) == []
    page.goto(page.url)
    expect(note).to_be_visible()


@pytest.mark.parametrize("game", LOWERED)
def test_it_is_said_without_a_script_too(visit: Visit, losing: ChosenCards, game: str) -> None:
    page = visit(PHONE, base_url=losing.url, java_script_enabled=False)
    was, now = lose(page, losing, game)
    expect(page.locator(".rail__note")).to_contain_text(f" {was}")
    expect(page.locator("[data-stake]").first).to_have_value(now.split()[0])
    assert [each for each in colliding(page) if was in each] == []


def test_of_a_bet_that_the_purse_pays_nothing_is_said(visit: Visit, losing: ChosenCards) -> None:
    page = visit(PHONE, base_url=losing.url)
    losing.deal(NOTHING)
    page.goto("/play/joker")
    expect(page.locator(".rail")).to_be_visible()
    expect(page.locator(".rail__note")).to_have_count(0)
    page.locator("#stake").fill("50")
    page.locator("#sit .btn--primary").click()
    click(page.locator("[data-keep]"))
    page.locator("#sit").wait_for()
    expect(page.locator("#stake")).to_have_value("50")
    expect(page.locator(".rail__note")).to_have_count(0)


def test_the_lit_row_says_what_was_paid_until_another_bet_is_chosen(visit: Visit, losing: ChosenCards) -> None:
    page = visit(DESKTOP, base_url=losing.url)
    losing.deal(*(NOTHING,) * 9, "2h 5d 7s 9c Jh Ks Kd 8d Tc 3h")
    page.goto("/play/video")
    page.locator("[data-stake]").fill("6")
    page.locator("[data-lines]").select_option("10")
    page.locator("#sit .btn--primary").click()
    click(page.locator("[data-draw]"))
    lit = page.locator(".paytable__row--lit dd")
    expect(page.locator("#stake")).to_have_value("4")
    expect(lit).to_have_text("6")
    page.get_by_role("button", name="Take the last chip off").click()
    expect(lit).to_have_text("3")
    page.locator("[data-chip='1']").click()
    expect(lit).to_have_text("4")
