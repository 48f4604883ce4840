"""Rounds of shared tables among finished hands: on a player's own page, in the lobby, with pagination."""

import pytest
from flask import Flask
from sqlalchemy import event

from tests.support.clock import Clock
from tests.support.moves import dealt, finished, finished_json
from tests.support.player import InProcess, Player
from tests.support.rows import row, tamper
from tests.support.table_players import TablePlayer, bet_all, betting, people, play_out, see_all
from webapp.extensions import db
from webapp.services.records import history
from webapp.services.records.statistics import careers


def another_round(visitors: list[TablePlayer]) -> str:
    """Play a round; return its key."""
    for visitor in visitors:
        if "ready" in visitor.see()["actions"]:
            visitor.do("ready")
    see_all(visitors)
    bet_all(visitors)
    play_out(visitors)
    return str(visitors[0].see()["last"].removeprefix("/h/"))


def alone(visitor: TablePlayer) -> Player:
    """Return the same browser as a solo player."""
    assert isinstance(visitor.line, InProcess)
    return Player(visitor.line.client)


def another_hand(visitor: TablePlayer) -> str:
    player = alone(visitor)
    dealt(player)
    return finished(player)


def pages(visitor: TablePlayer) -> list[list[str]]:
    """Return the keys of all pages, from the first to the last."""
    found, before = [], ""
    while True:
        page = visitor.get(f"/me{before}").json
        found.append([hand["hand"] for hand in page["hands"]])
        if page["before"] is None:
            return found
        before = f"?before={page['before']}"


def test_rounds_stand_among_the_hands_by_the_time_they_ended(
    app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "PAGE", 3)
    visitors = betting(app, 2)
    alice, keys = visitors[0], []
    for step in range(4):
        keys += [another_round(visitors), another_hand(alice)]
        clock.move(3 * (step % 2))  # some of them end in the same second
    found = pages(alice)
    assert [len(page) for page in found] == [3, 3, 2]
    in_order = [key for page in found for key in page]
    assert sorted(in_order) == sorted(keys), "each of them once"
    assert set(in_order[:4]) == set(keys[4:]), "the latest first"
    assert [hand["hand"] for hand in alice.get("/").json["recent"]] == in_order[:5]
    assert [key for page in pages(visitors[1]) for key in page] == [key for key in in_order if key in keys[::2]]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_round_in_the_list_says_where_it_was_and_what_it_brought(app: Flask) -> None:
    visitors = betting(app, 2)
    key = another_round(visitors)
    nets = {seat["seat"]: seat["net"] for seat in finished_json(visitors[0], key)["seats"]}
    for visitor in visitors:
        (said,) = visitor.get("/me").json["hands"]
        net = nets[visitor.you]
        assert (said["url"], said["code"], said["game"], said["net"]) == (f"/h/{key}", visitor.code, "table21", net)
        assert said["label"]["code"] == ("ROUND_WON" if net > 0 else "ROUND_LOST" if net < 0 else "ROUND_EVEN")
        own = visitor.seat()["hands"][0]["cards"]
        assert said["cards"] == [card for card in own if card], "one's own cards; the bank's as far as they were turned"
        for path in ("/me/hands", "/"):
            page = visitor.get(path, Accept="text/html").text
            assert f'href="/h/{key}"' in page
            assert f"Table {visitor.code}" in page
    (watcher,) = people(app, 1)
    watcher.come(visitors[0].code)
    another_hand(watcher)
    assert key not in pages(watcher)[0]
    assert watcher.get(f"/me?before={key}").text == watcher.get("/me?before=2345678923").text, "not theirs: no mark"


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_longer_list_takes_no_more_queries(app: Flask) -> None:
    said: list[str] = []
    visitors = betting(app, 2)
    alice = visitors[0]
    with app.app_context():
        event.listen(db.engine, "before_cursor_execute", lambda *args: said.append(args[2]))
    counts = []
    for _ in range(2):
        for _ in range(2):
            another_round(visitors)
            player = alone(alice)
            dealt(player, game="blackjack", table="single", stakes=(10,))
            while not player.over:
                player.do(player.actions[-1])
        said.clear()
        assert alice.get("/me").status == alice.get("/").status == 200
        counts.append(len(said))
    assert counts[0] == counts[1] < 40, "however many hands there are, and from however many shoes"


def test_a_career_counts_the_rounds_of_its_own_game(app: Flask) -> None:
    """There may be other games that are played at shared tables."""
    visitors = betting(app, 2)
    keys = [another_round(visitors) for _ in range(2)]
    (player,) = row(app, "SELECT player_id FROM round_seat WHERE round_key = :key", key=keys[0])
    tamper(app, "INSERT INTO outcome_count SELECT player_id, 'bridge', variant, outcome, 5, 0, 0 FROM outcome_count")
    with app.app_context():
        (career,) = careers(player)
        assert (career.game, career.hands) == ("table21", 2)
        assert sum(outcome.count for outcome in career.outcomes) == 2
        db.session.remove()
