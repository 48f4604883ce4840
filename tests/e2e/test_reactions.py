"""Reactions at a shared table in a browser: by touch, by keyboard, without JavaScript, seen by all, and hidden."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.axe import axe
from tests.e2e.clocks import stopped
from tests.e2e.conftest import DESKTOP, PHONE, Console, Visit
from tests.e2e.geometry import overlaid, small_targets, too_large
from tests.support.table_players import TablePlayer


def at_table(page: Page, count: int = 1) -> tuple[list[TablePlayer], str]:
    """Open a table with this many other people, who are not ready, so that nothing moves."""
    page.goto("/tables")
    visitors = [TablePlayer(page.evaluate("location.origin")) for _ in range(count)]
    code = visitors[0].open()
    for number, visitor in enumerate(visitors):
        visitor.come(code)
        visitor.do("sit", number + 1, name=f"Visitor {number}")
    return visitors, f"/t/{code}"


def sit(page: Page, address: str) -> None:
    page.goto(address)
    page.locator("button[value='0'][form=sit]").click()
    expect(page.locator(".place--you")).to_be_visible()


def shown(page: Page, seat: int, kind: str) -> None:
    expect(page.locator(f"[data-part=seat-{seat}] .reaction[data-kind={kind}]")).to_be_visible()


def test_everybody_sees_a_reaction_at_the_place_of_who_sent_it_and_soon_no_more(visit: Visit) -> None:
    phone, watcher = visit(PHONE), visit(DESKTOP)
    for page in (phone, watcher):
        page.clock.install()
    _, address = at_table(phone)
    watcher.goto(address)
    sit(phone, address)
    phone.locator(".react__open").tap()
    row = phone.locator(".react__one[name=kind]")
    expect(row).to_have_count(6)
    assert overlaid(phone, ".react__row", ".place, .company__verdict") == []
    assert overlaid(phone, ".react__row", ".company__dock") != [], "over the dock"
    assert small_targets(phone) + too_large(phone) == []
    assert axe(phone) == []
    with stopped(phone), stopped(watcher):
        row.nth(2).tap()
        for page in (phone, watcher):
            shown(page, 0, "laugh")
            assert overlaid(page, ".reaction", ".place__who") == [], "the name of who sent it is seen"
        expect(phone.locator("#react")).not_to_have_attribute("open", "")
    for page in (phone, watcher):
        expect(page.locator(".place .reaction")).to_have_count(0)


def test_keys_reach_the_row_and_a_screen_reader_hears_who_sent_what(visit: Visit) -> None:
    desktop, other = visit(DESKTOP), visit(DESKTOP)
    _, address = at_table(desktop)
    sit(desktop, address)
    other.clock.install()
    other.goto(address)
    expect(other.locator("#status")).not_to_be_empty()
    other.clock.fast_forward(2100)  # not so soon after news of the game
    desktop.locator(".react__open").focus()
    desktop.keyboard.press("Enter")
    desktop.keyboard.press("Tab")
    expect(desktop.get_by_role("button", name="Applause")).to_be_focused()
    desktop.keyboard.press("Enter")
    expect(other.locator("#status")).to_have_text(re.compile(": Applause$"))
    expect(desktop.locator(".react__open")).to_be_focused()
    desktop.keyboard.press("Enter")
    desktop.keyboard.press("Escape")
    expect(desktop.locator("#react")).not_to_have_attribute("open", "")


def test_who_sends_too_many_reads_no_sentence_about_it(visit: Visit, console: Console) -> None:
    console.expect("429")
    phone = visit(PHONE)
    _, address = at_table(phone)
    sit(phone, address)
    before = phone.locator(".company__verdict").inner_text()
    for status in (204, 429):  # as the site answers a second one within three seconds, however long this takes
        phone.locator(".react__open").tap()
        with phone.expect_response("**/reactions") as answered:
            phone.locator(".react__one[value=wow]").tap()
        assert answered.value.status == status
        phone.route("**/reactions", lambda route: route.fulfill(status=429, body="Not so fast."))
    assert phone.locator(".company__verdict").inner_text() == before
    expect(phone.locator(".react__open--rests")).to_have_count(1)


@pytest.mark.parametrize("seated", [True, False], ids=["player", "watcher"])
def test_reactions_can_be_hidden(visit: Visit, seated: bool) -> None:
    page = visit(PHONE)
    visitors, address = at_table(page)
    if seated:
        sit(page, address)
    page.goto(address)
    page.locator(".react__open").tap()
    expect(page.locator(".react__one[name=kind]")).to_have_count(6 if seated else 0)
    with page.expect_response("**/settings"):
        page.get_by_role("button", name="Hide reactions").tap()
    page.evaluate(
        "() => { globalThis.met = 0; new MutationObserver(() => { met += document.querySelectorAll("
        "'.place .reaction').length; }).observe(document.body, {subtree: true, childList: true}); }"
    )
    visitors[0].post(f"{address}/reactions", [("kind", "ouch")])
    assert visitors[0].status == 204
    visitors[0].now("leave")
    expect(page.locator("[data-part=seat-1].place--free")).to_be_visible()  # all earlier events have been received
    assert page.evaluate("met") == 0
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-reactions", "0")


def test_without_scripts_a_reaction_is_a_plain_form(no_js: Page, visit: Visit) -> None:
    visitors, address = at_table(visit(PHONE))
    no_js.goto(address)
    no_js.locator("button[value='0'][form=sit]").click()
    no_js.locator(".react__open").click()
    no_js.locator(".react__one[value=cheers]").click()
    expect(no_js).to_have_url(re.compile(f"{address}$"))
    shown(no_js, 0, "cheers")
    assert [(each["seat"], each["kind"]) for each in visitors[0].see()["reactions"]] == [(0, "cheers")]


def test_below_a_sentence_of_two_lines_the_button_is_whole(phone: Page) -> None:
    _, address = at_table(phone, 4)
    sit(phone, address)
    phone.locator(".company__verdict").evaluate(
        "each => each.textContent = 'Seat 1 draws the ten of hearts. '.repeat(2)"
    )
    lines = "each => each.offsetHeight / parseFloat(getComputedStyle(each).lineHeight)"
    assert phone.locator(".company__verdict").evaluate(lines) > 1.9
    bottom, top = phone.evaluate(
        """() => [document.querySelector(".react__open svg").getBoundingClientRect().bottom,
          document.querySelector(".company__dock").getBoundingClientRect().top]"""
    )
    assert bottom <= top
