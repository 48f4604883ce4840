"""Text of twice the size: no two texts lie on each other, and none is cut, on any page and in any state of a table."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.e2e.conftest import DESKTOP, PHONE, Console, Visit
from tests.e2e.dealer import FINISHED, TABLE, Dealer, Hand
from tests.e2e.geometry import colliding, crowded_lines, measured, too_large
from tests.e2e.motion_cases import CASES
from tests.e2e.recording import states
from tests.e2e.stacked import TABLE as BLACKJACK
from tests.e2e.stacked import played
from tests.e2e.stacked import show as show_stacked
from tests.e2e.taps import click
from tests.e2e.test_low_windows import shared_tables
from tests.e2e.visitor import swapped
from tests.support.app import close, make_app
from tests.support.cookies import cookie_of
from tests.support.languages import WIDEST
from tests.support.server import Server
from webapp.engine.games import SOLO

PAGES = (
    "/",
    "/tables",
    "/me",
    "/me/hands",
    "/me/settings",
    "/rules/poker",
    "/rules/blackjack",
    "/rules/table21",
    "/fair",
    "/about",
    "/privacy",
    "/daily",
    "/lab",
    "/lab/exercise",
    "/play/joker",
    "/play/blackjack",
    "/odds/poker",
    "/odds/blackjack",
)
WINDOWS = {
    "en": (PHONE, [(280, 653), (360, 640), (390, 844), (740, 290)]),
    "ja": (PHONE, [(360, 640), (390, 844), (740, 290)]),
    "zh-Hant": (PHONE, [(360, 640)]),
    "en, desktop": (DESKTOP, [(1280, 800)]),
    "ja, desktop": (DESKTOP, [(1280, 800)]),
}
TWICE = "document.documentElement.dataset.text = '200'"

Look = Callable[[], dict[str, list[str]]]


@pytest.fixture(scope="module")
def blackjack(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., dict[str, str]]]:
    app = make_app(f"sqlite:///{server.instance / 'tefuda.sqlite3'}", Path(tmp_path_factory.mktemp("stacked")))
    yield cache(partial(played, app))
    close(app)


class Window:
    """A page in one language, which is looked at in several sizes."""

    def __init__(self, page: Page, language: str, sizes: list[tuple[int, int]]) -> None:
        self.page, self.language, self.sizes = page, language, sizes

    def wrong(self, *more: Callable[[Page], list[str]]) -> dict[tuple[int, int], list[str]]:
        """Double the size of the text; return what lies on each other or is cut, or what ``more`` finds, by size."""
        self.page.evaluate(TWICE)
        found = {}
        for width, height in self.sizes:
            self.page.set_viewport_size({"width": width, "height": height})
            found[width, height] = [each for look in (colliding, too_large, *more) for each in look(self.page)]
        return {size: texts for size, texts in found.items() if texts}


@pytest.fixture(params=WINDOWS)
def window(request: pytest.FixtureRequest, visit: Visit, dealer: Dealer) -> Window:
    device, sizes = WINDOWS[request.param]
    page, language = visit(device), request.param.partition(",")[0]
    dealer.prefer(page, language=language)
    return Window(page, language, sizes)


def test_no_text_of_a_hand_of_poker_lies_on_another(window: Window, dealer: Dealer) -> None:
    for where in (*TABLE, *FINISHED):
        dealer.show(window.page, where)
        assert window.wrong() == {}, where


DRAWS = ":is([data-draw]:not([data-away]), [data-hold-sure]:not([hidden]), button[form=keep])"


@pytest.mark.parametrize("game", ["joker", "video"])
def test_no_text_of_a_hand_with_a_bet_lies_on_another(window: Window, game: str) -> None:
    page = window.page
    page.goto(f"/play/{game}")
    assert window.wrong() == {}, "the bet"
    page.locator("#sit .btn--primary").click()
    page.locator("[data-mark]").last.wait_for()
    assert window.wrong() == {}, "dealt"
    with swapped(page, "#room"):
        click(page.locator(f"{DRAWS} >> visible=true").first)
    assert window.wrong() == {}, "drawn"


SAID = """([best, values, why]) => {
  const said = document.getElementById("coach");
  said.innerHTML = `<span class="coach__text">${best}</span><span class="coach__more">
    <button class="coach__link" type="button" data-coach-values>${values} <kbd class="key">E</kbd></button>
    <a class="coach__link" href="">${why}</a></span>`;
  said.toggleAttribute("data-asked", true);
}"""
"""The coach's line, as it is answered."""
WORDS = {
    "en": ("Best: Stand", "Values", "Why?"),
    "ja": ("最善：スタンド", "期待値", "なぜ？"),
    "zh-Hant": ("最佳：停牌", "期望值", "為什麼？"),
}


def test_no_text_lies_on_the_line_of_the_coach(
    window: Window, dealer: Dealer, blackjack: Callable[..., dict[str, str]], console: Console
) -> None:
    page = window.page
    console.expect("404")  # rounds that this process has played are not on the server
    for scene in ("soft", "three boxes", "insurance", "classic"):
        show_stacked(page, blackjack(scene, f"language={window.language}&coach=after")[BLACKJACK])
        page.evaluate(SAID, WORDS[window.language])
        assert window.wrong() == {}, scene
    dealer.prefer(page, language=window.language, coach="after")
    for where in ("dealt", "asked", "won"):
        dealer.show(page, where)
        page.evaluate(SAID, WORDS[window.language])
        assert window.wrong() == {}, where


def test_no_text_of_blackjack_lies_on_another(window: Window, blackjack: Callable[..., dict[str, str]]) -> None:
    for scene in (
        "soft",
        "three boxes",
        "four hands",
        "may surrender",
        "insured boxes",
        "won",
        "twelve at the end",
        "classic",
    ):
        show_stacked(window.page, blackjack(scene, f"language={window.language}")[BLACKJACK])
        assert window.wrong() == {}, scene


WIDEST_CODE = "document.querySelectorAll('.bring__code').forEach((each) => { each.textContent = 'WMWMWM' })"
"""Codes of tables are drawn at random."""


def test_no_text_of_a_shared_table_lies_on_another(window: Window, dealer: Dealer) -> None:
    for phase, visitor in shared_tables(dealer):
        dealer.give(window.page, Hand("", cookie_of(visitor), over=False))
        window.page.goto(f"/t/{visitor.code}")
        window.page.evaluate(WIDEST_CODE)
        assert window.wrong() == {}, phase


def test_no_text_of_a_page_lies_on_another(window: Window, dealer: Dealer) -> None:
    dealer.regular(window.page)
    for address in PAGES:
        window.page.goto(address)
        if window.page.locator(".price").count():  # it may still be worked out
            window.page.locator(".price__said > b").wait_for(timeout=120_000)
        assert window.wrong(crowded_lines) == {}, address


OUT_OF_REACH = """() => {
  const dock = document.querySelector(".dock").getBoundingClientRect();
  const within = (each, from, to) => {
    const { top, left, bottom, right, height } = each.getBoundingClientRect();
    const isOut = top < from || left < 0 || bottom > to || right > innerWidth;
    return isOut || height < 44 ? [`${each.textContent.trim()}: ${top} to ${bottom}`] : [];
  };
  return [
    ...[...document.querySelectorAll(".dock button")].filter((each) => each.checkVisibility())
      .flatMap((each) => within(each, dock.top, innerHeight)),
    ...[...document.querySelectorAll(".picks > button")].flatMap((each) => within(each, 0, dock.top)),
  ];
}"""
"""Buttons of the dock that are not in the window, and cards to pick that are not above the dock."""


@pytest.mark.parametrize("size", [(320, 568), (360, 640), (390, 844), (740, 290)])
@pytest.mark.parametrize("language", WIDEST)
def test_what_is_to_be_done_is_on_the_screen_and_high_enough_for_a_thumb(
    visit: Visit, dealer: Dealer, blackjack: Callable[..., dict[str, str]], language: str, size: tuple[int, int]
) -> None:
    page = visit({**PHONE, "viewport": dict(zip(("width", "height"), size, strict=True))})
    dealer.prefer(page, language=language)
    for game in ("video", "joker"):
        page.goto(f"/play/{game}")
        page.evaluate(TWICE)
        assert measured(page, OUT_OF_REACH) == [], game
        page.locator("#sit .btn--primary").tap()
        page.locator("[data-mark]").last.wait_for()
        page.evaluate(TWICE)
        assert measured(page, OUT_OF_REACH) == [], game
    for where in TABLE:
        dealer.show(page, where)
        page.evaluate(TWICE)
        assert measured(page, OUT_OF_REACH) == [], where
    for scene in ("one box", "may split", "may surrender", "insurance", "won"):
        show_stacked(page, blackjack(scene)[BLACKJACK])
        page.evaluate(TWICE)
        assert measured(page, OUT_OF_REACH) == [], scene


@pytest.mark.parametrize("language", WIDEST)
@pytest.mark.parametrize("scene", ["double-up: lost", "joker: a double-up lost"])
def test_the_four_backs_of_a_double_up_are_above_the_dock_of_a_low_window(
    visit: Visit, dealer: Dealer, scene: str, language: str
) -> None:
    page = visit(PHONE)
    address, picking, _ = states(dealer.app, replace(CASES[scene], prefs=f"language={language}"))
    page.route(f"**{address}", lambda route: route.fulfill(body=picking, content_type="text/html"))
    page.goto(address)
    page.evaluate(TWICE)
    for width, height in ((740, 290), (667, 311), (640, 280), (640, 360), (844, 340), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        assert (measured(page, OUT_OF_REACH), colliding(page), too_large(page)) == ([], [], []), (width, height)


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
@pytest.mark.parametrize("language", WIDEST)
def test_on_a_desk_what_is_to_be_done_is_on_the_screen(
    visit: Visit, dealer: Dealer, blackjack: Callable[..., dict[str, str]], language: str, size: tuple[int, int]
) -> None:
    page = visit({"viewport": dict(zip(("width", "height"), size, strict=True))})
    dealer.prefer(page, language=language, text="200")
    for address in (*(f"/play/{code}" for code in SOLO), "/drill/poker", "/drill/blackjack"):
        page.goto(address)
        assert measured(page, OUT_OF_REACH) == [], address
    for where in TABLE:
        dealer.show(page, where)
        page.evaluate(TWICE)
        assert measured(page, OUT_OF_REACH) == [], where
    for scene in ("one box", "three boxes", "four hands", "may surrender", "insurance", "won", "classic"):
        show_stacked(page, blackjack(scene, f"language={language}")[BLACKJACK])
        page.evaluate(TWICE)
        assert measured(page, OUT_OF_REACH) == [], scene
    for phase, visitor in shared_tables(dealer):
        dealer.give(page, Hand("", cookie_of(visitor), over=False))
        page.goto(f"/t/{visitor.code}")
        page.evaluate(TWICE)
        assert measured(page, OUT_OF_REACH) == [], phase


@pytest.mark.parametrize("language", WIDEST)
def test_beside_the_record_of_a_beginner_the_actions_fill_their_row(
    visit: Visit, dealer: Dealer, language: str
) -> None:
    page = visit(PHONE)
    dealer.prefer(page, language=language)
    page.goto("/play/blackjack?table=classic")
    for _ in range(12):  # a round has one decision or none, if each hand stands
        if page.locator(".acts .rail").count():
            break
        with swapped(page, "#room"):
            page.keyboard.press("s" if page.locator(".acts").count() else "Enter")
    page.evaluate(TWICE)
    row, left, right = page.evaluate("""() => {
      const row = document.querySelector(".acts").getBoundingClientRect();
      const all = [...document.querySelectorAll(".acts__main button")].map((each) => each.getBoundingClientRect());
      const [left, right] = [Math.min(...all.map((each) => each.left)), Math.max(...all.map((each) => each.right))];
      return [row.width, left - row.left, right - row.left];
    }""")
    assert left <= 60, "only the menu is beside them"
    assert right == pytest.approx(row, abs=2)


@pytest.fixture
def enlarged(visit: Visit) -> Iterator[Page]:
    """A page whose browser shows all text twice as large, by its own setting."""
    page = visit()
    line = page.context.new_cdp_session(page)
    line.send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    yield page
    line.send("Page.setFontSizes", {"fontSizes": {"standard": 16}})
    line.detach()


@pytest.mark.parametrize("size", [(360, 640), (740, 290), (1280, 800)])
def test_text_that_the_browser_enlarges_has_the_room_that_our_setting_gives(
    enlarged: Page, dealer: Dealer, blackjack: Callable[..., dict[str, str]], size: tuple[int, int]
) -> None:
    enlarged.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))

    def right(where: str) -> None:
        enlarged.wait_for_function("document.documentElement.dataset.text === '200'")
        assert (measured(enlarged, OUT_OF_REACH), colliding(enlarged), too_large(enlarged)) == ([], [], []), where
        size_of_text = enlarged.evaluate("getComputedStyle(document.documentElement).fontSize")
        assert size_of_text == ("24px" if size == (740, 290) else "32px")

    for where in ("dealt", "asked", "collected"):
        dealer.show(enlarged, where)
        right(where)
    for scene in ("soft", "insurance", "won", "classic"):
        show_stacked(enlarged, blackjack(scene)[BLACKJACK])
        right(scene)


@pytest.mark.parametrize("size", [(360, 640), (390, 740)])
@pytest.mark.parametrize("scene", ["soft", "one box", "insurance", "won", "bust"])
@pytest.mark.parametrize("language", WIDEST)
def test_the_sentence_of_blackjack_is_above_the_actions(
    visit: Visit, blackjack: Callable[..., dict[str, str]], language: str, scene: str, size: tuple[int, int]
) -> None:
    page = visit({**PHONE, "viewport": dict(zip(("width", "height"), size, strict=True))})
    show_stacked(page, blackjack(scene, f"language={language}")[BLACKJACK])
    page.evaluate(TWICE)
    name, text, dock = (page.locator(each).bounding_box() for each in (".verdict__name", ".verdict__text", ".dock"))
    assert name and text and dock
    assert name["y"] + name["height"] <= text["y"] + text["height"] <= dock["y"]


@pytest.mark.parametrize("language", WIDEST)
def test_a_line_of_the_pay_table_is_above_the_actions(visit: Visit, language: str) -> None:
    page = visit(PHONE, locale=language)
    page.goto("/play/video")
    page.evaluate(TWICE)
    for _ in range(2):
        line, dock = (page.locator(each).first.bounding_box() for each in (".paytable__row", ".dock"))
        assert line and dock and line["y"] + line["height"] <= dock["y"]
        if page.locator("#sit").count():
            page.locator("#sit .btn--primary").tap()
            page.locator("[data-mark]").last.wait_for()
            page.evaluate(TWICE)


@pytest.mark.parametrize("language", WIDEST)
@pytest.mark.parametrize("game", ["poker", "joker", "video"])
def test_the_corners_of_all_cards_are_seen_on_a_phone_on_its_side(visit: Visit, game: str, language: str) -> None:
    """Nobody exchanges what was never seen."""
    page = visit({**PHONE, "viewport": {"width": 640, "height": 360}}, locale=language)
    page.goto(f"/play/{game}")
    page.locator("#sit .btn--primary").tap()
    page.locator("[data-mark]").last.wait_for()
    page.wait_for_function("!document.querySelector('[data-moving]')")
    page.evaluate(TWICE)
    tops = page.locator("main .hand .card").evaluate_all("all => all.map(each => each.getBoundingClientRect().top)")
    dock = page.locator(".dock").bounding_box()
    assert len(tops) == 5 and dock
    assert max(tops) + 28 <= dock["y"]


GREW = """() => Object.fromEntries([...document.querySelectorAll(
  ".topbar__sub, .card__tag, .dealer__name, .dealer .total, .shoe__text, .pile__line, .pile__line .total, .pile__state,"
  + ".rail__fact dt, .dock .btn--icon, .verdict__text"
)].filter((each) => each.checkVisibility()).map((each) => [each.className, parseFloat(getComputedStyle(each).fontSize)]))"""


@pytest.mark.parametrize("size", [(360, 640), (390, 844), (1280, 800)])
def test_captions_grow_by_half_at_least_where_text_is_twice_as_large(
    visit: Visit, dealer: Dealer, blackjack: Callable[..., dict[str, str]], size: tuple[int, int]
) -> None:
    page = visit({"viewport": dict(zip(("width", "height"), size, strict=True))})

    def grown_too_little() -> dict[str, float]:
        page.evaluate(TWICE.replace("'200'", "''"))
        before = page.evaluate(GREW)
        page.evaluate(TWICE)
        return {name: now / before[name] for name, now in page.evaluate(GREW).items() if now < 1.5 * before[name]}

    for where in ("dealt", "asked", "collected"):
        dealer.show(page, where)
        assert grown_too_little() == {}, where
    for scene in ("one box", "won"):
        show_stacked(page, blackjack(scene)[BLACKJACK])
        assert grown_too_little() == {}, scene


def test_a_hint_is_above_the_actions_on_a_phone(visit: Visit, blackjack: Callable[..., dict[str, str]]) -> None:
    page = visit({**PHONE, "viewport": {"width": 390, "height": 740}})
    show_stacked(page, blackjack("soft")[BLACKJACK])
    page.evaluate(TWICE)
    hint, dock = (page.locator(each).bounding_box() for each in ("[data-hint] button", ".dock"))
    assert hint and dock and hint["y"] + hint["height"] <= dock["y"]


CROWDED = """() => {
  const lines = each => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return [...range.getClientRects()].filter(({ width }) => width > 1);
  };
  const dock = document.querySelector(".dock").getBoundingClientRect();
  const own = document.querySelector(".pile .card__face").getBoundingClientRect();
  const dealers = document.querySelector(".fan--dealer .card__face").getBoundingClientRect();
  const seen = selector => [...document.querySelectorAll(selector)].filter(each => each.checkVisibility());
  const burst = seen(".acts .btn").filter(each => {
    const { top, bottom } = each.getBoundingClientRect();
    return lines(each).some(line => line.top < top || line.bottom > bottom);
  });
  const below = seen(".pile .total, .coach button, .coach p").filter(each =>
    lines(each).some(({ bottom }) => bottom > dock.top));
  return [
    ...(own.width < dealers.width - 0.5 ? [`own ${own.width}, dealer's ${dealers.width}`] : []),
    ...[...burst, ...below].map(each => each.textContent.trim().replace(/\\s+/g, " ")),
  ];
}"""
"""Own cards smaller than the dealer's, buttons whose text is too high, and totals and hints below the actions."""


@pytest.mark.parametrize("size", [(360, 640), (390, 844), (640, 360), (1280, 800)])
@pytest.mark.parametrize("language", WIDEST)
def test_a_first_hand_of_blackjack_has_room_for_its_cards_and_words(
    visit: Visit, blackjack: Callable[..., dict[str, str]], language: str, size: tuple[int, int]
) -> None:
    page = visit({"viewport": dict(zip(("width", "height"), size, strict=True))})
    for scene in ("one box", "soft"):
        show_stacked(page, blackjack(scene, f"language={language}")[BLACKJACK])
        page.evaluate(TWICE)
        assert measured(page, CROWDED) == [], scene


@pytest.mark.parametrize("scene", ["one box", "won", "classic", "classic won", "classic bust"])
@pytest.mark.parametrize("language", WIDEST)
def test_on_a_desk_the_own_cards_are_larger_than_those_of_the_dealer(
    visit: Visit, blackjack: Callable[..., dict[str, str]], language: str, scene: str
) -> None:
    page = visit(DESKTOP)
    show_stacked(page, blackjack(scene, f"language={language}")[BLACKJACK])
    page.evaluate(TWICE)
    own, dealers = (page.locator(f"{each} .card__face").first.bounding_box() for each in (".pile", ".fan--dealer"))
    assert own and dealers and own["width"] > dealers["width"]


BROKEN = """() => {
  const found = [], texts = document.createTreeWalker(document.getElementById("room"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    const isHidden = !parentElement.checkVisibility() || parentElement.getBoundingClientRect().width < 2;
    if (isHidden || parentElement.closest(".history, :is(.page, .lobby) p:not(.lobby__claim)")) continue;
    for (const { 0: word, index } of data.matchAll(/日替わりカード|ください|払い戻し|[ァ-ヴー]{2,9}/g)) {
      const range = document.createRange();
      range.setStart(texts.currentNode, index);
      range.setEnd(texts.currentNode, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push(word);
    }
  }
  return found;
}"""
"""Words of Japanese that begin on one line and end on the next, but in running text, whose lines are filled."""


@pytest.mark.parametrize("size", [(360, 640), (390, 844), (640, 360)])
def test_no_word_of_japanese_is_broken(visit: Visit, size: tuple[int, int]) -> None:
    page = visit({**PHONE, "viewport": dict(zip(("width", "height"), size, strict=True))}, locale="ja")
    for address in ("/", "/play/joker", "/play/video", "/play/blackjack"):
        page.goto(address)
        page.evaluate(TWICE)
        assert measured(page, BROKEN) == [], address
