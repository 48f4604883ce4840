"""Whatever is pruned at any time: no purse loses a chip, no figure changes, and the audit finds nothing."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from flask import Flask

from tests.support.clock import Clock, run_timer
from tests.support.command_line import CommandResult
from tests.support.moves import TABLES, asked, dealt, dealt_and_live, finished, sealed
from tests.support.player import Json, Player
from tests.support.rows import findings, row, rows
from tests.support.table_players import bet_all, betting, play_out
from webapp.models import Review
from webapp.services.core.clock import DAY
from webapp.services.core.transaction import writing
from webapp.services.operations.retention import hands as pruned_hands
from webapp.services.operations.retention.pruning import Pruned, prune

Prune = Callable[..., Pruned]


@pytest.fixture
def pruned(app: Flask, clock: Clock, database_url: str) -> Prune:
    """Prune with these settings and keep everything else: ``pruned(KEEP_HANDS=3)``."""
    from webapp.extensions import db

    def run(**days: int) -> Pruned:
        for_ever = dict.fromkeys(("keep_hands", "keep_days"), 0)
        with app.app_context():
            done = prune(app.extensions["config"].model_copy(update=for_ever | days), int(1000 * clock()))
            db.session.remove()
        return done

    return run


def careers(player: Player) -> list[Json]:
    """Return the figures of a player's page, without the curve, which consists of single entries."""
    found: list[dict[str, Any]] = player.get("/me").json["games"]
    return [{name: value for name, value in career.items() if name != "balances"} for career in found]


def count(app: Flask, table: str) -> int:
    return int(row(app, f"SELECT count(*) FROM {table}")[0])  # noqa: S608


def test_no_purse_loses_a_chip_whichever_hands_are_pruned_when(
    app: Flask, clock: Clock, pruned: Prune, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three players, all games, shoes that last for days, abandoned hands; pruned again and again."""
    monkeypatch.setattr(pruned_hands, "AT_ONCE", 7)
    random, players = Random(21), [Player(app.test_client()) for _ in range(3)]
    taken = 0
    for day in range(12):
        clock.move(random.choice((3, 11, 26)) * 3600)
        for _ in range(6):
            player, game = random.choice(players), random.choice(list(TABLES))
            dealt(player, game=game)
            if random.random() < 0.9:
                finished(player, random)
        if day % 3 == 2:
            before = [careers(player) for player in players]
            taken += pruned(keep_hands=random.randint(1, 4)).hands
            assert [careers(player) for player in players] == before
            assert findings(app) == []
    assert taken > 10
    assert count(app, "hand") < 72


def test_what_is_pruned_is_gone_and_its_neighbours_in_the_ledger_are_one(
    app: Flask, alice: Player, clock: Clock, pruned: Prune
) -> None:
    keys = []
    for _ in range(5):
        dealt(alice, game="joker")
        keys.append(finished(alice))
    clock.move(10 * 86_400)
    dealt(alice, game="joker")
    kept, purse = finished(alice), alice.look("joker")["purse"]
    with app.app_context(), writing() as session:
        session.add_all(Review(key=key, version="1", document="{}", at=0) for key in (keys[0], kept))
    assert pruned(keep_hands=5).hands == 5
    assert [key for key, *_ in rows(app)["review"]] == [kept]
    assert {alice.get(f"/h/{key}").status for key in keys} == {404}
    assert alice.get(f"/h/{kept}").status == 200
    assert alice.look("joker")["purse"] == purse
    reasons = [reason for (_, _, _, _, _, reason, *_) in rows(app)["ledger_entry"]]
    assert reasons.count("carried") == 1
    assert pruned(keep_hands=5) == Pruned(), "and nothing is left to be pruned"
    assert findings(app) == []
    dealt(alice, game="joker")
    assert alice.board["seq"] == 7


def test_the_audit_still_notices_a_hand_that_vanished(app: Flask, alice: Player, clock: Clock, pruned: Prune) -> None:
    from tests.support.rows import tamper

    for _ in range(2):
        asked(alice)
        alice.act("collect")
    clock.move(10 * 86_400)
    assert pruned(keep_hands=5).hands >= 2
    tamper(app, "UPDATE pruned_count SET hands = hands + 1")
    dealt(alice)
    assert any("were pruned" in finding for finding in findings(app))


def test_hands_in_play_and_shoes_that_are_dealt_from_stay(
    app: Flask, alice: Player, bob: Player, clock: Clock, pruned: Prune
) -> None:
    dealt_and_live(alice, "blackjack")
    first = finished(alice)
    clock.move(86_000)
    dealt_and_live(bob, "joker")
    clock.move(10)
    dealt_and_live(alice, "blackjack")
    clock.move(1)
    assert pruned(keep_hands=1).hands == 0
    assert alice.get(f"/h/{first}").status == 200, "its shoe is still dealt from"
    assert finished(bob)
    assert findings(app) == []


def test_players_who_never_finished_a_hand_go_and_come_back_as_new_ones(
    app: Flask, alice: Player, bob: Player, charlie: Player, clock: Clock, pruned: Prune
) -> None:
    dealt(alice)
    finished(alice)
    for game in TABLES:
        sealed(bob, game)
    clock.move(20 * 86_400)
    sealed(charlie)
    clock.move(11 * 86_400)
    before = careers(alice)
    assert pruned(keep_days=30).newcomers == 1
    assert count(app, "player") == 2
    assert careers(alice) == before
    assert findings(app) == []
    dealt(bob)
    assert bob.status in (200, 409)
    dealt(bob)
    assert (bob.status, finished(bob) != "") == (200, True)
    assert findings(app) == []


def test_closed_tables_go_with_their_rounds_and_bots_and_the_chips_stay(
    app: Flask, clock: Clock, pruned: Prune
) -> None:
    visitors = betting(app, 2)
    bet_all(visitors, 50)
    play_out(visitors)
    while not visitors[0].table["last"]:
        bet_all(visitors, 50)
        play_out(visitors)
    before = [careers(visitor) for visitor in visitors]
    for visitor in visitors:
        visitor.now("leave")
    clock.move(86_400)
    run_timer(app, "abandoned tables")
    clock.move(40 * 86_400)
    assert row(app, "SELECT count(*) FROM shared_table WHERE phase = 'closed'") == (1,)
    assert pruned(keep_days=30).tables == 0, "its rounds have pages"
    assert pruned(keep_days=30, keep_hands=60).tables == 0, "still"
    assert pruned(keep_days=30, keep_hands=35).tables == 1
    assert [careers(visitor) for visitor in visitors] == before
    assert count(app, "round_seat") == 0
    assert findings(app) == []


def test_finished_jobs_of_the_lab_go(app: Flask, alice: Player, clock: Clock, pruned: Prune) -> None:
    from sqlalchemy import insert

    from webapp.extensions import db
    from webapp.models import LabJob
    from webapp.models import Player as PlayerRow

    with app.app_context():
        now = int(1000 * clock())
        db.session.execute(insert(PlayerRow).values(id="p", created_at=now))
        job = {"player_id": "p", "variant": "vegas", "strategy": "basic", "rounds": 1, "seed": 1, "bet": 10, "chunk": 1}
        for key, status, ended in (("old", "done", now - 91 * DAY), ("new", "done", now), ("open", "waiting", None)):
            values = {"key": key, "status": status, "created_at": now - 92 * DAY, "finished_at": ended, **job}
            db.session.execute(insert(LabJob).values(values))
        db.session.commit()
        db.session.remove()
    assert pruned(keep_days=90).lab_jobs == 1
    assert row(app, "SELECT count(*) FROM lab_job") == (2,)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_the_command_keeps_finished_hands_for_ever_unless_it_is_told_otherwise(
    app: Flask, alice: Player, clock: Clock, tefuda: Callable[..., CommandResult]
) -> None:
    dealt(alice)
    finished(alice)
    clock.move(4000 * 86_400)
    assert tefuda("prune", "--json").json == {
        "hands": 0,
        "tables": 0,
        "newcomers": 0,
        "lab_jobs": 0,
        "practice_hands": 0,
    }
    assert (
        tefuda("prune", TEFUDA_KEEP_HANDS="3000").out
        == "1 hands, 0 tables, 0 newcomers, 0 lab jobs, 0 practice hands\n"
    )
    assert tefuda("audit").status == 0


def test_hands_that_were_practised_go_first_or_with_the_hand_that_they_are_of(
    app: Flask, alice: Player, clock: Clock, pruned: Prune
) -> None:
    dealt(alice)
    key = finished(alice)
    for _ in range(2):
        alice.post(f"/h/{key}/again")
        assert alice.status in (200, 201), alice.answer.text
        alice._board()
        alice.game = "poker"
        finished(alice)
    assert count(app, "hand WHERE kind <> 'play'") == 2
    clock.move(100 * 86_400)
    assert pruned(keep_days=90).practice_hands == 2
    assert findings(app) == []
    alice.post(f"/h/{key}/again")
    assert count(app, "hand WHERE kind <> 'play'") == 1
    assert pruned(keep_hands=90).hands == 1
    assert count(app, "hand WHERE kind <> 'play'") == 0
    assert findings(app) == []
