"""Circles: opened, joined, left, renamed, given another link and closed.

What members make of a day is in ``review.circle_days``.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Select, delete, func, select, update

from webapp.extensions import db
from webapp.models import Circle, CircleMember, Hand, SharedTable
from webapp.services import players
from webapp.services.core.clock import now_ms
from webapp.services.core.database import retried, writing
from webapp.services.core.errors import Refusal
from webapp.services.core.randomness import new_code
from webapp.services.names import free_number, numbered

MEMBERS: Final = 50
"""Members of a circle at most."""
OF_A_PLAYER: Final = 20
"""Circles that a player is in at most."""
CODE_LENGTH: Final = 8
"""Two characters more than a table's: a circle stays."""
_IS_IN: Final = CircleMember.removed_at.is_(None)


@dataclass(frozen=True, slots=True)
class Member:
    """A member. ``name``: as it is told from others in the circle, empty if there is none. ``player``: for no page."""

    number: int
    name: str
    player: str


@dataclass(frozen=True, slots=True)
class SeenCircle:
    """A circle as a viewer may see it. Who is no member sees no ``members``, and ``you`` is None.

    ``keeper``: number of the member who may rename and close it, and remove members.
    """

    code: str
    name: str
    you: int | None
    keeper: int | None
    members: tuple[Member, ...]

    @property
    def is_keeper(self) -> bool:
        """True if the viewer keeps the circle."""
        return self.you is not None and self.you == self.keeper

    @property
    def own_name(self) -> str:
        """Name of the viewer."""
        return next((member.name for member in self.members if member.number == self.you), "")


@dataclass(frozen=True, slots=True)
class OwnCircle:
    """A circle that a player is in, with the number of its members."""

    code: str
    name: str
    members: int


# ------------------------------------------------------------------------------------------------ looking


def find(code: str, player: str | None) -> SeenCircle:
    """Return a circle as a player may see it, or a visitor who is none yet.

    Raises:
        Refusal: ``circle-not-found``.
    """
    circle = db.session.get(Circle, code, populate_existing=True)
    if circle is None:
        raise Refusal("circle-not-found", code[:20])
    members = _members(code)
    own = next((member.number for member in members if member.player_id == player), None)
    if own is None:
        return SeenCircle(code, circle.name, None, None, ())
    keeper = next((member.number for member in members if member.player_id == circle.keeper_id), None)
    return SeenCircle(code, circle.name, own, keeper, tuple(map(_member, members)))


def require_member(code: str, player: str | None) -> SeenCircle:
    """Return a circle to a member.

    Raises:
        Refusal: ``circle-not-found``, ``not-a-member``.
    """
    seen = find(code, player)
    if seen.you is None:
        raise Refusal("not-a-member")
    return seen


def circles_of(player: str | None) -> tuple[OwnCircle, ...]:
    """Return the circles that a player is in, by their names."""
    if player is None:
        return ()
    count = select(func.count()).where(CircleMember.circle_code == Circle.code, _IS_IN).scalar_subquery()
    own = select(CircleMember.circle_code).where(CircleMember.player_id == player, _IS_IN)
    query = select(Circle.code, Circle.name, count).where(Circle.code.in_(own)).order_by(Circle.name, Circle.code)
    return tuple(OwnCircle(*row) for row in db.session.execute(query))


# ------------------------------------------------------------------------------------------------ coming and going


def open_circle(player: str, name: str, own_name: str) -> tuple[str, bool]:
    """Open a circle. Return its code, and whether it is new: a player keeps one circle of a name.

    Raises:
        Refusal: ``unknown-player``, ``circles-enough``.
    """
    with writing() as session:
        players.lock(player)
        kept = select(Circle.code).where(Circle.keeper_id == player, Circle.name == name)
        known = session.scalars(kept).first()
        if known is not None:
            return known, False
        _require_room_for_another(player)
        circle = Circle(code=_unused_code(), name=name, keeper_id=player, opened_at=now_ms(), last_number=0)
        session.add(circle)
        session.flush()
        _add(circle, player, own_name, ())
        return circle.code, True


def join(player: str, code: str, name: str) -> None:
    """Become a member. Who is one already stays as before.

    Raises:
        Refusal: ``unknown-player``, ``circle-not-found``, ``circle-removed``, ``circle-full``, ``circles-enough``.
    """
    retried(lambda: _join(player, code, name))


def _join(player: str, code: str, name: str) -> None:
    with writing() as session:
        players.lock(player)  # always before the circle: of a player's circles none is counted twice
        circle = _locked(code)
        own = session.scalars(_rows(code).where(CircleMember.player_id == player)).one_or_none()
        if own is not None:
            if own.removed_at is not None:
                raise Refusal("circle-removed")
            return
        members = _members(code)
        if len(members) >= MEMBERS:
            raise Refusal("circle-full")
        _require_room_for_another(player)
        _add(circle, player, name, members)


def rename_member(player: str, code: str, name: str) -> None:
    """Change the name that a member has in the circle.

    Raises:
        Refusal: ``circle-not-found``, ``not-a-member``.
    """
    with writing():
        _locked(code)
        members = _members(code)
        own = next((member for member in members if member.player_id == player), None)
        if own is None:
            raise Refusal("not-a-member")
        own.name = name
        own.name_number = free_number(name, [_shown(member) for member in members if member is not own])


def leave(player: str, code: str) -> None:
    """Leave a circle, which may have another keeper then, and is gone with its last member. Whoever left may return.

    Raises:
        Refusal: ``circle-not-found``.
    """
    retried(lambda: _leave(player, code))


def _leave(player: str, code: str) -> None:
    with writing() as session:
        circle = _locked(code)
        members = _members(code)
        for member in members:
            if member.player_id == player:
                session.delete(member)
        others = [member.player_id for member in members if member.player_id != player]
        session.flush()
        if not others:
            _delete(circle)
        elif circle.keeper_id == player:
            circle.keeper_id = others[0]


def leave_all(player: str) -> None:
    """Leave all circles, and forget that the player was removed from others."""
    own = select(CircleMember.circle_code).where(CircleMember.player_id == player, _IS_IN)
    for code in db.session.scalars(own.order_by(CircleMember.circle_code)).all():
        with suppress(Refusal):  # it was closed meanwhile
            leave(player, code)
    with writing() as session:
        session.execute(
            delete(CircleMember).where(CircleMember.player_id == player, CircleMember.removed_at.is_not(None))
        )


# ------------------------------------------------------------------------------------------------ keeping


def rename(player: str, code: str, name: str) -> None:
    """Change the name of a circle.

    Raises:
        Refusal: As for ``close``.
    """
    with writing():
        _kept(player, code).name = name


def remove(player: str, code: str, number: int) -> None:
    """Remove a member, who cannot come back. Nothing is done if that one has gone already.

    Raises:
        Refusal: As for ``close``; ``keeper-stays``: the keeper leaves or closes the circle instead.
    """
    with writing():
        circle = _kept(player, code)
        member = next((member for member in _members(code) if member.number == number), None)
        if member is None:
            return
        if member.player_id == circle.keeper_id:
            raise Refusal("keeper-stays")
        member.removed_at = now_ms()


def renew(player: str, code: str) -> str:
    """Give a circle another code, which is its link, and return it. Members stay, and who was removed stays out.

    Raises:
        Refusal: As for ``close``; so also if it is sent again, as no circle has the old code.
    """
    with writing() as session:
        old = _kept(player, code)
        new = Circle(
            code=_unused_code(),
            name=old.name,
            keeper_id=old.keeper_id,
            opened_at=old.opened_at,
            last_number=old.last_number,
        )
        session.add(new)
        session.flush()  # members and tables name the code of a circle that is there
        for kind in (CircleMember, SharedTable):
            session.execute(update(kind).where(kind.circle_code == code).values(circle_code=new.code))
        session.delete(old)
        return new.code


def close(player: str, code: str) -> None:
    """Close a circle: nothing of it is kept. Tables that were opened for it go on.

    Raises:
        Refusal: ``circle-not-found``, ``not-the-keeper``.
    """
    with writing():
        _delete(_kept(player, code))


def prune(before: int) -> int:
    """Take away members who came before a time and have never finished a hand, and circles that nobody else joined.

    Return the number of circles. Such members are left behind by programs, and would be kept as players.
    """
    has_played = select(Hand.key).where(Hand.player_id == CircleMember.player_id, Hand.finished_at.is_not(None))
    idle = select(CircleMember.circle_code, CircleMember.player_id).where(
        CircleMember.joined_at < before, ~has_played.exists()
    )
    for code, player in db.session.execute(idle).all():
        with suppress(Refusal):
            leave(player, code)
    with writing() as session:
        session.execute(delete(CircleMember).where(CircleMember.removed_at < before))
    alone = (
        select(CircleMember.circle_code)
        .join(Circle, Circle.code == CircleMember.circle_code)
        .where(Circle.opened_at < before, _IS_IN)
        .group_by(CircleMember.circle_code)
        .having(func.count() == 1, func.max(CircleMember.joined_at) < before)
    )
    count = 0
    for code in db.session.scalars(alone).all():
        with suppress(Refusal), writing():
            circle = _locked(code)
            if len(_members(code)) == 1:  # nobody has joined it meanwhile
                _delete(circle)
                count += 1
    return count


# ------------------------------------------------------------------------------------------------ inside a transaction


def _rows(code: str) -> Select[CircleMember]:
    query = select(CircleMember).where(CircleMember.circle_code == code).order_by(CircleMember.number)
    return query.execution_options(populate_existing=True)


def _members(code: str) -> Sequence[CircleMember]:
    """Return the members, the one who came first before all others."""
    found: Sequence[CircleMember] = db.session.scalars(_rows(code).where(_IS_IN)).all()
    return found


def _locked(code: str) -> Circle:
    query = select(Circle).where(Circle.code == code).with_for_update().execution_options(populate_existing=True)
    circle = db.session.scalars(query).one_or_none()
    if circle is None:
        raise Refusal("circle-not-found", code[:20])
    return circle


def _kept(player: str, code: str) -> Circle:
    circle = _locked(code)
    if circle.keeper_id != player:
        raise Refusal("not-the-keeper")
    return circle


def _add(circle: Circle, player: str, name: str, members: Sequence[CircleMember]) -> None:
    circle.last_number += 1
    db.session.add(
        CircleMember(
            circle_code=circle.code,
            number=circle.last_number,
            player_id=player,
            name=name,
            name_number=free_number(name, [_shown(member) for member in members]),
            joined_at=now_ms(),
        )
    )


def _delete(circle: Circle) -> None:
    db.session.execute(delete(CircleMember).where(CircleMember.circle_code == circle.code))
    db.session.delete(circle)


def _require_room_for_another(player: str) -> None:
    own = select(func.count()).select_from(CircleMember).where(CircleMember.player_id == player, _IS_IN)
    if (db.session.scalar(own) or 0) >= OF_A_PLAYER:
        raise Refusal("circles-enough")


def _unused_code() -> str:
    while True:
        code = new_code(CODE_LENGTH)
        if db.session.get(Circle, code) is None:
            return code


def _member(row: CircleMember) -> Member:
    return Member(row.number, _shown(row), row.player_id)


def _shown(row: CircleMember) -> str:
    return numbered(row.name, row.name_number)
