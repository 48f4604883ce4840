"""Names that offend: reports by people at a table or in a circle, and what the operator does about them.

For names that are not allowed at all, see ``webapp.web.refused_names``.
"""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import bindparam, case, delete, func, select, true, update

from webapp.extensions import db
from webapp.models import Circle, CircleMember, NameReport, Player, RoundSeat, SharedTable, TableSeat
from webapp.services import circles
from webapp.services.core.clock import now_ms
from webapp.services.core.database import writing
from webapp.services.core.errors import Refusal
from webapp.services.names import numbered
from webapp.services.tables import commands
from webapp.services.tables.snapshots import read
from webapp.services.tables.versions import after_commit, bump_version, locked

_REPORTER: Final = select(Player.id).where(Player.id == bindparam("reporter")).with_for_update(key_share=True)
"""Two requests of one person come one after the other: the second finds the report of the first."""


@dataclass(frozen=True, slots=True)
class Reported:
    """A name that was reported, and by how many people; ``now``: the player's name by now.

    ``table``: code of the table or the circle. In a circle the player may still have that name.
    """

    player: str
    name: str
    reports: int
    table: str
    now: str


def report(code: str, number: int, shown: str, reporter: str) -> None:
    """Report the name of a seat. A repeated report by the same person adds nothing.

    ``shown``: the name that the reporter has seen there; empty if it does not matter.

    Raises:
        Refusal: ``no-name-there``: nobody sits there, it is a bot, the reporter, or nameless; ``another-name``: it is
            not the name that was shown.
    """
    with writing() as session:
        session.execute(_REPORTER, {"reporter": reporter})
        seat = session.get(TableSeat, (code, number))
        if seat is None or seat.bot or reporter in (seat.player_id, seat.holder_id):
            raise Refusal("no-name-there")
        name = session.get_one(Player, seat.player_id).name
        if not name:
            raise Refusal("no-name-there")
        if shown not in ("", name, numbered(name, seat.name_number)):
            raise Refusal("another-name")
        _add_report(seat.player_id, name, reporter, code)


CIRCLE: Final = 0
"""Stands for the circle itself, where a member has a number from 1."""


def report_in_circle(code: str, number: int, shown: str, reporter: str) -> None:
    """Report the name of a member, or that of the circle, for which its keeper answers. Others are not told.

    ``number``: that of the member, or ``CIRCLE``; ``shown``: as for ``report``.

    Raises:
        Refusal: ``circle-not-found``, ``not-a-member``; as ``report`` does.
    """
    with writing() as session:
        session.execute(_REPORTER, {"reporter": reporter})
        circles.require_member(code, reporter)
        if number == CIRCLE:
            circle = session.get_one(Circle, code)
            player, name, numbers = circle.keeper_id, circle.name, 1
        else:
            member = session.get(CircleMember, (code, number))
            if member is None or member.removed_at is not None:
                raise Refusal("no-name-there")
            player, name, numbers = member.player_id, member.name, member.name_number
        if player == reporter or not name:
            raise Refusal("no-name-there")
        if shown not in ("", name, numbered(name, numbers)):
            raise Refusal("another-name")
        _add_report(player, name, reporter, code)


def _add_report(player: str, name: str, reporter: str, code: str) -> None:
    if db.session.get(NameReport, (player, name, reporter)) is None:
        values = {"player_id": player, "name": name, "reporter_id": reporter}
        db.session.add(NameReport(**values, table_code=code, at=now_ms()))


def reports() -> tuple[Reported, ...]:
    """Return the names that were reported and not settled yet, those with most reports first.

    Whoever has taken another name since stays in the list: finished rounds keep the one that was reported.
    """
    count = func.count()
    in_circle = select(CircleMember.number).where(
        CircleMember.player_id == NameReport.player_id, CircleMember.name == NameReport.name
    )
    of_circle = select(Circle.code).where(Circle.keeper_id == NameReport.player_id, Circle.name == NameReport.name)
    now = case((in_circle.exists() | of_circle.exists(), NameReport.name), else_=Player.name)
    query = (
        select(NameReport.player_id, NameReport.name, count, func.max(NameReport.table_code), now)
        .join(Player, Player.id == NameReport.player_id)
        .group_by(NameReport.player_id, NameReport.name, Player.name)
        .order_by(count.desc(), NameReport.player_id, NameReport.name)
    )
    return tuple(Reported(*row) for row in db.session.execute(query))


def clear_reports(player: str) -> None:
    """Forget the reports about a player: they were looked at."""
    with writing() as session:
        session.execute(delete(NameReport).where(NameReport.player_id == player))


def clear_name(player: str, name: str = "") -> int:
    """Take a name, or every name, from a player, from finished rounds and from circles; it settles the reports of it.

    Return the number of these rounds.
    """
    if name in ("", db.session.get_one(Player, player).name):
        commands.rename_player(player, "")
    with writing() as session:
        of_player = RoundSeat.player_id == player
        shown = session.scalars(select(RoundSeat.name).where(of_player, RoundSeat.name != "").distinct())
        cleared = [each for each in shown.all() if each and (not name or _is_of(each, name))]
        rounds = select(func.count()).where(of_player, RoundSeat.name.in_(cleared))
        count = session.scalars(rounds.select_from(RoundSeat)).one()
        nameless = update(RoundSeat).where(of_player, RoundSeat.name.in_(cleared)).values(name="")
        session.execute(nameless.execution_options(synchronize_session=False))
        for of_circles, shown_there in (
            (CircleMember.player_id == player, CircleMember.name),
            (Circle.keeper_id == player, Circle.name),
        ):
            taken = update(shown_there.class_).where(of_circles, shown_there == name if name else true())
            session.execute(taken.values(name="").execution_options(synchronize_session=False))
        reported = NameReport.name == name if name else true()
        session.execute(delete(NameReport).where(NameReport.player_id == player, reported))
    return count


def _is_of(shown: str, name: str) -> bool:
    """Return True if a name was shown at a table, with or without the number that told it from others."""
    number = shown.removeprefix(name)
    return shown.startswith(name) and (not number or number.strip().isdecimal())


def hide_table(code: str) -> None:
    """Take a table out of the list of public ones. Whoever has its link plays on.

    Raises:
        Refusal: ``table-not-found``.
    """
    with locked(code) as table:
        table.public, now = False, now_ms()
        bump_version(table, now)
        current = read(table)
    after_commit(current, None, now, table)


def public_tables() -> tuple[tuple[str, int], ...]:
    """Return the codes of open public tables, and how many sit there."""
    seats = select(func.count()).where(TableSeat.table_code == SharedTable.code).scalar_subquery()
    query = select(SharedTable.code, seats).where(SharedTable.public, SharedTable.phase != "closed")
    return tuple((code, int(count)) for code, count in db.session.execute(query.order_by(SharedTable.code)))
