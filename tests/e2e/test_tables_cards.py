"""A shared table with chosen cards, in situations that are rare with random ones."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.chosen_cards import ChosenCards, chosen_cards
from tests.e2e.conftest import PHONE, Console, Visit
from tests.e2e.dealer import Dealer, Hand
from tests.e2e.geometry import clipped, measured, overlaid
from tests.support.cookies import cookie_of
from tests.support.languages import WIDEST
from tests.support.table_players import NO_CLOCK, TablePlayer, acting, playing

SOFT = "Ah Ad 2s 2c 3h Ac 2d 2h" + " 5d 6c 7h 8s 9d" * 4
"""The player has an ace and a two, and draws to a soft 16 and to a soft 17; the banker draws to a soft 17 of four cards."""
WON = "Th 9d 9s 7c 8h" + " 5d 6c 7h 8s 9d" * 4
"""The player has 19, and the banker draws to 24."""
NATURALS = {"player": "Ah 9d Ks 7c", "banker": "5h Jd 4h Ac"}

SPILLED = """() => Array.from(document.querySelectorAll(".place:not([hidden]), .place .total"))
  .filter(each => each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).display !== "inline")
  .map(each => `${each.className}: ${each.innerText.replace(/\\s+/g, " ")}: ${each.scrollWidth} in ${each.clientWidth}`)"""

LOW = """() => [...document.querySelectorAll(":is(.place--banker, .place--you) .lie__word > *")]
  .map(each => [each.innerText, each.getBoundingClientRect().bottom, each.closest(".place").getBoundingClientRect().bottom])
  .filter(([, bottom, most]) => bottom > most + 6)"""
"""Returns words that are lower than their place."""
COVERED = """() => [...document.querySelectorAll(".place:not(.place--banker, .place--you) .lie")].map(lie => {
  const [total, words] = [".total", ".lie__word b"].map((part) => lie.querySelector(part).getBoundingClientRect());
  return [lie.innerText, total.bottom, words.top];
}).filter(([, bottom, top]) => bottom > top)"""
"""Returns hands whose words lie below their total in part."""
RAGGED = """() => [...document.querySelectorAll(":is(.place--banker, .place--you) .lie__what")].map(each => {
  const range = document.createRange();
  range.selectNodeContents(each);
  return [each.innerText, ...Array.from(range.getClientRects(), (line) => Math.round(line.width))];
}).filter(([, ...lines]) => Math.min(...lines) < Math.max(...lines) / 2)"""
"""Returns words of which a line is less than half as long as another, with the widths of their lines."""


BROKEN = """() => [...document.querySelectorAll(".place__who")].filter(({firstChild}) => {
  const range = document.createRange();
  range.selectNodeContents(firstChild);
  return new Set(Array.from(range.getClientRects(), (line) => Math.round(line.top))).size > 1;
}).map(each => each.innerText)"""
"""Returns names of one word that are on several lines."""


@pytest.fixture(scope="module")
def site(blank_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChosenCards]:
    with chosen_cards(blank_sqlite, tmp_path_factory.mktemp("chosen")) as site:
        yield site


def spilled(page: Page) -> list[str]:
    """Return places and totals that are too wide for a phone: low, very small, or high, where cards are larger."""
    found = []
    for width, height in ((360, 640), (320, 568), (360, 780), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        found += [f"{width}: {each}" for each in measured(page, SPILLED)]
    return found


def shows(page: Page, visitor: TablePlayer) -> None:
    """Wait until the page shows the table as this visitor sees it.

    This site has no event loop and no streams: a page polls every three seconds, and when it becomes visible.
    """
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("#state")).to_have_attribute("data-version", str(visitor.see()["version"]))


def come(page: Page, site: ChosenCards, name: str = "") -> tuple[TablePlayer, TablePlayer]:
    """Open a new table with the page. Return its player as a JSON client, and the other player."""
    other = TablePlayer(site.url)
    other.come(other.open(bet_clock=60, turn_clock=60, max_bet=500))
    other.see()
    other.do("sit", 1, name=name)
    page.goto(f"/t/{other.code}")
    page.locator("#name").fill(name)
    page.locator("button[value='0'][form=sit]").click()
    expect(page.locator(".place--you")).to_be_visible()
    mine = TablePlayer(site.url)
    mine.line.cookies = {each["name"]: each["value"] for each in page.context.cookies()}
    mine.come(other.code)
    return mine, other


def next_round(mine: TablePlayer, other: TablePlayer) -> tuple[TablePlayer, TablePlayer]:
    """Let both be ready. Return (banker, player)."""
    for each in (mine, other):
        do(each, "ready")
    return (mine, other) if mine.see()["banker"] == mine.you else (other, mine)


def do(visitor: TablePlayer, verb: str, arg: object = None) -> None:
    """Send a command, again if the table has changed: the page cuts by itself and may do so in between."""
    for _ in range(9):
        visitor.now(verb, arg)
        if visitor.status != 409:
            break
    assert visitor.status == 200, visitor.answer.text


@pytest.mark.parametrize("language", WIDEST)
def test_a_soft_total_has_room_beside_its_cards_whoever_banks(
    visit: Visit, site: ChosenCards, console: Console, language: str
) -> None:
    """The visitor on a phone banks in one of two rounds and plays in the other."""
    console.expect("409")  # the page cuts while the other one gets ready
    site.deal(SOFT)
    page = visit(PHONE, base_url=site.url, locale={"zh_Hant": "zh-Hant"}.get(language, language))
    mine, other = come(page, site)
    seen, banked = {}, set()
    for _ in range(2):
        banker, player = next_round(mine, other)
        for each, verb, arg in (
            (player, "bet", 100),
            (player, "hit", None),
            (player, "hit", None),
            (player, "stand", None),
            (banker, "stand", None),
        ):
            do(each, verb, arg)
            shows(page, mine)
            seen[banker is mine, len(seen)] = spilled(page)
        assert mine.see()["phase"] == "settled"
        hands = {seat["banker"]: len(seat["hands"][0]["cards"]) for seat in mine.table["seats"]}
        assert hands == {True: 4, False: 4}
        banked.add(banker is mine)
    assert banked == {True, False}
    assert {when: found for when, found in seen.items() if found} == {}


@pytest.mark.parametrize("language", WIDEST)
def test_no_name_is_broken_or_lies_on_cards_on_a_phone(
    visit: Visit, site: ChosenCards, console: Console, language: str
) -> None:
    """It keeps to its side, as does the mark of the bank, while bets are open and when cards lie on the felt."""
    console.expect("409")
    site.deal(SOFT)
    page = visit(PHONE, base_url=site.url, locale={"zh_Hant": "zh-Hant"}.get(language, language))
    mine, other = come(page, site, "Maximilian")
    banked, found = set(), []
    for _ in range(2):
        banker, player = next_round(mine, other)
        banked.add(banker is mine)
        for verb, arg in (("bet", 100), ("hit", None)):
            shows(page, mine)
            for text in ("100", "200"):
                page.evaluate("text => { document.documentElement.dataset.text = text; }", text)
                for width, height in ((320, 568), (360, 640), (390, 844), (412, 915)):
                    page.set_viewport_size({"width": width, "height": height})
                    found += [(width, text, verb, each) for each in measured(page, BROKEN)]
                    lying = overlaid(page, ".place__who, .place__role", ".slot, .card__face, .place__ring")
                    found += [(width, text, verb, each) for each in lying]
            do(player, verb, arg)
        do(player, "stand")
        if mine.see()["phase"] == "playing":
            do(banker, "stand")
    assert banked == {True, False}
    assert found == []


@pytest.mark.parametrize("language", WIDEST)
def test_raised_cards_do_not_cover_free_seats(visit: Visit, site: ChosenCards, console: Console, language: str) -> None:
    """On a small phone, with a bot that waits for the next round, there is no room between them."""
    console.expect("409")
    site.deal(WON)
    page = visit(PHONE, base_url=site.url, locale={"zh_Hant": "zh-Hant"}.get(language, language))
    page.set_viewport_size({"width": 360, "height": 640})
    mine, other = come(page, site)
    for _ in range(2):
        _banker, player = next_round(mine, other)
        do(player, "bet", 100)
        do(player, "stand")
        assert mine.see()["phase"] == "settled"
        if player is mine:
            break
    do(mine, "bot", 3)
    shows(page, mine)
    expect(page.locator(".place--you .lie--won .card")).to_have_count(2)
    expect(page.locator(".place--free .btn")).not_to_have_count(0)
    assert overlaid(page, ".place--you .card__face", ".place--free") == []


def test_between_two_no_card_is_covered_by_a_total_or_touches_the_header(
    visit: Visit, site: ChosenCards, console: Console
) -> None:
    console.expect("409")
    site.deal(SOFT)
    page = visit(PHONE, base_url=site.url)
    page.set_viewport_size({"width": 360, "height": 640})
    mine, other = come(page, site)
    for _ in range(2):
        banker, player = next_round(mine, other)
        do(player, "bet", 100)
        do(player, "hit")
        shows(page, mine)
        if banker is mine:
            assert overlaid(page, ".place:not(.place--banker, .place--you) .total", ".card__face") == []
        else:
            top = page.locator(".place--banker .card").first.bounding_box()
            bar = page.locator(".topbar").bounding_box()
            assert top and bar
            assert top["y"] >= bar["y"] + bar["height"] + 8
        do(player, "stand")
        if mine.see()["phase"] == "playing":
            do(banker, "stand")


@pytest.mark.parametrize("language", WIDEST)
@pytest.mark.parametrize("who", NATURALS)
def test_a_natural_is_named_in_full_on_a_phone(
    visit: Visit, site: ChosenCards, console: Console, language: str, who: str
) -> None:
    """Beside the cards of the banker, and beside one's own cards whoever banks. The seconds of the pause fit, too."""
    console.expect("409")
    site.deal(NATURALS[who] + " 2d 3c 4h 5s 6d" * 4)
    page = visit(PHONE, base_url=site.url, locale={"zh_Hant": "zh-Hant"}.get(language, language))
    mine, other = come(page, site)
    for _ in range(2):
        banker, player = next_round(mine, other)
        do(player, "bet", 100)
        if who == "banker":
            do(player, "stand")
        assert mine.see()["phase"] == "settled"
        shows(page, mine)
        for width, height in ((360, 640), (375, 667), (390, 844), (320, 568)):
            page.set_viewport_size({"width": width, "height": height})
            words = page.locator(":is(.place--banker, .place--you) .lie__word")
            expect(words).to_have_count(1 if banker is mine else 2)
            assert [each for each in clipped(page) if "lie__" in each or "clock__" in each] == [], (
                width,
                banker is mine,
            )
            assert not (low := page.evaluate(LOW)), (width, banker is mine, low)
            assert not (ragged := page.evaluate(RAGGED)), (width, banker is mine, ragged)


@pytest.mark.parametrize("language", WIDEST)
@pytest.mark.parametrize("players", [1, 2, 3])
def test_the_natural_of_somebody_else_is_named_in_full_on_a_phone(
    visit: Visit, site: ChosenCards, language: str, players: int
) -> None:
    site.deal(" ".join(["Ah"] * players + ["9d"] + ["Ks"] * players + ["7c", "2d", "3c", "4h", "5s"] * 4))
    seated = [TablePlayer(site.url) for _ in range(players + 1)]
    code = seated[0].open(bet_clock=60, turn_clock=60)
    for number, each in enumerate(seated, start=1):
        each.come(code)
        each.now("sit", number)
    for _ in range(2):  # the first round begins as soon as two are ready
        for each in seated:
            do(each, "ready")
        while seated[0].see()["phase"] != "settled":
            for each in seated:
                for verb, arg in (("bet", 15), ("stand", None)):
                    if verb in each.see()["actions"]:
                        do(each, verb, arg)
    page = visit(PHONE, base_url=site.url, locale={"zh_Hant": "zh-Hant"}.get(language, language))
    page.goto(f"/t/{code}")
    name, replay, button = (
        page.locator(f".company__dock {part}").bounding_box() for part in (".bet", ".btn--icon", ".btn--primary")
    )
    assert name and replay and button
    assert replay["x"] == pytest.approx(name["x"], abs=1)
    assert button["x"] + button["width"] == pytest.approx(name["x"] + name["width"], abs=1)
    expect(page.locator(".place:not(.place--banker) .lie__word b")).to_have_text(["+22"] * players)
    for width, height in ((320, 568), (360, 640), (375, 667), (390, 844), (412, 915), (640, 360)):
        page.set_viewport_size({"width": width, "height": height})
        assert [each for each in clipped(page) if "lie__" in each] == [], width
        assert page.evaluate(COVERED) == [], width


@pytest.mark.parametrize("language", WIDEST)
def test_the_amount_of_a_bet_can_be_read_on_a_phone(
    visit: Visit, site: ChosenCards, console: Console, language: str
) -> None:
    console.expect("409")
    site.deal(WON)
    page = visit(PHONE, base_url=site.url, locale={"zh_Hant": "zh-Hant"}.get(language, language))
    mine, other = come(page, site)
    for _ in range(2):
        _banker, player = next_round(mine, other)
        if player is mine:
            break
        do(player, "bet", 10)
        do(player, "stand")
    shows(page, mine)
    for width, height in ((320, 568), (359, 640), (360, 640), (374, 667), (375, 667), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        for chips in ("10", "500", "1000"):
            page.locator("#stake").fill(chips)
            assert [each for each in clipped(page) if "bet__field" in each] == [], (width, chips)
        dock, chip = (
            page.locator(name).last.bounding_box() for name in (".company__dock > .dock__row", ".wager .chip")
        )
        assert dock and chip and chip["x"] + chip["width"] <= dock["x"] + dock["width"] + 1, width


FRAME = 7
"""Pixels around the place of the bank while it plays."""


@pytest.mark.parametrize("size", [(1280, 800), (1280, 577), (960, 700), (1920, 1080)])
def test_the_frame_of_the_bank_lies_clear_of_the_deck(desktop: Page, dealer: Dealer, size: tuple[int, int]) -> None:
    desktop.set_viewport_size({"width": size[0], "height": size[1]})
    visitor = acting(playing(dealer.app, 2, **NO_CLOCK))
    dealer.give(desktop, Hand("", cookie_of(visitor), over=False))
    desktop.goto(f"/t/{visitor.code}")
    bank, deck = (desktop.locator(each).bounding_box() for each in (".place--banker", ".deck"))
    assert bank and deck
    assert bank["x"] + bank["width"] + FRAME <= deck["x"]
