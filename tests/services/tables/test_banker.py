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
    finished,
    people,
    play_out,
    players,
    see_all,
)
from webapp.engine.shuffling import shuffled
from webapp.extensions import db
from webapp.services.fairness.verification import checks

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


def drawn_at(app: Flask, numbers: tuple[int, ...]) -> list[TablePlayer]:
    """Open a table, seat people at these numbers in this order, and let them be ready with a word each."""
    visitors = people(app, len(numbers))
    code = visitors[0].open()
    for visitor, number in zip(visitors, numbers, strict=True):
        visitor.come(code)
        visitor.do("sit", number)
        see_all(visitors[:1])
    for visitor in visitors:
        visitor.now("ready", cut=f"word-{visitor.you}")
    if visitors[0].see()["phase"] == "waiting":
        raise AssertionError("nothing has begun")
    see_all(visitors)
    return visitors


def test_the_first_banker_is_drawn_among_those_who_are_ready(app: Flask) -> None:
    """Neither the number of the seat decides, nor who sat down first: in 40 tables each banks 20 times, give or take."""
    firsts = [drawn_at(app, (3, 0))[0].table["banker"] for _ in range(40)]
    assert set(firsts) == {0, 3}
    assert 6 <= firsts.count(3) <= 34, "by chance this fails once in some 300,000 times"


def test_the_draw_can_be_checked_by_everybody(app: Flask) -> None:
    visitors = people(app, 2)
    committed = visitors[0].open() and visitors[0].see()["commitment"]
    for visitor, number in zip(visitors, (4, 1), strict=True):
        visitor.come(visitors[0].code)
        visitor.do("sit", number)
    assert visitors[0].see()["next_banker"] is None, "nobody knows"
    for visitor in visitors:
        visitor.now("ready", cut=f"word-{visitor.you}")
    see_all(visitors)
    banker = visitors[0].table["banker"]
    told = [line["label"] for line in visitors[0].table["log"] if line["label"]["code"] == "SEAT_DRAWS_FOR_BANK"]
    play_round(visitors)
    hand = finished(visitors[0])
    draw = hand["draw"]
    assert hand["proof"]["commitment"] == committed, "committed to when the table was opened"
    assert (draw["seats"], draw["cuts"], draw["seat"]) == ([1, 4], ["word-1", "word-4"], banker)
    cards = shuffled(bytes.fromhex(hand["proof"]["seed"]), hand["hand"], 1, 1, 0, ("word-1", "word-4"))
    assert draw["cards"] == [str(card) for card in cards[:2]]
    assert {label["args"]["seat"]: label["args"]["card"] for label in told} == dict(
        zip(draw["seats"], draw["cards"], strict=True)
    )
    assert all(check.ok for check in checks(hand))
    written = visitors[0].get(f"/h/{hand['hand']}.txt").text
    assert f" {hand['hand']} 1 1 0 0 word-1 word-4\n" in written, "the command that deals these cards"
    lies = {"seat": 5 - banker, "cuts": ["word-1", "word-x"], "cards": draw["cards"][::-1], "seats": [4, 1]}
    for name, lie in lies.items():
        assert not all(check.ok for check in checks(hand | {"draw": draw | {name: lie}})), name
    play_on = [visitors[0], visitors[1]]
    get_ready(play_on)
    play_round(play_on)
    assert "draw" not in finished(visitors[0]), "it is drawn once"


def next_round(visitors: list[TablePlayer]) -> TablePlayer:
    """Let everybody be ready, who came last first, and play a round; return its banker."""
    get_ready(visitors[::-1])
    assert visitors[0].phase == "betting"
    return play_round(visitors)


def clockwise(numbers: list[int], count: int) -> list[int]:
    """Return the numbers of seats that bank if the first of them does, of those that are in the list."""
    seats = sorted(numbers)
    return [seats[(seats.index(numbers[0]) + step) % len(seats)] for step in range(count)]


@pytest.mark.parametrize("numbers", [(0, 1, 2), (4, 1, 2), (3, 0, 1)])
def test_the_bank_goes_clockwise_among_those_who_stay(app: Flask, numbers: tuple[int, ...]) -> None:
    """Also for who was not ready yet when the first two began."""
    visitors = drawn_at(app, numbers)
    banked = [play_round([visitor for visitor in visitors if visitor.seat()["playing"]]).you]
    banked += [next_round(visitors).you for _ in range(7)]
    assert banked == clockwise([banked[0] or 0, *(number for number in numbers if number != banked[0])], 8)
    assert findings(app) == []


def test_who_sits_down_later_comes_after_everybody_who_was_there_and_then_it_goes_clockwise(app: Flask) -> None:
    visitors = drawn_at(app, (0, 1))
    late = people(app, 1)[0]
    first = play_round(visitors)
    late.come(visitors[0].code)
    late.do("sit", 2)
    (other,) = [visitor for visitor in visitors if visitor is not first]
    banked = [next_round([*visitors, late]) for _ in range(6)]
    assert banked[:3] == [other, first, late]
    assert [visitor.you for visitor in banked[2:]] == [2, 0, 1, 2]


def test_who_sits_down_during_the_first_round_comes_before_its_banker_s_next_turn(app: Flask) -> None:
    visitors = drawn_at(app, (0, 1))
    late = people(app, 1)[0]
    late.come(visitors[0].code)
    late.do("sit", 2)
    first = play_round(visitors)
    (other,) = [visitor for visitor in visitors if visitor is not first]
    assert [next_round([*visitors, late]) for _ in range(2)] == [other, late]


@pytest.mark.parametrize("count", [2, 3])
def test_nobody_refuses_the_bank_for_ever_by_changing_seats(app: Flask, count: int) -> None:
    """Who is next gets up, sits down elsewhere and is ready, round after round."""
    visitors = drawn_at(app, tuple(range(count)))
    play_round([visitor for visitor in visitors if visitor.seat()["playing"]])
    shirker = next(visitor for visitor in visitors if visitor.see()["next_banker"] == visitor.you)
    others, bankers = [visitor for visitor in visitors if visitor is not shirker], []
    for _ in range(12):
        if shirker.see()["next_banker"] == shirker.you:
            shirker.do("leave")
            shirker.now("sit", shirker.see()["free"][-1])
        bankers.append(next_round([*others, shirker]))
    assert bankers.count(shirker) >= 12 // (2 * count)
    assert findings(app) == []


def test_a_banker_who_sits_a_round_out_keeps_the_next_turn(app: Flask) -> None:
    visitors = drawn_at(app, (0, 1, 2))
    play_round([visitor for visitor in visitors if visitor.seat()["playing"]])
    up = next(visitor for visitor in visitors if visitor.see()["next_banker"] == visitor.you)
    others = [visitor for visitor in visitors if visitor is not up]
    up.now("leave")
    for _ in range(3):
        assert next_round(others) in others
    up.now("sit", up.see()["free"][-1])
    assert next_round([*others, up]) is up


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
