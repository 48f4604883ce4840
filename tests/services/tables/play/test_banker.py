"""The bank goes to whoever has had it least recently, by a rule that is stored with each round."""

import pytest
from flask import Flask
from sqlalchemy import text

from tests.support.rows import findings
from tests.support.table_players import (
    TablePlayer,
    banker_of,
    bet_all,
    betting,
    people,
    play_out,
    players,
    seated,
    see_all,
)
from webapp.extensions import db

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def play_round(visitors: list[TablePlayer]) -> TablePlayer:
    """Play the round whose bets are open; return its banker."""
    banker = banker_of(visitors)
    bet_all(visitors)
    play_out(visitors)
    return banker


def get_ready(visitors: list[TablePlayer]) -> None:
    for visitor in visitors:
        if "ready" in visitor.see()["actions"]:
            visitor.do("ready")
            assert visitor.status == 200, visitor.answer.text
    see_all(visitors)


def test_the_first_banker_is_who_sat_down_first(app: Flask) -> None:
    for _ in range(4):
        visitors = people(app, 2)
        code = visitors[0].open()
        for visitor, number in zip(visitors, (3, 0), strict=True):
            visitor.come(code)
            visitor.do("sit", number)
        get_ready(visitors[::-1])
        assert visitors[0].table["banker"] == 3


def test_the_bank_goes_round_among_those_who_stay(app: Flask) -> None:
    visitors = betting(app, 3)
    banked = []
    for _ in range(7):
        banked.append(visitors.index(play_round(visitors)))
        assert visitors[0].table["phase"] == "settled"
        get_ready(visitors)
    assert banked in ([0, 1, 2, 0, 1, 2, 0], [0, 2, 1, 0, 2, 1, 0])
    assert findings(app) == []


@pytest.mark.parametrize("bank_rounds", [1, 2])
def test_changing_seats_does_not_keep_the_bank(app: Flask, bank_rounds: int) -> None:
    """The banker gets up and takes the seat that would be the next bank."""
    visitors = betting(app, 2, bank_rounds=bank_rounds)
    mover, stays = banker_of(visitors), players(visitors)[0]
    banked = 0
    for _ in range(8):
        banked += play_round(visitors) is mover
        mover.now("leave")
        mover.now("sit", next(number for number in mover.see()["free"] if number != mover.table["banker"]))
        get_ready(visitors)
    assert banked <= 4
    assert stays.see()["you"] is not None
    assert findings(app) == []


def test_who_plays_as_the_banker_only_does_not_come_to_the_bank(app: Flask) -> None:
    visitors = betting(app, 3)
    sly = banker_of(visitors)
    others = [visitor for visitor in visitors if visitor is not sly]
    play_round(visitors)
    sly.now("leave")
    sly.now("sit", sly.see()["free"][0])
    bankers = []
    for _ in range(6):
        get_ready(others)
        if others[0].phase == "settled":  # the pause ends when all players are ready
            get_ready(others)
        assert others[0].phase == "betting"
        bankers.append(play_round(others))
    assert [bankers.count(visitor) for visitor in others] == [3, 3]
    get_ready([sly, *others])
    see_all(visitors)
    assert banker_of(visitors) is not sly


def test_a_round_keeps_the_places_in_the_queue_with_which_it_began(app: Flask) -> None:
    visitors = betting(app, 3)
    for _ in range(4):
        play_round(visitors)
        get_ready(visitors)
    query = "SELECT seq, r.banker, s.number, s.queue FROM table_round r JOIN round_seat s ON s.round_key = r.key"
    with app.app_context():
        stored = db.session.execute(text(query)).all()
        db.session.remove()
    bankers = {line.seq: line.banker for line in stored}
    assert sorted(bankers) == [1, 2, 3, 4, 5]
    for seq, banker in bankers.items():
        seats = [line for line in stored if line.seq == seq]
        assert min(seats, key=lambda seat: seat.queue).number == banker


def test_who_would_bank_is_known_before_the_first_round(app: Flask) -> None:
    visitors = seated(app, 3)
    visitors[2].now("ready")
    assert visitors[0].see()["next_banker"] == 2
    visitors[1].now("ready")
    see_all(visitors)
    assert visitors[0].table["banker"] == 1
