"""Pictures of hands are drawn by another process, so that a request for one delays nobody else."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.support.app import client_at
from tests.support.moves import dealt, finished
from tests.support.player import Player
from webapp import blueprints
from webapp.engine.cards import parse_cards
from webapp.services.core.errors import Refusal
from webapp.services.workers import Pool
from webapp.web.hand_page import picture_preview, picture_store
from webapp.web.hand_page.picture_store import Pictures
from webapp.web.hand_page.picture_subject import ShownGroup, Subject

FULL_HOUSE = Subject((ShownGroup(parse_cards("Qh 7s Qs 7c Qd")),), "Full house, queens over sevens", "500")
PLACES = 8
"""Pictures and odds for which one visitor may wait."""
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def pool() -> Iterator[Pool]:
    with Pool(1) as made:
        yield made


@pytest.fixture
def pictures(tmp_path: Path, pool: Pool) -> Pictures:
    return Pictures(tmp_path / "pictures", pool)


@pytest.fixture
def gate(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Hold drawing back until this is called. No picture of another test is cached."""
    monkeypatch.setattr(picture_store, "SECONDS", 600)  # a busy machine may take long to get there
    monkeypatch.setattr(picture_preview, "draw", partial(draw_later, str(tmp_path / "gate")))
    mine = Pictures(tmp_path / "pictures", app.extensions["workers"].soon)
    monkeypatch.setitem(app.extensions, "pictures", mine)
    return (tmp_path / "gate").touch


DRAW = picture_preview.draw


def draw_later(gate: str, svg: str, fonts: tuple[Path, ...]) -> bytes:
    while not Path(gate).exists():
        time.sleep(0.01)
    return DRAW(svg, fonts)


def die(_svg: str, _fonts: tuple[Path, ...]) -> bytes:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def fail(_svg: str, _font: str) -> bytes:
    raise ValueError


def hang(_svg: str, _font: str) -> bytes:
    while True:
        pass


def hands(player: Player, count: int) -> list[str]:
    keys = []
    for _ in range(count):
        dealt(player)
        keys.append(finished(player))
    return keys


def test_others_are_answered_while_a_picture_is_drawn(
    app: Flask, alice: Player, bob: Player, gate: Callable[[], None]
) -> None:
    (key,) = hands(alice, 1)
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(lambda: app.test_client().get(f"/h/{key}.png"))
        for _ in range(3):
            dealt(bob)
            finished(bob)
            assert bob.get(f"/h/{key}").status == 200
        assert not asked.done()
        gate()
        answer = asked.result(timeout=60)
    assert (answer.status_code, answer.mimetype) == (200, "image/png")
    assert answer.data.startswith(PNG)
    assert answer.headers["Cache-Control"] == "public, max-age=60", "its review may come"


def test_whoever_comes_when_the_queue_is_full_is_asked_to_come_back(
    app: Flask, alice: Player, gate: Callable[[], None]
) -> None:
    """One visitor has only some of the places: another one still gets a picture."""
    keys = hands(alice, PLACES + 1)

    def ask(key: str, address: str = "10.0.0.1") -> TestResponse:
        client = client_at(app, address)
        return client.get(f"/h/{key}.png", headers={"Accept": "application/json"})

    with ThreadPoolExecutor(PLACES + 1) as pool:
        asked = [pool.submit(ask, key) for key in keys[:PLACES]]
        soon = app.extensions["workers"].soon
        while len(soon._waiting) + len(soon._running) < PLACES:  # until all of them wait
            time.sleep(0.01)
        refused = ask(keys[PLACES])
        assert (refused.status_code, refused.json["error"]) == (503, "picture-later")
        assert int(refused.headers["Retry-After"]) > 0
        asked.append(pool.submit(ask, keys[PLACES], "10.0.0.2"))
        gate()
        assert [answer.result(timeout=60).status_code for answer in asked] == [200] * (PLACES + 1)


def test_a_picture_takes_its_time_elsewhere(pictures: Pictures) -> None:
    """Measured in CPU time of this process, which other load does not change."""
    pictures._pool.submit(os.getpid).result()
    here = time.process_time()
    assert pictures.picture("key", FULL_HOUSE).startswith(PNG)
    mine = time.process_time() - here
    elsewhere = pictures._pool.submit(time.process_time).result()
    assert mine < elsewhere


def test_a_picture_is_drawn_once_and_kept_over_a_restart(
    pictures: Pictures, tmp_path: Path, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = pictures.picture("key", FULL_HOUSE)
    monkeypatch.setattr(picture_preview, "draw", fail)
    for later in (pictures, Pictures(tmp_path / "pictures", pool)):
        assert later.picture("key", FULL_HOUSE) == first


def test_what_a_picture_shows_is_part_of_its_name(pictures: Pictures) -> None:
    first = pictures.picture("key", FULL_HOUSE)
    assert pictures.picture("key", replace(FULL_HOUSE, title="Full house")) != first


@pytest.mark.parametrize("drawing", [die, fail, hang])
def test_a_process_that_fails_costs_one_picture_for_a_moment(
    pictures: Pictures, monkeypatch: pytest.MonkeyPatch, drawing: Callable[[str, str], bytes]
) -> None:
    with monkeypatch.context() as patch, pytest.raises(Refusal, match="picture-later"):
        patch.setattr(picture_store, "SECONDS", 0.5 if drawing is hang else 20)
        patch.setattr(picture_preview, "draw", drawing)
        pictures.picture("key", FULL_HOUSE)
    monkeypatch.setattr(picture_store, "SECONDS", 600)  # on a busy machine a new process takes its time
    assert pictures.picture("key", FULL_HOUSE).startswith(PNG)


def test_the_folder_does_not_grow_for_ever(pictures: Pictures, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The least recently requested pictures are deleted."""
    monkeypatch.setattr(picture_store, "MOST_BYTES", 100)
    folder = tmp_path / "pictures"
    for number in range(30):
        pictures._write(folder / f"{number:02}.png", b"a picture!")
        if number < 5:
            os.utime(folder / f"{number:02}.png", (number, number))
    kept = sorted(path.name for path in folder.iterdir())
    assert kept[-1] == "29.png"
    assert "00.png" not in kept
    assert sum(path.stat().st_size for path in folder.iterdir()) <= 100


def test_a_folder_that_cannot_be_written_costs_no_picture(pictures: Pictures, tmp_path: Path) -> None:
    (tmp_path / "pictures").touch()
    assert pictures.picture("key", FULL_HOUSE).startswith(PNG)


@pytest.mark.parametrize("path", sorted(Path(blueprints.__file__).parent.glob("*.py")), ids=lambda path: path.stem)
def test_no_view_draws_by_itself(path: Path) -> None:
    """The invitation to a table has a picture, too."""
    assert "preview.picture" not in path.read_text(encoding="utf-8")
