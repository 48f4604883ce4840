"""Rows stored by each earlier version are migrated to the current revision, and the audit finds nothing.

They were made by ``rows/make.py``, with the code of each version.
"""

import json
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import MetaData, func, inspect, select, text

from tests.migrations.rows.make import NOT_FILLED
from tests.migrations.upgrades.make import KEY
from tests.support.app import close, make_app
from tests.support.moves import dealt, finished
from tests.support.player import Player
from tests.support.rows import findings
from webapp.config import PACKAGE
from webapp.extensions import Base, db
from webapp.services.operations import schema

ROWS = Path(__file__).with_name("rows")
REVISIONS = sorted(path.name[:4] for path in (PACKAGE / "migrations" / "versions").glob("[0-9]*_*.py"))
DROPPED = {"site_beat"}
RENAMED = dict(import_module("webapp.migrations.versions.0008_columns_and_tables_in_the_words_of_the_glossary").TABLES)
RENAMED["practice_hand"] = "hand"


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.pg)])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Flask]:
    """An app on a database without tables, with the key of the site that stored the rows."""
    sqlite = f"sqlite:///{tmp_path / 'empty.sqlite3'}"
    url = sqlite if request.param == "sqlite" else request.getfixturevalue("pg_database")
    app = make_app(url, tmp_path, TEFUDA_SECRET_KEY=KEY)
    with app.app_context():
        yield app
    close(app)


def stored(revision: str) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads((ROWS / f"{revision}.json").read_text("utf-8"))
    return found


def fill(rows: dict[str, dict[str, Any]]) -> None:
    """Insert the rows into the app's database, which has the tables of their revision."""
    tables = MetaData()
    tables.reflect(db.engine)
    assert rows.keys() == tables.tables.keys() - {"alembic_version"}
    with db.engine.begin() as connection:
        for table in tables.sorted_tables:
            if table.name not in rows:
                continue
            kept = rows[table.name]
            assert kept["rows"] or table.name in NOT_FILLED, f"no rows in {table.name}"
            values = [dict(zip(kept["columns"], row, strict=True)) for row in kept["rows"]]
            truths = [column.name for column in table.columns if str(column.type) == "BOOLEAN"]
            for row in values:
                row.update({name: None if row[name] is None else bool(row[name]) for name in truths})
            if values:
                connection.execute(table.insert(), values)
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT setval('ledger_entry_id_seq', (SELECT max(id) FROM ledger_entry))"))


def counts() -> dict[str, int]:
    with db.engine.connect() as connection:
        tables = Base.metadata.sorted_tables
        return {table.name: connection.scalar(select(func.count()).select_from(table)) or 0 for table in tables}


def test_rows_are_kept_of_every_revision_but_the_newest() -> None:
    kept = {path.stem for path in ROWS.glob("*.json")}
    missing = set(REVISIONS[:-1]) - kept
    assert not missing, f"make them with the last commit of that revision: {ROWS / 'make.py'}"
    assert kept <= set(REVISIONS)


@pytest.mark.parametrize("revision", sorted(path.stem for path in ROWS.glob("*.json")))
def test_rows_of_a_revision_are_brought_to_the_newest_and_played_on(empty: Flask, revision: str) -> None:
    rows = stored(revision)
    schema.upgrade(revision)
    fill(rows)
    schema.upgrade()
    assert set(inspect(db.engine).get_table_names()) - {"alembic_version"} == set(Base.metadata.tables)
    after, before = counts(), Counter[str]()
    for table, kept in rows.items():
        if table not in DROPPED:
            before[RENAMED.get(table, table)] += len(kept["rows"])
    assert all(after[table] >= count for table, count in before.items()), (before, after)
    player = Player(empty.test_client())
    dealt(player, game="blackjack")
    key = finished(player)
    assert player.get(f"/h/{key}").status == 200
    old = next(row for row in map(_named(rows["hand"]), rows["hand"]["rows"]) if row["status"] == "done")
    page = player.get(f"/h/{old['key']}.json")
    payouts = [int(number) for number in old["payouts"].split(",")]
    assert (page.status, page.json["game"], page.json["payouts"]) == (200, old["game"], payouts)
    assert findings(empty) == []


def _named(table: dict[str, Any]) -> Any:
    return lambda row: dict(zip(table["columns"], row, strict=True))
