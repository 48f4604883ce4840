"""Games that are not part of the site, played in the browser: on a phone, on a desktop, and without JavaScript."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from tests.e2e.clocks import FRAME
from tests.e2e.conftest import DESKTOP, PHONE, Visit
from tests.e2e.geometry import too_large
from tests.e2e.recording import Case, record
from tests.games.conftest import OTHER_GAMES, SETTING
from tests.support.app import close, make_app
from tests.support.server import SEEDED, Server, start_serving
from webapp.engine.games import unregister

DEVICES: dict[str, dict[str, Any]] = {
    "phone": PHONE,
    "desktop": DESKTOP,
    "phone without script": {**PHONE, "java_script_enabled": False},
    "desktop without script": {**DESKTOP, "java_script_enabled": False},
}
each_device = pytest.mark.parametrize("device", DEVICES)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("other-games")
    running = start_serving(folder, program=SEEDED, TEFUDA_GAMES=SETTING)
    yield running
    running.stop()


def sit_down(page: Page, title: str) -> None:
    page.goto("/")
    page.get_by_role("button", name=re.compile(f"^{title}")).click()
    expect(page.locator(".verdict__name")).to_have_text(title)


def read_back(page: Page, title: str) -> None:
    """Go from the table to the finished hand, its steps and its proof, to the rules and the history."""
    page.get_by_role("link", name="Replay").click()
    expect(page).to_have_url(re.compile("/h/"))
    expect(page.locator(".finish")).to_contain_text(title)
    expect(page.locator(".finish__felt .verdict__name")).not_to_be_empty()
    assert too_large(page) == []
    page.goto("/me/hands")
    expect(page.locator(".history__item")).to_have_count(1)


@each_device
def test_a_game_of_one_decision_is_played_to_its_finished_page(visit: Visit, device: str) -> None:
    page = visit(DEVICES[device])
    sit_down(page, "High card")
    page.get_by_label("Bet").fill("10")
    page.locator("#deal button").click()
    expect(page.locator(".verdict__name")).to_contain_text("You hold the")
    page.get_by_role("button", name="Keep").click()
    expect(page.locator(".felt .card[role=img]")).to_have_count(2)
    read_back(page, "High card")


@each_device
def test_a_game_of_several_places_is_played_to_its_finished_page(visit: Visit, device: str) -> None:
    page = visit(DEVICES[device])
    sit_down(page, "Trio")
    page.get_by_label("Red").fill("")
    page.get_by_label("Tie").fill("5")
    page.get_by_label("Black").fill("20")
    page.locator("#deal button").click()
    expect(page.locator(".felt .verdict__text")).to_have_text(re.compile(r"^\s*Tie 5 Black 20\s*$"))
    read_back(page, "Trio")


@pytest.fixture(scope="module")
def dealt(blank_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """A site of its own: its cards are chosen, so the audit would find the hands wrong."""
    folder = tmp_path_factory.mktemp("dealt")
    shutil.copy(blank_sqlite, folder / "room.sqlite3")
    app = make_app(f"sqlite:///{folder / 'room.sqlite3'}", folder, TEFUDA_GAMES=SETTING)
    yield app
    close(app)
    for code in OTHER_GAMES:
        unregister(code)


KEEP = "button[value=keep]"
SWAP = "button[value=swap]"
CASES = {
    "high card: a deal": (Case("highcard", "friendly", ("9h 5d Kc",), ("deal",), "#deal button", (10,)), 90 + 260),
    "high card: kept": (Case("highcard", "friendly", ("9h 5d Kc",), ("deal", "keep"), KEEP, (10,)), 320),
    "high card: swapped": (Case("highcard", "friendly", ("9h 5d Kc",), ("deal", "swap"), SWAP, (10,)), 90 + 320),
    "trio: a deal": (Case("trio", "parlour", ("9h 5d Kc",), ("deal",), "#deal button", (0, 5, 20)), 90 + 260),
}


@pytest.mark.moving
@pytest.mark.parametrize("name", CASES)
def test_a_game_of_ones_own_tells_nothing_before_its_cards(visit: Visit, dealt: Flask, name: str) -> None:
    """The game only marks its felt as docs/motion.md describes."""
    case, landing = CASES[name]
    recording = record(visit(DESKTOP), dealt, case)
    assert round(recording.landing) == landing
    assert landing <= recording.told_at <= landing + 2 * FRAME
