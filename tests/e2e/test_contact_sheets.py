"""Contact sheets of each game and each tier of win, from the tap to the end, to be looked at.

There is a picture for each game and size under artifacts/, with a row for each outcome and time from left to right.
They are taken with ``-m soak`` in real time, since they show the motion itself.
"""

import re
from base64 import b64encode

import pytest
from flask import Flask
from playwright.sync_api import Page

from tests.e2e import motion_cases, recording, table_recording
from tests.e2e.conftest import DESKTOP, PHONE, Visit
from tests.e2e.dealer import Dealer
from tests.e2e.pictures import picture
from tests.e2e.pushed_recording import LINE
from tests.e2e.table_recording import TableCase, answered_by

pytestmark = [pytest.mark.moving, pytest.mark.soak]

TIMES = (60, 300, 560, 900, 1300, 1900, 2800)
"""Milliseconds after the tap."""
SIZES = {"360x640": (PHONE, 150), "1280x800": (DESKTOP, 400)}
"""Where it is played, and how wide each picture of it is on the sheet."""
TIERS = {
    "poker": {
        "poker: a draw for nothing": 0,
        "poker: a deal that pays": 0,
        "poker: a draw that pays": 1,
        "poker: a full house": 2,
        "poker: a card that decides": 3,
        "double-up: won": 1,
        "double-up: equal": 0,
        "double-up: lost": 0,
    },
    "joker": {
        "joker: an exchange that pays": 0,
        "joker: the third exchange": 1,
        "joker: a double-up lost": 0,
        "joker: five of a kind": 3,
    },
    "blackjack": {
        "blackjack: bust": 0,
        "blackjack: the dealer draws": 0,
        "blackjack: equal": 0,
        "blackjack: won": 1,
        "blackjack: a natural": 2,
        "blackjack: a split": 0,
        "blackjack: three boxes": 0,
    },
    "table21": {"the bank draws": 0, "a natural": 2, "a double": 1},
}
STAND = "button[value=stand]"
TABLES = {
    "the bank draws": TableCase("Th 6d 9s 2c 3h 4d 5s", ("bet 100", "stand"), STAND),
    "a natural": TableCase("Ah 9d Ks 7c 3d", ("bet 100",), "#bet button"),
    "a double": TableCase("6h 6d 5s Tc Th 9d", ("bet 100", "double"), "button[value=double]"),
}


def states(app: Flask, game: str, name: str) -> tuple[str, str, str, str]:
    """Return the address, the page before the tap, its response, and the selector of what is tapped."""
    if game == "table21":
        return *table_recording.states(app, TABLES[name]), TABLES[name].press
    case = motion_cases.CASES[name]
    return *recording.states(app, case), case.press


def looks(page: Page, address: str, before: str, after: str, press: str) -> list[bytes]:
    page.unroute_all()
    page.route(re.compile(r"/(play|t)/"), answered_by(before, after))
    page.goto(address)
    begun = page.locator(press).first.evaluate("button => { button.click(); return performance.now(); }")
    shown = []
    for time in TIMES:
        page.wait_for_function("time => performance.now() >= time", arg=begun + time)
        shown.append(page.screenshot(type="jpeg", quality=80))
    page.wait_for_function("() => !document.querySelector('[data-moving], [data-stepping]')")
    return shown


def sheet(page: Page, rows: dict[str, list[bytes]], width: int, name: str) -> None:
    """Save all pictures as one."""
    head = "".join(f"<th>{time} ms</th>" for time in TIMES)
    body = "".join(
        f"<tr><th>{row}</th>"
        + "".join(
            f'<td><img width="{width}" src="data:image/jpeg;base64,{b64encode(each).decode()}"></td>' for each in shown
        )
        for row, shown in rows.items()
    )
    page.goto("about:blank")
    page.set_viewport_size({"width": (len(TIMES) + 1) * (width + 8), "height": 600})
    page.set_content(f'<table style="font: 13px sans-serif"><tr><th></th>{head}</tr>{body}</table>')
    picture(page, name, full_page=True)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", TIERS)
def test_each_end_is_shown_as_great_as_it_is(visit: Visit, dealer: Dealer, game: str, size: str) -> None:
    device, width = SIZES[size]
    page = visit(device)
    page.add_init_script(LINE)
    rows, seen = {}, {}
    for name in TIERS[game]:
        rows[name] = looks(page, *states(dealer.app, game, name))
        seen[name] = page.evaluate("() => Number(document.querySelector('[data-tier]')?.dataset.tier ?? 0)")
    sheet(visit(DESKTOP), rows, width, f"sheet-{game}-{size}")
    assert seen == TIERS[game]
