"""Keys: on keyboards of other scripts, switched off, and where the focus is after the help."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.dealer import Dealer
from tests.e2e.visitor import Visitor, keys
from webapp.engine.games import SOLO

MARKED = "[data-mark]:checked"


def strike(page: Page, character: str, code: str) -> None:
    """Press a key as a keyboard of another layout does: its place, and the character that it writes."""
    keyboard = page.context.new_cdp_session(page)
    keyboard.send("Input.dispatchKeyEvent", {"type": "keyDown", "key": character, "code": code, "text": character})
    keyboard.send("Input.dispatchKeyEvent", {"type": "keyUp", "key": character, "code": code})


@pytest.mark.parametrize(
    ("character", "layout"), [("&", "French"), ("+", "Czech"), ("ą", "Lithuanian"), ("۱", "Persian")]
)
def test_the_row_of_digits_holds_cards_whatever_is_written_on_it(
    desktop: Page, dealer: Dealer, character: str, layout: str
) -> None:
    desktop.goto(dealer.seat(desktop, "dealt nothing", fresh=True).table)
    strike(desktop, character, "Digit1")
    expect(desktop.locator(MARKED), layout).to_have_count(1)
    expect(Visitor(desktop, keys).card(1)).to_be_checked()


@pytest.mark.parametrize(("character", "layout"), [("ч", "Russian"), ("χ", "Greek"), ("ס", "Hebrew"), ("ป", "Thai")])
def test_letters_of_other_scripts_are_those_at_the_same_place(
    desktop: Page, dealer: Dealer, character: str, layout: str
) -> None:
    desktop.goto(dealer.seat(desktop, "dealt nothing", fresh=True).table)
    strike(desktop, character, "KeyX")
    expect(desktop.locator("[data-mark]"), layout).to_have_count(0)


@pytest.mark.parametrize(("character", "code"), [("q", "KeyX"), (",", "KeyX"), ("7", "Digit1")])
def test_a_letter_or_digit_is_itself_and_punctuation_no_letter(
    desktop: Page, dealer: Dealer, character: str, code: str
) -> None:
    """As on a Dvorak keyboard, where `q` lies at the place of `X`, and on a French one, where `,` is at that of `M`."""
    desktop.goto(dealer.seat(desktop, "dealt nothing", fresh=True).table)
    strike(desktop, character, code)
    desktop.keyboard.press("2")
    expect(desktop.locator(MARKED)).to_have_count(1)
    expect(Visitor(desktop, keys).card(2)).to_be_checked()


def test_keys_that_are_switched_off_play_no_hand_and_the_menu_switches_them_at_once(
    desktop: Page, dealer: Dealer
) -> None:
    dealer.prefer(desktop, keys="0")
    desktop.goto(dealer.seat(desktop, "dealt nothing", fresh=True).table)
    expect(desktop.locator(".dock .key").first).to_be_hidden()
    for key in ("1", "x", "s", "Enter", "?"):
        desktop.keyboard.press(key)
    expect(desktop.locator("#help")).to_be_hidden()
    switch = desktop.get_by_role("button", name="Keys")
    for state, count in (("true", 1), ("false", 1)):
        desktop.locator("[data-menu]:visible").click()
        with desktop.expect_response("**/settings"):
            switch.click()
        expect(switch).to_have_attribute("aria-pressed", state)
        desktop.keyboard.press("Escape")
        desktop.keyboard.press("1")
        expect(desktop.locator(MARKED)).to_have_count(count)
    desktop.reload()
    expect(desktop.locator("html")).to_have_attribute("data-keys", "0")


def test_without_a_script_no_key_is_shown(no_js: Page) -> None:
    for game in SOLO:
        no_js.goto(f"/play/{game}")
        expect(no_js.locator(".key")).not_to_have_count(0)
        expect(no_js.locator(".key").filter(visible=True)).to_have_count(0)


def test_with_keys_switched_off_what_has_the_focus_is_pressed_as_anywhere(desktop: Page, dealer: Dealer) -> None:
    dealer.prefer(desktop, keys="0")
    desktop.goto(dealer.seat(desktop, "dealt nothing", fresh=True).table)
    Visitor(desktop, keys).card(3).focus()
    desktop.keyboard.press("Space")
    expect(desktop.locator(MARKED)).to_have_count(1)


def test_after_the_help_the_focus_is_where_it_was(desktop: Page, dealer: Dealer) -> None:
    desktop.goto(dealer.seat(desktop, "dealt").table)
    card = Visitor(desktop, keys).card(3)
    card.focus()
    for close in ("Escape", "?"):
        desktop.keyboard.press("?")
        expect(desktop.locator("#help")).to_be_focused()
        desktop.keyboard.press(close)
        expect(desktop.locator("#help")).to_be_hidden()
        expect(card).to_be_focused()


def test_after_the_help_enter_goes_on_with_the_hand(desktop: Page, dealer: Dealer) -> None:
    desktop.goto(dealer.seat(desktop, "dealt nothing", fresh=True).table)
    for key in ("1", "2", "?", "Escape", "Enter"):
        desktop.keyboard.press(key)
    expect(desktop.locator("#help")).to_be_hidden()
    expect(desktop.locator("[data-mark]")).to_have_count(0)


def test_sentences_that_come_at_once_are_said_one_after_another(desktop: Page) -> None:
    """A screen reader reads what stands in the one live region."""
    desktop.goto("/play/poker")
    said = desktop.evaluate(
        """async () => {
          const { announce } = await import(document.querySelector("script[src$='js/app.js']").src.replace("app.js", "common.js"));
          const status = document.getElementById("status");
          const said = [];
          new MutationObserver(() => { if (status.textContent) said.push(status.textContent); })
            .observe(status, { childList: true, characterData: true, subtree: true });
          const sentences = ["first", "second", "second", "third"];
          sentences.forEach(announce);
          while (said.at(-1) !== "third") await new Promise(requestAnimationFrame);
          return said;
        }"""
    )
    assert said == ["first", "second", "second", "third"]
