"""Sounds: nothing is fetched before they are enabled; then they follow what is shown, without a reload."""

from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import table_recording
from tests.e2e.conftest import PHONE, Visit
from tests.e2e.dealer import Dealer
from tests.e2e.geometry import overlaid
from tests.e2e.motion_cases import CASES
from tests.e2e.recording import record
from tests.e2e.taps import click
from tests.support.languages import WIDEST
from tests.support.player import Player

LISTEN = """() => {
  globalThis.heard = [];
  document.addEventListener("sounded", ({ detail }) => globalThis.heard.push(detail.name));
}"""
SEND = "([name, detail]) => { document.dispatchEvent(new CustomEvent(name, { detail })); }"
TURN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""What a page does for an event it has done by then."""
HEARD = "name => globalThis.heard.includes(name)"


def fetched(page: Page) -> list[str]:
    """Return the list of requests for sounds from now on."""
    found: list[str] = []
    page.on("request", lambda request: found.append(request.url) if "sound" in request.url else None)
    return found


def turn_on(page: Page) -> None:
    page.evaluate(LISTEN)
    click(page.locator(".dock__menu"))
    button = page.get_by_role("button", name="Soft sounds")
    expect(button).to_have_attribute("aria-pressed", "false")
    with page.expect_response("**/settings"):
        click(button)
    expect(button).to_have_attribute("aria-pressed", "true")
    page.wait_for_function(HEARD, arg="chip")
    page.keyboard.press("Escape")


def test_nobody_fetches_a_sound_who_has_not_asked_for_it(phone: Page, dealer: Dealer) -> None:
    found = fetched(phone)
    phone.goto(dealer.seat(phone, "collected").table)
    phone.evaluate(SEND, ["card", {"kind": "deal"}])
    phone.evaluate(TURN)
    assert found == []


def test_the_menu_turns_them_on_at_once_and_a_reload_keeps_them(phone: Page, dealer: Dealer) -> None:
    phone.goto(dealer.seat(phone, "collected").table)
    found = fetched(phone)
    turn_on(phone)
    assert sum("table.wav" in url for url in found) == 1
    phone.reload()
    assert phone.evaluate("document.documentElement.dataset.sound") == "1"


def test_cards_turns_shuffles_and_results_are_heard_as_they_are_seen(phone: Page, dealer: Dealer) -> None:
    phone.goto(dealer.seat(phone, "collected").table)
    turn_on(phone)
    for kind, name in (
        ("deal", "card2"),
        ("deal", "card3"),
        ("deal", "card1"),
        ("turn", "flip"),
        ("shuffle", "shuffle"),
    ):
        phone.evaluate(SEND, ["card", {"kind": kind}])
        phone.wait_for_function(HEARD, arg=name)
    phone.evaluate("() => { document.getElementById('room').dataset.resultSound = 'ping-2'; }")
    phone.evaluate(SEND, ["landed", None])
    phone.wait_for_function(HEARD, arg="ping")
    phone.evaluate("() => { document.getElementById('room').dataset.resultSound = 'tick'; }")
    phone.evaluate(SEND, ["landed", None])
    phone.wait_for_function(HEARD, arg="tick")


def test_only_the_greatest_win_is_a_chord(phone: Page, dealer: Dealer) -> None:
    phone.goto(dealer.seat(phone, "collected").table)
    turn_on(phone)
    heard = []
    for tier in range(4):
        phone.evaluate(
            """tier => {
          globalThis.rates = [];
          document.addEventListener("sounded", ({ detail }) => globalThis.rates.push(detail.rate));
          document.getElementById("room").dataset.resultSound = `ping-${tier}`;
        }""",
            tier,
        )
        phone.evaluate(SEND, ["landed", None])
        phone.wait_for_function("count => globalThis.rates.length >= count", arg=2 if tier == 3 else 1)
        heard.append(sorted(set(phone.evaluate("globalThis.rates"))))
    assert [len(rates) for rates in heard] == [1, 1, 1, 2]
    assert [rates[0] for rates in heard] == sorted({rates[0] for rates in heard}), "each is higher than the last"


def test_turned_off_nothing_is_heard_any_more(phone: Page, dealer: Dealer) -> None:
    phone.goto(dealer.seat(phone, "collected").table)
    turn_on(phone)
    click(phone.locator(".dock__menu"))
    click(phone.get_by_role("button", name="Soft sounds"))
    phone.keyboard.press("Escape")
    phone.evaluate(LISTEN)
    phone.evaluate(SEND, ["card", {"kind": "turn"}])
    phone.evaluate(TURN)
    assert phone.evaluate("globalThis.heard") == []


LANDINGS = """document.addEventListener("landed", () => {
  (globalThis.landings ??= []).push((document.getElementById("state") ?? document.getElementById("room")).dataset.resultSound ?? "");
});"""
"""What is to be heard when the last card lies there."""


@pytest.mark.parametrize("speed", ["fast", "reduced"])
@pytest.mark.parametrize(
    ("name", "sound"), [("poker: a draw that pays", "ping-1"), ("poker: a draw for nothing", "tick")]
)
def test_who_wants_no_motion_hears_the_result_once(
    visit: Visit, dealer: Dealer, speed: str, name: str, sound: str
) -> None:
    page = visit(PHONE, reduced_motion="reduce" if speed == "reduced" else "no-preference")
    page.add_init_script(LANDINGS)
    case = replace(CASES[name], prefs=f"deal=cut&speed={'fast' if speed == 'fast' else 'normal'}")
    record(page, dealer.app, case)
    assert page.evaluate("globalThis.landings") == [sound]


def test_who_wants_no_motion_hears_the_end_of_a_shared_round_once(visit: Visit, dealer: Dealer) -> None:
    page = visit(PHONE)
    page.add_init_script(LANDINGS)
    case = table_recording.TableCase("6h 6d 5s Tc Th 9d", ("bet 100", "double"), "button[value=double]")
    table_recording.record(page, dealer.app, case, most=1)
    assert page.evaluate("globalThis.landings") == ["ping-1"]


SPILT = """question => {
  const place = question.getBoundingClientRect();
  const spills = ({ left, right, top, bottom }) =>
    left < place.left || right > place.right || top < place.top || bottom > place.bottom;
  return [...question.children].filter((each) => each.checkVisibility() && spills(each.getBoundingClientRect())).map((each) => each.textContent);
}"""


@pytest.mark.parametrize("text", ["100", "200"])
@pytest.mark.parametrize("language", WIDEST)
def test_the_question_about_sounds_covers_neither_the_purse_nor_the_help(
    phone: Page, dealer: Dealer, language: str, text: str
) -> None:
    player = Player(dealer.app.test_client())
    hands = [dealer.play(player, "nothing") for _ in range(5)]
    dealer.give(phone, hands[-1])
    dealer.prefer(phone, language=language, text=text)
    phone.goto(hands[-1].table)
    expect(phone.locator("[data-ask]")).to_be_visible()
    assert overlaid(phone, "[data-ask], [data-ask] *", ".purse, [data-help]") == []
    assert phone.locator("[data-ask]").evaluate(SPILT) == []
