"""Play on a version of the site and store its rows, for ``tests/migrations/test_rows.py``.

    git worktree add ../old 087e632
    python -m tests.migrations.rows.make ../old

It writes ``0013.json``, named after the newest revision of that checkout, with the rows of every table. Rows are made
once for each revision, by code of its time, and are not changed. ``--revision 0012`` makes rows of a revision that was
never the newest one of a version: those of the next revision, without what that has added.
"""

import argparse
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from tests.migrations.upgrades import make as playing
from tests.support import player as speaking
from tests.support.moves import asked, dealt, finished
from tests.support.player import Player
from tests.support.server import free_port, wait_until_healthy
from tests.support.table_players import TablePlayer, bet_all, play_out, see_all

ROWS = Path(__file__).parent
DAY = 86_400_000
SECONDS_UNTIL = "0009"
"""Times of hands, shoes, players and the ledger were seconds before this revision; nothing was pruned then."""
NOT_FILLED = {"pruned_count"}
"""Tables with rows of earlier versions only: since 0022 no version has added any."""
COMMAND = [sys.executable, "-c", "from webapp.cli import main; main()"]


def main(checkout: Path, revision: str | None) -> None:
    """Play twice, with days between, and write the rows."""
    newest = max(path.name for path in (checkout / "webapp/migrations/versions").glob("[0-9]*.py"))[:4]
    speaking.require_described = lambda *_: None  # answers are described as they are today
    with tempfile.TemporaryDirectory() as folder:
        file, settings = Path(folder, "tefuda.sqlite3"), environment(checkout, Path(folder))
        with site(checkout, folder, settings) as url:
            play(url, newest, "first")
        if newest >= "0016":
            days_pass(file, 3)
            subprocess.run([*COMMAND, "prune"], cwd=checkout, env=settings | {"TEFUDA_KEEP_HANDS": "1"}, check=True)
        with site(checkout, folder, settings) as url:
            play(url, newest, "second")
        if revision is not None:
            step_down(file, Path(folder), revision)
        rows = rows_of(file)
    empty = sorted(name for name, found in rows.items() if not found["rows"] and name not in NOT_FILLED)
    if empty:
        raise SystemExit(f"no rows in {', '.join(empty)}")
    target = ROWS / f"{revision or newest}.json"
    target.write_text(as_text(rows), "utf-8")
    print(target.name, {name: len(found["rows"]) for name, found in rows.items()})


def environment(checkout: Path, folder: Path) -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("TEFUDA_")}
    path = os.pathsep.join([str(checkout), os.environ.get("PYTHONPATH", "")])
    settings = {"PYTHONPATH": path, "TEFUDA_INSTANCE": str(folder), "TEFUDA_SECRET_KEY": playing.KEY}
    return {**clean, **settings, "TEFUDA_RATE_LIMITS": "off"}


@contextmanager
def site(checkout: Path, folder: str, settings: dict[str, str]) -> Iterator[str]:
    """Run the site of the checkout; yield its URL."""
    port, log = free_port(), Path(folder, "serve.log")
    with log.open("wb") as out:
        server = subprocess.Popen(
            [*COMMAND, "serve", "--port", str(port)], cwd=checkout, env=settings, stdout=out, stderr=out
        )
    try:
        url = f"http://127.0.0.1:{port}"
        wait_until_healthy(url, server, log)
        yield url
    finally:
        server.terminate()
        server.wait()


def play(url: str, revision: str, round: str) -> None:
    """Play hands of all games, some to the end; with later revisions also jobs, tables, practice hands and reports."""
    keys: list[str] = []
    ada, bo = Player(url), Player(url)
    for player, name in ((ada, "Ada"), (bo, "Bo")):
        player.post("/settings", [("name", name)])
        for game, table, stakes in (
            ("poker", None, ()),
            ("joker", "arcade-1-double", (5,)),
            ("blackjack", "vegas", (10, 25)),
        ):
            dealt(player, game=game, table=table, stakes=stakes)
            keys.append(finished(player))
            if round == "second" and player is ada:
                dealt(player, game=game, table=table, stakes=stakes)
    if revision >= "0015":
        wait_for_a_review(ada, keys[0])
    asked(bo)
    bo.act("double")  # a card of the double-up is open
    if revision >= "0003" and round == "second":
        playing.lab_job(url)
    if revision >= "0027" and round == "second":
        bo.post("/lab", [("rounds", "1000"), ("count", "hi-lo"), ("other_ramp", "wong")])
        assert bo.status == 201, bo.answer.text
    if revision >= "0004":
        share_a_table(url, revision)
    if revision >= "0014":
        bo.post(f"/h/{keys[0]}/again")
        assert bo.status in (200, 201), bo.answer.text
        ada.post("/daily/poker")
        assert ada.status in (200, 201), ada.answer.text
    if revision >= "0022":
        ada.post("/me/link")
        assert ada.status == 201, ada.answer.text
    if revision >= "0023":
        ada.post("/circles", [("name", "Friends"), ("member", "Ada")])
        assert ada.status in (200, 201), ada.answer.text
        bo.post(f"{ada.answer.json['url']}/join", [("name", "Bo")])
        assert bo.status == 200, bo.answer.text
    if revision >= "0024":
        ada.post("/drill/again", [("hand", keys[0]), ("step", "0")])
        assert ada.status == 200, ada.answer.text
    if revision >= "0025":
        while ada.post("/drill/poker", [("spot", round), ("answer", "hold")]).status == 202:
            time.sleep(0.1)
        assert ada.status == 200, ada.answer.text


def share_a_table(url: str, revision: str) -> None:
    """Finish a round at a shared table, and leave another one in play."""
    seated = playing.company(url, ("Bea", "Cem"), [])
    bet_all(seated)
    if seated[0].phase != "playing":
        play_out(seated)
    see_all(seated)
    if revision >= "0026":
        ask_again(seated)
    if revision >= "0017":
        seated[0].post(f"/t/{seated[0].code}/reports", [("seat", str(seated[1].you))])
        assert seated[0].status == 204, seated[0].answer.text


def ask_again(seated: list[TablePlayer]) -> None:
    """Have the first decision of a finished round, if it was one, asked again of who took it."""
    key = seated[0].table["last"].removeprefix("/h/")
    answers = [visitor.post("/drill/again", [("hand", key), ("step", "0")]).status for visitor in seated]
    assert answers.count(200) <= 1, answers


def wait_for_a_review(player: Player, key: str) -> None:
    """Request the hand until its review, computed in another process, is there."""
    for _ in range(1200):
        if player.get(f"/h/{key}/review").status == 200:
            return
        time.sleep(0.1)
    raise SystemExit(f"no review: {player.answer.text}")


def days_pass(file: Path, days: int) -> None:
    """Set all times of hands back, but of those of a daily deal: their day stays."""
    with closing(sqlite3.connect(file)) as database, database:
        for table in ("hand", "shoe", "ledger_entry", "table_round", "round_seat"):
            columns = {column: kind for _, column, kind, *_ in database.execute(f"PRAGMA table_info({table})")}
            which = "WHERE daily_key IS NULL" if "daily_key" in columns else ""
            for column, kind in columns.items():
                if kind == "BIGINT" and (column == "at" or column.endswith("_at")):
                    database.execute(f"UPDATE {table} SET {column} = {column} - ? {which}", (days * DAY,))  # noqa: S608


def step_down(file: Path, folder: Path, revision: str) -> None:
    """Undo the migrations after the revision, with the current code."""
    from tests.support.app import close, make_app
    from webapp.services.operations import schema

    app = make_app(f"sqlite:///{file}", folder, TEFUDA_SECRET_KEY=playing.KEY)
    with app.app_context():
        schema.downgrade(revision)
    close(app)


def rows_of(file: Path) -> dict[str, dict[str, Any]]:
    """Return columns and rows of each table, without Alembic's."""
    with closing(sqlite3.connect(file)) as database:
        tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        names = [name for (name,) in tables if name != "alembic_version" and not name.startswith("sqlite_")]
        found = {}
        for name in names:
            cursor = database.execute(f'SELECT * FROM "{name}" ORDER BY rowid')  # noqa: S608
            rows = [list(row) for row in cursor]
            found[name] = {"columns": [column[0] for column in cursor.description], "rows": rows}
    return found


def as_text(tables: dict[str, dict[str, Any]]) -> str:
    """Return JSON with a line for each row."""
    parts = []
    for name, found in tables.items():
        lines = ",\n  ".join(json.dumps(row, ensure_ascii=False) for row in found["rows"])
        parts.append(f' "{name}": {{"columns": {json.dumps(found["columns"])}, "rows": [\n  {lines}\n ]}}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("checkout", type=Path)
    arguments.add_argument("--revision")
    chosen = arguments.parse_args()
    main(chosen.checkout.resolve(), chosen.revision)
