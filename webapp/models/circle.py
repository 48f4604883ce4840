"""Circles: a private link among friends, whose members see what the others make of the daily deals."""

from sqlalchemy import BigInteger, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from webapp.extensions import Base


class Circle(Base):
    """A circle, known by its code. It has at least one member until it is closed, and its row deleted."""

    __tablename__ = "circle"

    code: Mapped[str] = mapped_column(String(8), primary_key=True)
    name: Mapped[str] = mapped_column(String(80))
    """Empty if the operator has taken it away."""
    keeper_id: Mapped[str] = mapped_column(ForeignKey("player.id"), index=True)
    """The member who opened it; after that one has left, the one who has been there longest."""
    opened_at: Mapped[int] = mapped_column(BigInteger)
    last_number: Mapped[int] = mapped_column(default=0)
    """Number of the member who came last. No number is given twice."""


class CircleMember(Base):
    """A member of a circle, or somebody who was removed from it and cannot join it again."""

    __tablename__ = "circle_member"

    circle_code: Mapped[str] = mapped_column(ForeignKey("circle.code"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    player_id: Mapped[str] = mapped_column(ForeignKey("player.id"), index=True)
    name: Mapped[str] = mapped_column(String(80))
    """The name in this circle, which nobody else sees; empty if the operator has taken it away."""
    name_number: Mapped[int] = mapped_column(default=1)
    """Number that tells the name from others in the circle that look the same; 1 is not shown."""
    joined_at: Mapped[int] = mapped_column(BigInteger)
    removed_at: Mapped[int | None] = mapped_column(BigInteger)

    __table_args__ = (Index("circle_member_once", "circle_code", "player_id", unique=True),)
