"""Sitting down: returns the open hand, or commits to a new one; many at once create one."""

import threading
from typing import Any

import pytest
from flask import Flask

from tests.support.cookies import cookie_of, send_from_now_on, tab_of
from tests.support.moves import (
    ELSEWHERE,
    STAKES,
    TABLES,
    dealt,
    finished,
    sealed,
    sealed_anew,
    sealed_by_an_older_version,
)
from tests.support.player import Player
from tests.support.rows import findings, let_a_day_pass, row, rows, tamper
from webapp.services.solo import sit as sit_module


def test_sitting_down_again_finds_the_open_hand(alice: Player) -> None:
    first = sealed(alice)
    assert (alice.status, first["status"], first["seq"]) == (201, "ready", 1)
    assert sealed(alice) == first
    assert alice.status == 200
    board = alice.deal("cut")
    again = sealed(alice)
    assert (alice.status, again) == (200, board)
    finished(alice)
    assert sealed(alice)["seq"] == 2
    assert alice.status == 201


def test_whoever_the_site_does_not_know_any_more_sits_down_as_somebody_new(app: Flask, alice: Player) -> None:
    """After restoring a backup: the cookie is valid, but the player does not exist."""
    before = sealed(alice)
    for table in ("hand", "purse", "player"):
        tamper(app, f"DELETE FROM {table}")  # noqa: S608  # names of ours
    board = sealed(alice)
    assert (alice.status, board["status"], board["seq"]) == (201, "ready", 1)
    assert board["hand"] != before["hand"]
    assert alice.deal("cut")["status"] == "live"
    assert findings(app) == []


def test_sitting_down_in_a_page_leads_to_the_table(alice: Player) -> None:
    answer = alice.post("/play/poker", Accept="text/html")
    assert (answer.status, answer.headers["location"]) == (303, "/play/poker")
    fragment = alice.post("/play/poker", Accept="text/html", HX_Request="true")
    assert fragment.text.lstrip().startswith('<div id="room"')


def test_hands_are_numbered_without_gaps_whatever_happens_to_them(app: Flask, alice: Player) -> None:
    dealt(alice)
    finished(alice)
    without_box = cookie_of(alice)
    sealed_by_an_older_version(app, alice)
    send_from_now_on(alice, without_box)
    sealed_anew(alice)
    assert alice.deal("-")["error"] == "bad-cut"
    assert alice.deal("cut")["seq"] == 3
    let_a_day_pass(app, alice.hand)
    dealt(alice)
    finished(alice)
    assert alice.board["seq"] == 4
    with app.app_context():
        from webapp.extensions import db
        from webapp.models import Hand

        assert [(h.seq, h.status) for h in db.session.query(Hand).order_by(Hand.seq)] == [
            (0, "ready"),  # prepared
            (1, "done"),
            (2, "void"),
            (3, "forfeited"),
            (4, "done"),
        ]
        db.session.remove()
    assert findings(app) == []


def test_an_open_hand_has_no_page_and_a_hand_never_dealt_gets_none(app: Flask, alice: Player, bob: Player) -> None:
    sealed(alice)
    never_dealt = alice.hand
    for player in (alice, bob):
        for suffix in ("", ".json", ".txt", ".png", "?step=0"):
            assert player.get(f"/h/{never_dealt}{suffix}").status == 404
    alice.deal("cut")
    for player in (alice, bob):
        for suffix in ("", ".json", ".txt", ".png", "?step=0"):
            assert player.get(f"/h/{alice.hand}{suffix}").status == 404
    finished(alice)
    assert alice.board["url"] == f"/h/{alice.hand}"
    without_box = cookie_of(alice)
    lost = sealed_by_an_older_version(app, alice)["hand"]
    send_from_now_on(alice, without_box)
    sealed_anew(alice)
    assert row(app, "SELECT status FROM hand WHERE key = :key", key=lost) == ("void",)
    for suffix in ("", ".json", ".txt", ".png"):
        assert alice.get(f"/h/{lost}{suffix}").status == 404
    seen = alice.get(f"/play/poker?hand={lost}").json
    assert (seen["status"], seen["url"], seen["view"]) == ("void", None, None)


def test_moves_before_the_deal_are_refused(app: Flask, alice: Player) -> None:
    sealed(alice)
    before = rows(app)
    for verb, args in (("hold", (1,)), ("mark", (1,)), ("collect", ()), ("pick", (1,))):
        for step in (0, 1):
            assert alice.act(verb, *args, step=step)["error"] == "not-dealt"
            assert alice.status == 422
    assert rows(app) == before
    assert alice.deal("cut")["status"] == "live"


def test_a_deal_is_step_nought_and_nothing_else(app: Flask, alice: Player) -> None:
    sealed(alice)
    before = rows(app)
    for step in (1, 2, 999):
        answer = alice.post(f"/play/poker/{alice.hand}/{step}", [("verb", "deal"), ("cut", "x")])
        assert (answer.status, answer.json["error"]) == (422, "not-dealt")
    assert rows(app) == before


@pytest.mark.parametrize(
    ("game", "table"),
    [
        pytest.param("poker", TABLES["poker"], id="where a hand is prepared"),
        pytest.param("poker", ELSEWHERE["poker"], id="at another table"),
        pytest.param("joker", TABLES["joker"], id="at another game"),
    ],
)
def test_twenty_five_who_sit_down_at_once_in_one_browser_leave_one_open_hand(
    app: Flask, alice: Player, game: str, table: str
) -> None:
    dealt(alice)
    finished(alice)
    tabs = [tab_of(alice) for _ in range(25)]
    together = threading.Barrier(len(tabs))

    def sit(tab: Player) -> None:
        together.wait()
        tab.sit(game, table)

    threads = [threading.Thread(target=sit, args=(tab,)) for tab in tabs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {tab.status for tab in tabs} <= {200, 201}
    is_open = "FROM hand WHERE status IN ('ready', 'live') AND game = :game"
    count, key = row(app, "SELECT count(*), max(key) " + is_open, game=game)
    assert count == 1
    assert findings(app) == []
    last = next(tab for tab in tabs if tab.hand == key)
    assert last.deal("cut", STAKES[game])["status"] == "live"
    finished(last)
    assert findings(app) == []


def test_sitting_down_elsewhere_does_not_sweep_away_a_hand_that_is_being_dealt(
    app: Flask, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second device without the box sits down at the moment the first one deals."""
    dealt(alice)
    finished(alice)
    elsewhere = tab_of(alice)
    promised = sealed_by_an_older_version(app, alice)["hand"]
    dealing = threading.Thread(target=alice.deal, args=("cut",))
    end_hand = sit_module.end_hand

    def just_then(*args: Any) -> None:
        dealing.start()
        dealing.join(timeout=0.2)
        end_hand(*args)

    monkeypatch.setattr(sit_module, "end_hand", just_then)
    sealed_anew(elsewhere)
    dealing.join()
    assert row(app, "SELECT status, cut FROM hand WHERE key = :key", key=promised) in (("void", "cut"), ("live", "cut"))
    assert findings(app) == []


@pytest.mark.parametrize(
    ("game", "tables"), [("poker", ("quest", "quest-ties-win")), ("blackjack", ("vegas", "downtown"))]
)
def test_whoever_sits_down_again_and_again_leaves_no_more_rows(
    app: Flask, alice: Player, game: str, tables: tuple[str, str]
) -> None:
    """At alternating tables, with a refilled purse, and with an old cookie without a seed."""
    alice.sit(game, tables[0])
    client = alice.line.client
    before_any = cookie_of(alice)
    counts = []
    for number in range(12):
        alice.post(f"/play/{game}", [("table", tables[number % 2]), ("anew", "1")])
        assert alice.status in (200, 201)
        counts.append({name: len(found) for name, found in rows(app).items()})
    for _ in range(6):
        client.set_cookie("tefuda", before_any)
        alice.post(f"/play/{game}", [("table", tables[0])])
        counts.append({name: len(found) for name, found in rows(app).items()})
    assert {count["hand"] for count in counts[2:]} == {2}
    assert max(count["shoe"] for count in counts) <= 3
    assert len({count["ledger_entry"] for count in counts}) == 1
    assert findings(app) == []
    seq = alice.sit(game, tables[1])["seq"]
    dealt(alice, game=game, table=tables[1])
    finished(alice)
    assert alice.sit(game, tables[1])["seq"] == seq + 1
    assert findings(app) == []
