"""Whatever is pruned at any time: no purse loses a chip, no figure changes, and the audit finds nothing."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from flask import Flask

from tests.support.clock import Clock, run_timer
from tests.support.command_line import CommandResult
from tests.support.moves import TABLES, asked, dealt, finished, sealed
from tests.support.player import Json, Player
from tests.support.rows import findings, row, tamper
from tests.support.table_players import TablePlayer, bet_all, betting, play_out
from webapp.services.core.clock import DAY
from webapp.services.operations.retention import Pruned, prune

Prune = Callable[..., Pruned]


@pytest.fixture
def pruned(app: Flask, clock: Clock, database_url: str) -> Prune:
    """Prune with these settings and keep everything else: ``pruned(keep_days=3)``."""
    from webapp.extensions import db

    def run(**days: int) -> Pruned:
        for_ever = {"keep_days": 0}
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


def test_no_purse_loses_a_chip_whatever_is_pruned_when(app: Flask, clock: Clock, pruned: Prune) -> None:
    """Three players, all games, shoes that last for days, abandoned hands; pruned again and again."""
    random, three = Random(21), [Player(app.test_client()) for _ in range(3)]
    keys = set[str]()
    for day in range(9):
        clock.move(random.choice((3, 11, 26)) * 3600)
        for _ in range(4):
            player, game = random.choice(three), random.choice(list(TABLES))
            dealt(player, game=game)
            if random.random() < 0.9:
                keys.add(finished(player, random))
        if day % 3 == 2:
            before = [careers(player) for player in three]
            pruned(keep_days=1)
            assert [careers(player) for player in three] == before
            assert findings(app) == []
    assert {three[0].get(f"/h/{key}").status for key in keys} == {200}


def pruned_by_an_earlier_version(app: Flask, hand: Player) -> None:
    """Leave what an earlier version has left of the last hand: its entries without it, and its counts."""
    key = hand.hand
    tamper(
        app,
        "INSERT INTO pruned_count (player_id, game, variant, outcome, hands, staked, returned, best) "
        "SELECT hand.player_id, hand.game, variant, outcome, 1, 0, amount, amount "
        "FROM hand JOIN ledger_entry ON hand_key = hand.key AND reason = 'payout' WHERE hand.key = :key",
        key=key,
    )
    for statement in (
        "UPDATE ledger_entry SET reason = 'carried', hand_key = NULL WHERE hand_key = :key",
        "DELETE FROM hand WHERE key = :key",
    ):
        tamper(app, statement, key=key)


def test_hands_that_an_earlier_version_has_pruned_are_still_counted(app: Flask, alice: Player) -> None:
    asked(alice)
    alice.act("collect")
    asked(alice)
    alice.act("collect")
    before = careers(alice)
    pruned_by_an_earlier_version(app, alice)
    assert alice.get(f"/h/{alice.hand}").status == 404
    assert careers(alice) == before
    assert findings(app) == []
    tamper(app, "UPDATE pruned_count SET hands = hands + 1")
    assert any("were pruned" in finding for finding in findings(app))


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


def close_for_forty_days(app: Flask, clock: Clock, visitors: list[TablePlayer]) -> None:
    """Have all leave, and the table closed for forty days."""
    for visitor in visitors:
        visitor.now("leave")
    for _ in range(2):
        clock.move(86_400)
        run_timer(app, "abandoned tables")
    clock.move(40 * 86_400)
    assert row(app, "SELECT count(*) FROM shared_table WHERE phase = 'closed'") == (1,)


def test_closed_tables_at_which_nobody_played_go_with_their_bots(app: Flask, clock: Clock, pruned: Prune) -> None:
    visitors = betting(app, 2)
    visitors[0].now("bot", 3)
    assert count(app, "player") == 3
    for visitor in visitors:
        visitor.now("leave")
    close_for_forty_days(app, clock, visitors)
    assert pruned(keep_days=30).tables == 1
    assert row(app, "SELECT count(*) FROM player WHERE id LIKE 'bot-%'") == (0,)
    assert findings(app) == []


def test_closed_tables_with_rounds_stay_and_so_do_their_chips(app: Flask, clock: Clock, pruned: Prune) -> None:
    visitors = betting(app, 2)
    bet_all(visitors, 50)
    play_out(visitors)
    before = [careers(visitor) for visitor in visitors]
    close_for_forty_days(app, clock, visitors)
    assert pruned(keep_days=30).tables == 0
    assert [careers(visitor) for visitor in visitors] == before
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
def test_the_command_keeps_finished_hands_for_ever(
    app: Flask, alice: Player, clock: Clock, tefuda: Callable[..., CommandResult]
) -> None:
    dealt(alice)
    key = finished(alice)
    clock.move(4000 * 86_400)
    assert tefuda("prune", "--json").json == {
        "tables": 0,
        "newcomers": 0,
        "lab_jobs": 0,
        "practice_hands": 0,
        "circles": 0,
    }
    assert (
        tefuda("prune", TEFUDA_KEEP_HANDS="3000").out
        == "0 tables, 0 newcomers, 0 lab jobs, 0 practice hands, 0 circles\n"
    ), "and there is no setting for it any more"
    assert tefuda("prune").status == 0
    assert alice.get(f"/h/{key}").status == 200
    assert tefuda("audit").status == 0


def test_hands_that_were_practised_go_and_the_hand_that_they_are_of_stays(
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
