"""Order of events: nothing that reveals a result is shown before the last card has arrived."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.conftest import DESKTOP, PHONE, Visit
from tests.e2e.dealer import Dealer
from tests.e2e.geometry import shifts, watch_shifts
from tests.e2e.motion_cases import CASES, DRAW, button
from tests.e2e.recording import SAID, record, record_states, states
from tests.e2e.visitor import Visitor, finger

pytestmark = pytest.mark.moving

STILL = (
    "poker: all five kept",
    "double-up: collected",
    "joker: stopped",
    "blackjack: insurance for nothing",
)
"""No card comes."""
MOVING = sorted(set(CASES) - set(STILL))
SAYING = (
    "blackjack: the dealer draws",
    "blackjack: a hit to 21",
    "blackjack: won",
    "blackjack: equal",
    "blackjack: a double",
    "blackjack: a split of aces",
    "blackjack: the dealer's natural",
    "blackjack: insurance that pays",
    "blackjack: no hole card",
    "classic: the dealer draws",
    "replay: a double",
    "replay: the dealer draws",
)
"""The dealer has the last word before the result."""
NOTHING = "return { release() {}, tell() {} };"
OF_EACH_KIND = {name.partition(":")[0]: name for name in MOVING}
ALIKE = (
    "poker: a deal that pays with all five",
    "double-up: equal wins",
    "joker: a deal that pays",
    "joker: a double-up lost",
    "joker: an exchange that pays with more",
    "joker: an exchange that pays with others",
    "joker: the second exchange",
    "blackjack: a hit with cards face down",
    "blackjack: a natural against an ace",
    "blackjack: equal",
    "blackjack: the run is over",
    "classic: a hit",
    "replay: a double",
    "replay: a round won",
    "replay: the second exchange",
)
"""Of the same kind as another one of the same templates: the long tests record them, too."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.soak if name in ALIKE else ()) for name in MOVING]
)
def test_nothing_is_told_before_the_last_card_lies_there(desktop: Page, dealer: Dealer, name: str) -> None:
    recording = record(desktop, dealer.app, CASES[name])
    assert recording.landing >= 260
    rest = SAID if name in SAYING else 80
    assert recording.landing <= recording.told_at <= recording.landing + rest + 2 * 16
    assert {"transform"} <= set(recording.animated) <= {"transform", "opacity"}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in OF_EACH_KIND.values() else pytest.mark.soak) for name in MOVING]
)
def test_a_page_that_does_not_wait_is_found_out(desktop: Page, dealer: Dealer, name: str) -> None:
    """If nothing is held back, every case breaks the law above."""

    def impatient(route: Route) -> None:
        answer = route.fetch()
        script = answer.text()
        assert "const releases=[];" in script
        route.fulfill(response=answer, body=script.replace("const releases=[];", NOTHING))

    desktop.route("**/js/reveal.js*", impatient)
    recording = record(desktop, dealer.app, CASES[name], until_told=True)
    assert recording.told_at < recording.landing


def test_where_no_card_comes_the_word_is_there_at_once(desktop: Page, dealer: Dealer) -> None:
    for name in STILL:
        assert record(desktop, dealer.app, CASES[name]).told_at == 0


@pytest.mark.parametrize(
    ("name", "landing"),
    [
        ("poker: a deal", 4 * 90 + 260),
        ("poker: a draw that pays", 2 * 90 + 260),
        ("blackjack: a hit", 260),
        ("blackjack: a hit to 21", 260 + 240 + 320),
        ("blackjack: a natural", 3 * 90 + 260 + 240 + 320),
        ("blackjack: the dealer draws", 2 * 420 + 560 + 260),
        ("poker: a card that decides", 260 + 220 + 320),
        ("double-up: won", 320),
    ],
)
def test_the_last_card_lies_there_when_it_should(desktop: Page, dealer: Dealer, name: str, landing: int) -> None:
    assert round(record(desktop, dealer.app, CASES[name], until_told=True).landing) == landing


STATIONS = """(() => {
  const animate = Element.prototype.animate;
  window.stations = [];
  Element.prototype.animate = function (frames, options) {
    if (this.matches("[data-cards=dealer] > .card:first-child")) stations.push(...frames.map((frame) => frame.transform));
    return animate.call(this, frames, options);
  };
})()"""


def test_the_dealers_fan_makes_room_for_each_card_when_that_comes(desktop: Page, dealer: Dealer) -> None:
    desktop.add_init_script(STATIONS)
    record(desktop, dealer.app, CASES["blackjack: the dealer draws"], until_told=True)
    assert len(set(desktop.evaluate("stations"))) == 4  # two cards, three, four and five


PACKET = """(() => {
  const animate = Element.prototype.animate;
  window.packet = [];
  Element.prototype.animate = function (frames, options) {
    if (this.matches(".flyer--packet")) packet.push({ width: parseFloat(this.style.width), ends: options.duration });
    return animate.call(this, frames, options);
  };
})()"""


LATE = """const others = new MessageChannel();
for (let nth = 0; nth < 4000; nth++) await new Promise((done) => { others.port1.onmessage = done; others.port2.postMessage(0); });
others.port1.close();
"""
"""Delays a script by more messages than a recording has frames; the page's timers are stopped."""


def test_a_shuffle_of_the_shoe_is_seen_before_its_cards_come(desktop: Page, dealer: Dealer) -> None:
    def late(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text() + LATE)

    desktop.route("**/js/shuffle.js*", late)
    desktop.add_init_script(PACKET)
    case = CASES["blackjack: a hit"]
    address, before, after = states(dealer.app, case)
    fuller = re.sub(r'data-dealt="\d+"', 'data-dealt="300"', before)
    assert fuller != before
    recording = record_states(desktop, (address, fuller, after), case.press, begins_with=".flyer--packet")
    packet = desktop.evaluate("packet")
    assert len(packet) == 8
    assert all(card["width"] >= 48 and card["ends"] == 1100 for card in packet)
    assert round(recording.landing) == 1100 + 260
    assert recording.told_at >= recording.landing
    assert {"transform"} <= set(recording.animated) <= {"transform", "opacity"}
    expect(desktop.locator(".flyer--packet")).to_have_count(0)


def test_the_script_of_the_shuffle_is_loaded_while_the_first_cards_are_requested(desktop: Page, dealer: Dealer) -> None:
    address, before, _ = states(dealer.app, CASES["blackjack: a hit"])
    desktop.route(f"**{address}", lambda route: route.fulfill(body=before, content_type="text/html; charset=utf-8"))
    desktop.route(f"**{address}/*/*", lambda route: route.fulfill(status=204))
    desktop.goto(address)
    with desktop.expect_request("**/js/shuffle.js*"):
        desktop.locator(button("hit")).first.click()


SENTENCE = """() => new Promise((done) => {
  const top = () => document.querySelector(".verdict__name").getBoundingClientRect().top;
  const before = top(), room = () => document.getElementById("room");
  const look = () => (room().hasAttribute("data-moving") ? done([before, top()]) : requestAnimationFrame(look));
  document.querySelector("#sit .btn--primary").click();
  look();
})"""


@pytest.mark.parametrize("device", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("game", ["poker", "joker", "video", "blackjack"])
def test_the_sentence_stays_where_it_is_when_the_first_cards_come(
    visit: Visit, game: str, device: dict[str, object]
) -> None:
    page = visit(device)
    page.goto(f"/play/{game}")
    before, moving = page.evaluate(SENTENCE)
    assert moving == pytest.approx(before, abs=0.5)


DIMMED = "() => [...document.querySelectorAll('.card__face')].filter(each => getComputedStyle(each).filter !== 'none').length"


def test_cards_of_another_hand_are_not_dimmed_by_the_loss_before(desktop: Page, dealer: Dealer) -> None:
    _, _, lost = states(dealer.app, CASES["blackjack: bust"])
    address, before, after = states(dealer.app, CASES["blackjack: a deal"])
    lost_page = re.sub(r'<div id="room".*?(?=<dialog|<p id="status")', lambda _: lost, before, flags=re.DOTALL)
    desktop.add_init_script(f"window.dimmed = []; document.addEventListener('card', () => dimmed.push(({DIMMED})()));")
    recording = record_states(desktop, (address, lost_page, after), "#sit button")
    assert recording.landing >= 260
    assert set(desktop.evaluate("dimmed")) == {0}


def test_after_a_win_each_coin_that_lands_adds_its_share_to_the_purse(desktop: Page, dealer: Dealer) -> None:
    recording = record(desktop, dealer.app, CASES["blackjack: won"], watch=1500)
    purse = [
        (time - recording.told_at, int(re.sub(r"\+.*|\D", "", text)))
        for time, told in recording.frames
        for text in told
        if text.startswith("purse ") and time >= recording.told_at
    ]
    assert {chips for time, chips in purse if time < 600} == {1000}, (
        "the bet is back at once: the coins are what was won"
    )
    assert sorted(purse, key=lambda each: each[1]) == purse
    assert {chips for _, chips in purse} == {1000, 1020, 1040, 1060, 1080, 1100}
    assert {chips for time, chips in purse if time > 620 + 4 * 65 + 200} == {1100}


def test_an_equal_round_rests_before_the_next_one_is_dealt(desktop: Page, dealer: Dealer) -> None:
    recording = record(desktop, dealer.app, CASES["double-up: equal"])
    sentence = [(time, next(text for text in told if text.startswith("verdict"))) for time, told in recording.frames]
    stands = [time for time, text in sentence if "Eight meets eight It stands." in text]
    assert recording.landing <= stands[0] <= recording.landing + 16
    assert stands[-1] - stands[0] >= 900 + 4 * 90 + 260 - 2 * 16
    assert "Beat the eight of hearts" in sentence[-1][1]


def test_the_button_that_was_pressed_is_dimmed_and_presses_nothing(desktop: Page, dealer: Dealer) -> None:
    desktop.clock.install()
    desktop.goto(dealer.seat(desktop, "will be a pair", fresh=True).table)
    desktop.clock.pause_at(desktop.evaluate("Date.now()") / 1000 + 60)
    desktop.locator(DRAW).click()
    expect(desktop.locator(".dock[inert] .btn--pressed")).to_be_visible()
    assert float(desktop.locator(".btn--pressed").evaluate("each => getComputedStyle(each).opacity")) < 0.7
    desktop.clock.run_for(2000)
    expect(desktop.locator(".dock:not([inert])")).to_be_visible()
    expect(desktop.locator(".btn--pressed, .flyer, .card--coming, [data-held]")).to_have_count(0)
    expect(desktop.locator("[data-focus]").first).to_be_focused()


@pytest.mark.parametrize("way", ["tap", "key", "hidden"])
def test_a_tap_shows_the_end_at_once_and_presses_nothing(visit: Visit, dealer: Dealer, way: str) -> None:
    page = visit(PHONE)
    page.clock.install()
    page.goto(dealer.seat(page, "dealt a pair", fresh=True).table)
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 60)
    page.locator(DRAW).tap()
    expect(page.locator("#room[data-moving]")).to_be_attached()
    box = page.locator(".dock").bounding_box()
    assert box
    if way == "tap":
        page.touchscreen.tap(box["x"] + box["width"] - 60, box["y"] + box["height"] - 40)
    elif way == "key":
        page.keyboard.press("Enter")
    else:
        page.evaluate(
            "() => { Object.defineProperty(document, 'hidden', {value: true}); document.dispatchEvent(new Event('visibilitychange')); }"
        )
    expect(page.locator("#room:not([data-moving])")).to_be_attached()
    expect(page.locator(".flyer, .card--coming, [data-held]")).to_have_count(0)
    expect(page.locator(".dock:not([inert])")).to_be_visible()


def test_a_screen_reader_hears_it_at_once(desktop: Page, dealer: Dealer) -> None:
    desktop.clock.install()
    desktop.goto(dealer.seat(desktop, "will be a pair", fresh=True).table)
    desktop.clock.pause_at(desktop.evaluate("Date.now()") / 1000 + 60)
    desktop.clock.run_for(5000)  # the page has said by then where the hand stands
    desktop.locator(DRAW).click()
    expect(desktop.locator("#room[data-moving]")).to_be_attached()
    desktop.clock.run_for(100)
    expect(desktop.get_by_role("status").first).to_have_text(re.compile("^Drawn: "))
    expect(desktop.locator("#room[data-moving]")).to_be_attached()


@pytest.mark.parametrize("device", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_nothing_jumps_while_a_hand_is_played(visit: Visit, dealer: Dealer, device: dict[str, object]) -> None:
    page = visit(device)
    watch_shifts(page)
    page.goto(dealer.seat(page, "will be a pair", fresh=True).table)
    visitor = Visitor(page, finger if device is PHONE else lambda page, control, key: page.keyboard.press(key))
    visitor.hold(1)
    visitor.hold(2)
    visitor.draw()
    visitor.double()
    visitor.pick(2)
    assert shifts(page) == []


def test_the_gain_under_the_purse_is_seen(phone: Page, dealer: Dealer) -> None:
    """It was once painted behind the felt."""
    phone.goto(dealer.seat(phone, "picking", fresh=True).table)
    over = phone.evaluate(
        """() => {
          const gain = Object.assign(document.createElement("span"), {className: "purse__gain", textContent: "+100"});
          gain.style.animation = "none";
          gain.style.opacity = "1";
          gain.style.pointerEvents = "auto";
          document.querySelector(".purse").append(gain);
          const box = gain.getBoundingClientRect();
          return document.elementFromPoint(box.left + box.width / 2, box.bottom - 2) === gain;
        }"""
    )
    assert over


def test_without_a_script_nothing_waits(no_js: Page, dealer: Dealer) -> None:
    no_js.goto(dealer.seat(no_js, "tied", fresh=True).table)
    assert no_js.locator(".card--coming, .held-back, [data-held], .flyer").count() == 0
    expect(no_js.get_by_role("heading", name="Beat the")).to_be_visible()
