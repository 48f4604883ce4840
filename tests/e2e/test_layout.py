"""Layout: nothing overlaps, edges are aligned, and controls avoid the rim and the notch."""

import itertools
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESKTOP, LANDSCAPE, PHONE, TABLET, TALL, Console, Visit
from tests.e2e.dealer import PAGES, Dealer, Hand
from tests.e2e.geometry import clipped, measured, overlaid, still, too_large
from tests.e2e.stacked import TABLE, played, show
from tests.support.app import close, make_app
from tests.support.cookies import cookie_of
from tests.support.languages import CODES, WIDEST
from tests.support.player import Player
from tests.support.server import Server
from tests.support.table_players import NO_CLOCK, banker_of, betting, play_out, players, playing, see_all

Pages = Callable[..., dict[str, str]]
EDGES = """it => ["Top", "Right", "Bottom", "Left"].map(side =>
  ["Color", "Width", "Style"].map(what => getComputedStyle(it)[`border${side}${what}`]).join(" "))"""


@pytest.fixture(scope="module")
def pages(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pages]:
    """Return the pages of a scene with chosen cards, by address."""
    app = make_app(f"sqlite:///{server.instance / 'tefuda.sqlite3'}", Path(tmp_path_factory.mktemp("stacked")))
    yield cache(partial(played, app))
    close(app)


def box(page: Page, selector: str, number: int = 0) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of an element."""
    still(page)
    found = page.locator(selector).nth(number).bounding_box()
    assert found is not None, selector
    return found["x"], found["y"], found["x"] + found["width"], found["y"] + found["height"]


@pytest.mark.parametrize("size", [(1280, 800), (1000, 800), (1920, 1080)])
def test_cards_and_buttons_keep_clear_of_the_line_on_the_rim(visit: Visit, pages: Pages, size: tuple[int, int]) -> None:
    page = visit({"viewport": dict(zip(("width", "height"), size, strict=True))})
    show(page, pages("may split")[TABLE])
    _, top, _, bottom = box(page, ".table__cloth")
    edges = page.locator(".table__cloth").evaluate(EDGES)
    assert len(set(edges)) == 1, "two colours would meet in a hard wedge at the round corner"
    assert box(page, ".fan--dealer .card")[1] - (top + 17) >= 8
    assert (bottom - 17) - box(page, ".act--hit")[3] >= 8


@pytest.mark.parametrize("size", [(1280, 800), (1000, 800), (1920, 1080), (640, 360), (768, 1024), (360, 640)])
def test_what_the_first_hand_is_told_lies_on_no_other_sentence(
    visit: Visit, pages: Pages, size: tuple[int, int]
) -> None:
    page = visit({"viewport": dict(zip(("width", "height"), size, strict=True))})
    for scene in ("one box", "may split", "classic"):
        show(page, pages(scene)[TABLE])
        assert overlaid(page, ".acts__info > a", ".verdict__text, .coach__whisper > a, .dock button") == [], scene


BESIDE_THE_SHOE = """() => [...document.querySelectorAll(".shoe__text")].filter(text => {
  const words = document.createRange();
  words.selectNodeContents(text);
  const seen = [...words.getClientRects()].filter(line => line.width > 2);
  return Math.min(...seen.map(line => line.left)) < text.closest(".shoe").getBoundingClientRect().left;
}).map(text => text.textContent)"""


@pytest.mark.parametrize("language", WIDEST)
def test_what_the_shoe_says_stays_beside_the_dealers_cards(visit: Visit, language: str) -> None:
    page = visit(PHONE, locale=language)
    page.goto("/play/blackjack")
    page.keyboard.press("Enter")
    page.locator(".shoe__more").wait_for()
    for width, height in ((320, 568), (360, 640), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(BESIDE_THE_SHOE) == [], width


PLACES = """() => [
  ...[".felt", ".dock"].map(part => {
    const {y, height} = document.querySelector(part).getBoundingClientRect();
    return [part, Math.round(y), Math.round(height)];
  }),
  ["page", document.documentElement.scrollHeight],
]"""


@pytest.mark.parametrize(
    ("size", "language"),
    [((640, 360), "ja"), ((390, 844), "en"), ((768, 1024), "ja"), ((1024, 768), "en"), ((1366, 768), "ja")],
)
def test_the_first_deal_of_all_moves_neither_the_felt_nor_the_buttons(
    visit: Visit, size: tuple[int, int], language: str
) -> None:
    for game in ("poker", "joker", "video", "blackjack"):
        page = visit({"viewport": dict(zip(("width", "height"), size, strict=True))}, locale=language)
        page.goto(f"/play/{game}")
        before = page.evaluate(PLACES)
        page.keyboard.press("Enter")
        page.locator("#room[data-hand]:not([data-moving]) [data-cards] .card").first.wait_for()
        assert page.evaluate(PLACES) == before, game


@pytest.mark.parametrize("size", [(768, 1024), (834, 1112)])
@pytest.mark.parametrize("language", WIDEST)
def test_on_a_tablet_large_text_does_not_move_the_felt_of_blackjack(
    visit: Visit, dealer: Dealer, pages: Callable[..., dict[str, str]], language: str, size: tuple[int, int]
) -> None:
    page = visit({**TABLET, "viewport": dict(zip(("width", "height"), size, strict=True))})
    dealer.prefer(page, language=language, text="200")
    page.goto("/play/blackjack")
    before = page.evaluate(PLACES)[:2]
    for scene in ("soft", "may split", "insurance", "won", "bust", "blackjack"):
        show(page, pages(scene, f"language={language}&text=200")[TABLE])
        assert page.evaluate(PLACES)[:2] == before, scene


@pytest.mark.parametrize("device", [PHONE, TALL, LANDSCAPE, TABLET], ids=["phone", "tall", "landscape", "tablet"])
def test_the_dealers_cards_leave_room_for_the_shoe(visit: Visit, pages: Pages, device: dict[str, object]) -> None:
    page = visit(device)
    for scene, count in (("many cards", 4), ("soft, five cards", 5), ("dealer's eleven cards", 11)):
        show(page, pages(scene)[TABLE])
        cards = [
            box(page, ".fan--dealer .card", number) for number in range(page.locator(".fan--dealer .card").count())
        ]
        assert len(cards) == count
        assert cards[0][0] - box(page, ".dealer__name .total")[2] >= 4, scene
        assert box(page, ".shoe")[0] - cards[-1][2] >= 4, scene
        assert min(after[0] - before[0] for before, after in itertools.pairwise(cards)) >= 10, "its index is seen"


def test_on_a_tall_phone_sentence_and_cards_are_one_group(visit: Visit, dealer: Dealer) -> None:
    page = visit(TALL)
    page.goto(dealer.seat(page, "dealt").table)
    felt, cards = box(page, ".felt"), box(page, ".stage > .hand .card")
    above, below = box(page, ".verdict__name")[1] - felt[1], felt[3] - cards[3]
    assert cards[1] - box(page, ".verdict__text")[3] <= 64
    assert abs(above - below) <= 48


FREE = """(least) => {
  const cards = [...document.querySelectorAll(".stage > .hand > *")].map((card) => card.getBoundingClientRect());
  return [
    cards.length,
    ...cards.filter(({ width }) => width < least).map(({ width }) => `${width} px`),
    ...cards.slice(1).flatMap((card, place) => (card.left < cards[place].right + 2 ? [`${place + 1} under the next`] : [])),
    ...cards.filter(({ left, right }) => left < 8 || right > innerWidth - 8).map(({ left }) => `at ${left}`),
  ];
}"""


LOW_TARGETS = """() => [...document.querySelectorAll("a[href], button, summary, select, textarea, input:not([type=hidden])")]
  .filter(each => each.checkVisibility({visibilityProperty: true}) && !each.matches(".visually-hidden, label input"))
  .filter(each => {
    const around = each.closest("p, li, dd, td");
    return getComputedStyle(each).display !== "inline" || around?.textContent.trim() === each.textContent.trim();
  })
  .filter(each => [0, 1].includes(each.getClientRects().length) && each.getBoundingClientRect().width > 2)
  .filter(each => each.getBoundingClientRect().height < 24)
  .map(each => `${each.textContent.trim() || each.ariaLabel}: ${each.getBoundingClientRect().height}`)"""
"""What is pressed, and is no part of a sentence, but not as high as WCAG 2.2 asks (2.5.8)."""


def test_on_a_phone_what_is_pressed_is_high_enough(visit: Visit, dealer: Dealer, console: Console) -> None:
    console.expect("status of 404")
    page = visit(PHONE)
    dealer.regular(page)
    addresses = [address for address in PAGES.values() if address]
    for address in (*addresses, "/tables", "/privacy", "/lab", "/lab/exercise", "/odds/poker", "/odds/blackjack"):
        page.goto(address)
        assert measured(page, LOW_TARGETS) == [], address


@pytest.mark.parametrize("width", [360, 390, 412, 430, 768])
def test_five_cards_lie_free_side_by_side(visit: Visit, dealer: Dealer, width: int) -> None:
    """None of them smaller than on a small phone."""
    page = visit({**TALL, "viewport": {"width": width, "height": 844}})
    for address in ("/play/video", "/play/joker", "/play/video?table=deuces-full", "/drill/poker", "/play/poker"):
        page.goto(address)
        assert measured(page, FREE, 62) == [5], address
        for deal in page.locator("#sit .btn--primary").all():
            deal.click()
            page.locator("[data-mark]").last.wait_for()
            assert measured(page, FREE, 62) == [5], address


def test_a_tablet_has_its_pay_table_beside_the_felt_and_a_dock_for_two_hands(visit: Visit, dealer: Dealer) -> None:
    page = visit(TABLET)
    page.goto(dealer.seat(page, "asked").table)
    cards, side = box(page, ".stage > .hand .card", 4), box(page, ".paytable")
    assert side[0] > cards[2]
    assert cards[2] - cards[0] >= 90
    assert box(page, ".dock__row")[2] - box(page, ".dock__menu")[0] <= 560


@pytest.mark.parametrize("code", ["poker", "joker", "video", "blackjack"])
def test_on_a_tablet_the_felt_ends_with_its_buttons_and_the_last_hands_lie_below(visit: Visit, code: str) -> None:
    page = visit(TABLET)
    page.goto(f"/play/{code}")
    dock, hands = box(page, ".dock"), box(page, "#history")
    assert box(page, ".table__cloth")[3] == dock[3] < hands[1] < hands[3] <= 1024
    page.locator("#sit .btn--primary").click()
    page.locator(".card").last.wait_for()
    assert box(page, ".dock") == dock


@pytest.mark.parametrize("scene", ["doubled", "nothing"])
def test_in_landscape_a_finished_hand_shows_its_cards_and_its_steps(visit: Visit, dealer: Dealer, scene: str) -> None:
    page = visit(LANDSCAPE)
    page.goto(dealer.seat(page, scene).page)
    ends = [box(page, selector)[3] for selector in (".finish__stage", ".stepper__bar", ".finish__share")]
    assert max(ends) <= 360
    assert box(page, ".finish__stage .card")[3] < box(page, ".stepper__bar")[1]


def test_in_landscape_the_open_card_is_level_with_the_four(visit: Visit, dealer: Dealer) -> None:
    page = visit(LANDSCAPE)
    page.goto(dealer.seat(page, "picking").table)
    assert box(page, ".round__open .card")[1] == box(page, ".picks .card")[1]


@pytest.mark.parametrize("device", [LANDSCAPE, TABLET], ids=["landscape", "tablet"])
def test_beside_the_felt_the_pay_table_shows_what_each_hand_pays(
    visit: Visit, dealer: Dealer, device: dict[str, object]
) -> None:
    page = visit(device)
    for language in CODES:
        dealer.prefer(page, language=language)
        page.goto("/play/poker")
        edge = box(page, ".paytable")[2]
        ends = page.locator(".paytable__row dd").evaluate_all(
            "all => all.map(each => each.getBoundingClientRect().right)"
        )
        assert len(ends) == 9
        assert max(ends) <= edge - 4, language


def test_on_a_tablet_a_round_has_two_straight_edges(visit: Visit, dealer: Dealer) -> None:
    page = visit(TABLET)
    page.goto(dealer.seat(page, "picking").table)
    assert box(page, ".round__open .card")[0] == box(page, ".picks .card", 0)[0]
    assert box(page, ".odds")[2] == box(page, ".picks .card", 3)[2]


def test_numbers_stand_below_their_headers(phone: Page, dealer: Dealer) -> None:
    dealer.regular(phone)
    phone.goto("/me")
    apart = phone.locator(".outcomes").evaluate_all(
        """tables => tables.flatMap(table => Array.from(table.tHead.rows[0].cells).slice(1).map((head, n) => {
          const edge = cell => {
            const range = document.createRange();
            range.selectNodeContents(cell);
            return range.getBoundingClientRect().right;
          };
          return Math.abs(edge(head) - edge(table.tBodies[0].rows[0].cells[n + 1]));
        }))"""
    )
    assert len(apart) >= 2
    assert max(apart) <= 1


def test_the_line_of_a_career_has_a_colour_and_an_axis(phone: Page, dealer: Dealer) -> None:
    dealer.regular(phone)
    phone.goto("/me")
    line = phone.locator(".chart__plot polyline").first
    assert line.evaluate("line => getComputedStyle(line).stroke") == "rgb(135, 96, 15)"
    expect(phone.locator(".chart__zero").first).to_be_attached()
    expect(phone.locator(".chart__number").last).to_have_text("0")
    assert phone.locator(".chart summary").first.evaluate("each => getComputedStyle(each).display") == "list-item"


def test_all_pages_share_their_left_edge(desktop: Page, dealer: Dealer) -> None:
    dealer.regular(desktop)
    edges = set()
    for address in ("/", "/me", "/rules/poker", "/fair", "/about", "/lab", "/lab/exercise"):
        desktop.goto(address)
        edges |= {round(box(desktop, selector)[0]) for selector in (".topbar .seal", "main h1", ".foot a")}
    assert edges == {24}


def test_beside_the_table_all_titles_share_their_edge(desktop: Page, dealer: Dealer) -> None:
    desktop.goto(dealer.seat(desktop, "dealt").table)
    assert box(desktop, ".paytable__title")[0] == box(desktop, ".side__more .panel__title")[0]


ROWS = """() => {
  const dock = document.querySelector(".dock").getBoundingClientRect();
  const rows = new Map();
  // on a phone the menu is beside hit and stand, in landscape the record, or what gold means
  for (const each of document.querySelectorAll(".dock :is(button.act, .rail, .acts__info), .dock__menu")) {
    const {left, right, bottom, width} = each.getBoundingClientRect(), line = Math.round(bottom / 12);
    if (width) rows.set(line, [...rows.get(line) ?? [], {left, right, verb: each.value}]);
  }
  return [...rows.values()].map(row => ({
    verbs: row.flatMap(({verb}) => verb ?? []),
    seen: row.toSorted((a, b) => a.left - b.left).flatMap(({verb}) => verb ?? []),
    askew: Math.min(...row.map(({left}) => left)) - dock.left + Math.max(...row.map(({right}) => right)) - dock.right,
  })).filter(({verbs}) => verbs.length);
}"""


@pytest.mark.parametrize("device", [PHONE, LANDSCAPE, TABLET, DESKTOP, {"viewport": {"width": 1920, "height": 1080}}])
def test_whichever_actions_there_are_their_row_is_symmetric_and_in_the_order_of_the_page(
    visit: Visit, dealer: Dealer, pages: Pages, device: dict[str, object]
) -> None:
    page = visit(device)
    found = {}
    for scene in ("one box", "may split", "may surrender", "after a hit", "classic", "insurance"):
        show(page, pages(scene)[TABLE])
        found[scene] = measured(page, ROWS)
    at = playing(dealer.app, 2, **NO_CLOCK)
    dealer.give(page, Hand("", cookie_of(players(at)[0]), over=False))
    page.goto(f"/t/{at[0].code}")
    found["shared table"] = measured(page, ROWS)
    page.goto("/drill/blackjack?spot=drill")
    found["drill"] = measured(page, ROWS)
    assert all(found.values())
    assert {
        where: rows
        for where, rows in found.items()
        if any(abs(row["askew"]) > 2 or row["verbs"] != row["seen"] for row in rows)
    } == {}
    if device in (LANDSCAPE, DESKTOP):
        assert {where for where, rows in found.items() if len(rows) > 1} <= {"insurance"}


def test_a_chip_beside_a_number_has_the_colour_of_the_largest_in_it(
    desktop: Page, dealer: Dealer, pages: Pages
) -> None:
    """Once it was red for every bet, as the chip of 5 is."""
    page = desktop
    page.goto("/play/joker")
    colour = "each => getComputedStyle(each).backgroundColor"
    tray = {chip: page.locator(f"[data-chip='{chip}']").evaluate(colour) for chip in (5, 100)}
    page.goto("/play/blackjack?table=vegas")
    tray |= {chip: page.locator(f"[data-chip='{chip}']").evaluate(colour) for chip in (10, 100, 500)}
    show(page, pages("three boxes")[TABLE])
    fifty, *others = page.locator(".pile .disc").all()
    assert [each.evaluate(colour) for each in others] == [tray[100], tray[500]]
    assert fifty.evaluate(colour) not in tray.values()
    at = playing(dealer.app, 2, **NO_CLOCK)
    dealer.give(page, Hand("", cookie_of(players(at)[0]), over=False))
    page.goto(f"/t/{at[0].code}")
    assert page.locator(".place--you .lie__bet").text_content() == "Bet 20"
    assert page.locator(".place--you .disc").evaluate(colour) == tray[10]


@pytest.mark.parametrize("size", [(360, 640), (1280, 800)])
def test_the_dealers_cards_stand_above_the_players_on_a_finished_page(
    visit: Visit, pages: Pages, size: tuple[int, int]
) -> None:
    page = visit({"viewport": dict(zip(("width", "height"), size, strict=True))})
    found = pages("won")
    show(page, found["/h/"], found["png"])
    fans = page.locator(".finish__stage .fan").evaluate_all(
        """all => all.map(fan => (Array.from(fan.children)[0].getBoundingClientRect().left
          + Array.from(fan.children).at(-1).getBoundingClientRect().right) / 2)"""
    )
    assert abs(fans[0] - fans[1]) <= 1


def test_no_heading_is_empty_where_only_a_number_fits(phone: Page, pages: Pages) -> None:
    found = pages("twelve at the end")
    show(phone, found["/h/"], found["png"])
    names = phone.locator(".finish__stage h2").evaluate_all("all => all.map(each => each.innerText.trim())")
    assert len(names) == 12
    assert "" not in names


SITE = ("/", "/tables", "/lab", "/lab/exercise", "/rules/poker", "/rules/blackjack", "/me", "/fair", "/about")
TEXT_TWICE = "document.documentElement.style.fontSize = '200%'"
TO_THE_END = "scrollTo(0, document.documentElement.scrollHeight)"
"""The dock stays at the foot of the screen, over what is longer than that."""


def test_with_text_of_twice_the_size_nothing_lies_on_anything(phone: Page, dealer: Dealer, pages: Pages) -> None:
    for scene in ("one box", "won", "insurance"):
        show(phone, pages(scene)[TABLE])
        phone.evaluate(TEXT_TWICE)
        phone.evaluate(TO_THE_END)
        assert overlaid(phone, ".verdict > *", ".pile, .dealer .card, .rail, .acts, .dock__row .btn") == [], scene
        assert too_large(phone) == [], scene
    for scene in ("dealt", "asked", "picking"):
        phone.goto(dealer.seat(phone, scene).table)
        phone.evaluate(TEXT_TWICE)
        phone.evaluate(TO_THE_END)
        assert overlaid(phone, ".verdict > *", ".hand .card, .round > *, .paytable, .dock__row .btn") == [], scene
        assert too_large(phone) == [], scene
    for address in ("/play/joker", "/play/blackjack"):
        phone.goto(address)
        phone.evaluate(TEXT_TWICE)
        phone.evaluate(TO_THE_END)
        assert overlaid(phone, ".verdict > *", ".slot, .spot__ring, .paytable, .rail, .dock__row .btn") == [], address
        assert overlaid(phone, ".stake, .bet, .chip", ".dock__row .btn") == [], address


@pytest.mark.parametrize("device", [PHONE, TALL, LANDSCAPE], ids=["phone", "tall", "landscape"])
def test_with_text_of_twice_the_size_no_word_is_cut_and_no_page_is_wider(
    visit: Visit, dealer: Dealer, pages: Pages, device: dict[str, object]
) -> None:
    page = visit(device)
    for scene in ("one box", "three boxes", "won"):
        show(page, pages(scene)[TABLE])
        page.evaluate(TEXT_TWICE)
        assert clipped(page) == [], scene
        assert overlaid(page, ".total", ".pile__bet") == [], scene
        numbers = page.locator(".pile__line").evaluate_all(
            "all => all.filter(e => e.scrollWidth > e.clientWidth + 1).length"
        )
        assert numbers == 0, scene
    dealer.regular(page)
    for address in ("/play/joker", "/play/blackjack", "/play/poker", *SITE):
        page.goto(address)
        page.evaluate(TEXT_TWICE)
        assert clipped(page) == [], address
        assert too_large(page) == [], address
        assert overlaid(page, ".verdict > *", ".dealer--none, .spot__ring, .slot") == [], address


CUT_DECKS = """() => [...document.querySelectorAll("[data-deck]")].filter((deck) => deck.checkVisibility()).flatMap((deck) => {
  const felt = deck.closest("[data-felt]").getBoundingClientRect();
  return [...deck.children].map((card) => card.getBoundingClientRect()).filter(({ top, right, width, height }) =>
    top < felt.top || right > felt.right || height < width * 1.39).map(({ top }) => `at ${top} of a felt at ${felt.top}`);
})"""


@pytest.mark.parametrize(
    "device", [PHONE, TALL, LANDSCAPE, TABLET, DESKTOP, {**PHONE, "viewport": {"width": 390, "height": 760}}]
)
def test_no_deck_is_cut_by_the_bar_or_the_rim(visit: Visit, dealer: Dealer, device: dict[str, object]) -> None:
    page = visit(device)
    for scene in ("dealt", "asked", "doubled", "nothing"):
        page.goto(dealer.seat(page, scene).table)
        assert measured(page, CUT_DECKS) == []
        assert overlaid(page, ".deck", ".verdict__name, .verdict__text, .stage .card, .coach__link") == [], scene
    at = playing(dealer.app, 2, **NO_CLOCK)
    for visitor in (players(at)[0], banker_of(at)):
        dealer.give(page, Hand("", cookie_of(visitor), over=False))
        page.goto(f"/t/{at[0].code}")
        assert measured(page, CUT_DECKS) == []
        assert overlaid(page, ".deck", ".place .card, .place__name") == []
    for address in ("/play/blackjack", "/play/video", "/drill/poker", dealer.seat(page, "nothing").page):
        page.goto(address)
        assert measured(page, CUT_DECKS) == []


def test_the_deck_of_a_finished_hand_lies_in_the_corner_where_it_lay_in_play(desktop: Page, dealer: Dealer) -> None:
    page = desktop
    page.goto(dealer.seat(page, "nothing").page)
    felt, deck = box(page, ".finish__felt"), box(page, ".finish__felt .deck")
    assert 8 <= felt[2] - deck[2] <= 32
    assert box(page, ".finish__felt .verdict__name")[2] <= deck[0]


def test_the_word_in_an_empty_field_stands_on_the_line_of_its_label(phone: Page) -> None:
    phone.goto("/tables")
    phone.get_by_role("button", name="Open a table", exact=True).tap()
    phone.wait_for_url("**/t/*")
    lines = phone.locator("label.bet:has(.bet__field--word) > *").evaluate_all(
        """all => all.map(each => {
          const box = each.getBoundingClientRect(), style = getComputedStyle(each);
          return [(box.top + box.bottom) / 2, style.fontSize, style.fontFamily];
        })"""
    )
    (name, *font), (word, *same) = lines
    assert font == same
    assert abs(name - word) <= 0.5


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
def test_on_the_narrowest_phone_no_title_is_cut(visit: Visit, dealer: Dealer, language: str) -> None:
    page = visit({**PHONE, "viewport": {"width": 320, "height": 568}})
    dealer.prefer(page, language=language)
    for address in ("/play/poker", "/play/joker", "/play/video", "/play/blackjack", "/play/blackjack?table=european"):
        page.goto(address)
        cut = page.locator(".topbar__title, .topbar__sub").evaluate_all(
            "all => all.filter(each => each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight + 1)"
            ".map(each => each.textContent)"
        )
        assert cut == [], address


@pytest.mark.parametrize("language", WIDEST)
def test_what_a_hand_brought_and_that_it_had_help_stand_apart(visit: Visit, dealer: Dealer, language: str) -> None:
    player = Player(dealer.app.test_client())
    player.sit("joker")
    player.deal("history", (100,))
    player.post(f"/play/joker/{player.hand}/{player.step}/hint")
    while not player.over:
        player.act("stop" if "stop" in player.actions else "hold")
    page = visit(DESKTOP)
    dealer.prefer(page, language=language)
    dealer.give(page, Hand(player.hand, cookie_of(player), over=True))
    for address in ("/play/joker", "/"):
        page.goto(address)
        for width in (360, 768, 1140, 1280, 1920):
            page.set_viewport_size({"width": width, "height": 800})
            expect(page.locator(".history__help")).to_have_count(1)
            assert (
                overlaid(page, ".history__help", ".history__cards .cardtext, .history__result > :not(.history__help)")
                == []
            )


def test_a_notch_at_the_side_covers_nothing(visit: Visit, dealer: Dealer) -> None:
    page = visit(LANDSCAPE)
    for address in (dealer.seat(page, "dealt").table, "/play/blackjack", "/", "/me"):
        page.goto(address)
        page.evaluate(
            "() => ['l', 'r'].forEach(side => document.documentElement.style.setProperty(`--safe-${side}`, '44px'))"
        )
        edges = page.locator("a, button, h1, .card, input").evaluate_all(
            """all => all.filter(each => each.checkVisibility({visibilityProperty: true}) && !each.matches(".skip")
                && !each.closest("#menu, .visually-hidden"))
              .map(each => each.getBoundingClientRect()).filter(box => box.width > 1)
              .flatMap(box => [box.left, innerWidth - box.right])"""
        )
        assert min(edges) >= 44, address


def test_a_page_that_is_not_there_says_so_in_its_title(phone: Page, console: Console) -> None:
    console.expect("status of 404")
    phone.goto("/nothing-here")
    assert not phone.title()[0].isdigit()
    phone.goto("/t/ZZZZZZ")
    assert phone.title() == "There is no table with this code – Tefuda"
    phone.get_by_role("button", name="Open a table").tap()
    phone.wait_for_url("**/t/*")


@pytest.mark.parametrize("size", [(1600, 900), (1920, 1080)])
def test_the_largest_room_has_a_large_felt_and_large_cards(visit: Visit, dealer: Dealer, size: tuple[int, int]) -> None:
    page = visit({"viewport": dict(zip(("width", "height"), size, strict=True))})
    for scene in ("dealt", "picking"):
        page.goto(dealer.seat(page, scene).table)
        cloth, card = box(page, ".table__cloth"), box(page, ".stage .card")
        assert 1200 <= cloth[2] - cloth[0] <= 1480, scene
        assert card[2] - card[0] == 176, scene
        assert too_large(page, tall=False) == [], scene


@pytest.mark.parametrize("device", [PHONE, TALL, LANDSCAPE, TABLET], ids=["phone", "tall", "landscape", "tablet"])
@pytest.mark.parametrize("game", ["joker", "blackjack"])
def test_chips_do_not_touch_each_other(visit: Visit, device: dict[str, object], game: str) -> None:
    page = visit(device)
    page.goto(f"/play/{game}")
    edge = 2  # of the target round the disc
    discs = page.locator(".chip:visible").evaluate_all(
        "all => all.map(each => each.getBoundingClientRect()).map(chip => [chip.left, chip.right, chip.width])"
    )
    assert len(discs) >= 4
    assert {width for _, _, width in discs} == {44}
    apart = [after[0] - before[1] + 2 * edge for before, after in itertools.pairwise(discs)]
    assert min(apart) >= 4


def test_the_ladder_has_a_rung_for_each_win_and_says_how_many_there_were(phone: Page, dealer: Dealer) -> None:
    phone.goto(dealer.seat(phone, "won").table)
    assert phone.locator(".ladder__rung").count() == 10
    assert phone.locator(".ladder__rung--won").count() == 1
    rung, first, last = (box(phone, ".ladder__rung", n) for n in (4, 0, 9))
    assert rung[3] - rung[1] <= 8
    assert first[1] == last[1]
    expect(phone.get_by_role("img", name="Rounds won: 1 of 10. Score: 400")).to_be_visible()


@pytest.mark.parametrize("device", [TALL, TABLET], ids=["tall", "tablet"])
def test_at_blackjack_dealer_cards_and_sentence_are_one_group(
    visit: Visit, pages: Pages, device: dict[str, object]
) -> None:
    page = visit(device)
    show(page, pages("one box")[TABLE])
    felt, dealer, sentence = box(page, ".felt"), box(page, ".dealer"), box(page, ".verdict")
    card, state = box(page, ".pile .card"), box(page, ".pile__state")
    assert abs((dealer[1] - felt[1]) - (felt[3] - sentence[3])) <= 16
    assert 0 <= state[1] - card[3] <= 48
    assert sentence[3] - dealer[1] <= 720


@pytest.mark.parametrize("scene", ["three boxes", "four hands"])
def test_on_a_tall_phone_the_cards_of_several_hands_fill_their_wells(visit: Visit, pages: Pages, scene: str) -> None:
    page = visit(TALL)
    show(page, pages(scene)[TABLE])
    _, top, _, bottom = box(page, ".pile .card__face")
    assert bottom - top >= 96
    assert too_large(page, tall=False) == []


@pytest.mark.parametrize("size", [(360, 640), (390, 844), (640, 360), (740, 290)])
def test_in_a_column_the_index_of_a_covered_ten_is_seen(visit: Visit, pages: Pages, size: tuple[int, int]) -> None:
    page = visit({**PHONE, "viewport": dict(zip(("width", "height"), size, strict=True))})
    show(page, pages("three hands")[TABLE])
    first, second, third = (box(page, ".pile--active .card__face", number) for number in range(3))
    for upper, lower in ((first, second), (second, third)):  # beside each other, or below each other
        assert max(lower[0] - upper[0], lower[1] - upper[1]) >= 0.27 * (first[2] - first[0])


def test_of_two_cards_that_met_the_higher_is_marked(phone: Page, dealer: Dealer) -> None:
    def shadow(selector: str) -> str:
        found: str = phone.locator(selector).first.evaluate("face => getComputedStyle(face).boxShadow")
        return found

    dealer.show(phone, "won")
    marked, plain = shadow(".picks .card--win .card__face"), shadow(".picks .card--faded .card__face")
    dealer.show(phone, "lost")
    assert shadow(".round__open .card__face") == marked
    assert shadow(".picks .card--lose .card__face") == plain


def test_what_the_first_hand_is_told_is_high_enough_for_a_thumb(phone: Page, pages: Pages) -> None:
    show(phone, pages("one box")[TABLE])
    _, top, _, bottom = box(phone, ".coach a")
    assert bottom - top >= 40


@pytest.mark.parametrize("language", CODES)
@pytest.mark.parametrize("scene", ["won", "classic won"])
def test_beside_the_bets_a_label_is_no_wider_than_its_button(
    visit: Visit, pages: Pages, scene: str, language: str
) -> None:
    page = visit({**PHONE, "viewport": {"width": 640, "height": 360}})
    show(page, pages(scene, f"language={language}")[TABLE])
    room = """all => all.map(each => {
      const label = each.querySelector("[data-share-text]") ?? each.lastChild, range = document.createRange();
      range.selectNodeContents(label);
      return each.getBoundingClientRect().width - range.getBoundingClientRect().width;
    })"""
    left = page.locator(".dock .btn--icon").evaluate_all(room)
    assert len(left) == 2
    assert min(left) >= 6


@pytest.mark.parametrize("device", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_page_of_a_shared_round_shows_its_cards(visit: Visit, dealer: Dealer, device: dict[str, object]) -> None:
    visitors = playing(dealer.app, 2)
    play_out(visitors)
    see_all(visitors)
    page = visit(device)
    page.goto(visitors[0].table["last"])
    widths = page.locator(".company__seats--replay .card__face").evaluate_all(
        "all => all.map(each => each.getBoundingClientRect().width)"
    )
    assert len(widths) >= 4
    assert min(widths) >= 40


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
def test_a_drill_is_as_wide_as_a_table_on_any_large_screen(visit: Visit, size: tuple[int, int]) -> None:
    page = visit({"viewport": dict(zip(("width", "height"), size, strict=True))})
    page.goto("/drill/poker?spot=a1b2")
    left, _, right, _ = box(page, ".felt")
    assert right - left >= 700
    assert clipped(page) == []


@pytest.mark.parametrize("language", WIDEST)
def test_the_rules_fit_a_phone(visit: Visit, language: str) -> None:
    page = visit(PHONE, locale=language)
    for game in ("poker", "joker", "video", "blackjack", "table21"):
        page.goto(f"/rules/{game}")
        for width in (320, 360, 390):
            page.set_viewport_size({"width": width, "height": 640})
            assert too_large(page) == [], (game, width)


@pytest.mark.parametrize("language", WIDEST)
def test_the_buttons_of_a_finished_hand_have_two_lines_at_most(visit: Visit, dealer: Dealer, language: str) -> None:
    page = visit(PHONE, locale=language)
    page.goto(dealer.seat(page, "doubled").page)
    lines = page.locator(".finish__share .btn:visible").evaluate_all(
        """all => all.map(each => {
          const range = document.createRange();
          range.selectNodeContents(each);
          const tops = Array.from(range.getClientRects(), line => Math.round(line.bottom / 8));
          return new Set(tops).size;
        })"""
    )
    assert len(lines) == 3
    assert max(lines) <= 2


def test_titles_are_balanced_in_every_language(visit: Visit) -> None:
    for language in CODES:
        page = visit(PHONE, locale=language)
        page.goto("/privacy")
        assert page.locator("h1").evaluate("each => getComputedStyle(each).textWrapStyle") == "balance", language


LINES = """all => all.flatMap(each => {
  const lines = [], range = document.createRange(), texts = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
  let top = -Infinity;
  while (texts.nextNode()) {
    for (let at = 0; at < texts.currentNode.length; at++) {
      range.setStart(texts.currentNode, at);
      range.setEnd(texts.currentNode, at + 1);
      const [box] = range.getClientRects();
      if (!box) continue;
      if (box.top > top + box.height / 2) lines.push("");
      top = box.top;
      lines[lines.length - 1] += texts.currentNode.data[at];
    }
  }
  return [lines.map(line => line.trim())];
})"""
"""The lines of each element."""


@pytest.mark.parametrize("locale", ["zh-CN", "zh-TW"])
def test_titles_in_chinese_break_between_clauses(visit: Visit, console: Console, locale: str) -> None:
    """A browser may break Chinese between any two characters, and so in the middle of a word."""
    console.expect("404")
    phone, broken = visit(PHONE, locale=locale), 0
    for path in ("/", "/privacy", "/h/nothing"):
        phone.goto(path)
        titles = phone.locator(".page__title, .lobby__name, .lobby__claim, .lost__what")
        for *before, _last in titles.evaluate_all(LINES):
            assert all(line[-1] in "，。：" for line in before), before
            broken += len(before)
    assert broken >= 3, "there are lines to break"


@pytest.mark.parametrize("size", [(1280, 800), (1440, 900), (1920, 1080)])
def test_at_a_desk_the_other_seats_lie_in_an_arc_around_the_bank(
    visit: Visit, dealer: Dealer, size: tuple[int, int]
) -> None:
    page = visit({"viewport": dict(zip(("width", "height"), size, strict=True))})
    at = betting(dealer.app, 5, **NO_CLOCK)
    for visitor, count in ((players(at)[0], 3), (banker_of(at), 4)):
        dealer.give(page, Hand("", cookie_of(visitor), over=False))
        page.goto(f"/t/{at[0].code}")
        others = ".place--taken:not(.place--you, .place--banker)"
        row = sorted(box(page, others, number) for number in range(count))
        outer, inner = (row[0], row[-1]), row[1:-1]
        assert outer[0][1] == outer[1][1]
        assert all(each[1] - outer[0][1] >= 16 for each in inner)
        assert len({round(each[3] - each[1]) for each in row}) == 1, "of one height"
        assert max(each[3] for each in inner) <= box(page, ".place--you")[1]


def test_on_the_largest_screens_bank_and_player_alone_are_close_to_each_other(visit: Visit, dealer: Dealer) -> None:
    page = visit({"viewport": {"width": 1920, "height": 1080}})
    at = playing(dealer.app, 2, **NO_CLOCK)
    for visitor in (players(at)[0], banker_of(at)):
        dealer.give(page, Hand("", cookie_of(visitor), over=False))
        page.goto(f"/t/{at[0].code}")
        own = box(page, ".place--you .fan .card:last-child .card__face")
        opposite = box(page, ".place--taken:not(.place--you) .fan .card:last-child .card__face")
        assert own[2] - own[0] >= 160
        assert own[1] - opposite[3] <= 200
        assert box(page, ".place--you")[3] <= box(page, ".company__verdict")[1]


LOOKS = "it => (({borderTopColor, backgroundColor}) => [borderTopColor, backgroundColor])(getComputedStyle(it))"


def test_in_landscape_the_bank_has_a_frame_as_the_own_seat_has(visit: Visit, dealer: Dealer) -> None:
    page = visit(LANDSCAPE)
    at = betting(dealer.app, 2, **NO_CLOCK)
    dealer.give(page, Hand("", cookie_of(players(at)[0]), over=False))
    page.goto(f"/t/{at[0].code}")
    none = "rgba(0, 0, 0, 0)"
    for seat in (".place--banker", ".place--you"):
        looks = page.locator(seat).evaluate(LOOKS)
        assert none not in looks, seat
    assert measured(page, CUT_DECKS) == []


@pytest.mark.parametrize(("width", "felt"), [(1280, 908), (1440, 1068), (1920, 1440)])
def test_pages_and_felts_grow_with_the_window(visit: Visit, dealer: Dealer, width: int, felt: int) -> None:
    page = visit({"viewport": {"width": width, "height": 900}})
    page.goto("/")
    assert box(page, ".games")[2] - box(page, ".games")[0] == min(width - 48, 1440)
    page.goto(dealer.seat(page, "dealt").table)
    assert box(page, ".table__cloth")[2] - box(page, ".table__cloth")[0] >= felt


def test_the_longest_name_of_a_table_has_one_line_whatever_is_in_the_purse(visit: Visit) -> None:
    """Else the bar would change its height with the number of digits."""
    page = visit({"viewport": {"width": 360, "height": 640}}, locale="ja")
    page.goto("/play/video")
    for purse in ("90", "100", "1,000"):
        page.locator(".purse__sum").evaluate("(sum, purse) => { sum.textContent = purse; }", purse)
        lines = page.locator(".topbar__sub").evaluate(
            "each => each.getBoundingClientRect().height / parseFloat(getComputedStyle(each).lineHeight)"
        )
        assert round(lines) == 1, purse
