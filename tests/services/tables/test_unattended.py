"""Tables without anybody: open rounds end as they would have, and no others begin."""

from collections.abc import Callable

import pytest
from flask import Flask
from structlog.testing import capture_logs

from tests.support.clock import Clock, run_timer, start_again
from tests.support.rows import findings, row
from tests.support.table_players import TablePlayer, betting, finished, moves_at, people, players, playing, seated
from webapp.services.tables import overdue

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)

HOUR = 3600


def with_the_bot(app: Flask, **rules: object) -> TablePlayer:
    """Return a player in a round against the bot, which may be over with the deal."""
    (alice,) = people(app, 1)
    alice.open(bot=1, **rules)
    alice.do("ready")
    if "bet" in alice.table["actions"]:
        alice.do("bet", 10)
    assert alice.phase in ("playing", "settled")
    return alice


def begun(app: Flask, code: str) -> int:
    """Return the number of rounds of a table."""
    return int(row(app, "SELECT sum(begun) FROM table_round WHERE table_code = :code", code=code)[0])


@pytest.mark.parametrize("hours", [1, 8, 24 * 30])
@pytest.mark.parametrize("how", ["looks", "acts", "opens another"])
def test_who_closes_the_page_comes_back_to_the_end_of_that_round_and_to_no_other(
    app: Flask, clock: Clock, hours: int, how: str
) -> None:
    alice = with_the_bot(app)
    code = alice.code
    clock.move(hours * HOUR)
    if how == "looks":
        alice.see()
        assert alice.status == 200
    elif how == "acts":
        alice.do("stand")
        assert alice.status == 409
    else:
        alice.open(bot=1)
    alice.come(code)
    assert (alice.status, alice.phase) == (200, "waiting")
    assert row(app, "SELECT count(*) FROM table_round WHERE finished_at IS NOT NULL") == (1,)
    assert begun(app, code) == 1
    net = sum(seat["net"] for seat in finished(alice)["seats"] if not seat["bot"])
    assert alice.get("/me").json["games"][0]["purse"] == 1000 + net
    assert findings(app) == []


@pytest.mark.parametrize(("asked", "phase"), [(True, "waiting"), (False, "closed")])
def test_a_table_that_was_left_in_a_round_stops_no_stranger(app: Flask, clock: Clock, asked: bool, phase: str) -> None:
    alice = with_the_bot(app)
    clock.move(8 * HOUR)
    if asked:
        alice.get(f"/t/{alice.code}")  # after which she counted as there for all of the eight hours
    run_timer(app, "abandoned tables")
    people(app, 1)[0].open()
    assert begun(app, alice.code) == 1
    assert alice.see()["phase"] == phase
    assert findings(app) == []


def test_a_pause_that_ended_long_ago_begins_no_round(app: Flask, clock: Clock) -> None:
    """Players who were ready have to say so again."""
    alice = with_the_bot(app)
    while alice.see()["phase"] == "playing":
        clock.move(2)
        if alice.see()["acting"] == alice.you:
            alice.do("stand" if "stand" in alice.table["actions"] else "hit")
    clock.move(HOUR)
    alice.see()
    assert (alice.phase, alice.you, begun(app, alice.code)) == ("waiting", None, 1)
    alice.do("sit", 0)
    alice.do("bot", 2)
    assert begun(app, alice.code) == 1
    alice.do("ready")
    assert (alice.status, begun(app, alice.code)) == (200, 2)


def test_who_comes_back_within_a_few_minutes_plays_on(app: Flask, clock: Clock) -> None:
    """After downtime of the site only one clock has run out."""
    visitors = playing(app, 2, on_absent="free")
    back = players(visitors)[0]
    before = moves_at(back.table)
    clock.move(200)
    start_again(app)
    back.see()
    assert back.you is not None
    assert not back.seat()["auto"]
    assert moves_at(back.table) <= before + 1
    assert findings(app) == []


@pytest.mark.parametrize("who", ["a player", "the other", "a watcher"])
@pytest.mark.parametrize("seconds", [6 * 60, 7 * 60, 10 * 60, HOUR])
def test_who_asks_first_does_not_decide_how_a_round_ended_that_nobody_saw(
    app: Flask, clock: Clock, who: str, seconds: float
) -> None:
    visitors = playing(app, 2, turn_clock=40)  # before the first turn is over all are away
    first = {"a player": visitors[0], "the other": visitors[1], "a watcher": people(app, 1)[0]}[who]
    clock.move(seconds)
    first.come(visitors[0].code)
    assert finished(first)["status"] == "void"
    assert first.table["free"] == [0, 1, 2, 3, 4]
    assert begun(app, first.code) == 1
    assert findings(app) == []


@pytest.mark.parametrize(("at_the_table", "staked"), [(betting, 1), (playing, 2)])
def test_a_table_that_does_not_come_to_rest_is_closed_and_its_stakes_return(
    app: Flask,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    at_the_table: Callable[[Flask], list[TablePlayer]],
    staked: int,
) -> None:
    other = seated(app, 2)
    visitors = at_the_table(app)
    code = visitors[0].code
    monkeypatch.setattr(overdue, "STEPS", 0)
    clock.move(HOUR)
    with capture_logs() as logged:
        visitors[0].see()
    assert (visitors[0].status, visitors[0].phase) == (200, "closed")
    assert [line["event"] for line in logged].count("table does not come to rest") == 1
    assert code not in str(logged)
    (key,) = row(app, "SELECT key FROM table_round WHERE table_code = :code AND status = 'void'", code=code)
    assert row(app, "SELECT sum(amount) FROM ledger_entry WHERE round_key = :key", key=key) == (0,)
    refunds = "SELECT count(*) FROM ledger_entry WHERE round_key = :key AND reason = 'refund'"
    assert row(app, refunds, key=key) == (staked,)
    assert other[0].see()["phase"] == "waiting", "it alone"
    assert findings(app) == []
