"""The menu: a sheet over the dock that covers no card; on other pages links and languages at the top."""

from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESKTOP, PHONE, Visit
from tests.e2e.dealer import Dealer
from tests.e2e.geometry import moved, places, small_targets, too_large
from tests.support.languages import WIDEST

COVERED = """() => {
  const top = document.querySelector("#menu").getBoundingClientRect().top;
  return Array.from(document.querySelectorAll("main .card"))
    .filter(card => card.getBoundingClientRect().bottom > top).map(card => card.ariaLabel);
}"""
TOP = "each => each.getBoundingClientRect().top"
LINES_OF_A_LETTER = """all => all.filter(each => {
  const text = document.createRange();
  text.selectNodeContents(each);
  const lines = new Set(Array.from(text.getClientRects(), line => Math.round(line.bottom / 8)));
  return lines.size > 1 && lines.size > each.textContent.trim().length / 2;
}).map(each => each.textContent)"""
SIZES = {"phone": (360, 640), "tall phone": (390, 844), "landscape": (640, 360)}


def open_menu(page: Page) -> None:
    page.locator("[data-menu]:visible").tap()
    expect(page.locator("#menu")).to_be_visible()


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
@pytest.mark.parametrize("scene", ["dealt", "picking", "collected"])
def test_no_card_lies_below_the_menu(visit: Visit, dealer: Dealer, scene: str, size: tuple[int, int]) -> None:
    page = visit({**PHONE, "viewport": dict(zip(("width", "height"), size, strict=True))})
    page.goto(dealer.seat(page, scene).table)
    headline = page.locator(".verdict__name").evaluate(TOP)
    open_menu(page)
    assert page.evaluate(COVERED) == []
    height = page.locator("#menu").evaluate("each => each.clientHeight")
    if (scene, size) == ("picking", SIZES["phone"]):
        assert height > 240, "three rows would fit below four cards; the felt makes room for two more"
    elif size != SIZES["landscape"]:
        assert page.locator(".verdict__name").evaluate(TOP) == headline, "the felt stays where it was"
        assert height > 170, "four rows"
    assert too_large(page, tall=False) + small_targets(page) == []
    cross = page.get_by_role("button", name="Close", exact=True)
    for _ in range(2):
        expect(cross).to_be_in_viewport(ratio=1)
        menu, box = page.locator("#menu").bounding_box(), cross.bounding_box()
        assert menu and box
        assert 0 < menu["x"] + menu["width"] - box["x"] - box["width"] < 20 and 0 <= box["y"] - menu["y"] < 20
        page.locator("#menu").evaluate("each => each.scrollTo(0, each.scrollHeight)")
    page.keyboard.press("Escape")
    expect(page.locator("#menu")).to_be_hidden()
    expect(page.locator("main")).to_have_css("translate", "none")


@pytest.mark.parametrize("width", [1280, 1920, 2560])
def test_at_a_desk_the_menu_opens_below_its_button(desktop: Page, dealer: Dealer, width: int) -> None:
    desktop.set_viewport_size({"width": width, "height": 800})
    dealer.show(desktop, "dealt")
    button = desktop.locator("[data-menu]:visible")
    button.click()
    menu, opener = desktop.locator("#menu").bounding_box(), button.bounding_box()
    assert menu and opener
    assert 0 <= menu["y"] - opener["y"] - opener["height"] < 24
    assert abs(menu["x"] + menu["width"] - opener["x"] - opener["width"]) < 24
    assert menu["y"] + menu["height"] <= 800


def test_what_is_chosen_in_the_menu_applies_at_once_and_stays(phone: Page, dealer: Dealer) -> None:
    phone.goto(dealer.seat(phone, "dealt").table)
    page = phone.locator("html")
    open_menu(phone)
    size = phone.locator(".verdict__text").evaluate("each => parseFloat(getComputedStyle(each).fontSize)")
    for name in ("Dark", "Four colours", "Without motion", "Large print cards", "Text size 150\xa0%"):
        with phone.expect_response("**/settings"):
            phone.get_by_role("button", name=name).tap()
        expect(phone.get_by_role("button", name=name)).to_have_attribute("aria-pressed", "true")
    phone.reload()
    assert phone.locator(".verdict__text").evaluate("each => parseFloat(getComputedStyle(each).fontSize)") == 1.5 * size
    for attribute, value in (
        ("data-theme", "dark"),
        ("data-speed", "fast"),
        ("data-large", "1"),
        ("class", "four-colour"),
    ):
        expect(page).to_have_attribute(attribute, value)


@pytest.mark.parametrize("language", WIDEST)
@pytest.mark.parametrize("size", [(360, 640), (280, 653), (740, 290)], ids=["phone", "narrowest", "landscape"])
def test_with_the_largest_text_no_word_of_the_menu_is_broken(
    visit: Visit, dealer: Dealer, size: tuple[int, int], language: str
) -> None:
    page = visit({**PHONE, "viewport": dict(zip(("width", "height"), size, strict=True))})
    dealer.prefer(page, language=language, text="200")
    page.goto(dealer.seat(page, "dealt").table)
    open_menu(page)
    wide = page.locator(".sheet, .sheet__item").evaluate_all(
        "all => all.filter(each => each.scrollWidth > each.clientWidth).map(each => each.textContent)"
    )
    assert wide + small_targets(page) == []
    assert page.locator(".sheet__item").evaluate_all(LINES_OF_A_LETTER) == []


def test_the_language_changes_without_losing_the_hand(phone: Page, dealer: Dealer) -> None:
    hand = dealer.seat(phone, "marked")
    phone.goto(hand.table)
    open_menu(phone)
    phone.get_by_role("button", name="日本語").tap()
    expect(phone.locator("html")).to_have_attribute("lang", "ja")
    expect(phone.locator("[data-mark]:checked")).to_have_count(2)


def test_the_focus_is_on_the_menu_when_the_language_has_changed(desktop: Page, dealer: Dealer) -> None:
    dealer.show(desktop, "dealt")
    desktop.get_by_role("link", name="Menu", exact=True).press("Enter")
    desktop.get_by_role("button", name="日本語").press("Enter")
    expect(desktop.locator("html")).to_have_attribute("lang", "ja")
    expect(desktop.locator("#menu-bar")).to_be_focused()


def test_a_key_does_nothing_to_the_hand_below_the_menu(phone: Page, dealer: Dealer) -> None:
    phone.goto(dealer.seat(phone, "dealt nothing", fresh=True).table)
    expect(phone.locator("[data-mark]:checked")).to_have_count(0)
    open_menu(phone)
    phone.keyboard.press("1")
    expect(phone.locator("[data-mark]:checked")).to_have_count(0)


def test_without_a_script_the_menu_is_the_page_of_settings(visit: Visit, dealer: Dealer) -> None:
    page = visit(PHONE, java_script_enabled=False)
    page.goto(dealer.seat(page, "dealt").table)
    page.locator(".dock [data-menu]").tap()
    expect(page.get_by_role("heading", name="Settings")).to_be_in_viewport()


@pytest.mark.parametrize("address", ["/", "/me", "/lab", "/lab/exercise", "/fair", "/about", "/rules/poker", "/tables"])
def test_on_a_phone_other_pages_have_links_and_languages_at_the_top(phone: Page, address: str) -> None:
    phone.goto(address)
    header = phone.get_by_role("banner")
    for control in (header.get_by_role("link", name="Games"), header.get_by_role("button", name="日本語")):
        box = control.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 104
    assert too_large(phone) == []


def test_on_a_phone_the_rules_in_short_leave_the_cards_uncovered_and_speak_of_no_keys(
    phone: Page, dealer: Dealer
) -> None:
    phone.goto(dealer.seat(phone, "dealt").table)
    phone.locator("header [data-help]").tap()
    expect(phone.locator("#help")).to_be_visible()
    expect(phone.locator(".hand .card").first).to_be_in_viewport(ratio=1)
    expect(phone.locator("#help .keys")).to_be_hidden()
    bottom = phone.locator(".hand .card").first.bounding_box()
    top = phone.locator("#help").bounding_box()
    assert bottom is not None
    assert top is not None
    assert bottom["y"] + bottom["height"] <= top["y"]


@pytest.mark.parametrize("device", [DESKTOP, {"viewport": {"width": 1920, "height": 1080}}], ids=["desktop", "large"])
@pytest.mark.parametrize("game", ["poker", "blackjack"])
def test_beside_the_felt_the_rules_in_short_move_nothing_and_cover_nothing_that_is_played_with(
    visit: Visit, device: dict[str, object], game: str
) -> None:
    page = visit(device)
    page.goto(f"/play/{game}")
    before = places(page)
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_focused()
    assert moved(before, places(page)) == []
    rules, felt = page.locator("#help").bounding_box(), page.locator(".felt").bounding_box()
    assert rules is not None
    assert felt is not None
    assert rules["x"] >= felt["x"] + felt["width"]
    assert rules["y"] + rules["height"] <= device["viewport"]["height"]  # type: ignore[index]


def test_with_a_keyboard_the_keys_stand_close_together(desktop: Page, dealer: Dealer) -> None:
    desktop.goto(dealer.seat(desktop, "dealt").table)
    desktop.keyboard.press("?")
    rows = desktop.locator("#help .keys dt, #help .keys dd").evaluate_all(
        "all => all.map(each => each.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom])"
    )
    lines = [(min(key[0], text[0]), max(key[1], text[1])) for key, text in zip(rows[::2], rows[1::2], strict=True)]
    assert max(after[0] - before[1] for before, after in pairwise(lines)) <= 12
