"""Windows as browsers leave them beside their bars: what is due is on the screen, and no card lies below the buttons."""

from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.e2e.conftest import DESKTOP, PHONE, Visit
from tests.e2e.dealer import FINISHED, TABLE, Dealer, Hand
from tests.e2e.geometry import measured
from tests.e2e.stacked import SCENES, played
from tests.e2e.stacked import TABLE as BLACKJACK
from tests.e2e.stacked import show as show_stacked
from tests.support.app import close, make_app
from tests.support.cookies import cookie_of
from tests.support.server import Server
from tests.support.table_players import (
    NO_CLOCK,
    TablePlayer,
    acting,
    betting,
    people,
    play_out,
    players,
    playing,
    seated,
    see_all,
)
from webapp.engine.games import GAMES

Size = tuple[int, int]
PHONES = [(740, 290), (667, 311), (640, 280), (844, 340), (915, 330), (280, 653), (390, 720), (412, 785), (430, 640)]
LAPTOPS = [(1280, 577), (1366, 625)]

OFF = """() => {
  scrollTo(0, 0);
  const isSeen = each => each.checkVisibility({visibilityProperty: true}) && each.getBoundingClientRect().width > 1;
  const all = selector => Array.from(document.querySelectorAll(`main :is(${selector})`))
    .filter(each => isSeen(each) && !each.closest("dialog, .company__side, .tables__sheet, .tied, .deck"));
  const due = all(".btn--primary, .btn--due, [data-focus], .picks button, .dock button, .dock input");
  const hidden = due.filter(each => {
    const {left, right, top, bottom} = each.getBoundingClientRect();
    const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return left < -0.5 || right > innerWidth + 0.5 || top < -0.5 || bottom > innerHeight + 0.5
      || !(each.closest("label") ?? each).contains(there);
  });
  const edge = document.querySelector("main .dock")?.getBoundingClientRect().top ?? innerHeight;
  const covered = all(".card__face, .verdict__name, .company__verdict")
    .filter(each => each.getBoundingClientRect().bottom > edge + 1 && each.getBoundingClientRect().top < innerHeight);
  const higher = innerWidth < 600 && innerHeight > 619 && document.querySelector("main.table")
    ? document.documentElement.scrollHeight - innerHeight : 0;
  const name = each => (each.textContent.trim() || each.ariaLabel || each.name || "card").replace(/\\s+/g, " ");
  return [...(due.length ? [] : ["nothing is due"]), ...(higher > 0 ? [`${higher} pixels too high`] : []), ...[...hidden, ...covered].map(name)];
}"""
"""What is due, and is not wholly on the screen; cards and sentences below the buttons; a table that phones scroll."""


@pytest.fixture(scope="module")
def blackjack(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], dict[str, str]]]:
    app = make_app(f"sqlite:///{server.instance / 'tefuda.sqlite3'}", Path(tmp_path_factory.mktemp("stacked")))
    yield cache(partial(played, app))
    close(app)


def off_screen(page: Page, sizes: list[Size]) -> dict[Size, list[str]]:
    found = {}
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        found[width, height] = measured(page, OFF)
    return {size: off for size, off in found.items() if off}


@pytest.fixture(params=[PHONES, LAPTOPS], ids=["phones", "laptops"])
def windows(request: pytest.FixtureRequest, visit: Visit) -> tuple[Page, list[Size]]:
    return visit(PHONE if request.param is PHONES else DESKTOP), request.param


def test_at_a_hand_of_poker_what_is_due_is_on_the_screen(windows: tuple[Page, list[Size]], dealer: Dealer) -> None:
    page, sizes = windows
    for where in TABLE:
        dealer.show(page, where)
        assert off_screen(page, sizes) == {}, where
    for where in FINISHED:
        dealer.show(page, where)
        assert off_screen(page, [size for size in sizes if size[0] > size[1]]) == {}, where


@pytest.mark.parametrize("code", ["joker", "video"])
def test_at_every_table_of_poker_with_bets_what_is_due_is_on_the_screen(
    windows: tuple[Page, list[Size]], code: str
) -> None:
    page, sizes = windows
    for table in GAMES[code].spec.variants:
        page.context.clear_cookies()
        page.goto(f"/play/{code}?table={table}")
        assert off_screen(page, sizes) == {}, table
        page.locator("#sit .btn--primary").click()
        page.locator("[data-mark]").last.wait_for()
        assert off_screen(page, sizes) == {}, f"{table}, dealt"


def test_at_blackjack_what_is_due_is_on_the_screen(
    windows: tuple[Page, list[Size]], blackjack: Callable[[str], dict[str, str]]
) -> None:
    page, sizes = windows
    page.goto("/play/blackjack")
    assert off_screen(page, sizes) == {}
    for scene in SCENES:
        show_stacked(page, blackjack(scene)[BLACKJACK])
        assert off_screen(page, sizes) == {}, scene


def shared_tables(dealer: Dealer) -> Iterator[tuple[str, TablePlayer]]:
    """Yield who has something to do at a shared table, in every phase."""
    app = dealer.app
    (guest,) = people(app, 1)
    guest.open(**NO_CLOCK)
    yield "a free table", guest
    (alone,) = seated(app, 1, **NO_CLOCK)
    yield "alone", alone
    alone.now("ready")
    yield "alone and ready", alone
    for count in (2, 5):
        at = betting(app, count, **NO_CLOCK)
        yield f"bets of {count}", players(at)[0]
        at = playing(app, count, **NO_CLOCK)
        yield f"the turn, of {count}", acting(at)
        play_out(at)
        see_all(at)
        yield f"the end, of {count}", at[0]


def test_at_a_shared_table_what_is_due_is_on_the_screen(windows: tuple[Page, list[Size]], dealer: Dealer) -> None:
    page, sizes = windows
    for phase, visitor in shared_tables(dealer):
        dealer.give(page, Hand("", cookie_of(visitor), over=False))
        page.goto(f"/t/{visitor.code}")
        assert off_screen(page, sizes) == {}, phase


@pytest.mark.parametrize("locale", ["en", "ja"])
@pytest.mark.parametrize("code", ["video", "joker"])
def test_in_the_narrowest_window_the_bet_is_read(visit: Visit, code: str, locale: str) -> None:
    page = visit({**PHONE, "viewport": {"width": 280, "height": 653}}, locale=locale)
    page.goto(f"/play/{code}")
    field = page.locator("input[name=stake]")
    for bet in ("10", "100"):
        field.fill(bet)
        assert field.evaluate("each => each.clientWidth && each.scrollWidth <= each.clientWidth"), bet
