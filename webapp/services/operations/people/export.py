"""All that is stored about a player, as JSON. What would open cards that are not played yet is left out."""

import json
from collections.abc import Iterator
from typing import Any, Final

from sqlalchemy import ColumnElement, Table, select

from webapp.extensions import Base, db
from webapp.services.core.transaction import reading_as_of_now

SECRET: Final = frozenset(
    {"sealed_seed", "sealed_since", "link", "word_hash", "used_by", "session_number", "supervisor"}
)
"""Columns that are nobody's to see: they open cards, take seats over, or are the site's own."""
OTHERS: Final = frozenset({("name_report", "player_id"), ("table_seat", "holder_id")})
"""Columns that name a player in rows that are about somebody else, or that somebody else has written."""


def export(player: str, way_back: str) -> Iterator[str]:
    """Yield the pieces of one JSON object: a list of rows for every table of the database that names the player.

    All of it is as of one moment. It is found by the foreign keys, so that no table is forgotten. ``way_back``: a
    sentence that says how to go on as this player elsewhere, for which the file itself is of no use.
    """
    with reading_as_of_now(as_long_as_it_takes=True):
        yield f'{{\n"way_back": {json.dumps(way_back, ensure_ascii=False)}'
        for table in Base.metadata.sorted_tables:
            conditions = list(_naming(table, player))
            if table.name == "player":
                conditions = [table.c.id == player]
            if conditions:
                yield f",\n{json.dumps(table.name)}: ["
                yield from _rows(table, conditions)
                yield "]"
        yield "\n}\n"


def _naming(table: Table, player: str) -> Iterator[ColumnElement[bool]]:
    key = Base.metadata.tables["player"].c.id
    for reference in table.foreign_keys:
        if reference.column is key and (table.name, reference.parent.name) not in OTHERS:
            yield reference.parent == player


def _rows(table: Table, conditions: list[ColumnElement[bool]]) -> Iterator[str]:
    columns = [column for column in table.c if column.name not in SECRET]
    condition = conditions[0]
    for more in conditions[1:]:
        condition |= more
    rows = db.session.execute(select(*columns).where(condition).execution_options(yield_per=500))
    for number, row in enumerate(rows):
        values: dict[str, Any] = dict(row._mapping)  # noqa: SLF001  # public in SQLAlchemy
        yield f"{',' if number else ''}\n {json.dumps(values, ensure_ascii=False)}"
