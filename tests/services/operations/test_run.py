"""The audit finds and names every later change of the stored data."""

from collections.abc import Callable, Iterator
from threading import Thread

import pytest
from flask import Flask
from sqlalchemy import func, select, update

from tests.support.command_line import CommandResult
from tests.support.cookies import cookie_of, send_from_now_on
from tests.support.moves import asked, dealt, finished, sealed, sealed_anew, sealed_by_an_older_version
from tests.support.player import Player
from tests.support.rows import findings, row, tamper
from tests.support.table_players import betting
from webapp.extensions import db
from webapp.models import Hand
from webapp.services.operations import audit, audit_hands

TAMPERINGS = {
    "a payout is raised": ("UPDATE hand SET payouts = '10000' WHERE key = :key", "pays"),
    "a payout is taken away": ("UPDATE hand SET payouts = NULL WHERE key = :key", "pays"),
    "the moves are others": ("UPDATE hand SET moves = 'hold-1,collect' WHERE key = :key", "does not replay"),
    "a move is left out": ("UPDATE hand SET moves = 'hold', step = 1 WHERE key = :key", ""),
    "the step is another": ("UPDATE hand SET step = 7 WHERE key = :key", "step is 7"),
    "the cut is gone": ("UPDATE hand SET cut = NULL WHERE key = :key", ""),
    "the seed is another": ("UPDATE hand SET revealed_seed = :zeros WHERE key = :key", "does not open its commitment"),
    "the seed is hidden": ("UPDATE hand SET revealed_seed = NULL WHERE key = :key", "hidden"),
    "the commitment is another": (
        "UPDATE hand SET commitment = :zeros WHERE key = :key",
        "does not open its commitment",
    ),
    "the table is another": ("UPDATE hand SET variant = 'nowhere' WHERE key = :key", ""),
    "the hand is forfeited": ("UPDATE hand SET status = 'forfeited' WHERE key = :key", "replay says otherwise"),
    "the hand is void": ("UPDATE hand SET status = 'void' WHERE key = :key", ""),
    "the ledger pays more": ("UPDATE ledger_entry SET amount = amount + 1 WHERE hand_key = :key", "ledger entries"),
    "the ledger has lost an entry": ("DELETE FROM ledger_entry WHERE hand_key = :key", "ledger entries of 0"),
}


@pytest.mark.parametrize("what", TAMPERINGS)
def test_the_audit_names_a_hand_that_was_tampered_with(app: Flask, alice: Player, what: str) -> None:
    asked(alice)
    alice.act("collect")
    key = alice.hand
    assert findings(app) == []
    statement, saying = TAMPERINGS[what]
    values = {name: value for name, value in {"key": key, "zeros": "0" * 64}.items() if f":{name}" in statement}
    tamper(app, statement, **values)
    found = findings(app)
    assert any(line.startswith(f"hand {key} ") and saying in line for line in found), found


def test_the_audit_finds_a_gap_in_the_numbers(app: Flask, alice: Player) -> None:
    dealt(alice)
    finished(alice)
    without_box = cookie_of(alice)
    sealed_by_an_older_version(app, alice)
    send_from_now_on(alice, without_box)
    sealed_anew(alice)
    (player,) = row(app, "SELECT id FROM player")
    tamper(app, "DELETE FROM hand WHERE seq = 2")
    assert findings(app) == [f"player {player} has 2 hands of poker, numbered 1 to 3, of 3"]


def test_the_audit_finds_that_the_last_hand_was_dropped(app: Flask, alice: Player) -> None:
    dealt(alice)
    finished(alice)
    sealed(alice)
    tamper(app, "DELETE FROM hand WHERE seq = 2")
    assert any("has 1 hands of poker" in line for line in findings(app))


@pytest.mark.parametrize(
    ("statement", "saying"),
    [
        ("UPDATE purse SET balance = balance + 50", "holds"),
        ("UPDATE purse SET best = best + 1", "best is"),
        ("UPDATE ledger_entry SET balance_after = balance_after + 1", "says"),
    ],
)
def test_the_audit_names_a_purse_that_does_not_add_up(
    app: Flask, alice: Player, bob: Player, statement: str, saying: str
) -> None:
    for player in (alice, bob):
        asked(player)
        player.act("collect")
    (owner,) = row(app, "SELECT player_id FROM hand WHERE key = :key", key=alice.hand)
    tamper(app, f"{statement} WHERE player_id = :owner", owner=owner)
    found = findings(app)
    assert any(saying in line for line in found)
    assert all(line.startswith((f"purse {owner} poker", "ledger entry")) for line in found)


def test_a_live_hand_whose_moves_were_changed_is_found(app: Flask, alice: Player) -> None:
    asked(alice)
    tamper(app, "UPDATE hand SET moves = 'hold-1 double pick-9', step = 3 WHERE key = :key", key=alice.hand)
    assert any(line.startswith(f"hand {alice.hand} does not replay") for line in findings(app))


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_the_command_exits_0_when_all_is_right_and_1_with_the_hands_name_when_not(
    app: Flask, alice: Player, tefuda: Callable[..., CommandResult]
) -> None:
    asked(alice)
    alice.act("collect")
    right = tefuda("audit")
    assert (right.status, right.out) == (0, "all is as it should be\n")
    tamper(app, "UPDATE hand SET payouts = '7' WHERE key = :key", key=alice.hand)
    wrong = tefuda("audit")
    assert wrong.status == 1
    assert wrong.out.startswith(f"hand {alice.hand} pays ")
    assert tefuda("audit", "--json").json["findings"][0]["where"] == f"hand {alice.hand}"


def test_an_empty_site_is_as_it_should_be(app: Flask) -> None:
    assert findings(app) == []


def test_the_books_are_read_as_of_one_moment_while_people_play_on(
    app: Flask, alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a snapshot, a hand that ends during the audit would be read before its end and the chips after it."""
    asked(alice)
    read, meanwhile = audit_hands._facts, list[Thread]()

    def play_on() -> None:
        alice.act("collect")
        dealt(bob)
        dealt(alice)

    def facts(hand: Hand) -> Iterator[str]:
        if not meanwhile:
            meanwhile.append(Thread(target=play_on))
            meanwhile[0].start()
            meanwhile[0].join()
        return read(hand)

    with monkeypatch.context() as busy:
        busy.setattr(audit_hands, "_facts", facts)
        assert findings(app) == []
    assert meanwhile and (alice.status, alice.board["seq"] > 1) == (200, True)
    assert findings(app) == []


def test_after_an_audit_the_same_session_sees_what_is_new_and_may_write(app: Flask, alice: Player) -> None:
    with app.app_context():
        assert list(audit.audit()) == []
        dealt(alice)
        assert db.session.scalars(select(func.count()).select_from(Hand)).one() == 1
        db.session.execute(update(Hand).values(step=7))
        db.session.commit()
        assert [each.what for each in audit.audit()] == ["step is 7, but there are 0 moves"]
        db.session.remove()


def test_chips_that_came_from_nothing_are_remembered_and_checked(app: Flask) -> None:
    """Otherwise refilled purses would rank above those who have won."""
    visitors = betting(app, 2)
    filled = "SELECT player_id, runs, given FROM purse ORDER BY player_id LIMIT 1"
    player, runs, given = row(app, filled)
    assert (runs, given) == (1, 1000)
    assert visitors[0].status == 200
    tamper(app, "UPDATE purse SET given = 0 WHERE player_id = :player", player=player)
    said = "was filled 1 times with 0 chips, its entries say 1 times with 1000"
    assert findings(app) == [f"purse {player} table21 {said}"]
