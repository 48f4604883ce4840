"""Statistics are updated with each finished hand: the cost of a page does not grow with the hands of a player."""

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import pytest
from flask import Flask
from sqlalchemy import event

from tests.support.clock import Clock
from tests.support.moves import dealt, finished
from tests.support.player import Player
from tests.support.rows import findings, row, rows, tamper
from tests.support.table_players import bet_all, betting, play_out
from webapp.extensions import db


@contextmanager
def statements(app: Flask) -> Iterator[list[str]]:
    """Collect all SQL statements."""
    asked: list[str] = []

    def note(_connection, _cursor, statement, *_rest) -> None:
        asked.append(" ".join(statement.split()))

    with app.app_context():
        engine = db.engine
    event.listen(engine, "before_cursor_execute", note)
    yield asked
    event.remove(engine, "before_cursor_execute", note)


def play(player: Player, hands: int, game: str, table: str = "") -> None:
    for number in range(hands):
        dealt(player, game=game, table=table or None, stakes=() if table == "classic" else None)
        finished(player, Random(number))


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_no_page_and_no_action_counts_all_hands(app: Flask, alice: Player) -> None:
    play(alice, 2, "blackjack", "classic")
    play(alice, 2, "joker")
    with statements(app) as asked:
        assert len(alice.get("/me").json["games"]) == 2
        play(alice, 1, "blackjack", "classic")
    assert asked
    assert not [statement for statement in asked if "count(" in statement or "sum(ledger_entry.amount)" in statement]


def test_the_counters_are_those_of_the_hands_and_the_audit_looks_at_them(app: Flask, alice: Player, bob: Player) -> None:  # fmt: skip
    for player in (alice, bob):
        play(player, 3, "blackjack", "classic")
        play(player, 3, "joker")
        play(player, 2, "poker")
    visitors = betting(app, 2)
    bet_all(visitors)
    play_out(visitors)
    assert findings(app) == []
    assert len(rows(app)["outcome_count"]) >= 2 * 3
    careers = {career["game"]: career for career in alice.get("/me").json["games"]}
    assert {game: career["hands"] for game, career in careers.items()} == {"blackjack": 3, "joker": 3, "poker": 2}
    booked = row(
        app,
        "SELECT -sum(CASE WHEN reason = 'payout' THEN 0 ELSE amount END), "
        "sum(CASE WHEN reason = 'payout' THEN amount ELSE 0 END) FROM ledger_entry "
        "WHERE player_id = (SELECT player_id FROM hand WHERE key = :key) AND game = 'joker' AND reason <> 'run'",
        key=alice.get("/me").json["hands"][-1]["hand"],
    )
    assert (careers["joker"]["staked"], careers["joker"]["returned"]) == tuple(booked)
    tamper(app, "UPDATE outcome_count SET hands = hands + 1 WHERE game = 'joker'")
    assert any("the hands say" in finding for finding in findings(app))


def test_hands_that_are_not_played_out_are_counted_too(app: Flask, alice: Player, bob: Player, clock: Clock) -> None:
    dealt(alice, game="joker")
    staked = sum(alice.board["stakes"])
    clock.move(25 * 3600)
    dealt(bob)
    dealt(alice, game="joker")
    career = next(career for career in alice.get("/me").json["games"] if career["game"] == "joker")
    assert [(outcome["code"], outcome["count"]) for outcome in career["outcomes"]] == [("FORFEITED", 1)]
    assert (career["staked"], career["returned"]) == (staked, 0)
    assert findings(app) == []


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_the_return_of_a_few_hands_is_not_told(alice: Player) -> None:
    play(alice, 1, "video")
    assert "Stakes returned" not in alice.get("/me", Accept="text/html").text
    play(alice, 19, "video")
    assert "Stakes returned" in alice.get("/me", Accept="text/html").text


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_tables_of_video_poker_are_told_by_hands_and_return_and_expect_what_is_dealt_there(alice: Player) -> None:
    play(alice, 1, "video", "deuces-full")
    play(alice, 2, "video", "jacks-9-6")
    career = next(career for career in alice.get("/me").json["games"] if career["game"] == "video")
    assert [(at["table"], at["hands"], at["win_loss"]) for at in career["tables"]] == [
        ("jacks-9-6", 2, None),
        ("deuces-full", 1, None),
    ]
    pairs = (2 * 1_098_240 + 1_225_008) / (3 * 2_598_960)
    expected = {outcome["code"]: outcome["expected"] for outcome in career["outcomes"]}
    assert expected.get("ONE_PAIR", pairs) == pytest.approx(pairs)
    assert None not in expected.values()
    page = alice.get("/me", Accept="text/html").text
    assert "99.54" in page
    assert "100.76" in page
