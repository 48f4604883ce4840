"""Fixtures: a site with two games that are not part of it."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask

from tests.support.app import close, make_app
from tests.support.player import Player
from tests.support.rows import findings
from webapp.engine.games import GAMES, unregister

OTHER_GAMES = ("highcard", "trio")
SETTING = ",".join(f"tests.games.{code}" for code in OTHER_GAMES)


@pytest.fixture(scope="module")
def site(blank_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """The site as ``TEFUDA_GAMES`` configures it. At the end the audit runs and the games are unregistered."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copy(blank_sqlite, folder / "room.sqlite3")
    before = tuple(GAMES)
    site = make_app(f"sqlite:///{folder / 'room.sqlite3'}", folder, TEFUDA_GAMES=SETTING)
    yield site
    assert findings(site) == []
    close(site)
    for code in OTHER_GAMES:
        unregister(code)
    assert tuple(GAMES) == before


@pytest.fixture
def player(site: Flask) -> Player:
    """A player without a session."""
    return Player(site.test_client())


@pytest.fixture
def played(player: Player) -> Callable[..., str]:
    """Play a hand to its end; return its address: ``played("highcard", (10,), "keep")``."""

    def play(code: str, stakes: tuple[int | str, ...], *verbs: str) -> str:
        player.sit(code)
        player.deal("my-cut", stakes)
        assert player.status == 200, player.answer.text
        for verb in verbs:
            player.act(verb)
        return str(player.board["url"])

    return play
