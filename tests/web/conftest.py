"""For the many tests of the web: a house may be shared."""

import shutil
from collections.abc import Callable, Iterator
from itertools import chain, count, repeat
from pathlib import Path

import pytest
from flask import Flask
from jinja2 import BytecodeCache

from tests.conftest import close, make_app
from tests.database.rows import findings
from tests.web.moves import CUT
from tests.web.player import Json, Player
from webapp.engine.action import ALONE, Action
from webapp.engine.game import Setup
from webapp.engine.games import blackjack
from webapp.engine.shuffling import ShuffledPacks
from webapp.services.core import randomness
from webapp.services.solo import shoes


@pytest.fixture(scope="module")
def house(blank_sqlite: Path, tmp_path_factory: pytest.TempPathFactory, compiled: BytecodeCache) -> Iterator[Flask]:
    """One app, on SQLite, for all tests of a module that only need a player who is new to it. At their end its books
    must be right.
    """
    folder = tmp_path_factory.mktemp("house")
    shutil.copy(blank_sqlite, folder / "room.sqlite3")
    house = make_app(f"sqlite:///{folder / 'room.sqlite3'}", folder)
    house.jinja_env.bytecode_cache = compiled
    yield house
    assert findings(house) == []
    close(house)


@pytest.fixture
def guest(house: Flask) -> Player:
    """Somebody new to the house."""
    return Player(house.test_client())


@pytest.fixture
def deployed(database_url: str, tmp_path: Path) -> Iterator[Callable[..., Flask]]:
    """The same house with other keys: ``deployed("new", "old", ...)``, the first one signs."""
    apps: list[Flask] = []

    def deploy(key: str, *fallbacks: str) -> Flask:
        environ = {"TEFUDA_SECRET_KEY": key, "TEFUDA_SECRET_KEY_FALLBACKS": ",".join(fallbacks)}
        apps.append(make_app(database_url, tmp_path / "instance", **environ))
        return apps[-1]

    yield deploy
    for app in apps:
        close(app)


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Json]:
    """Blackjack, dealt so that this may be done at once: ``offered(alice, "split")``. Chance is helped with one shoe."""
    game = blackjack.GAME

    def deal(player: Player, verb: str, stakes: tuple[int, ...] = (10, 10), table: str = "vegas") -> Json:
        key = randomness.new_key()
        for number in count():
            seed = number.to_bytes(32, "big")
            cards = ShuffledPacks(seed, key, (CUT,), game.packs(table))
            if Action(ALONE, verb) in game.legal_actions(game.start(Setup(table, stakes, cards))):
                break
        seeds = chain([seed], (randomness.new_seed() for _ in repeat(None)))
        keys = chain([key], (randomness.new_key() for _ in repeat(None)))
        monkeypatch.setattr(shoes, "new_seed", lambda: next(seeds))
        monkeypatch.setattr(shoes, "new_key", lambda: next(keys))
        assert player.sit("blackjack", table)["shoe"]["dealt"] == 0, "a fresh shoe"
        board = player.deal(CUT, stakes)
        assert player.status == 200, player.answer.text
        return board

    return deal
