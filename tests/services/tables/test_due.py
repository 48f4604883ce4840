"""Absence counts only while the site was running; after a gap everybody has a whole clock again."""

import threading
import time

import pytest
from flask import Flask

from tests.support.app import close, make_app
from tests.support.clock import Clock, record_beat, run_housekeeping
from tests.support.rows import findings, row
from tests.support.table_players import (
    TablePlayer,
    banker_of,
    betting,
    finished,
    moves_at,
    people,
    players,
    playing,
    seated,
    see_all,
)
from webapp.extensions import db
from webapp.services.core import clock as clock_module
from webapp.services.core.clock import now_ms
from webapp.services.deals import daily
from webapp.services.tables import housekeeping
from webapp.services.tables.live import site_beat
from webapp.services.tables.pending_deadlines import deadlines

on_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
HOUR = 3600


def first_of(app: Flask, visitors: list[TablePlayer], who: str) -> TablePlayer:
    return {"the banker": banker_of(visitors), "a player": players(visitors)[0], "a watcher": people(app, 1)[0]}[who]


@on_sqlite
@pytest.mark.parametrize("who", ["the banker", "a player", "a watcher"])
@pytest.mark.parametrize("seconds", [35, 7 * 60, 8 * HOUR])
def test_after_a_stop_of_the_site_everybody_has_a_whole_clock_whoever_asks_first(
    app: Flask, clock: Clock, who: str, seconds: float
) -> None:
    visitors = playing(app, 2)
    code, before = visitors[0].code, moves_at(visitors[0].table)
    first = first_of(app, visitors, who)
    record_beat(app)
    clock.move(seconds)
    table = first.come(code)
    assert table["deadline"] - table["now"] == 20
    assert [seat["auto"] for seat in table["seats"]] == [False, False]
    assert (table["phase"], moves_at(table)) == ("playing", before)
    clock.move(19)
    see_all(visitors)
    assert moves_at(visitors[0].table) == before
    assert findings(app) == []


@on_sqlite
def test_a_stop_of_the_site_while_bets_are_open_bets_for_nobody(app: Flask, clock: Clock) -> None:
    visitors = betting(app, 2)
    record_beat(app)
    clock.move(300)
    see_all(visitors)
    assert (visitors[0].phase, visitors[0].table["deadline"] - visitors[0].table["now"]) == ("betting", 20)


@on_sqlite
def test_a_stop_of_the_site_frees_no_seat(app: Flask, clock: Clock) -> None:
    visitors = seated(app, 2)
    record_beat(app)
    clock.move(8 * HOUR)
    run_housekeeping(app, clock, 20)
    see_all(visitors)
    assert [visitor.you for visitor in visitors] == [0, 1]


@on_sqlite
def test_who_does_not_come_back_after_a_stop_is_away_after_the_usual_time(app: Flask, clock: Clock) -> None:
    visitors = playing(app, 2, turn_clock=60)
    back, gone = visitors
    record_beat(app)
    clock.move(HOUR)
    for _ in range(14):
        run_housekeeping(app, clock, 2)
        back.see()
        assert not back.seat(gone.you)["auto"]
    for _ in range(3):
        run_housekeeping(app, clock, 2)
        back.see()
    assert back.seat(gone.you)["auto"]


@on_sqlite
def test_while_the_site_listens_nobody_needs_to_ask_for_what_is_due(app: Flask, clock: Clock) -> None:
    visitors = playing(app, 2, turn_clock=40)  # before the first turn is over all are away
    run_housekeeping(app, clock, 300)
    assert row(app, "SELECT phase FROM shared_table WHERE code = :code", code=visitors[0].code) == ("waiting",)
    assert finished(people_at(app, visitors))["status"] == "void"


def people_at(app: Flask, visitors: list[TablePlayer]) -> TablePlayer:
    (watcher,) = people(app, 1)
    watcher.come(visitors[0].code)
    return watcher


@on_sqlite
def test_the_beat_is_written_only_while_somebody_sits(app: Flask, clock: Clock) -> None:
    record_beat(app)
    clock.move(3)
    record_beat(app)
    before = row(app, "SELECT at FROM site_beat")
    clock.move(3)
    record_beat(app)
    assert row(app, "SELECT at FROM site_beat") == before
    visitors = seated(app, 1)
    record_beat(app)
    assert row(app, "SELECT at FROM site_beat") == (before[0] + 6000,)
    assert visitors[0].see()["phase"] == "waiting"


def test_two_processes_share_one_beat(app: Flask, clock: Clock, database_url: str, tmp_path: object) -> None:
    """If one stops, the other was running all the time: that is no gap."""
    visitors = playing(app, 2, turn_clock=300)
    record_beat(app)
    other = make_app(database_url, tmp_path)  # type: ignore[arg-type]
    for _ in range(20):
        clock.move(3)
        record_beat(other)
    close(other)
    see_all(visitors[:1])
    assert visitors[0].table["deadline"] - visitors[0].table["now"] < 250


# ------------------------------------------------------------------------------------------------ a free option


def fall_silent_together(app: Flask, clock: Clock) -> list[TablePlayer]:
    visitors = playing(app, 2, turn_clock=45)
    run_housekeeping(app, clock, 40)
    (watcher,) = people(app, 1)
    watcher.come(visitors[0].code)
    assert [seat["auto"] for seat in watcher.table["seats"]] == [True, True]
    return visitors


@on_sqlite
def test_who_fell_silent_with_all_others_does_not_choose_later_if_the_round_counts(app: Flask, clock: Clock) -> None:
    """A player could watch from another browser and come back only for good cards."""
    visitors = fall_silent_together(app, clock)
    (player,) = players(visitors)
    for _ in range(150):
        run_housekeeping(app, clock, 4)
        player.see()
        if player.phase != "playing":
            break
        if player.table["acting"] == player.you:
            player.do("stand" if "stand" in player.table["actions"] else "hit")
    hand = finished(player)
    assert hand["status"] == "void"
    assert [seat["net"] for seat in hand["seats"]] == [0, 0]
    assert findings(app) == []


@on_sqlite
def test_a_round_that_counts_when_the_last_one_goes_counts_whatever_happens_later(app: Flask, clock: Clock) -> None:
    visitors = playing(app, 2, turn_clock=80)
    (player,), banker = players(visitors), banker_of(visitors)
    for _ in range(12):
        run_housekeeping(app, clock, 3)
        player.see()
    assert player.seat(banker.you)["auto"], "the banker has fallen silent, and the player has seen it"
    run_housekeeping(app, clock, 40)
    banker.see()
    run_housekeeping(app, clock, 600)
    assert finished(people_at(app, visitors))["status"] == "done"
    assert findings(app) == []


# ------------------------------------------------------------------------------------------------ the time of day


@on_sqlite
@pytest.mark.parametrize("hours", [-1, 1])
def test_a_time_of_day_that_is_set_by_an_hour_neither_freezes_a_round_nor_plays_it(
    app: Flask, clock: Clock, hours: int
) -> None:
    visitors = playing(app, 2)
    before = moves_at(visitors[0].table)
    record_beat(app)
    clock.move(hours * HOUR)
    see_all(visitors)
    table = visitors[0].table
    assert (table["phase"], moves_at(table), table["deadline"] - table["now"]) == ("playing", before, 20)
    for _ in range(6):
        run_housekeeping(app, clock, 4)
        see_all(visitors)
    assert moves_at(visitors[0].table) == before + 1, "the clock runs"
    assert not any(seat["auto"] for seat in visitors[0].table["seats"])


@on_sqlite
def test_who_is_silent_after_the_time_of_day_was_set_back_is_away_after_the_usual_time(
    app: Flask, clock: Clock
) -> None:
    visitors = playing(app, 2, turn_clock=300)
    record_beat(app)
    clock.move(-HOUR)
    back, gone = visitors
    for _ in range(18):
        run_housekeeping(app, clock, 2)
        back.see()
    assert [back.seat()["auto"], back.seat(gone.you)["auto"]] == [False, True]


def test_an_anchored_clock_goes_on_when_the_time_of_day_is_set_and_follows_when_it_synchronizes(app: Flask) -> None:
    with app.app_context():
        set_by = [0.0]
        watch = clock_module.Clock(lambda: time.time() + set_by[0])
        assert watch.synchronize(db.engine) == 0
        start = watch.now_ms()
        set_by[0] = -HOUR
        assert 0 <= watch.now_ms() - start < 10_000
        step = watch.synchronize(db.engine)
        is_shared = db.engine.dialect.name == "postgresql"
        assert abs(step - (0 if is_shared else -HOUR * 1000)) < 10_000
        db.session.remove()


@pytest.mark.pg
@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_two_machines_whose_clocks_differ_share_the_clock_of_the_database(
    app: Flask, database_url: str, tmp_path: object
) -> None:
    """They differ by 45 seconds: each would take the other's players for absent."""
    ahead = make_app(database_url, tmp_path)  # type: ignore[arg-type]
    apps = (app, ahead)
    for one, seconds in zip(apps, (0, 45), strict=True):
        with one.app_context():
            machine = clock_module.Clock(lambda seconds=seconds: time.time() + seconds)  # type: ignore[misc]
            services_of(one)[clock_module.Clock] = machine
            machine.synchronize(db.engine)
            db.session.remove()
    alice, bob = TablePlayer(app.test_client()), TablePlayer(ahead.test_client())
    code = alice.open()
    alice.do("sit", 0)
    bob.come(code)
    bob.do("sit", 1)
    alice.now("ready")
    bob.now("ready")
    assert (bob.status, bob.phase) == (200, "betting")
    assert not any(seat["auto"] for seat in alice.see()["seats"])
    assert abs(alice.table["now"] - bob.see()["now"]) < 10_000
    del services_of(app)[clock_module.Clock]
    close(ahead)


def services_of(app: Flask) -> dict[type, object]:
    with app.app_context():
        return clock_module.context.current()._objects


# ------------------------------------------------------------------------------------------------ the thread


@on_sqlite
def test_the_thread_of_a_serving_process_beats_before_the_first_request(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    seated(app, 1)
    thread = app.extensions["housekeeping"]
    thread.start()
    try:
        assert row(app, "SELECT count(*) FROM site_beat") == (1,)
    finally:
        thread.stop()
        del services_of(app)[clock_module.Clock]


def test_the_timer_meets_a_deadline_though_nobody_asks(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever process has set it: no request comes, and the beat of this process is disabled."""
    monkeypatch.setattr(site_beat, "BEAT_MS", 100_000)
    elsewhere = betting(app, 2, bet_clock=1)[0].code
    with app.app_context():
        deadlines().expect(elsewhere, None)  # as if another process had opened the bets
    thread = app.extensions["housekeeping"]
    thread.start()
    try:
        here = betting(app, 2, bet_clock=1)[0].code
        until = time.monotonic() + 30
        while (left := _waiting_for_bets(app, here, elsewhere)) and time.monotonic() < until:
            threading.Event().wait(0.05)
        assert left == []
    finally:
        thread.stop()
        del services_of(app)[clock_module.Clock]


def _waiting_for_bets(app: Flask, *codes: str) -> list[str]:
    phase = "SELECT phase FROM shared_table WHERE code = :code"
    return [code for code in codes if row(app, phase, code=code)[0] == "betting"]


@on_sqlite
def test_the_thread_of_a_serving_process_commits_to_the_deals_of_the_coming_days(app: Flask) -> None:
    thread = app.extensions["housekeeping"]
    thread.start()
    try:
        until = time.monotonic() + 30
        while not row(app, "SELECT count(*) FROM daily_deal")[0] and time.monotonic() < until:
            threading.Event().wait(0.05)
        assert row(app, "SELECT count(DISTINCT day) FROM daily_deal") == (daily.AHEAD + 1,)
    finally:
        thread.stop()
        del services_of(app)[clock_module.Clock]


@on_sqlite
def test_a_table_that_cannot_be_looked_after_hinders_no_other_and_is_logged_once(app: Flask, clock: Clock) -> None:
    from structlog.testing import capture_logs

    from tests.support.rows import tamper

    broken, fine = playing(app, 2, turn_clock=10), playing(app, 2, turn_clock=10)
    before = moves_at(fine[0].table)
    tamper(app, "UPDATE shared_table SET variant = 'nothing' WHERE code = :code", code=broken[0].code)
    clock.move(11)
    with capture_logs() as logged, app.app_context():
        for _ in range(3):
            housekeeping.catch_up_tables(now_ms())
    assert [line["table"] for line in logged if line["event"] == "table not brought up to date"] == [broken[0].code]
    fine[0].see()
    assert moves_at(fine[0].table) == before + 1


@pytest.mark.parametrize("seconds, loaded", [(20, set()), (40, {"impatient"}), (70, {"impatient", "patient"})])
def test_only_tables_whose_rules_make_somebody_absent_are_loaded(
    app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch, seconds: int, loaded: set[str]
) -> None:
    tables = {
        betting(app, 2, bet_clock=300, absent_after=after)[0].code: name
        for name, after in (("impatient", 30), ("patient", 60))
    }
    for _ in range(0, seconds, 5):
        clock.move(5)
        record_beat(app)
    with app.app_context():
        asked: list[str] = []
        monkeypatch.setattr(housekeeping.loading, "catch_up_if_due", asked.append)
        housekeeping.catch_up_tables(now_ms())
    assert {tables[code] for code in asked} == loaded
