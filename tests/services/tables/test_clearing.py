"""Abandoned tables are cleared away, each by itself: an error with one affects no other."""

import pytest
from flask import Flask
from structlog.testing import capture_logs

from tests.support.clock import Clock, run_timer
from tests.support.rows import findings, row, tamper
from tests.support.table_players import TablePlayer, banker_of, betting, people, players, seated

LONG = 31 * 60
"""Seconds after which the timer clears a table away."""


def phase_of(app: Flask, code: str) -> str | None:
    found = row(app, "SELECT phase FROM shared_table WHERE code = :code", code=code)
    return found[0] if found else None


def clear(app: Flask, times: int = 1) -> None:
    for _ in range(times):
        run_timer(app, "abandoned tables")


def taken_back(app: Flask, company: str) -> TablePlayer:
    """Return a player who opened an empty table with a round that was taken back before anybody had bet."""
    if company == "people":
        visitors = betting(app, 2)
        banker, (player,) = banker_of(visitors), players(visitors)
        player.now("leave")
        banker.now("leave")
        alice, code = visitors[0], banker.code
    else:
        (alice,) = people(app, 1)
        code = alice.open(bot=1)
        assert (alice.phase, alice.table["banker"]) == ("betting", 2)
        alice.do("leave")
    assert row(app, "SELECT status, begun FROM table_round WHERE table_code = :code", code=code) == ("ready", 1)
    assert row(app, "SELECT count(*) FROM table_seat WHERE table_code = :code", code=code) == (0,)
    assert findings(app) == []
    return alice


def unreadable(app: Flask, **fields: object) -> TablePlayer:
    """Return a player at a table whose rules cannot be parsed."""
    (visitor,) = seated(app, 1, **fields)
    tamper(app, "UPDATE shared_table SET variant = 'nowhere' WHERE code = :code", code=visitor.code)
    return visitor


@pytest.mark.parametrize("company", ["people", "the bot"])
def test_a_table_whose_only_round_was_taken_back_is_closed(app: Flask, clock: Clock, company: str) -> None:
    """Ledger entries refer to the round, so it cannot be deleted."""
    code = taken_back(app, company).code
    clock.move(LONG)
    clear(app)
    assert phase_of(app, code) == "closed"
    assert findings(app) == []
    clock.move(24 * 3600)
    clear(app)


def test_who_opens_many_tables_may_go_on_when_the_round_at_one_was_taken_back(app: Flask, clock: Clock) -> None:
    owner = taken_back(app, "the bot")
    code = owner.code
    for _ in range(7):
        clock.move(1)
        owner.open()
    assert phase_of(app, code) == "closed"
    assert row(app, "SELECT count(*) FROM shared_table WHERE phase <> 'closed'") == (6,)
    assert findings(app) == []


def test_a_table_at_which_no_round_began_leaves_no_trace(app: Flask, clock: Clock) -> None:
    (alice,) = seated(app, 1)
    alice.now("leave")
    clock.move(LONG)
    clear(app)
    assert phase_of(app, alice.code) is None
    assert row(app, "SELECT count(*) FROM table_round WHERE table_code = :code", code=alice.code) == (0,)


def test_tables_that_cannot_be_read_do_not_stop_the_clearing_of_others(app: Flask, clock: Clock) -> None:
    broken = [unreadable(app).code for _ in range(4)]
    clock.move(1)
    (alice,) = seated(app, 1)
    alice.now("leave")
    clock.move(LONG)
    with capture_logs() as logged:
        clear(app, 2)
    assert [phase_of(app, code) for code in broken] == ["waiting"] * 4, "they are as they were"
    assert phase_of(app, alice.code) is None
    assert [line["error"] for line in logged if line["event"] == "table not cleared away"] == ["SetupError"] * 4
    assert not any(code in str(logged) for code in broken), "whoever knows the code of a table may watch it"


def test_a_table_that_cannot_be_read_is_tried_again_later(app: Flask, clock: Clock) -> None:
    visitor = unreadable(app)
    clock.move(LONG)
    with capture_logs() as logged:
        clear(app, 3)
        assert [line["event"] for line in logged].count("table not cleared away") == 1
        clock.move(301)
        tamper(app, "UPDATE shared_table SET variant = 'house' WHERE code = :code", code=visitor.code)
        clear(app)
    assert phase_of(app, visitor.code) is None, "once it can be read it goes like any other"


def test_the_list_of_tables_leaves_out_what_cannot_be_read(app: Flask, clock: Clock) -> None:
    broken, (fine,) = unreadable(app, public=1), seated(app, 1, public=1)
    with capture_logs() as logged:
        listed = fine.get("/tables")
    assert (listed.status, [table["code"] for table in listed.json["tables"]]) == (200, [fine.code])
    assert [line["event"] for line in logged].count("table cannot be read") == 1
    assert broken.code not in str(logged)
    assert fine.get("/tables", Accept="text/html").status == 200


def test_who_sits_at_a_table_that_cannot_be_read_may_sit_down_elsewhere(app: Flask, clock: Clock) -> None:
    visitor = unreadable(app)
    left = visitor.code
    visitor.open(bot=1)
    assert visitor.you == 0
    assert row(app, "SELECT count(*) FROM table_seat WHERE table_code = :code", code=left) == (0,)


def test_the_audit_names_a_table_that_cannot_be_read(app: Flask, clock: Clock) -> None:
    code = unreadable(app).code
    assert findings(app) == [f"table {code} has rules that cannot be read: no such table: 'nowhere'"]


@pytest.mark.parametrize(
    ("statement", "saying"),
    [
        ("UPDATE shared_table SET game = 'whist'", "has rules that cannot be read: 'whist'"),
        ("UPDATE shared_table SET round_key = 'none'", "has no round to come"),
        ("UPDATE shared_table SET phase = 'playing'", "is playing, but its round is ready"),
    ],
)
def test_the_audit_names_what_is_wrong_with_a_table(app: Flask, clock: Clock, statement: str, saying: str) -> None:
    (visitor,) = seated(app, 1)
    tamper(app, statement)
    assert findings(app) == [f"table {visitor.code} {saying}"]


def test_the_audit_names_a_round_that_cannot_be_read_before_it_is_dealt(app: Flask, clock: Clock) -> None:
    seated(app, 1)
    tamper(app, "UPDATE table_round SET variant = 'nowhere'")
    (key,) = row(app, "SELECT key FROM table_round")
    assert findings(app) == [f"round {key} has rules that cannot be read: no such table: 'nowhere'"]


def test_the_audit_names_a_round_that_was_taken_back_without_its_chips(app: Flask, clock: Clock) -> None:
    code = taken_back(app, "people").code
    wanted = "SELECT id, round_key, player_id, amount FROM ledger_entry WHERE reason = 'refund-1'"
    (entry, key, player, amount) = row(app, wanted)
    tamper(app, "DELETE FROM ledger_entry WHERE id = :entry", entry=entry)
    assert f"round {key} has ledger entries of {-amount} for player {player} where 0 is due" in findings(app)
    assert phase_of(app, code) == "waiting"
