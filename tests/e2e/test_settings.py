"""Settings: deck, theme, motion, cut, name; with and without JavaScript."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import DESKTOP, Visit
from tests.e2e.dealer import Dealer
from tests.e2e.visitor import Visitor, mouse


@pytest.fixture(params=[True, False], ids=["script", "no script"])
def page(visit: Visit, request: pytest.FixtureRequest) -> Page:
    return visit(DESKTOP, java_script_enabled=request.param)


def choose(page: Page, *choices: str) -> None:
    page.goto("/me/settings")
    for choice in choices:
        page.get_by_label(choice, exact=True).check(force=True)
    page.get_by_role("button", name="Save").click()
    for choice in choices:
        expect(page.get_by_label(choice, exact=True)).to_be_checked()


def colour(of: Locator, name: str = "color") -> tuple[int, ...]:
    value: str = of.evaluate("(element, name) => getComputedStyle(element).getPropertyValue(name)", name)
    return tuple(map(int, re.findall(r"\d+", value)[:3]))


def face(page: Page, suit: str) -> Locator:
    """Return the picture of a card that can be held."""
    return page.locator("label", has=page.locator(f"[aria-label$='of {suit}']")).locator("svg").first


def test_four_colours(page: Page, dealer: Dealer) -> None:
    dealer.show(page, "dealt")
    assert colour(face(page, "diamonds")) == colour(face(page, "hearts"))
    choose(page, "Four colours")
    dealer.show(page, "dealt")
    red, _, blue = colour(face(page, "diamonds"))
    assert blue > red
    assert colour(face(page, "hearts")) != colour(face(page, "diamonds"))
    choose(page, "Two colours")
    dealer.show(page, "dealt")
    assert colour(face(page, "diamonds")) == colour(face(page, "hearts"))


def test_text_of_twice_the_size_and_large_print(page: Page, dealer: Dealer) -> None:
    def measured() -> tuple[float, str]:
        dealer.show(page, "dealt")
        size = page.locator(".verdict__name").evaluate("each => parseFloat(getComputedStyle(each).fontSize)")
        print_ = page.locator(".card__face use").first.evaluate(
            "each => getComputedStyle(each).getPropertyValue('--print')"
        )
        return size, print_

    size, _ = measured()
    choose(page, "200\xa0%", "Large print")
    assert measured() == (2 * size, "inline")
    choose(page, "100\xa0%", "Two colours")
    assert measured() == (size, "inline"), "each setting is kept by itself"


def test_saving_leads_back_to_the_settings_and_says_that_they_are_saved(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto("/me/settings")
    expect(page.get_by_text("Saved", exact=True)).to_have_count(0)
    choose(page, "Dark")
    expect(page.locator("#settings").get_by_text("Saved", exact=True)).to_be_in_viewport()
    expect(page.locator("#settings")).to_be_focused()
    if page.evaluate("() => !matchMedia('(scripting: none)').matches"):
        expect(page.get_by_role("status").first).to_have_text("Saved")


def test_dark_and_light(page: Page) -> None:
    choose(page, "Dark")
    assert max(colour(page.locator("body"), "background-color")) < 60
    assert min(colour(page.locator("body"))) > 180
    choose(page, "Light")
    page.emulate_media(color_scheme="dark")
    assert min(colour(page.locator("body"), "background-color")) > 180
    choose(page, "As the device")
    assert max(colour(page.locator("body"), "background-color")) < 60


def test_who_wants_to_cut_is_asked(page: Page) -> None:
    choose(page, "Ask for my cut")
    page.goto("/play/poker")
    visitor = Visitor(page, mouse)
    visitor.deal_button.click()
    expect(page.get_by_role("heading", name="Cut the deck")).to_be_visible()
    visitor.cut_and_deal("my-own-word")
    expect(page.locator("[data-mark]")).to_have_count(5)
    told = page.request.get("/play/poker", headers={"Accept": "application/json"}).json()
    assert told["cut"] == "my-own-word"


def test_a_cut_that_cannot_be_is_refused_by_the_browser_already(desktop: Page, dealer: Dealer) -> None:
    dealer.prefer(desktop, deal="cut")
    dealer.show(desktop, "sealed")
    field = desktop.get_by_label("Any word of your own")
    assert field.input_value() != ""  # a script has cut, if one does not want to
    field.fill("two words")
    desktop.get_by_role("button", name="Cut and deal").click()
    assert field.evaluate("field => field.validity.patternMismatch")
    expect(desktop.get_by_role("heading", name="The deck is sealed")).to_be_visible()


def test_a_name_stands_on_the_finished_page_as_it_was_written(page: Page, dealer: Dealer) -> None:
    hand = dealer.seat(page, "nothing", fresh=True)
    page.goto("/me/settings")
    page.get_by_label("Name on your finished hands").fill("<b>Ada & 太郎</b>")
    page.get_by_role("button", name="Save").click()
    page.goto(hand.page)
    expect(page.locator("header").get_by_text("<b>Ada & 太郎</b>")).to_be_visible()
