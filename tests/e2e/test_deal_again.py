"""*Deal again*: one request; the old cards leave meanwhile, and the first new card moves when the response arrives."""

from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.clocks import stopped
from tests.e2e.conftest import Console
from tests.e2e.taps import click
from tests.e2e.traffic import actions, requests_of

pytestmark = pytest.mark.moving

SOON = 60
"""Milliseconds of the page's own clock after the answer at which the first card has set out at the latest."""

MOVES = """() => {
  window.moved = false;
  document.getElementById("room").setAttribute("data-before", "");
  document.addEventListener("card", () => { window.moved = true; }, { once: true });
}"""
EMPTY_TABLES = """() => {
  window.emptyTables = 0;
  new MutationObserver(() => { window.emptyTables += document.querySelector("main .slot") ? 1 : 0; })
    .observe(document.body, { childList: true, subtree: true });
}"""


JSON = {"Accept": "application/json", "Sec-Fetch-Site": "same-origin"}
STAKES: dict[str, dict[str, str]] = {"poker": {}, "joker": {"stake": "5"}, "blackjack": {"stake": "10"}}
GOES_ON = ("stand", "decline", "stop", "collect", "hold")


def board_of(page: Page, game: str) -> Any:
    return page.request.get(f"/play/{game}", headers=JSON).json()


def to_the_end(page: Page, game: str) -> None:
    """Play the open hand to its end, and show it in the page."""
    board = board_of(page, game)
    while board["result"] is None:
        verb = next(verb for verb in GOES_ON if verb in {action.split("-")[0] for action in board["actions"]})
        where = f"/play/{game}/{board['hand']}/{board['step']}"
        board = page.request.post(where, form={"verb": verb}, headers=JSON).json()
    page.goto(f"/play/{game}?hand={board['hand']}")


def sit(page: Page, game: str) -> None:
    """Sit down and play a hand to its end in the page."""
    page.goto(f"/play/{game}")
    key = page.request.post(f"/play/{game}", headers=JSON).json()["hand"]
    page.request.post(f"/play/{game}/{key}/0", form={"verb": "deal", **STAKES[game]}, headers=JSON)
    board = page.request.get(f"/play/{game}?hand={key}", headers=JSON).json()
    if board["result"] is None:
        to_the_end(page, game)
    else:
        page.goto(f"/play/{game}?hand={key}")


SENTENCES = """() => {
  const read = () => {
    const words = [...document.querySelectorAll("main .verdict__name, main .dock .btn--primary")].map(each => each.innerText);
    window.sentences = [...(window.sentences ?? []), ...words];
  };
  new MutationObserver(read).observe(document.body, { childList: true, subtree: true });
}"""


@pytest.mark.parametrize(("game", "before"), [("poker", "Good luck"), ("blackjack", "Place your bets")])
def test_the_first_deal_of_all_keeps_its_sentence_until_the_cards_lie_there(
    phone: Page, game: str, before: str
) -> None:
    phone.goto(f"/play/{game}")
    phone.evaluate(SENTENCES)
    with requests_of(phone) as sent:
        click(phone.locator("#sit button"))
        phone.locator("#room[data-hand]:not([data-moving]) [data-cards] .card").first.wait_for()
    own = [action for action in actions(sent) if "cookies=1" not in action]  # the site asks for the first one twice
    assert len(own) == 2, "one sits down, and one deals"
    said = phone.evaluate("window.sentences")
    assert before in said
    assert not [words for words in said if "sealed" in words or "Cut" in words]


def test_a_gain_is_shown_once_and_not_again_while_the_next_cards_fly(phone: Page) -> None:
    phone.goto("/play/blackjack")
    phone.locator(".purse").evaluate(
        "purse => purse.insertAdjacentHTML('beforeend', '<span class=purse__gain>+30</span>')"
    )
    gain = phone.locator(".purse__gain")
    assert gain.evaluate("gain => getComputedStyle(gain).animationName") == "gain"
    phone.locator("header").evaluate("header => { header.dataset.held = ''; }")
    expect(gain).to_be_hidden()


def test_it_is_one_request_that_deals_with_a_cut_of_the_page_and_no_table_is_empty_in_between(phone: Page) -> None:
    sit(phone, "poker")
    before = board_of(phone, "poker")["next"]
    phone.evaluate(EMPTY_TABLES)
    with requests_of(phone) as sent:
        click(phone.locator("#sit button"))
        phone.locator("[data-mark]").last.wait_for()
    (asked,) = actions(sent)
    assert f"/play/poker/{before['hand']}/0" in asked
    assert "verb=deal" in asked
    assert phone.evaluate("window.emptyTables") == 0
    board = board_of(phone, "poker")
    assert (board["hand"], board["commitment"]) == (before["hand"], before["commitment"])
    assert len(board["cut"]) == 16


def test_the_last_hands_stay_where_they_are_while_a_hand_is_played(desktop: Page) -> None:
    sit(desktop, "poker")
    strip = desktop.locator(".history")
    before = strip.inner_html()
    desktop.evaluate("() => { window.strip = document.querySelector('.history'); }")
    click(desktop.locator("#sit button"))
    desktop.locator("#room:not([data-moving]) [data-mark]").last.wait_for()
    expect(strip).to_be_visible()
    assert strip.inner_html() == before
    assert desktop.evaluate("() => document.querySelector('.history') === window.strip"), "it is not sent again"
    desktop.keyboard.press("x")
    desktop.locator("#room[data-hand]:not([data-moving]) :is(#sit, [value=collect])").first.wait_for()
    if desktop.locator("[value=collect]").count():
        assert strip.inner_html() == before
        desktop.keyboard.press("c")
    expect(desktop.locator(".history__item")).to_have_count(2)


IN_LINES = """() => Array.from(document.querySelectorAll(".side__seal summary"), summary => {
  const words = document.createRange();
  words.selectNodeContents(summary);
  const {top, bottom} = words.getBoundingClientRect(), {right} = summary.getBoundingClientRect();
  return [top + 2, bottom - 2].map(y => document.elementFromPoint(right - 10, y).textContent);
})"""
"""What is hit at the end of the line of each seal, at its upper and its lower edge."""


def test_the_seal_of_the_next_deck_stands_on_the_page_before_its_cut(desktop: Page) -> None:
    sit(desktop, "poker")
    promised = board_of(desktop, "poker")["next"]["commitment"]
    desktop.get_by_text("Seal of the next deck").click()
    expect(desktop.get_by_text(promised)).to_be_visible()


def test_a_click_in_the_line_of_a_seal_opens_that_one(desktop: Page) -> None:
    sit(desktop, "poker")
    found = desktop.evaluate(IN_LINES)
    assert found == [[name] * 2 for name in ("Seal of this deck", "Seal of the next deck")]


@pytest.mark.parametrize("game", ["joker", "blackjack"])
def test_the_bets_of_the_finished_page_go_with_it(phone: Page, game: str) -> None:
    sit(phone, game)
    phone.locator("[data-stake]").first.fill("20")
    with requests_of(phone) as sent:
        room = phone.locator("#room").element_handle()
        click(phone.locator("#sit button"))
        phone.wait_for_function("room => !room.isConnected", arg=room)
    (asked,) = actions(sent)
    assert "stake=20" in asked
    assert "verb=deal" in asked
    assert phone.locator("#room").count() == 1


def test_who_wants_to_see_the_cut_first_sits_down_first(phone: Page) -> None:
    phone.request.post("/settings", form={"deal": "cut"}, headers={"Sec-Fetch-Site": "same-origin"})
    sit(phone, "poker")
    with requests_of(phone) as sent:
        click(phone.locator("#sit button"))
        phone.get_by_role("button", name="Cut and deal").wait_for()
    (asked,) = actions(sent)
    assert asked.split()[0].endswith("/play/poker")


def test_a_table_that_was_left_in_another_tab_deals_all_the_same(phone: Page) -> None:
    """Its prepared hand does not exist any more: the page sits down instead, and deals by itself."""
    sit(phone, "poker")
    other = phone.context.new_page()
    other.request.post("/play/poker", form={"table": "quest-ties-win"}, headers={"Sec-Fetch-Site": "same-origin"})
    click(phone.locator("#sit button"))
    phone.locator("[data-mark]").last.wait_for()


DELAYS = """() => document.getAnimations().filter(each => each.effect.target.matches(".flyer"))
  .map(each => each.effect.getTiming().delay)"""


def test_old_cards_leave_while_the_request_travels_and_the_first_new_one_comes_with_the_answer(phone: Page) -> None:
    phone.clock.install()
    sit(phone, "poker")
    held: list[Route] = []
    phone.route("**/play/poker/*/0", lambda route: held.append(route))
    with stopped(phone):
        said = phone.locator(".verdict").inner_text()
        phone.locator("#sit button").evaluate("button => button.click()")
        expect(phone.locator(".flyer")).to_have_count(5)
        phone.clock.run_for(500)
        expect(phone.locator(".flyer")).to_have_count(0)
        expect(phone.locator(".card--coming")).to_have_count(5)
        assert phone.locator(".verdict").inner_text() == said
        held[0].continue_()
        expect(phone.locator("#room[data-moving] .flyer")).to_have_count(5)
        assert sorted(phone.evaluate(DELAYS)) == [0, 90, 180, 270, 360]  # though no time has passed on this page


def test_without_an_answer_the_old_cards_lie_there_as_before(phone: Page, console: Console) -> None:
    console.expect("no answer|ERR_FAILED")
    phone.clock.install()
    sit(phone, "poker")
    phone.route("**/play/poker/*/0", lambda route: route.abort())
    with stopped(phone):
        phone.locator("#sit button").evaluate("button => button.click()")
        expect(phone.locator("#connection")).to_be_visible()
        expect(phone.locator(".card--coming")).to_have_count(0)


def test_on_a_slow_line_the_first_card_moves_as_soon_as_it_is_there(phone: Page) -> None:
    """It takes one round trip and little more."""
    phone.clock.install()
    sit(phone, "poker")
    with stopped(phone):
        phone.evaluate(MOVES)
        with requests_of(phone) as sent:
            click(phone.locator("#sit button"))
            phone.locator("#room:not([data-before])").wait_for(state="attached")
        assert len(actions(sent)) == 1
        phone.clock.run_for(SOON)
        assert phone.evaluate("window.moved")
