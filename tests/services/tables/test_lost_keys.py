"""Rounds of shared tables whose key was removed: they wait for it, are void without it, and verified if it returns."""

from collections.abc import Callable

import pytest
from flask import Flask

from tests.support.clock import be_later, run_timer
from tests.support.cookies import tab_of
from tests.support.moves import finished_json
from tests.support.rows import findings, row
from tests.support.table_players import TablePlayer, people, playing, seated, see_all
from webapp.services.fairness.verification import checks

HOUR = 3600
Deploy = Callable[..., Flask]


def watch(app: Flask, code: str) -> TablePlayer:
    (watcher,) = people(app, 1)
    watcher.come(code)
    return watcher


def look_after(app: Flask) -> None:
    run_timer(app)


def left_in_a_round(deploy: Deploy) -> tuple[list[TablePlayer], str, str]:
    """Return two people in a round sealed by the old key, the code of their table, and the key of the round."""
    app = deploy("old")
    visitors = playing(app, 2)
    code = visitors[0].code  # one of several tables, if rounds were over with the deal
    (key,) = row(app, "SELECT round_key FROM shared_table WHERE code = :code", code=code)
    return visitors, code, key


def test_a_round_that_no_key_opens_is_void_two_days_after_that_was_noticed(
    deployed: Deploy, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitors, code, key = left_in_a_round(deployed)
    site = deployed("new")
    for hours in (100, 147):  # however old it is: it counts from here
        be_later(monkeypatch, hours * HOUR)
        watcher = watch(site, code)
        assert (watcher.status, watcher.answer.json["error"]) == (409, "round-sealed")
        look_after(site)
    be_later(monkeypatch, 149 * HOUR)
    look_after(site)
    watcher = watch(site, code)
    assert (watcher.status, watcher.phase) == (200, "waiting")
    assert row(site, "SELECT status, revealed_seed FROM table_round WHERE key = :key", key=key) == ("void", None)
    booked = "SELECT count(DISTINCT player_id), sum(amount) FROM ledger_entry WHERE round_key = :key"
    assert row(site, booked, key=key) == (2, 0)
    faults = findings(site)  # of other tables too, if rounds were over with the deal
    assert f"round {key} has a sealed seed that no key here opens" in faults
    assert {fault.partition(" has ")[2] for fault in faults} == {"a sealed seed that no key here opens"}
    assert watcher.get(f"/h/{key}").status == 409
    moved = TablePlayer(tab_of(visitors[0], deployed("new", "old")).line.client)
    assert moved.get("/me").status == 200
    back = deployed("new", "old")
    hand = finished_json(watch(back, code), key)
    assert hand["status"] == "void"
    assert all(check.ok for check in checks(hand))
    assert findings(back) == []


def test_a_key_that_is_missing_for_a_while_ends_no_round(deployed: Deploy, monkeypatch: pytest.MonkeyPatch) -> None:
    visitors, code, _ = left_in_a_round(deployed)
    assert watch(deployed("new"), code).answer.json["error"] == "round-sealed"
    old = deployed("old")
    see_all(visitors)
    assert (visitors[0].status, visitors[0].phase) == (200, "playing")
    assert findings(old) == []


def test_a_round_that_has_not_begun_waits_for_no_key(deployed: Deploy) -> None:
    code = seated(deployed("old"), 1)[0].code
    site = deployed("new")
    visitors = people(site, 2)
    for number, visitor in enumerate(visitors, start=1):
        visitor.come(code)
        visitor.do("sit", number)
        visitor.now("ready")
        assert visitor.status == 200, visitor.answer.text
    assert visitors[1].phase == "betting"
    assert row(site, "SELECT status FROM table_round WHERE seq = 1") == ("void",)
