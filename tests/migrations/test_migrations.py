"""Migrations up, down and up again, on both databases; the result equals the models."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import inspect, text

from tests.support.app import KEY, close, make_app
from tests.support.moves import dealt, dealt_and_live, finished
from tests.support.player import Player
from tests.support.rows import findings
from tests.support.server import TEFUDA
from tests.support.table_players import TablePlayer, acting, bet_all, betting, play_out, playing, see_all
from webapp.extensions import Base, db
from webapp.services.operations import schema
from webapp.services.tables.snapshots import snapshots


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.pg)])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Flask]:
    """An app on a database without tables."""
    sqlite = f"sqlite:///{tmp_path / 'empty.sqlite3'}"
    app = make_app(sqlite if request.param == "sqlite" else request.getfixturevalue("pg_database"), tmp_path)
    with app.app_context():
        yield app
    close(app)


def tables() -> set[str]:
    return set(inspect(db.engine).get_table_names()) - {"alembic_version"}


def test_migrations_go_up_and_down_and_up_again(empty: Flask) -> None:
    wanted = {table.name for table in Base.metadata.sorted_tables}
    for _ in range(2):
        assert tables() == set()
        schema.upgrade()
        assert tables() == wanted
        schema.downgrade("base")
    assert tables() == set()


def test_the_migrated_tables_are_the_models(empty: Flask) -> None:
    schema.upgrade()
    schema.check()


def test_a_site_migrated_down_and_up_can_be_played_in(empty: Flask) -> None:
    schema.upgrade()
    schema.downgrade("base")
    schema.upgrade()
    player = Player(empty.test_client())
    dealt(player)
    assert player.status == 200
    finished(player)
    assert findings(empty) == []


def test_people_in_the_middle_of_a_round_play_on_after_a_migration(empty: Flask) -> None:
    """With rows: a migration that recreates a table must keep, or would delete, the rows that refer to it."""
    schema.upgrade()
    visitors, alone = betting(empty, 2), Player(empty.test_client())
    dealt(alone, game="blackjack")
    schema.downgrade("0004")
    schema.upgrade()
    see_all(visitors)
    bet_all(visitors)
    play_out(visitors)
    finished(alone)
    assert findings(empty) == []


def test_the_bank_goes_on_after_a_migration_as_it_would_have(empty: Flask) -> None:
    """Tables from before the draw have an order already: by the places of their seats."""
    schema.upgrade()
    visitors = betting(empty, 3)
    for _ in range(2):
        bet_all(visitors)
        play_out(visitors)
        for visitor in visitors[::-1]:
            visitor.now("ready")
        see_all(visitors)
    bet_all(visitors)
    play_out(visitors)
    following = visitors[0].see()["next_banker"]
    db.session.remove()
    schema.downgrade("0019")
    schema.upgrade()
    snapshots().clear()
    assert visitors[0].see()["next_banker"] == following
    for visitor in visitors[::-1]:
        visitor.now("ready")
    see_all(visitors)
    assert visitors[0].table["banker"] == following
    assert findings(empty) == []


def test_practice_hands_and_daily_deals_are_played_on_after_a_migration(empty: Flask) -> None:
    schema.upgrade()
    alice, bob = Player(empty.test_client()), Player(empty.test_client())
    alice.sit("joker", "arcade")
    alice.deal("cut", [10])
    key = finished(alice)
    open_hands = {}
    for place, count in ((f"/h/{key}/again", 3), ("/daily/poker", 1)):
        for player in (alice, bob):
            player.board = player.post(place).json
            player.game = player.board["game"]
            open_hands[player, place] = player.act("hold", 1, 4) if count > 1 else player.board
    finished(bob)
    over = bob.get(f"/h/{bob.hand}.json").json
    db.session.remove()
    schema.downgrade("0020")
    counted = text("SELECT kind, status, count(*) FROM practice_hand GROUP BY kind, status ORDER BY kind, status")
    found = [tuple(row) for row in db.session.execute(counted)]
    assert found == [("again", "live", 1), ("daily", "done", 1), ("daily", "live", 1), ("first", "live", 1)]
    db.session.remove()
    schema.upgrade()
    assert bob.get(f"/h/{bob.hand}.json").json == over
    for (player, _), board in open_hands.items():
        if board["hand"] == over["hand"]:
            continue
        player.board, player.game = player.get(f"/play/{board['game']}?hand={board['hand']}").json, board["game"]
        assert player.board == board
        finished(player)
        assert player.get(f"/h/{player.hand}.json").status == 200
    dealt(alice, game="joker", table="arcade", stakes=(10,))
    assert alice.board["seq"] == 2
    finished(alice)
    assert findings(empty) == []


def test_decisions_of_hands_are_still_asked_after_a_migration_and_those_of_rounds_no_more(empty: Flask) -> None:
    schema.upgrade()
    player, visitors = Player(empty.test_client()), playing(empty)
    dealt_and_live(player, "poker")
    keys = {"hand": finished(player)}
    decider = acting(visitors)
    play_out(visitors)
    keys["round"] = decider.table["last"].removeprefix("/h/")
    for who, key in ((player, keys["hand"]), (decider, keys["round"])):
        assert who.post("/drill/again", [("hand", key), ("step", "0")]).status == 200
    db.session.remove()
    schema.downgrade("0025")
    assert list(db.session.scalars(text("SELECT hand_key FROM recall"))) == [keys["hand"]]
    db.session.remove()
    schema.upgrade()
    assert (player.get("/drill/again").json["waiting"], decider.get("/drill/again").json["waiting"]) == (1, 0)
    assert decider.post("/drill/again", [("hand", keys["round"]), ("step", "0")]).json["waiting"] == 1
    assert findings(empty) == []


def test_shoes_from_before_they_were_closed_for_silence_count_from_their_last_move(empty: Flask) -> None:
    schema.upgrade("0001")
    statements = (
        "INSERT INTO player (id, name, created_at) VALUES ('p', '', 1)",
        "INSERT INTO shoe (key, player_id, game, variant, commitment, dealt, opened_at) VALUES ('played', 'p', 'a', '', '', 9, 5)",
        "INSERT INTO shoe (key, player_id, game, variant, commitment, dealt, opened_at) VALUES ('new', 'p', 'b', '', '', 0, 7)",
        'INSERT INTO hand (key, player_id, game, variant, seq, status, shoe_key, "offset", commitment, stakes, moves, '
        "step, marks, created_at, moved_at, finished_at) "
        "VALUES ('h', 'p', 'a', '', 1, 'done', 'played', 0, '', '', '', 0, '', 5, 60, 60)",
    )
    for statement in statements:
        db.session.execute(text(statement))
    db.session.commit()
    schema.upgrade("0002")
    found = db.session.execute(text("SELECT key, moved_at FROM shoe ORDER BY key")).all()
    db.session.remove()
    assert [tuple(each) for each in found] == [("new", 7), ("played", 60)]


SINCE = (
    *("purse", "outcome_count", "daily_deal"),
    *("review", "decision_statistics", "pruned_count", "name_report", "sign_in_link"),
    *("circle", "circle_member", "recall", "drill_answer"),
)
"""Tables without times, and those that have come since times were seconds."""
TIMES = {
    "player": ("created_at",),
    "shoe": ("opened_at", "moved_at", "closed_at"),
    "hand": ("created_at", "moved_at", "finished_at"),
    "ledger_entry": ("at",),
    "table_round": ("created_at", "finished_at"),
    "round_seat": ("finished_at",),
    "shared_table": ("opened_at", "moved_at"),
    "table_seat": ("seen_at",),
    "lab_job": ("created_at", "finished_at"),
}
"""Every column of every table with a time, but those that are only set in the middle of a round or a job."""


def all_times() -> dict[str, list[tuple[int, ...]]]:
    found = {
        table: [tuple(row) for row in db.session.execute(text(f"SELECT {', '.join(columns)} FROM {table}"))]  # noqa: S608
        for table, columns in TIMES.items()
    }
    db.session.remove()
    return found


def test_times_that_were_seconds_become_milliseconds_and_seconds_again(empty: Flask) -> None:
    in_seconds = {
        "player": [(101,)],
        "shoe": [(102, 103, 104)],
        "hand": [(105, 106, 107)],
        "ledger_entry": [(108,)],
        "table_round": [(109_000, 110)],
        "round_seat": [(110,)],
        "shared_table": [(111_000, 112_000)],
        "table_seat": [(113_000,)],
        "lab_job": [(114_000, 115_000)],
    }
    schema.upgrade("0008")
    statements = (
        "INSERT INTO player (id, name, created_at) VALUES ('p', '', 101)",
        "INSERT INTO shoe (key, player_id, game, variant, commitment, dealt, opened_at, moved_at, closed_at) "
        "VALUES ('s', 'p', 'a', '', '', 9, 102, 103, 104)",
        'INSERT INTO hand (key, player_id, game, variant, seq, status, "offset", commitment, stakes, moves, step, '
        "marks, created_at, moved_at, finished_at) "
        "VALUES ('h', 'p', 'a', '', 1, 'done', 0, '', '', '', 0, '', 105, 106, 107)",
        "INSERT INTO purse (player_id, game, balance, best, hands, runs, peak, last_stakes) "
        "VALUES ('p', 'a', 5, 0, 1, 1, 5, '')",
        "INSERT INTO ledger_entry (player_id, game, reason, amount, balance_after, at) "
        "VALUES ('p', 'a', 'run', 5, 5, 108)",
        "INSERT INTO shared_table (code, game, variant, public, opened_by, version, turn_version, phase, round_key, "
        "rounds, banked, opened_at, moved_at) "
        "VALUES ('c', 'a', '', true, 'p', 1, 1, 'closed', 'r', 1, 0, 111000, 112000)",
        "INSERT INTO table_seat (table_code, number, player_id, holder_id, link, bot, ready, away, leaving, policy, "
        "seen_at) VALUES ('c', 0, 'p', 'p', '', false, 0, false, false, 'timid', 113000)",
        "INSERT INTO table_round (key, table_code, game, variant, seq, status, commitment, revealed_seed, begun, "
        "dealt, moves, autos, step, created_at, finished_at) "
        "VALUES ('r', 'c', 'a', '', 1, 'done', '', '00', 1, true, '', '', 0, 109000, 110)",
        "INSERT INTO round_seat (round_key, number, player_id, bot, stake, auto, finished_at) "
        "VALUES ('r', 0, 'p', false, 5, false, 110)",
        'INSERT INTO lab_job (key, player_id, "table", strategy, rounds, seed, bet, chunk, status, chunks, counted, '
        "seconds, stop_asked, interrupted, created_at, served, finished_at) "
        "VALUES ('l', 'p', '', '', 1, 1, 1, 1, 'done', 1, '', 0, false, 0, 114000, 1, 115000)",
    )
    for statement in statements:
        db.session.execute(text(statement))
    db.session.commit()
    assert {table.name for table in Base.metadata.sorted_tables} == {*TIMES, *SINCE}
    before = all_times()
    assert before == in_seconds
    schema.upgrade()
    assert all_times() == {
        table: [tuple(time if time > 1000 else 1000 * time for time in row) for row in rows]
        for table, rows in in_seconds.items()
    }
    schema.downgrade("0008")
    assert all_times() == in_seconds


def test_sqlite_keeps_its_word(tmp_path: Path) -> None:
    """Commits are durable, foreign keys are enforced, and a writer waits for the lock."""
    app = make_app(f"sqlite:///{tmp_path / 'x.sqlite3'}", tmp_path)
    with app.app_context(), db.engine.connect() as connection:
        said = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    assert said["journal_mode"] == "wal"
    assert (said["synchronous"], said["foreign_keys"]) == (2, 1)
    assert said["busy_timeout"] >= 5000
    close(app)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE purse SET balance = -1",
        "UPDATE hand SET status = 'won'",
        "UPDATE hand SET finished_at = NULL",
        "UPDATE hand SET status = 'live'",
        "UPDATE hand SET player_id = 'nobody'",
        "UPDATE ledger_entry SET player_id = 'nobody'",
        "INSERT INTO ledger_entry (player_id, game, hand_key, reason, amount, balance_after, at) "
        "SELECT player_id, game, hand_key, reason, amount, balance_after, at FROM ledger_entry",
        "DELETE FROM player",
    ],
)
def test_the_database_itself_refuses_what_can_never_be(app: Flask, alice: Player, statement: str) -> None:
    from sqlalchemy.exc import IntegrityError

    from tests.support.moves import asked

    asked(alice)
    alice.act("collect")
    with app.app_context():
        with pytest.raises(IntegrityError):
            db.session.execute(text(statement))
        db.session.rollback()
        db.session.remove()


def test_counters_of_outcomes_are_filled_from_what_is_stored(empty: Flask) -> None:
    """Hands with and without chips, a forfeited one, and rounds of a shared table."""
    schema.upgrade()
    alice, bob = Player(empty.test_client()), Player(empty.test_client())
    for game in ("poker", "joker", "blackjack"):
        for _ in range(3):
            dealt(alice, game=game)
            finished(alice)
    dealt(bob, game="joker")
    db.session.execute(text("UPDATE hand SET moved_at = 0 WHERE status = 'live'"))
    db.session.commit()
    dealt(bob, game="joker")
    visitors = betting(empty, 2)
    bet_all(visitors)
    play_out(visitors)
    db.session.rollback()
    counted = text("SELECT * FROM outcome_count ORDER BY player_id, game, variant, outcome")
    before = sorted(map(tuple, db.session.execute(counted)))
    db.session.remove()
    assert len(before) > 5
    assert {"FORFEITED"} < {row[3] for row in before}
    schema.downgrade("0013-1")
    schema.upgrade()
    assert sorted(map(tuple, db.session.execute(counted))) == before
    db.session.remove()
    assert findings(empty) == []


def test_processes_that_are_started_together_migrate_one_after_the_other(empty: Flask, tmp_path: Path) -> None:
    """``systemctl enable --now tefuda@8001 tefuda@8002`` on an empty database once ended with a traceback."""
    url = empty.config["SQLALCHEMY_DATABASE_URI"]
    settings = {"TEFUDA_DATABASE_URL": url, "TEFUDA_INSTANCE": str(tmp_path), "TEFUDA_SECRET_KEY": KEY}
    command = [*TEFUDA, "db", "upgrade"]
    processes = [
        subprocess.Popen(
            command, env={**os.environ, **settings}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        for _ in range(3)
    ]
    said = [process.communicate(timeout=60)[0] for process in processes]
    assert [process.returncode for process in processes] == [0] * 3, said
    schema.check()


def test_circles_go_with_their_migration_and_what_they_were_opened_beside_stays(empty: Flask) -> None:
    """Down, a table that was opened for a circle goes on as any other."""
    schema.upgrade()
    alice, host = Player(empty.test_client()), TablePlayer(empty.test_client())
    for _ in range(2):
        host.post("/circles", [("name", "Friends"), ("member", "Host")])
        path = host.answer.json["url"]
        alice.post(f"{path}/join", [("name", "Ada")])
        assert alice.status == 200
        table = host.open(circle=path.rpartition("/")[2], bot="1")
        db.session.remove()
        assert findings(empty) == []
        schema.downgrade("0022")
        assert {"circle", "circle_member"}.isdisjoint(tables())
        schema.upgrade()
        snapshots().clear()
        assert alice.get(path).status == 404
        assert host.get(f"/t/{table}").json["you"] == 0
        host.now("leave")
    assert findings(empty) == []


def test_recalls_go_with_their_migration_and_the_hands_stay(empty: Flask) -> None:
    schema.upgrade()
    alice = Player(empty.test_client())
    dealt_and_live(alice, "poker")
    key = finished(alice)
    for _ in range(2):
        alice.post("/drill/again/start")
        alice.post("/drill/again", [("hand", key), ("step", "0")])
        assert (alice.answer.json["on"], alice.answer.json["waiting"]) == (True, 1)
        assert findings(empty) == []
        db.session.remove()
        schema.downgrade("0023")
        assert "recall" not in tables()
        schema.upgrade()
        queue = alice.get("/drill/again").json
        assert (queue["on"], queue["waiting"]) == (False, 0)
        assert alice.get(f"/h/{key}").status == 200
    assert findings(empty) == []


def test_answers_to_drills_go_with_their_migration_and_can_be_given_again(empty: Flask) -> None:
    schema.upgrade()
    alice = Player(empty.test_client())
    dealt(alice)
    for _ in range(2):
        while alice.post("/drill/poker", [("spot", "one"), ("answer", "hold")]).status == 202:
            pass
        assert db.session.execute(text("SELECT count(*) FROM drill_answer")).scalar() == 1
        assert findings(empty) == []
        db.session.remove()
        schema.downgrade("0024")
        assert "drill_answer" not in tables()
        schema.upgrade()
    assert findings(empty) == []
