"""All stored times are Unix times in milliseconds."""

from flask import Flask
from sqlalchemy import BigInteger, select

from tests.support.clock import Clock
from tests.support.moves import dealt, finished
from tests.support.player import Player
from tests.support.table_players import play_out, playing
from webapp.extensions import Base, db

BEGINNINGS = ("at", "since", "until", "deadline", "seen")
DAY = 24 * 3600 * 1000


def test_all_times_are_milliseconds_near_to_now(app: Flask, alice: Player, clock: Clock) -> None:
    dealt(alice, game="poker")
    key = finished(alice)
    dealt(alice, game="blackjack")
    alice.post(f"/h/{key}/again")
    alice.get("/daily")
    play_out(playing(app))
    now, found = 1000 * clock(), {}
    with app.app_context():
        for table in Base.metadata.sorted_tables:
            for column in table.c:
                is_time = column.name.split("_")[-1] in BEGINNINGS and isinstance(column.type, BigInteger)
                if is_time:
                    found[f"{table.name}.{column.name}"] = db.session.scalars(
                        select(column).where(column.is_not(None))
                    ).all()
        db.session.remove()
    wrong = {name: times for name, times in found.items() if any(abs(time - now) > 30 * DAY for time in times)}
    assert wrong == {}
    filled = {name for name, times in found.items() if times}
    assert {"hand.finished_at", "ledger_entry.at", "table_round.created_at", "table_round.finished_at"} <= filled
