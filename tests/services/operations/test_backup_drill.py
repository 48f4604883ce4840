"""The restore drill on both databases: play, back up, play on, lose everything, restore, audit, play on."""

from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask

from tests.support.app import close, make_app
from tests.support.command_line import CommandResult
from tests.support.moves import dealt, dealt_and_live, finished, finished_json, on_the_table
from tests.support.player import InProcess, Player
from tests.support.rows import findings, row
from tests.support.table_players import banker_of, players, playing
from webapp.services.operations import backup

on_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
on_postgresql = pytest.mark.parametrize(
    "database_url", [pytest.param("postgresql", marks=pytest.mark.pg)], indirect=True
)


def test_the_drill(
    app: Flask,
    database_url: str,
    alice: Player,
    bob: Player,
    charlie: Player,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    tefuda: Callable[..., CommandResult],
) -> None:
    dealt(alice, game="joker")
    over = finished(alice)
    purse = alice.look("joker")["purse"]
    dealt_and_live(bob, "blackjack")
    open_hand, chips = bob.hand, on_the_table(bob.board)
    dealt(charlie)
    without_chips = charlie.hand
    visitors = playing(app, 2)
    banker, (player,) = banker_of(visitors), players(visitors)
    close(app)
    folder = str(tmp_path / "backups")
    made = tefuda("db", "backup", "--keep", "3", folder, TEFUDA_DATABASE_URL=database_url)
    assert made.status == 0, made.errors
    (copy,) = Path(folder).iterdir()
    dealt(alice, game="joker")
    later = finished(alice)
    close(app)
    if database_url.startswith("sqlite"):
        elsewhere = f"sqlite:///{tmp_path / 'new' / 'room.sqlite3'}"
        (tmp_path / "new").mkdir()
    else:
        elsewhere = request.getfixturevalue("pg_database")
    restored = tefuda("db", "restore", str(copy), TEFUDA_DATABASE_URL=elsewhere)
    assert (restored.status, restored.out) == (0, "restored; 3 open hands are void\n"), restored.errors
    assert tefuda("audit", TEFUDA_DATABASE_URL=elsewhere).status == 0
    assert tefuda("doctor", TEFUDA_DATABASE_URL=elsewhere).out == "all is as it should be\n"
    site = make_app(elsewhere, tmp_path / "instance")
    for each in (alice, bob, charlie, *visitors):
        assert isinstance(each.line, InProcess)
        each.line.client.application = site
    assert finished_json(alice, over)["hand"] == over
    assert alice.get(f"/h/{later}").status == 404, "it was played after the backup"
    assert alice.look("joker")["purse"] == purse
    assert finished_json(bob, open_hand)["status"] == "void"
    page = bob.get(f"/h/{open_hand}", Accept="text/html").text
    assert f"It was never played out. {chips} chips went back to the purse." in page
    assert f"<dt>Went back</dt><dd>{chips}</dd>" in page
    next_page = bob.get("/play/blackjack", Accept="text/html").text
    assert f"It was never played out. {chips} chips went back to your purse." in next_page
    for path in (f"/h/{without_chips}", "/play/poker"):
        assert "It was never played out; nothing was lost." in charlie.get(path, Accept="text/html").text
    assert visitors[0].see()["phase"] == "closed"
    for visitor, stake in ((banker, 40), (player, 20)):
        said = f"The last round is void. {stake} chips went back to your purse."
        assert said in visitor.get(f"/t/{visitor.code}", Accept="text/html").text
        page = visitor.get(visitor.see()["last"], Accept="text/html").text
        assert "It was never played out; all stakes went back." in page
        assert f"<b>{stake} went back</b>" in page
    dealt(bob, game="blackjack")
    finished(bob)
    assert findings(site) == []
    close(site)


@on_postgresql
def test_a_database_with_tables_is_not_restored_into(
    app: Flask, database_url: str, alice: Player, tmp_path: Path, tefuda: Callable[..., CommandResult]
) -> None:
    dealt(alice)
    close(app)
    copy = str(tmp_path / "copy.dump")
    assert tefuda("db", "backup", copy, TEFUDA_DATABASE_URL=database_url).status == 0
    refused = tefuda("db", "restore", copy, TEFUDA_DATABASE_URL=database_url)
    assert (refused.status, "has tables already" in refused.errors) == (2, True)
    (tmp_path / "text").write_text("no dump")
    refused = tefuda("db", "restore", str(tmp_path / "text"), TEFUDA_DATABASE_URL=database_url)
    assert (refused.status, "is not what pg_dump has written" in refused.errors) == (2, True)
    assert row(app, "SELECT count(*) FROM hand") == (1,)


@on_postgresql
def test_without_pg_dump_there_is_one_clear_line(
    app: Flask,
    database_url: str,
    tmp_path: Path,
    tefuda: Callable[..., CommandResult],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(backup.shutil, "which", lambda _: None)
    close(app)
    refused = tefuda("db", "backup", str(tmp_path / "copy"), TEFUDA_DATABASE_URL=database_url)
    assert refused.status == 2
    assert "pg_dump is not on the path: install the client programs of PostgreSQL" in refused.errors
    assert list(tmp_path.glob("copy*")) == []


@on_sqlite
def test_only_the_latest_backups_are_kept_and_nothing_else_is_touched(
    app: Flask, tmp_path: Path, tefuda: Callable[..., CommandResult]
) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    mine = [folder / name for name in ("notes.txt", "tefuda-old.sqlite3", "tefuda-20260101-000000.txt")]
    old = [folder / f"tefuda-2026010{day}-000000.sqlite3" for day in (1, 2, 3)]
    for file in (*mine, *old):
        file.write_text("dear")
    said = tefuda("db", "backup", "--keep", "2", str(folder))
    assert said.status == 0, said.errors
    left = sorted(set(folder.iterdir()) - set(mine))
    assert (len(left), left[0]) == (2, old[2])
    assert all(file.exists() for file in mine)
    assert said.errors.count("was dropped") == 2
    assert left[1].stat().st_size > 10_000
    assert backup.drop_all_but(folder, 2) == []
