"""The order of events at a shared table: cards first, and results when the last one has arrived."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.clocks import FRAME
from tests.e2e.conftest import PHONE, Console, Visit
from tests.e2e.dealer import Dealer, Hand
from tests.e2e.geometry import clipped, shifts, watch_shifts
from tests.e2e.pushed_recording import LINE, endings, record_ending
from tests.e2e.recording import record_states
from tests.e2e.stacked import show
from tests.e2e.table_recording import TableCase, record, replay_states, states
from tests.support.cookies import cookie_of
from tests.support.table_players import NO_CLOCK, betting, players

BET = "#bet button"
STAND = "button[value=stand]"
DRAWS = TableCase("Th 6d 9s 2c 3h 4d 5s", ("bet 100", "stand"), "button[value=stand]")
CASES = {
    "a deal": TableCase("Th 9d 6s Kc", ("bet 100",), BET),
    "a natural": TableCase("Ah 9d Ks 7c 3d", ("bet 100",), BET),
    "two naturals": TableCase("Ah As Ks Kc", ("bet 100",), BET),
    "a hit": TableCase("Th 9d 2s Kc 3d", ("bet 100", "hit"), "button[value=hit]"),
    "a bust": TableCase("Th 9d 6s Kc Qd", ("bet 100", "hit"), "button[value=hit]"),
    "the bank stands": TableCase("Th Kd 9s Qc", ("bet 100", "stand"), "button[value=stand]"),
    "the bank draws": DRAWS,
    "a split": TableCase("8h 6d 8s Tc 3h 5d", ("bet 100", "split"), "button[value=split]"),
    "a double": TableCase("6h 6d 5s Tc Th 9d", ("bet 100", "double"), "button[value=double]"),
}
BEYOND = """() => [...document.querySelectorAll(".place--taken")].flatMap((place) => {
  const own = place.getBoundingClientRect();
  return [...place.querySelectorAll(".lie__word > *, .total")].filter((each) => each.getClientRects().length).map((each) => {
    const {left, right, top, bottom} = each.getBoundingClientRect();
    return [Math.max(own.left - left, right - own.right, own.top - top, bottom - own.bottom), each.textContent];
  }).filter(([by]) => by > 0.5);
})"""
"""Words of a place that stand over its edge, and by how much."""
WATCH_PURSE = """() => {
  window.shown = [];
  const others = new MessageChannel();
  const look = () => {
    const sum = document.querySelector(".purse__sum");
    if (window.shown.at(-1)?.[0] !== sum.textContent) window.shown.push([sum.textContent, sum.offsetWidth]);
    others.port2.postMessage(0); // so that it is the last one of its frame
  };
  others.port1.onmessage = () => requestAnimationFrame(look);
  look();
}"""
"""Record each number that the purse shows, with its width."""
LIES, TURNS, NEXT, FIRST = 260, 320, 90, 700
"""Milliseconds: to lie there, to be turned, from one card to the next, from one step to the next."""
DECIDES = LIES + 220 + TURNS
LANDINGS = {
    "a deal": [3 * NEXT + LIES],
    "a natural": [3 * NEXT + LIES + TURNS, 3 * NEXT + LIES + TURNS + 440 + DECIDES],
    "two naturals": [3 * NEXT + LIES + TURNS],
    "a hit": [LIES],
    "a bust": [LIES],
    "the bank stands": [TURNS],
    "the bank draws": [TURNS, TURNS + FIRST, TURNS + 2 * FIRST, TURNS + 2 * FIRST + 440 + DECIDES],
    "a split": [NEXT + LIES],
    "a double": [LIES + TURNS, LIES + TURNS + 440 + DECIDES],
}
RESULTS = {
    "a natural": (2, False),
    "two naturals": (0, False),
    "a bust": (0, True),
    "the bank stands": (0, True),
    "the bank draws": (0, True),
    "a double": (1, False),
}
"""How great a win it is for the player, and whether it is a loss."""


@pytest.fixture(autouse=True)
def console(console: Console) -> Console:
    """A stream that still connects while the clock is stopped, which sets it forward, is given up."""
    console.expect("htmx:error: timeout")
    return console


def hold_nothing_back(page: Page) -> None:
    """Give the page a script that shows at once what it should hold back until the last card has arrived."""

    def impatient(route: Route) -> None:
        answer = route.fetch()
        script = answer.text()
        assert "const releases=[];" in script
        route.fulfill(response=answer, body=script.replace("const releases=[];", "return { release() {}, tell() {} };"))

    page.route("**/js/reveal.js*", impatient)


@pytest.mark.moving
@pytest.mark.parametrize("name", CASES)
def test_nothing_is_told_before_the_last_card_lies_there(phone: Page, dealer: Dealer, name: str) -> None:
    recording = record(phone, dealer.app, CASES[name])
    assert recording.told_too_early == []
    late = [seen - due for seen, due in zip(recording.landings, LANDINGS[name], strict=True)]
    # frames go on while the page reads an answer, which takes no time of this clock
    assert all(0 <= each <= (2 + nth) * FRAME for nth, each in enumerate(late)), recording.landings
    assert set(recording.animated) <= {"opacity", "transform"}
    assert recording.results[-1:] == [[*RESULTS.get(name, (0, False)), 0]]


@pytest.mark.moving
@pytest.mark.parametrize("name", ["a deal", "the bank draws", "a double"])
def test_a_page_that_does_not_wait_is_found_out(phone: Page, dealer: Dealer, name: str) -> None:
    """If nothing is held back, every case breaks the law above."""
    hold_nothing_back(phone)
    assert record(phone, dealer.app, CASES[name]).told_too_early != []


NATURAL = "Th 9h As 9s Ts Kc"
ENDS = {
    "the bank draws": ("Th 9h 6d 9s Ts 2c 3h 4d Kd", LANDINGS["the bank draws"], (0, True), (1, False)),
    "the bank's natural": (NATURAL, [TURNS], (2, False), (0, True)),
}
"""Cards, when they land, and what the result is to the bank and to both players."""


@pytest.mark.moving
@pytest.mark.parametrize("name", ENDS)
def test_nobody_is_told_of_a_rounds_end_before_its_last_card(visit: Visit, dealer: Dealer, name: str) -> None:
    """The same end on four pages: one gets a response; the bank, another player and a watcher get updates."""
    cards, landings, of_bank, of_player = ENDS[name]
    results = {"the bank": of_bank, "a watcher": (0, False)}
    for who, ending in endings(dealer.app, cards).items():
        recording = record_ending(visit(PHONE), ending)
        assert recording.told_too_early == [], who
        late = [seen - due for seen, due in zip(recording.landings, landings, strict=True)]
        assert all(0 <= each <= (1 + nth) * FRAME for nth, each in enumerate(late)), (who, recording.landings)
        assert recording.results == [[*results.get(who, of_player), 0]], who


@pytest.mark.moving
def test_pages_that_do_not_wait_for_the_last_card_are_found_out(visit: Visit, dealer: Dealer) -> None:
    for who, ending in endings(dealer.app, NATURAL).items():
        page = visit(PHONE)
        hold_nothing_back(page)
        assert record_ending(page, ending).told_too_early != [], who


@pytest.mark.moving
def test_places_lie_where_they_will_lie_when_the_bank_has_changed(phone: Page, dealer: Dealer) -> None:
    watch_shifts(phone)
    record(phone, dealer.app, TableCase("Th Kd 9s Qc", ("bet 100", "stand", "ready"), "#ready button"))
    expect(phone.locator(".place--banker.place--you")).to_have_count(1)
    assert shifts(phone) == []


EXITS = """(() => {
  const animate = Element.prototype.animate;
  window.exits = [];
  Element.prototype.animate = function (frames, options) {
    const animation = animate.call(this, frames, options);
    if (this.matches(".flyer") && options.duration === 220) {
      animation.currentTime = options.delay + options.duration - 1;
      const [own, felt] = [this, this.closest("[data-felt]")].map((each) => each.getBoundingClientRect());
      animation.currentTime = 0;
      exits.push(((own.left + own.right) / 2 - felt.left) / felt.width);
    }
    return animation;
  };
})()"""
"""Where cards leave the felt: 0 is its left edge, 1 the right one."""


@pytest.mark.moving
def test_cards_do_not_leave_over_the_name_of_the_bank(phone: Page, dealer: Dealer) -> None:
    """It is at the left."""
    phone.add_init_script(EXITS)
    record(phone, dealer.app, TableCase("Th Kd 9s Qc", ("bet 100", "stand", "ready"), "#ready button"))
    exits = phone.evaluate("exits")
    assert len(exits) == 4
    assert all(0.4 < each < 0.65 for each in exits), exits


@pytest.mark.moving
def test_the_purse_counts_up_to_what_it_holds(phone: Page, dealer: Dealer) -> None:
    record(phone, dealer.app, CASES["a double"])
    shown = phone.locator(".purse [data-sum]")
    counted = int(shown.inner_text().replace(",", ""))
    assert 800 <= counted < 1200
    phone.clock.resume()
    expect(shown).to_have_text("1,200")


@pytest.mark.moving
def test_the_purse_counts_down_when_the_bet_is_placed(visit: Visit, dealer: Dealer) -> None:
    """A number that is shorter than before stands where the longer one stood."""
    page, at = visit(PHONE), betting(dealer.app, 3, **NO_CLOCK)
    dealer.give(page, Hand("", cookie_of(players(at)[0]), over=False))
    page.goto(f"/t/{at[0].code}")
    purse = page.locator(".purse__sum")
    width = purse.evaluate("sum => sum.offsetWidth")
    page.evaluate(WATCH_PURSE)
    page.get_by_role("button", name="Max").tap()
    page.get_by_role("button", name="Place the bet").tap()
    expect(purse).to_have_text("800")
    expect(page.locator("[data-full]")).to_have_count(0)
    shown = page.evaluate("window.shown")
    numbers = [int(text.replace(",", "")) for text, _ in shown]
    assert numbers == sorted(numbers, reverse=True)
    assert (numbers[0], numbers[-1]) == (1000, 800)
    assert len(numbers) > 3, numbers
    assert {wide for _, wide in shown[:-1]} == {width}


GAIN = """() => {
  const gain = document.querySelector(".purse__gain");
  gain.style.animation = "none";
  gain.getBoundingClientRect();
  gain.style.animation = "";
  const [shown] = gain.getAnimations();
  shown.pause();
  shown.currentTime = shown.effect.getComputedTiming().duration / 2;
}"""
"""Show the gain under the purse again, where it rests for a moment."""


@pytest.mark.moving
def test_the_gain_covers_nobodys_total(phone: Page, dealer: Dealer) -> None:
    record(phone, dealer.app, CASES["a double"])
    phone.evaluate(GAIN)
    expect(phone.locator(".purse__gain")).to_be_visible()
    overlaps = """() => {
      const own = document.querySelector(".purse__gain").getBoundingClientRect();
      return [...document.querySelectorAll(".total, .purse__sum")].filter((each) => {
        const {left, right, top, bottom} = each.getBoundingClientRect();
        return left < own.right && own.left < right && top < own.bottom && own.top < bottom;
      }).map((each) => each.className);
    }"""
    assert phone.evaluate(overlaps) == []


@pytest.mark.moving
def test_a_tap_shows_the_end_of_all_steps_at_once(phone: Page, dealer: Dealer) -> None:
    record(phone, dealer.app, DRAWS, most=40)
    expect(phone.locator(".company__dock[inert]")).to_have_count(1)
    phone.locator(".company__felt").dispatch_event("pointerdown")
    expect(phone.locator(".company__dock[inert], [data-moving], [data-stepping], .card--coming")).to_have_count(0)
    expect(phone.locator(".company__verdict")).to_contain_text("You lose 100.")


def test_with_less_motion_all_is_there_at_once(visit: Visit, dealer: Dealer) -> None:
    recording = record(visit(PHONE), dealer.app, DRAWS, most=1)
    assert any("You lose 100." in text for text in recording.frames[0][2])


@pytest.mark.moving
@pytest.mark.parametrize(("step", "landing"), [(1, TURNS), (2, LIES)])
def test_a_replayed_round_tells_nothing_before_its_cards(
    desktop: Page, dealer: Dealer, step: int, landing: int
) -> None:
    replayed = replay_states(dealer.app, DRAWS, step - 1)
    recording = record_states(desktop, replayed, "#step-arrowright", root="#finish")
    assert recording.landing == landing
    assert landing <= recording.told_at <= landing + 2 * FRAME


@pytest.mark.parametrize("cards", ["Th Kd 9s 6c Qd", "Th 5d 9s 6c 4d Kh", "Th 2d 9s 3c 4d 2s 5h Kd"])
def test_what_the_bank_loses_has_room_on_the_smallest_phone(visit: Visit, dealer: Dealer, cards: str) -> None:
    page = visit({**PHONE, "viewport": {"width": 320, "height": 568}})
    record(page, dealer.app, TableCase(cards, ("bet 190", "stand"), "button[value=stand]"), most=1)
    expect(page.locator(".place--banker .lie__word")).to_contain_text("−190")
    assert clipped(page) == []
    assert page.evaluate(BEYOND) == []


def test_ones_own_name_is_whole_beside_three_cards(phone: Page, dealer: Dealer) -> None:
    address, with_three, _ = states(dealer.app, TableCase("Th 9d 2s Kc 3d", ("bet 100", "hit", "stand"), STAND))
    phone.add_init_script(LINE)
    show(phone, with_three, address)
    expect(phone.locator(".place--you .card")).to_have_count(3)
    within, needed = phone.locator(".place--you .place__who").evaluate(
        "who => [[who.clientWidth, who.clientHeight], [who.scrollWidth, who.scrollHeight]]"
    )
    assert needed == within


@pytest.mark.moving
def test_the_name_of_the_bank_is_whole_on_the_smallest_phone(visit: Visit, dealer: Dealer) -> None:
    page = visit({**PHONE, "viewport": {"width": 320, "height": 568}})
    record(page, dealer.app, CASES["a deal"], most=1)
    name = page.locator(".place--banker .place__who")
    expect(name).to_contain_text("House bot")
    within, needed = name.evaluate("who => [[who.clientWidth, who.clientHeight], [who.scrollWidth, who.scrollHeight]]")
    assert needed == within
    assert clipped(page) == []


LANES = """() => [".place--you", ".company__line", ".company__dock .verbs"].map((each) => {
  const {left, right} = document.querySelector(each).getBoundingClientRect();
  return [Math.round(left), Math.round(right)];
})"""


@pytest.mark.parametrize(
    ("size", "felt", "card"), [((1920, 1080), 1400, 170), ((768, 1024), 760, 180)], ids=["large", "tablet"]
)
def test_the_own_place_the_clock_and_the_actions_stand_below_each_other(
    visit: Visit, dealer: Dealer, size: tuple[int, int], felt: int, card: int
) -> None:
    page = visit({"viewport": {"width": size[0], "height": size[1]}})
    address, in_turn, _ = states(dealer.app, CASES["a hit"])
    page.add_init_script(LINE)
    show(page, in_turn, address)
    lanes = page.evaluate(LANES)
    assert lanes == lanes[:1] * 3
    for selector, least in ((".company__cloth", felt), (".place--you .card__face", card)):
        box = page.locator(selector).first.bounding_box()
        assert box
        assert box["width"] >= least
