"""No sentence about an old hand stands over the cards of the next one, in any game and in no drill."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route

from tests.e2e import table_recording
from tests.e2e.clocks import frames, stopped
from tests.e2e.dealer import Dealer
from tests.e2e.motion_cases import CASES
from tests.e2e.pushed_recording import LINE
from tests.e2e.recording import states
from tests.e2e.table_recording import TableCase, answered_by
from webapp.engine.games import COMPANY, SOLO

pytestmark = pytest.mark.moving

ENDS = {
    "poker: a draw for nothing": "poker: a deal",
    "double-up: collected": "poker: a deal",
    "double-up: lost": "poker: a deal that pays",
    "double-up: the last win there is": "poker: a deal",
    "joker: stopped": "joker: a deal that pays",
    "joker: five of a kind": "joker: a deal that pays",
    "video: a draw for nothing": "video: a deal",
    "video: deuces": "video: a deal",
    "video: five hands": "video: a deal",
    "blackjack: bust": "blackjack: a deal",
    "blackjack: won": "blackjack: three boxes",
    "blackjack: the dealer's natural": "blackjack: a natural",
    "classic: the dealer draws": "blackjack: pitched",
}
"""How a hand ends, and the deal of the next one."""

SAID = """() => Array.from(document.querySelectorAll("[data-after=verdict], .coach"))
  .filter((each) => each.checkVisibility({visibilityProperty: true}))
  .map((each) => each.textContent.replace(/\\s+/g, " ").trim()).filter(Boolean)"""
LOOK = f"""() => ({{
  said: ({SAID})(),
  isLast: document.querySelector("#room:not([data-first])") !== null && !document.querySelector("[data-moving], [data-stepping]"),
}})"""
ROOM = re.compile(r'<div id="room".*?(?=<dialog|<p id="status")', re.DOTALL)


def stood_over_new_cards(page: Page, address: str, before: str, after: str, press: str) -> list[str]:
    """Return what was said of the old hand and is still seen while the cards of the new one come."""
    page.clock.install()
    page.route(re.compile(r"/(play|t)/"), answered_by(before, after))
    page.goto(address)
    page.locator("#room").evaluate("room => { room.toggleAttribute('data-first', true); }")
    said = page.evaluate(SAID)
    assert said
    with stopped(page):
        page.locator(press).first.evaluate("button => button.click()")
        page.locator("#room[data-moving]").wait_for(state="attached")
        page.locator("#room").evaluate("room => room.removeAttribute('data-first')")
        seen = frames(page, LOOK, None)
    assert len(seen) > 10
    return [each for frame in seen[:-1] for each in frame["said"] if each in said]


def next_hand(dealer: Dealer, end: str) -> tuple[str, str, str, str]:
    """Return the address, the page of a finished hand, the answer with the next deal, and the selector of its button."""
    _, _, over = states(dealer.app, CASES[end])
    address, page, dealt = states(dealer.app, CASES[ENDS[end]])
    return address, ROOM.sub(lambda _: over, page), dealt, "#sit button"


def a_deal(dealer: Dealer) -> tuple[str, str, str, str]:
    case = TableCase("Th 9d 6s Kc", ("bet 100",), "#bet button")
    return *table_recording.states(dealer.app, case), case.press


def forgetful(route: Route) -> None:
    """Serve a script that does not know an old hand."""
    answer = route.fetch()
    script = answer.text()
    assert '"data-past",!' in script
    route.fulfill(response=answer, body=re.sub(r'"data-past",!\w+', '"data-past",false', script))


def test_these_are_all_games() -> None:
    assert {CASES[end].game for end in ENDS} == {CASES[deal].game for deal in ENDS.values()} == set(SOLO)
    assert COMPANY.spec.code == "table21"


@pytest.mark.parametrize("end", ENDS)
def test_no_old_sentence_stands_over_new_cards(desktop: Page, dealer: Dealer, end: str) -> None:
    assert stood_over_new_cards(desktop, *next_hand(dealer, end)) == []


def test_none_stands_over_those_of_a_shared_table(phone: Page, dealer: Dealer) -> None:
    phone.add_init_script(LINE)
    assert stood_over_new_cards(phone, *a_deal(dealer)) == []


@pytest.mark.parametrize("end", ["double-up: lost", "joker: stopped", "blackjack: bust", "the shared table"])
def test_a_page_that_keeps_old_sentences_is_found_out(desktop: Page, dealer: Dealer, end: str) -> None:
    desktop.route("**/js/reveal.js*", forgetful)
    desktop.add_init_script(LINE)
    broken = next_hand(dealer, end) if end in ENDS else a_deal(dealer)
    assert stood_over_new_cards(desktop, *broken) != []


ANSWERS = ".dock [form=answer], .dock [form=move]"
SPOT = f"""() => ({{
  said: ({SAID})(),
  answers: document.querySelectorAll("{ANSWERS}").length,
  isLast: document.querySelector("#room:not([data-first])") !== null && !document.querySelector("[data-moving]"),
}})"""


def next_spot(page: Page, game: str) -> tuple[list[str], list[dict[str, Any]]]:
    """Return what is said of a mistake in a drill, and what is seen while the cards of the next spot come."""
    page.clock.install()
    page.goto(f"/drill/{game}?spot=drill&answer={'hit' if game == 'blackjack' else 'hold'}")
    page.locator(".coach__text").wait_for(timeout=60_000)
    page.locator("#room").evaluate("room => { room.toggleAttribute('data-first', true); }")
    said = page.evaluate(SAID)
    with stopped(page):
        page.locator(".dock__main").evaluate("link => link.click()")
        page.locator("#room[data-moving]").wait_for(state="attached")
        seen = frames(page, SPOT, None)
    assert len(seen) > 10
    return said, seen


@pytest.mark.parametrize("game", ["blackjack", "poker"])
def test_the_verdict_leaves_with_its_spot_and_the_next_is_answered_when_it_lies_there(desktop: Page, game: str) -> None:
    said, seen = next_spot(desktop, game)
    assert said
    assert [each for frame in seen[:-1] for each in frame["said"] if each in said] == []
    assert [frame["answers"] for frame in seen[:-1] if frame["answers"]] == []
    assert seen[-1]["answers"] and seen[-1]["said"]


def test_a_verdict_that_stays_over_the_next_spot_is_found_out(desktop: Page) -> None:
    desktop.route("**/js/reveal.js*", forgetful)
    said, seen = next_spot(desktop, "poker")
    assert [each for frame in seen[:-1] for each in frame["said"] if each in said] != []
