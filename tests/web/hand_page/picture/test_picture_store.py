"""Pictures of hands are drawn by another process, so that a request for one delays nobody else."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.support.moves import dealt, finished
from tests.support.player import Player
from webapp import blueprints
from webapp.engine.cards import parse_cards
from webapp.services.core.errors import Refusal
from webapp.web.hand_page.picture import picture_store
from webapp.web.hand_page.picture.picture_store import QUEUE, Pictures
from webapp.web.hand_page.picture.subject import ShownGroup, Subject

FULL_HOUSE = Subject((ShownGroup(parse_cards("Qh 7s Qs 7c Qd")),), "Full house, queens over sevens", "500")
on_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def pictures(tmp_path: Path) -> Pictures:
    return Pictures(tmp_path / "pictures")


@pytest.fixture
def gate(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """Hold the drawing program back until this is called. No picture of another test is cached."""
    monkeypatch.setattr(picture_store, "SECONDS", 600)  # a busy machine may take long to get there
    path, own = tmp_path / "gate", app.extensions["pictures"]
    os.mkfifo(path)
    mine = app.extensions["pictures"] = Pictures(tmp_path / "pictures")
    mine.command = ("/bin/sh", "-c", 'read open <"$0"; exec "$@"', str(path), *mine.command)
    opened = False

    def open_gate() -> None:
        nonlocal opened
        opened = True
        mine.command = mine.command[4:]
        with path.open("w") as writing:
            writing.write("open\n")

    yield open_gate
    assert opened
    app.extensions["pictures"] = own


def hands(player: Player, count: int) -> list[str]:
    keys = []
    for _ in range(count):
        dealt(player)
        keys.append(finished(player))
    return keys


def test_the_program_that_draws_gets_no_secret_of_the_site(pictures: Pictures, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TEFUDA_SECRET_KEY", "TEFUDA_SECRET_KEY_FALLBACKS", "TEFUDA_METRICS_TOKEN", "TEFUDA_DATABASE_URL"):
        monkeypatch.setenv(name, "not to be handed on")
    monkeypatch.setenv("TEFUDA_LANGUAGE", "handed on")
    pictures.command = ("env",)
    environ = pictures.picture("key", FULL_HOUSE)
    assert b"TEFUDA_LANGUAGE=handed on" in environ and b"not to be handed on" not in environ


@on_sqlite
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


@on_sqlite
def test_whoever_comes_when_the_queue_is_full_is_asked_to_come_back(
    app: Flask, alice: Player, gate: Callable[[], None]
) -> None:
    keys = hands(alice, QUEUE)

    def ask(key: str) -> TestResponse:
        return app.test_client().get(f"/h/{key}.png", headers={"Accept": "application/json"})

    with ThreadPoolExecutor(QUEUE) as pool:
        asked = [pool.submit(ask, key) for key in keys]
        mine = app.extensions["pictures"]
        while mine._places._value:  # until all of them wait
            time.sleep(0.01)
        refused = ask(keys[0])
        assert (refused.status_code, refused.json["error"]) == (503, "picture-later")
        assert int(refused.headers["Retry-After"]) > 0
        gate()
        assert [answer.result(timeout=60).status_code for answer in asked] == [200] * QUEUE
    assert ask(keys[0]).status_code == 200


def test_a_picture_takes_its_time_elsewhere(pictures: Pictures) -> None:
    """Measured in CPU time of this process, which other load does not change."""
    here, elsewhere = time.process_time(), sum(os.times()[2:4])
    assert pictures.picture("key", FULL_HOUSE).startswith(PNG)
    assert time.process_time() - here < sum(os.times()[2:4]) - elsewhere


def test_a_picture_is_drawn_once_and_kept_over_a_restart(pictures: Pictures, tmp_path: Path) -> None:
    first = pictures.picture("key", FULL_HOUSE)
    for later in (pictures, Pictures(tmp_path / "pictures")):
        later.command = ("/bin/false",)
        assert later.picture("key", FULL_HOUSE) == first


def test_what_a_picture_shows_is_part_of_its_name(pictures: Pictures) -> None:
    first = pictures.picture("key", FULL_HOUSE)
    assert pictures.picture("key", replace(FULL_HOUSE, title="Full house")) != first


@pytest.mark.parametrize("killed", [("/bin/sh", "-c", "kill -9 $$"), ("/bin/false",), ("/nowhere",)])
def test_a_program_that_is_killed_costs_one_picture_for_a_moment(pictures: Pictures, killed: tuple[str, ...]) -> None:
    program, pictures.command = pictures.command, killed
    with pytest.raises(Refusal, match="picture-later"):
        pictures.picture("key", FULL_HOUSE)
    pictures.command = program
    assert pictures.picture("key", FULL_HOUSE).startswith(PNG)


def test_a_program_that_hangs_is_ended(pictures: Pictures, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture_store, "SECONDS", 0.2)
    pictures.command = (sys.executable, "-c", "import time; time.sleep(600)")
    began = time.monotonic()
    with pytest.raises(Refusal, match="picture-later"):
        pictures.picture("key", FULL_HOUSE)
    assert time.monotonic() - began < 60


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


def test_a_folder_that_cannot_be_written_costs_no_picture(tmp_path: Path) -> None:
    (tmp_path / "pictures").touch()
    assert Pictures(tmp_path / "pictures").picture("key", FULL_HOUSE).startswith(PNG)


@pytest.mark.parametrize("path", sorted(Path(blueprints.__file__).parent.glob("*.py")), ids=lambda path: path.stem)
def test_no_view_draws_by_itself(path: Path) -> None:
    """The invitation to a table has a picture, too."""
    assert "preview.picture" not in path.read_text(encoding="utf-8")
