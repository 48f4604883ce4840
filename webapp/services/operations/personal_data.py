"""What is stored about a player: exported as JSON, and forgotten."""

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, Table, delete, or_, select, update

from webapp.extensions import Base, db
from webapp.models import (
    OPEN,
    PLAY,
    UNFINISHED,
    CircleMember,
    DecisionStatistics,
    DrillAnswer,
    Hand,
    LabJob,
    NameReport,
    Player,
    Recall,
    RoundSeat,
    SharedTable,
    Shoe,
    SignInLink,
    TableSeat,
)
from webapp.services import circles
from webapp.services.core.clock import now_ms
from webapp.services.core.database import reading_as_of_now, writing
from webapp.services.core.errors import Refusal
from webapp.services.solo.expiry import end_hand, void_hand
from webapp.services.solo.prepared import drop_prepared, drop_unused, is_prepared
from webapp.services.solo.shoes import put_away
from webapp.services.tables import commands, seat_links
from webapp.services.tables.commands import Command, Stale

SECRET: Final = frozenset(
    {"sealed_seed", "sealed_since", "link", "word_hash", "used_by", "session_number", "supervisor"}
)
"""Columns that are nobody's to see: they open cards, take seats over, or are the site's own."""
OTHERS: Final = frozenset({("name_report", "player_id"), ("table_seat", "holder_id")})
"""Columns that name a player in rows that are about somebody else, or that somebody else has written."""


def export(player: str, way_back: str) -> Iterator[str]:
    """Yield the pieces of one JSON object: a list of rows for every table of the database that names the player.

    All of it is as of one moment. It is found by the foreign keys, so that no table is forgotten. ``way_back``: a
    sentence that says how to go on as this player elsewhere, for which the file itself is of no use.
    """
    with reading_as_of_now(as_long_as_it_takes=True):
        yield f'{{\n"way_back": {json.dumps(way_back, ensure_ascii=False)}'
        for table in Base.metadata.sorted_tables:
            conditions = list(_naming(table, player))
            if table.name == "player":
                conditions = [table.c.id == player]
            if conditions:
                yield f",\n{json.dumps(table.name)}: ["
                yield from _rows(table, conditions)
                yield "]"
        yield "\n}\n"


def _naming(table: Table, player: str) -> Iterator[ColumnElement[bool]]:
    key = Base.metadata.tables["player"].c.id
    for reference in table.foreign_keys:
        if reference.column is key and (table.name, reference.parent.name) not in OTHERS:
            yield reference.parent == player


def _rows(table: Table, conditions: list[ColumnElement[bool]]) -> Iterator[str]:
    columns = [column for column in table.c if column.name not in SECRET]
    condition = conditions[0]
    for more in conditions[1:]:
        condition |= more
    rows = db.session.execute(select(*columns).where(condition).execution_options(yield_per=500))
    for number, row in enumerate(rows):
        values: dict[str, Any] = dict(row._mapping)  # noqa: SLF001  # public in SQLAlchemy
        yield f"{',' if number else ''}\n {json.dumps(values, ensure_ascii=False)}"


TRIES: Final = 20
"""Times that a seat is left anew because others moved meanwhile."""
PASSES: Final = 3
"""Times that everything is taken, if there is something left."""


def is_forgotten(player: str) -> bool:
    """Return True if nothing is left that ``forget`` would take from a player, and earlier sessions have ended."""
    row = db.session.get(Player, player)
    if row is None or row.name or not row.session_number or row.recalls_since is not None:
        return False
    left: tuple[Select[Any], ...] = (
        select(Hand.key).where(Hand.player_id == player, Hand.status.in_(OPEN)),
        select(Shoe.key).where(Shoe.player_id == player, Shoe.closed_at.is_(None)),
        select(RoundSeat.name).where(RoundSeat.player_id == player, RoundSeat.name != ""),
        select(TableSeat.table_code).where(
            or_(TableSeat.player_id == player, TableSeat.holder_id == player), TableSeat.leaving.is_(False)
        ),
        select(CircleMember.number).where(CircleMember.player_id == player),
        select(LabJob.key).where(LabJob.player_id == player, LabJob.stop_requested.is_(False)),
        select(DecisionStatistics.player_id).where(DecisionStatistics.player_id == player),
        select(Recall.word).where(Recall.player_id == player),
        select(DrillAnswer.spot).where(DrillAnswer.player_id == player),
        select(SignInLink.player_id).where(SignInLink.player_id == player),
        select(NameReport.name).where(or_(NameReport.player_id == player, NameReport.reporter_id == player)),
    )
    return not any(db.session.scalar(select(query.exists())) for query in left)


def forget(player: str) -> None:
    """Forget a player. The second time, nothing is left to do.

    Another tab may begin something new until the sessions have ended: what is left then is taken in another pass.

    Raises:
        Refusal: ``unknown-player``; ``table-busy`` if others at a table moved all the while.
    """
    for _ in range(PASSES):
        _forget(player)
        if is_forgotten(player):
            return


def _forget(player: str) -> None:
    """Delete everything that is stored now.

    A seat that was taken over by a link goes back to its owner. A player at a table leaves it as with *leave*: a round
    in play is played to its end automatically. A circle goes on without the player. A hand in play is forfeited. The
    purse is kept, but cannot be used any more.
    """
    commands.rename_player(player, "")
    _leave_tables(player)
    circles.leave_all(player)
    now = now_ms()
    with writing() as session:
        row = session.scalars(select(Player).where(Player.id == player).with_for_update()).one()
        row.session_number += 1
        row.recalls_since = None
        session.execute(delete(Recall).where(Recall.player_id == player))
        session.execute(delete(DrillAnswer).where(DrillAnswer.player_id == player))
        for hand in session.scalars(select(Hand).where(Hand.player_id == player, Hand.status.in_(OPEN))).all():
            _end(hand, now)
        session.flush()
        for shoe in session.scalars(select(Shoe).where(Shoe.player_id == player, Shoe.closed_at.is_(None))).all():
            drop_unused(shoe) if shoe.cut is None else put_away(shoe, now)
        own_name = update(RoundSeat).where(RoundSeat.player_id == player, RoundSeat.name.is_not(None)).values(name="")
        session.execute(own_name.execution_options(synchronize_session=False))
        own_jobs = LabJob.player_id == player
        stopped = update(LabJob).where(own_jobs, LabJob.status == "waiting").values(status="stopped", finished_at=now)
        session.execute(stopped.execution_options(synchronize_session=False))
        running = update(LabJob).where(own_jobs, LabJob.status.in_(UNFINISHED)).values(stop_requested=True)
        session.execute(running.execution_options(synchronize_session=False))
        session.execute(delete(LabJob).where(own_jobs, LabJob.finished_at.is_not(None)))
        session.execute(delete(DecisionStatistics).where(DecisionStatistics.player_id == player))
        session.execute(delete(SignInLink).where(SignInLink.player_id == player))
        session.execute(delete(NameReport).where(or_(NameReport.player_id == player, NameReport.reporter_id == player)))
    db.session.expire_all()


def _end(hand: Hand, now: int) -> None:
    if hand.kind != PLAY:
        db.session.delete(hand)
    elif is_prepared(hand):
        drop_prepared(hand)
    elif hand.status == "ready":
        end_hand(hand, "void", now)
    else:
        try:
            end_hand(hand, "forfeited", now)
        except Refusal:  # no key opens it, which is not the player's fault
            void_hand(hand, now)


def _leave_tables(player: str) -> None:
    seat_links.return_lent_seats(player)
    seats = select(TableSeat.table_code, TableSeat.holder_id).where(
        or_(TableSeat.player_id == player, TableSeat.holder_id == player)
    )
    for code, holder in db.session.execute(seats).all():
        for attempt in range(TRIES):
            version = db.session.scalar(select(SharedTable.version).where(SharedTable.code == code))
            with suppress(Stale):
                with suppress(Refusal):  # the round ended meanwhile, and the seat with it
                    commands.execute(code, version or 0, holder, Command("leave"))
                break
            if attempt == TRIES - 1:
                raise Refusal("table-busy")
