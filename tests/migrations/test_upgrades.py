"""A database and cookies of an older version: after the upgrade everything can be viewed and played on.

They were made by ``upgrades/make.py`` on the version whose commit names the folder.
"""

import json
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from flask import Flask
from sqlalchemy import MetaData, create_engine, text

from tests.migrations.upgrades.make import KEY
from tests.support.app import close, make_app
from tests.support.cookies import send_from_now_on
from tests.support.moves import STAKES, finished
from tests.support.player import Json, Player
from tests.support.rows import findings
from tests.support.table_players import TablePlayer, bet_all, play_out, see_all
from webapp.extensions import db
from webapp.services.operations import schema

UPGRADES = Path(__file__).with_name("upgrades")
REVISIONS = {"9988815": "0007"}
GAMES = {"poker", "joker", "blackjack"}
"""Games for one at these revisions."""
SECONDS = (
    ("player", "created_at"),
    *(("hand", column) for column in ("created_at", "moved_at", "finished_at")),
    *(("shoe", column) for column in ("opened_at", "moved_at", "closed_at")),
    ("ledger_entry", "at"),
    ("table_round", "finished_at"),
    ("round_seat", "finished_at"),
)
"""At revision 0007."""
MILLISECONDS = (
    *(("card_table", column) for column in ("clock_from", "deadline", "opened_at", "moved_at")),
    ("table_seat", "seen_at"),
    ("table_round", "created_at"),
    *(("lab_run", column) for column in ("created_at", "noted_at", "finished_at")),
)

Upgrade = Callable[..., Flask]
P = TypeVar("P", bound=Player)


@pytest.fixture(params=REVISIONS)
def version(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.pg)])
def upgrade(request: pytest.FixtureRequest, version: str, tmp_path: Path) -> Iterator[Upgrade]:
    """Upgrade the old database; return the site. ``upgrade(a_moment_ago=True)`` makes all times recent."""
    apps: list[Flask] = []
    file = tmp_path / "old.sqlite3"
    shutil.copy(UPGRADES / version / "database.sqlite", file)
    sqlite = f"sqlite:///{file}"
    url = sqlite if request.param == "sqlite" else request.getfixturevalue("pg_database")

    def run(a_moment_ago: bool = False) -> Flask:
        app = make_app(url, tmp_path, TEFUDA_SECRET_KEY=KEY)
        apps.append(app)
        with app.app_context():
            if request.param != "sqlite":
                schema.upgrade(REVISIONS[version])
                _copy_rows(sqlite)
            if a_moment_ago:
                _move_to_now()
            schema.upgrade()
            db.session.remove()
        return app

    yield run
    for app in apps:
        close(app)


def _copy_rows(sqlite: str) -> None:
    """Copy all rows of the file into the app's database, which has the same tables."""
    source, old, new = create_engine(sqlite), MetaData(), MetaData()
    old.reflect(source)
    new.reflect(db.engine)
    with source.connect() as reading, db.engine.begin() as writing:
        for table in old.sorted_tables:
            rows = [dict(row._mapping) for row in reading.execute(table.select())]
            if rows and table.name != "alembic_version":
                writing.execute(new.tables[table.name].insert(), rows)
        writing.execute(text("SELECT setval('ledger_entry_id_seq', (SELECT max(id) FROM ledger_entry))"))
    source.dispose()


def _move_to_now() -> None:
    """Make all times recent: hands are forfeited after a day, and tables continue without their players."""
    newest = db.session.scalar(text("SELECT max(seen_at) FROM table_seat"))
    ms = int(time.time() * 1000) - newest
    for (table, column), more in [(each, ms // 1000) for each in SECONDS] + [(each, ms) for each in MILLISECONDS]:
        db.session.execute(text(f"UPDATE {table} SET {column} = {column} + :more"), {"more": more})  # noqa: S608
    db.session.commit()


def stored(version: str, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((UPGRADES / version / name).read_text(encoding="utf-8"))
    return found


def returning(app: Flask, kept: Json, kind: type[P] = Player) -> P:
    """Return the player of a stored cookie."""
    player = kind(app.test_client())
    send_from_now_on(player, kept["cookie"])
    return player


def is_still_so(before: Any, now: Any) -> bool:
    """Return True if ``now`` contains everything in ``before``.

    Fields may have been added, and the sentence of a label may be another one: its code and arguments may not.
    """
    if isinstance(before, dict):
        same = {name for name in before if not (name == "text" and "code" in before)}
        return (
            isinstance(now, dict) and before.keys() <= now.keys() and all(is_still_so(before[n], now[n]) for n in same)
        )
    if isinstance(before, list):
        return isinstance(now, list) and len(before) == len(now) and all(map(is_still_so, before, now))
    return bool(before == now)


def test_an_upgraded_database_is_as_the_audit_wants_it(upgrade: Upgrade) -> None:
    assert findings(upgrade()) == []


def test_finished_hands_rounds_and_lab_jobs_read_as_they_did(upgrade: Upgrade, version: str) -> None:
    visitor = Player(upgrade().test_client())
    for address, before in stored(version, "pages.json").items():
        now = visitor.get(address)
        assert now.status == 200, address
        assert is_still_so(before, now.json), (before, now.json)


def test_a_hand_that_was_half_way_is_played_to_its_end(upgrade: Upgrade, version: str) -> None:
    app = upgrade(a_moment_ago=True)
    alone = [kept for kept in stored(version, "cookies.json").values() if "hand" in kept]
    for kept in alone:
        player = returning(app, kept)
        player.look(kept["game"])
        assert (player.hand, player.board["status"]) == (kept["hand"], "live")
        assert finished(player) == kept["hand"]
        page = player.get(f"/h/{kept['hand']}.json")
        assert (page.status, page.json["proof"] is None) == (200, page.json["game"] == "blackjack")
    assert {kept["game"] for kept in alone} == GAMES
    assert findings(app) == []


def test_a_hand_whose_seed_only_the_old_cookie_has_is_dealt(upgrade: Upgrade, version: str) -> None:
    app = upgrade(a_moment_ago=True)
    kept = stored(version, "cookies.json")["before the deal"]
    player = returning(app, kept)
    assert set(kept["hands"]) == GAMES
    for game, hand in kept["hands"].items():
        player.look(game)
        commitment = player.board["commitment"]
        player.deal("today", STAKES[game])
        assert (player.status, player.hand) == (200, hand), player.answer.text
        finished(player)
        page = player.get(f"/h/{hand}.json").json
        assert (page["proof"] or page)["commitment"] == commitment
    assert findings(app) == []


@pytest.mark.parametrize("where", ["in a round", "while betting"])
def test_a_round_that_was_half_way_is_played_to_its_end(upgrade: Upgrade, version: str, where: str) -> None:
    app = upgrade(a_moment_ago=True)
    seats = [kept for name, kept in stored(version, "cookies.json").items() if name.startswith(where)]
    visitors = [returning(app, kept, TablePlayer) for kept in seats]
    for visitor, kept in zip(visitors, seats, strict=True):
        visitor.come(kept["table"])
        assert (visitor.you, visitor.seat()["auto"]) == (kept["seat"], False)
    assert visitors[0].phase == {"in a round": "playing", "while betting": "betting"}[where]
    bet_all(visitors)
    play_out(visitors)
    see_all(visitors)
    round = visitors[0].get(f"{visitors[0].table['last']}.json")
    assert round.json["status"] == "done"
    assert set(round.json["reasons"]) <= {None, "forced"}, "nobody was played for"
    assert not any(seat["auto_bet"] for seat in round.json["seats"])
    assert findings(app) == []
