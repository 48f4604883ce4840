"""An evening at a shared table in three browsers, a phone, a desktop and a watcher; then what can go wrong."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.clocks import run_until, stopped
from tests.e2e.conftest import DESKTOP, PHONE, Console, Visit
from tests.e2e.geometry import clipped, forget_shifts, measured, shifts, small_targets, too_large, watch_shifts
from tests.e2e.taps import click, tap, tap_at
from tests.e2e.traffic import actions, held_back, requests_of
from tests.support.languages import TRANSLATED, WIDEST
from tests.support.server import Server
from tests.support.table_players import TablePlayer, bet_all, play_out, see_all, two_who_bet

LONG = 60_000


def opened(page: Page, **rules: int) -> str:
    """Open a table with these rules; return its address."""
    page.goto("/tables")
    if not rules:
        page.get_by_role("button", name="Open a table", exact=True).click()
    else:
        visitor = TablePlayer(page.evaluate("location.origin"))
        code = visitor.open(**rules)
        page.goto(f"/t/{code}")
    page.wait_for_url("**/t/*")
    return page.url.partition(page.evaluate("location.origin"))[2]


def sit(page: Page, name: str) -> None:
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Sit down and play", exact=True).click()
    expect(page.locator(".place--you")).to_contain_text(name)


def cramped(page: Page) -> list[str]:
    """Return what does not fit. In play everything needed is on one screen; other things are below the table."""
    seen = """() => {
      const cloth = document.querySelector(".company__cloth").getBoundingClientRect();
      const felt = document.querySelector(".company__seats").getBoundingClientRect();
      const over = Array.from(document.querySelectorAll(".place:not([hidden])")).filter((place) => {
        const box = place.getBoundingClientRect();
        return box.bottom > felt.bottom + 1 || box.top < felt.top - 1 || place.scrollWidth > place.clientWidth + 1;
      });
      const found = over.map((place) => `${place.ariaLabel} does not fit`);
      for (const button of document.querySelectorAll(".company__dock button")) {
        const box = button.getBoundingClientRect();
        if (box.height && box.bottom + scrollY > innerHeight + 1) found.push(`${button.textContent.trim()} is below the edge`);
      }
      return cloth.bottom + scrollY > innerHeight + 1 ? [...found, "the table is too high"] : found;
    }"""
    return [*too_large(page), *measured(page, seen)]


def phase(page: Page) -> str:
    return str(page.locator("#state").get_attribute("data-phase"))


def test_who_waits_alone_has_the_link_in_the_middle_of_the_felt_and_can_play_with_the_bot(phone: Page) -> None:
    opened(phone)
    sit(phone, "Aki")
    send = phone.locator(".btn--primary:visible")
    expect(send).to_have_text("Send the link")
    expect(phone.get_by_role("img", name="The link to this table").first).to_be_in_viewport(ratio=1)
    tap(phone.get_by_role("button", name="Play with the house bot"))
    expect(phone.locator("#state")).to_have_attribute("data-phase", "betting")
    expect(send).to_have_text(re.compile("Place the bet"))


def press(page: Page, name: str) -> None:
    page.locator(".dock").get_by_role("button", name=name).click()


def both_sit(one: Page, two: Page, **rules: int) -> None:
    """Seat Aki and Mika at a new table, which begins."""
    address = opened(one, **rules)
    sit(one, "Aki")
    two.goto(address)
    sit(two, "Mika")


def version(page: Page) -> int:
    return int(str(page.locator("#state").get_attribute("data-version")))


def in_step(*pages: Page) -> int:
    """Wait until these pages show at least the current version of the table; return it."""
    told = pages[0].locator("#room").get_attribute("data-live")
    now = int(pages[0].request.get(str(told), headers={"Accept": "application/json"}).json()["version"])
    for page in pages:
        page.wait_for_function("now => Number(document.getElementById('state').dataset.version) >= now", arg=now)
    return now


def press_once(page: Page, name: str) -> None:
    """Press a button that disappears afterwards."""
    in_step(page)
    button = page.locator(".dock").get_by_role("button", name=name)
    click(button)
    expect(button).to_have_count(0)


def next_round(page: Page) -> None:
    """Finish looking at the result, unless the next round has begun by itself, which may happen at any moment."""
    page.locator("#ready button").evaluate_all("found => found.forEach(button => button.click())")


ACTIONS = ("#bet button", "button[value=stand]", "button[value=hit]")


def act(*pages: Page) -> bool:
    """Do something on the page that the table waits for. Return False if it waits for none of them."""
    before = in_step(*pages)
    for page in pages:
        for action in ACTIONS:
            button = page.locator(".dock").locator(action)
            if button.count() and button.first.is_visible():
                button.first.evaluate("button => button.click()")  # quicker than a hand: no double tap is meant
                moved_on(page, before)
                return True
    return False


def moved_on(page: Page, before: int) -> None:
    """Wait until the page shows a later version of its table."""
    page.wait_for_function("before => Number(document.getElementById('state').dataset.version) > before", arg=before)


def play_round(pages: list[Page]) -> None:
    for _ in range(200):
        now = in_step(*pages)
        if phase(pages[0]) == "settled":
            return
        if not act(*pages):
            moved_on(pages[0], now)
    raise AssertionError("the round does not end")


BANK = re.compile("^[^ ]+ (wins|loses|breaks even)( [0-9,]+)? as the bank")
MINE = re.compile("^(You|As the bank you) (win|lose|break even)")


def _as_the_player_hears(its: str) -> str:
    """Return how the bank's only player is told what a watcher hears of the bank."""
    ends = {"wins": "You lose", "loses": "You win", "breaks even": "You break even"}
    end, chips = BANK.findall(its)[0]
    return f"{ends[end]}{chips}."


def test_an_evening_of_five_rounds_with_rotation_and_a_late_joiner(visit: Visit, console: Console) -> None:
    console.expect("409")  # two actions at the same time
    phone, desktop, watcher = visit(PHONE), visit(DESKTOP), visit(PHONE)
    watch_shifts(phone)
    address = opened(phone)
    sit(phone, "Aki")
    desktop.goto(address)
    sit(desktop, "Mika")
    watcher.goto(address)
    expect(phone.locator("[data-watching]")).to_have_text("1")
    expect(phone.locator("main")).to_contain_text("Mika")
    banks = []
    pages = [phone, desktop]
    jumped, told = [], []
    for number in range(5):
        for page in (*pages, watcher):
            expect(page.locator("#state")).to_have_attribute("data-phase", "betting", timeout=LONG)
        if not banks:
            forget_shifts(phone)  # people had to sit down first
        banks.append(watcher.locator(".place--banker .place__who").inner_text().removesuffix(" (you)"))
        play_round(pages)
        expect(watcher.locator("#state")).to_have_attribute("data-phase", "settled")
        for page in (phone, desktop):  # players see their own result
            expect(page.locator(".company__verdict")).to_have_text(MINE)
        if watcher not in pages:
            its = watcher.locator(".company__verdict").inner_text()
            played = next(page for page in (phone, desktop) if page.locator(".place--banker.place--you").count() == 0)
            told.append((its, played.locator(".company__verdict").inner_text()))
        assert cramped(phone) == []
        if number == 0:
            jumped = shifts(phone)
        if number == 2:  # a watcher sits down
            sit(watcher, "小雨")
            pages.append(watcher)
        for page in pages:
            next_round(page)
    assert jumped == [], "nothing jumps from the bets to the settlement"
    assert len(told) == 3
    mirrored = [(_as_the_player_hears(its), verdict) for its, verdict in told]
    assert [pair for pair in mirrored if not pair[1].startswith(pair[0])] == [], "all hear of the same end"
    assert banks[:3] in (["Aki", "Mika", "Aki"], ["Mika", "Aki", "Mika"])
    assert len({*banks, "小雨"}) == 3
    expect(phone.locator("[data-pressed]")).to_have_count(0)  # its light runs outside of the button
    assert small_targets(phone) == []
    assert clipped(phone) == []
    with phone.expect_navigation():
        phone.locator(".history__item").first.click()
    expect(phone.locator("main")).to_contain_text("The cut of Aki was used")


def in_reach(page: Page) -> list[str]:
    """Return which parts of an invitation are visible without scrolling: the table's code, the share button."""
    code = page.url.rpartition("/")[2]
    found = """code => Array.from(document.querySelectorAll("main [data-share], main b")).filter(each => {
      const box = each.getBoundingClientRect();
      const is = each.matches("[data-share]") ? new URL(each.href).pathname.endsWith(code) : each.textContent === code;
      return is && each.checkVisibility() && box.top + scrollY > 0 && box.bottom + scrollY <= innerHeight;
    }).map(each => each.matches("[data-share]") ? "share" : "code")"""
    return sorted(page.evaluate(found, code))


@pytest.mark.parametrize("language", WIDEST)
def test_whoever_waits_can_call_somebody_without_scrolling(visit: Visit, language: str) -> None:
    host, visitor = visit(PHONE, locale=language), visit(PHONE, locale=language)
    host.goto("/tables")
    host.locator("form[action='/tables']:not(:has([name=bot])) > .btn").first.tap()
    host.wait_for_url("**/t/*")
    visitor.goto(host.url)
    button = host.locator(".dock .btn--primary")
    for state in ("opened", "seated"):
        for page in (host, visitor):
            assert in_reach(page) == ["code", "share"], state
            assert cramped(page) + small_targets(page) + clipped(page) == [], state
        if state != "seated":
            before = in_step(host, visitor)
            tap(button)
            moved_on(host, before)
            in_step(host, visitor)
    below = "() => document.querySelector('.company__side').getBoundingClientRect().top"
    bring = "() => document.querySelector('.bring').getBoundingClientRect().top"
    assert host.evaluate(bring) == host.evaluate(below), "the first thing below the table"


def test_who_waits_alone_at_a_desk_is_told_everything_once(visit: Visit) -> None:
    desktop, friend = visit(DESKTOP), visit(PHONE)
    address = opened(desktop)
    sit(desktop, "Aki")
    main = desktop.get_by_role("main")
    codes = main.get_by_role("img", name="The link to this table as a QR code")
    for once in (codes, main.get_by_text("as soon as two"), main.get_by_text("Anybody with the link")):
        expect(once.filter(visible=True)).to_have_count(1)
    expect(main.get_by_text("Watching:")).to_be_hidden()
    friend.goto(address)
    expect(main.get_by_text("Watching:")).to_be_visible()
    sit(friend, "Mika")
    expect(main.get_by_text("Watching:")).to_be_hidden()
    expect(codes.filter(visible=True)).to_have_count(1)


BIG_ROOM = """() => Object.fromEntries([".company__cloth", ".company__verdict", ".company__line", ".company__dock",
  ".company__side > *"].flatMap(each => Array.from(document.querySelectorAll(each)).map((one, number) => {
    const box = one.getBoundingClientRect();
    return [`${each} ${number}`, [box.top + scrollY, box.bottom + scrollY]];
  })))"""


def test_nothing_jumps_on_a_desktop_with_five_whoever_is_the_bank(visit: Visit, console: Console) -> None:
    console.expect("409")
    desktop = visit(DESKTOP)
    watch_shifts(desktop)
    opened(desktop)
    sit(desktop, "Aki")
    origin, code = desktop.evaluate("location.origin"), desktop.url.rpartition("/")[2]
    visitors = [TablePlayer(origin) for _ in range(4)]
    for number, visitor in enumerate(visitors, 1):
        visitor.come(code)
        visitor.do("sit", number, name=f"Wilhelmina von Hohenlo {number}")
    everybody = desktop.locator(".place:not(.place--free)")
    expect(everybody).to_have_count(5)
    before = desktop.evaluate(BIG_ROOM)  # as when one is the bank oneself
    forget_shifts(desktop)
    met = {"waiting"}
    for visitor in visitors:
        visitor.now("ready")
    for _ in range(400):
        in_step(desktop)
        at = phase(desktop)
        bank = desktop.locator(".place--banker.place--you").count()
        met.add(at if at != "playing" or bank else "playing, and another is the bank")
        assert desktop.evaluate(BIG_ROOM) == before, at
        assert cramped(desktop) == [], at
        if at == "settled" and "playing, and another is the bank" in met:
            break
        if at == "settled":
            next_round(desktop)
        else:
            act(desktop)
        for visitor in visitors:
            wanted = next(
                (verb for verb in ("bet", "ready", "split", "stand", "hit") if verb in visitor.see()["actions"]), ""
            )
            if wanted:
                visitor.do(wanted, 10 if wanted == "bet" else None)
    assert {"waiting", "betting", "settled", "playing, and another is the bank"} <= met
    assert shifts(desktop) == []


def test_who_sits_down_by_key_is_on_the_next_action(visit: Visit) -> None:
    page = visit(DESKTOP)
    opened(page)
    page.get_by_role("button", name="Sit down and play", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Play with the house bot")).to_be_focused()


def test_what_somebody_types_and_has_focused_survives_the_actions_of_others(visit: Visit, console: Console) -> None:
    console.expect("409")
    one, two, three = visit(DESKTOP), visit(DESKTOP), visit(PHONE)
    address = opened(one, bet_clock=60, turn_clock=60)
    sit(one, "Aki")
    for page, name in ((two, "Mika"), (three, "Ren")):
        page.goto(address)
        sit(page, name)
    for page in (one, two):
        expect(page.locator("#state")).to_have_attribute("data-phase", "betting")
    better = one if one.locator("#bet").count() else two
    expect(better.locator("#stake")).to_be_visible()
    other = three
    better.locator("#stake").fill("37")
    better.locator("#stake").evaluate("field => field.setSelectionRange(1, 1)")
    better.evaluate("scrollTo(0, 40)")
    before = version(better)
    other.locator("#policy").select_option("dealer")
    moved_on(better, before)
    assert better.locator("#stake").input_value() == "37"
    assert better.evaluate("[document.activeElement.id, document.activeElement.selectionStart, scrollY]") == [
        "stake",
        1,
        40,
    ]
    # the same seat on another device: the offer stays while others act
    told = better.request.get(address, headers={"Accept": "application/json"}).json()
    device = visit(PHONE)
    device.goto(told["seat_link"])
    take = device.get_by_role("button", name="Take this seat over")
    expect(take).to_be_visible()
    before = version(device)
    other.get_by_role("button", name="Leave the table").click()
    moved_on(device, before)
    take.click()
    expect(device.locator(".place--you")).to_be_visible()
    for size in ({"width": 640, "height": 360}, PHONE["viewport"]):  # held sideways, and upright again
        device.set_viewport_size(size)
        assert cramped(device) == []
    press_once(device, "Place the bet")
    expect(device.locator("#state")).not_to_have_attribute("data-phase", "betting")
    expect(better.locator(".place--you")).to_have_count(0)


def last_to_bet(page: Page) -> list[TablePlayer]:
    """Open a table of four where the page has to bet, after two others; return the three other players."""
    origin = (page.goto("/tables"), page.evaluate("location.origin"))[1]
    visitors = [TablePlayer(origin) for _ in range(3)]
    code = visitors[0].open(bet_clock=60, turn_clock=60, max_bet=500)
    for number, visitor in enumerate(visitors[:2]):
        visitor.come(code)
        visitor.now("sit", number)
        visitor.now("ready")
    see_all(visitors[:2])
    bet_all(visitors[:2])
    play_out(visitors[:2])
    visitors[2].come(code)
    visitors[2].now("sit", 2)
    page.goto(f"/t/{code}")
    # the first bank was one of those two: the next is not this seat
    click(page.locator("button[value='4'][form=sit]"))
    expect(page.locator(".place--you")).to_be_visible()
    for visitor in reversed(visitors):  # the earlier player is last, then the round begins
        visitor.now("ready")
    expect(page.locator("#state")).to_have_attribute("data-phase", "betting", timeout=LONG)
    see_all(visitors)
    return visitors


def too_late(page: Page) -> None:
    """Make all commands of this page name an old version of the table from now on."""
    page.route("**/t/*/*", lambda route: route.continue_(url=re.sub(r"/\d+$", "/0", route.request.url)))


READ = 4000
"""Milliseconds for which a refusal stands there whatever else happens (static/js/table.js)."""
FOCUS = "document.activeElement.innerText.trim()"


def test_a_command_that_came_too_late_says_so_and_nothing_is_lost(visit: Visit, console: Console) -> None:
    console.expect("409")
    page = visit(DESKTOP)
    page.clock.install()
    visitors = last_to_bet(page)
    others = [visitor for visitor in visitors if "bet" in visitor.table["actions"]]
    stake, sentence = page.locator("#stake"), page.locator(".company__verdict")
    stake.fill("37")
    bet = page.locator("#bet button")
    bet.focus()
    for visitor in others:  # so much that the bank cannot pay as high a third bet: what may be bet is another now
        visitor.now("bet", 200)
        assert visitor.status == 200, visitor.answer.text
    expect(page.locator(".bet__name")).not_to_contain_text("500")
    assert stake.input_value() == "37"
    assert page.evaluate(FOCUS) == bet.inner_text().strip()
    too_late(page)
    refused = sentence.filter(has_text="moved on")
    with stopped(page):
        bet.click()
        run_until(page, refused)
        assert (stake.input_value(), page.evaluate(FOCUS)) == ("37", bet.inner_text().strip())
        page.clock.run_for(READ - 1000)
        before = version(page)
        others[0].now("policy", "basic")  # something that has nothing to do with it
        moved_on(page, before)
        expect(refused).to_be_visible()  # it can still be read
        page.clock.run_for(1000)
        expect(sentence).to_contain_text("Place your bet")  # the refusal has disappeared
        bet.click()
        run_until(page, refused)
        page.clock.run_for(READ)
        expect(sentence).to_contain_text("Place your bet")  # even if nothing happens at all
    page.unroute_all()
    page.route("**/t/*/*", lambda route: route.continue_(url=re.sub(r"/\d+$", "/0", route.request.url)), times=1)
    bet.click()  # the first request is too late, and the page repeats it for the new version
    expect(page.locator("#state")).not_to_have_attribute("data-phase", "betting")
    assert page.request.get(page.url, headers={"Accept": "application/json"}).json()["seats"][-1]["bet"] == 37


HEARD = """
globalThis.heard = [];
Object.defineProperty(Document.prototype, "hidden", {get: () => !!globalThis.covered});
Object.defineProperty(Document.prototype, "visibilityState", {get: () => globalThis.covered ? "hidden" : "visible"});
navigator.vibrate = (pattern) => heard.push(["vibrate", document.title, ...pattern]);
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) {
  heard.push(["tone", this.context.state]);
  return start.apply(this, when);
};
globalThis.cover = (yes) => {
  globalThis.covered = yes;
  document.dispatchEvent(new Event("visibilitychange"));
};
"""


def test_out_of_time_the_site_plays_and_who_looks_elsewhere_is_called(visit: Visit, console: Console) -> None:
    console.expect("409")
    one, two = visit(PHONE), visit(DESKTOP)
    pages = (one, two)
    one.context.add_cookies([{"name": "prefs", "value": "sound=1", "url": one.request.get("/healthz").url}])
    for page in pages:
        page.add_init_script(HEARD)
    address = opened(one, turn_clock=2, bet_clock=2)
    sit(one, "Aki")
    assert one.evaluate("heard") == [], "nobody's turn yet"
    two.goto(address)
    for page in pages:
        page.evaluate("cover(true)")  # another tab in front
    two.locator("#sit button").evaluate("button => button.click()")
    # no more actions: the streams handle the deadlines
    expect(one.locator("#state")).to_have_attribute("data-phase", "settled", timeout=LONG)
    expect(two.locator("#state")).to_have_attribute("data-phase", "settled", timeout=LONG)
    called: dict[int, list[str]] = {}
    for page in pages:
        heard = page.evaluate("heard")
        calls = [said for said in heard if said[0] == "vibrate"]
        called[page.locator(".place--banker.place--you").count()] = [
            title.removesuffix(page.title()) for _, title, *_ in calls
        ]
        assert [pattern for _, _, *pattern in calls] == [[120, 80, 120]] * len(calls)
        tones = [said for said in heard if said[0] == "tone"]
        assert tones == [["tone", "running"]] * (2 * len(calls) if page is one else 0), "only who wants it hears it"
        page.evaluate("cover(false)")
        assert "●" not in page.title()
    assert called[0][0] == "● Your turn – ", "whoever is not the bank has to bet"
    with one.expect_navigation():
        one.locator(".history__item").first.click()
    expect(one.locator("main")).to_contain_text("automatic")


def test_a_lost_connection_comes_back_and_a_phone_that_slept_takes_its_seat_again(
    visit: Visit, console: Console
) -> None:
    console.expect("ERR_INTERNET_DISCONNECTED|409")
    phone, desktop = visit(PHONE), visit(DESKTOP)
    both_sit(phone, desktop, absent_after=8, bet_clock=60, turn_clock=60)
    for page in (phone, desktop):  # and the bank, whichever of them it is, has cut
        expect(page.locator("#state")).to_have_attribute("data-phase", "betting")
        expect(page.locator("[data-auto]")).to_have_count(0)
    before = in_step(phone, desktop)
    phone.context.set_offline(True)
    asleep = desktop.locator(".place", has_text="Aki")
    expect(asleep).to_contain_text("on auto", timeout=LONG)
    with desktop.expect_response(lambda answer: "since=" in answer.url):
        pass  # its next sign of life: had it been away until then, the table would have moved twice by now
    assert in_step(desktop) == before + 1, "the phone is away; whoever only waits is not, not even for a moment"
    phone.context.set_offline(False)
    expect(asleep).not_to_contain_text("on auto", timeout=LONG)
    expect(phone.locator("#connection")).to_be_hidden(timeout=LONG)
    in_step(desktop, phone)


def test_without_a_script_one_can_sit_and_play(visit: Visit, server: Server) -> None:
    plain = visit(DESKTOP, java_script_enabled=False)
    plain.goto("/tables")
    plain.get_by_role("button", name="Play with the house bot").click()
    plain.wait_for_url("**/t/*")
    assert plain.locator("noscript meta[http-equiv=refresh]").count() or "refresh" in plain.content()
    plain.get_by_label("Your cut").fill("my-own-word")
    press(plain, "Place the bet")
    over = plain.locator(".history__item")
    button = plain.locator(".dock").locator(", ".join(ACTIONS))
    for _ in range(60):
        # the page reloads itself, but leaves the time of the turn to its player
        expect(button.or_(over).first).to_be_visible(timeout=LONG)
        if over.count():
            return
        button.first.click()
    pytest.fail("the round does not end")


def about_to_be_ready(page: Page) -> None:
    """Bring the page to a table where only it has not asked for the next round, in which it will have to bet."""
    origin = (page.goto("/tables"), page.evaluate("location.origin"))[1]
    visitors = [TablePlayer(origin) for _ in range(3)]
    code = visitors[0].open(bet_clock=60, turn_clock=60)
    for number, visitor in enumerate(visitors):
        visitor.come(code)
        visitor.now("sit", number)
        visitor.now("ready")  # the third player arrives while bets are open: one of the three is the next banker
    see_all(visitors)
    page.goto(f"/t/{code}")
    click(page.locator("button[value='4'][form=sit]"))
    expect(page.locator(".place--you")).to_be_visible()
    bet_all(visitors[:2])
    play_out(visitors[:2])
    for visitor in visitors:
        visitor.now("ready")
    expect(page.locator("#ready button")).to_be_visible()


@pytest.mark.parametrize(("after", "presses"), [(399, 0), (400, 1)])
def test_the_second_of_two_taps_does_not_press_what_the_first_one_brought(
    visit: Visit, after: int, presses: int
) -> None:
    """The button for the next round is replaced by the one for the bet."""
    phone = visit(PHONE)
    phone.clock.install()
    about_to_be_ready(phone)
    box = phone.locator("#ready button").bounding_box()
    assert box is not None
    place = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    button = phone.locator("#bet button")
    with stopped(phone):
        with (
            phone.expect_event("requestfinished", lambda request: request.method == "POST"),  # the stream may be first
            held_back(phone, "**/t/*/*", lambda: phone.clock.run_for(100)),
        ):
            tap_at(phone, *place)
            expect(button).to_be_visible()
        phone.clock.run_for(after - 100)
        with requests_of(phone) as sent:
            tap_at(phone, *place)
        assert len(actions(sent)) == presses
        expect(button).to_have_count(1 - presses)


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_word_is_broken_on_the_small_buttons_of_free_seats(visit: Visit, language: str) -> None:
    phone = visit(PHONE, locale=language)
    phone.goto("/tables")
    phone.locator("form[action='/tables']:not(:has([name=bot])) > .btn").first.tap()
    phone.wait_for_url("**/t/*")
    phone.locator("button[value=sit]:visible, form:has(input[value=sit]) button:visible").first.tap()
    expect(phone.locator(".btn--seat[form=bot]").first).to_be_visible()
    broken = """buttons => buttons.flatMap(button => {
      const text = button.firstChild, words = [...text.data.matchAll(/\\S+/g)];
      return words.filter(word => {
        const range = new Range();
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        return range.getClientRects().length !== 1 || button.scrollWidth > button.clientWidth;
      }).map(word => word[0]);
    })"""
    assert phone.locator(".btn--seat").evaluate_all(broken) == []
    assert cramped(phone) == []


PLACES = """() => Object.fromEntries(Array.from(
  document.querySelectorAll(".place, .felt-print:not([hidden]), .company__line, .company__dock"),
  each => {
    const box = each.getBoundingClientRect();
    return [each.dataset.part || each.className, [box.left, box.top, box.width, box.height].map(Math.round)];
  }
))"""


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("others", [1, 2])
def test_nobodys_place_moves_from_the_bets_to_the_end_of_a_round(
    visit: Visit, console: Console, size: Any, others: int
) -> None:
    console.expect("409")
    page = visit(size)
    visitors = [TablePlayer((page.goto("/tables"), page.evaluate("location.origin"))[1]) for _ in range(others)]
    code = visitors[0].open(bet_clock=60, turn_clock=60)
    for number, visitor in enumerate(visitors, 1):
        visitor.come(code)
        visitor.now("sit", number)
    page.goto(f"/t/{code}")
    sit(page, "Aki")
    for visitor in visitors:
        visitor.now("ready")
    banks = set()
    for number in range(9):
        expect(page.locator("#state")).to_have_attribute("data-phase", "betting", timeout=LONG)
        in_step(page)
        before, met = page.evaluate(PLACES), set()
        for _ in range(60):
            in_step(page)
            met.add(phase(page))
            assert page.evaluate(PLACES) == before, f"round {number}, {phase(page)}"
            assert cramped(page) == []
            if phase(page) == "settled":
                break
            act(page)
            for visitor in visitors:
                wanted = next((verb for verb in ("bet", "stand", "hit") if verb in visitor.see()["actions"]), "")
                if wanted:
                    visitor.do(wanted, 10 if wanted == "bet" else None)
        assert {"betting", "settled"} <= met
        banks.add(page.locator(".place--banker.place--you").count())
        if banks == {0, 1}:
            return
        for visitor in visitors:
            visitor.now("ready")
        next_round(page)
    raise AssertionError("the bank does not go round")


def test_with_the_bot_one_tap_leads_to_the_first_bet(visit: Visit) -> None:
    phone = visit(PHONE)
    phone.goto("/tables")
    phone.get_by_label("Your name").fill("Aki")
    phone.get_by_role("button", name="Play with the house bot").tap()
    phone.wait_for_url("**/t/*")
    expect(phone.locator(".company__verdict")).to_contain_text("is the bank. Place your bet.")
    expect(phone.locator(".place--you")).to_contain_text("Aki")
    expect(phone.locator("[data-clock]")).to_have_attribute("data-span", "60000")  # nobody else waits
    expect(phone.locator(".place--banker .slot")).to_have_count(2)
    in_ring = phone.locator(".place--you [data-chips] > i")
    expect(in_ring).to_have_count(1)
    phone.locator("[data-chip='50']").tap()
    expect(in_ring).to_have_count(2)
    phone.locator(".place--you [data-stack]").tap()
    expect(in_ring).to_have_count(1)
    assert cramped(phone) + small_targets(phone) + clipped(phone) == []


QR = "() => [document.querySelector('.qr').getBoundingClientRect().bottom, innerHeight]"


def test_the_picture_of_the_link_is_above_the_fold_and_no_panel_is_mostly_empty(visit: Visit) -> None:
    desktop = visit(DESKTOP)
    opened(desktop)
    bottom, height = desktop.evaluate(QR)
    assert bottom < height
    blank = desktop.locator(".log").evaluate("log => log.clientHeight - log.firstElementChild.offsetHeight")
    assert blank < 70


def test_of_two_pages_of_a_player_the_newer_one_plays_and_the_older_one_says_so(visit: Visit, console: Console) -> None:
    older = visit(DESKTOP)
    older.goto("/tables")
    older.get_by_role("button", name="Play with the house bot").click()
    older.wait_for_url("**/t/*")
    expect(older.locator("#bet button")).to_be_visible()
    other_browser = visit(PHONE)
    link = older.request.post("/me/link", headers={"Accept": "application/json"}).json()["url"]
    other_browser.goto(link)
    other_browser.locator("main form[method=post] button").last.click()
    other_browser.goto(older.url)
    expect(older.locator("#newer")).to_be_visible()
    assert older.evaluate("document.getElementById('room').inert")
    assert float(older.locator("#room").evaluate("room => getComputedStyle(room).opacity")) < 0.6, "it looks so"
    older.keyboard.press("Enter")  # would bet
    expect(other_browser.locator("#newer")).to_be_hidden()
    tap(other_browser.locator("#bet button"))
    expect(other_browser.locator("#bet button")).to_have_count(0)
    expect(older.locator("#bet button")).to_have_count(1)
    older.get_by_role("link", name="Play here").click()
    expect(other_browser.locator("#newer")).to_be_visible()
    expect(older.locator("#newer")).to_be_hidden()
    assert not older.evaluate("document.getElementById('room').inert")


@pytest.mark.parametrize("scripts", [True, False], ids=["by key", "without scripts"])
def test_after_a_round_its_hands_are_opened_in_a_tab_beside_the_table(
    visit: Visit, server: Server, scripts: bool
) -> None:
    """The next round begins by itself: who looks back keeps the seat."""
    players = two_who_bet(server.url)
    bet_all(players)
    play_out(players)
    watcher = visit(DESKTOP, java_script_enabled=scripts)
    watcher.goto(f"/t/{players[0].code}")
    link = watcher.locator(".dock").get_by_role("link", name="Replay")
    expect(link).to_be_visible()
    with watcher.context.expect_page() as opened:
        if scripts:
            watcher.keyboard.press("l")
        else:
            link.press("Enter")
    round = opened.value
    expect(round.locator(".company__seats--replay .place")).to_have_count(2)
    round.close()
    expect(watcher).to_have_url(re.compile(f"/t/{players[0].code}$"))
