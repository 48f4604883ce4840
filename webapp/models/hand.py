"""A hand: its public facts and its moves. The cards are in the player's sealed cookie, and revealed here at the end."""

from typing import Final

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, String, Text, and_, text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from webapp.extensions import Base
from webapp.models.shoe import Shoe

OPEN: Final = ("ready", "live")
_IS_OPEN = text("status IN ('ready', 'live')")
_IS_PUBLIC = text("finished_at IS NOT NULL AND cut IS NOT NULL")
_IS_LIVE = text("status = 'live'")


class Hand(Base):
    """``stakes`` and ``marks`` are numbers with commas, ``moves`` action words with spaces. Times are unix seconds."""

    __tablename__ = "hand"

    key: Mapped[str] = mapped_column(String(16), primary_key=True)
    player_id: Mapped[str] = mapped_column(ForeignKey("player.id"))
    game: Mapped[str] = mapped_column(String(20))
    variant: Mapped[str] = mapped_column(String(300))
    seq: Mapped[int]
    """Number of the hand among this player's hands of this game, without gaps, from 1."""
    status: Mapped[str] = mapped_column(String(10))
    shoe_key: Mapped[str | None] = mapped_column(ForeignKey("shoe.key"), index=True)
    """The shoe it is dealt from; None for fresh packs of its own."""
    shoe: Mapped[Shoe | None] = relationship()
    offset: Mapped[int] = mapped_column(default=0)
    """How many cards of the shoe went before."""
    commitment: Mapped[str] = mapped_column(String(64))
    cut: Mapped[str | None] = mapped_column(String(64))
    stakes: Mapped[str] = mapped_column(String(80), default="")
    moves: Mapped[str] = mapped_column(Text, default="")
    step: Mapped[int] = mapped_column(default=0)
    """How many moves there are; only a compare-and-set raises it."""
    marks: Mapped[str] = mapped_column(String(20), default="")
    payouts: Mapped[str | None] = mapped_column(String(200))
    outcome: Mapped[str | None] = mapped_column(String(40))
    """Code of the result's first label, for counting."""
    revealed_seed: Mapped[str | None] = mapped_column(String(64))
    """The seed in hex, once the hand is over, if a key could open it; a shoe keeps its own."""
    sealed_seed: Mapped[str | None] = mapped_column(Text)
    """The sealed box again, from the deal to the end, for a session that has lost it; kept if no key opens it."""
    created_at: Mapped[int] = mapped_column(BigInteger)
    moved_at: Mapped[int] = mapped_column(BigInteger)
    finished_at: Mapped[int | None] = mapped_column(BigInteger)

    # every update of a row says WHERE step = the one it was read with: the compare-and-set
    __mapper_args__ = {"version_id_col": step, "version_id_generator": False}  # noqa: RUF012
    __table_args__ = (
        CheckConstraint("status IN ('ready', 'live', 'done', 'forfeited', 'void')", name="hand_status"),
        CheckConstraint("(status IN ('ready', 'live')) = (finished_at IS NULL)", name="hand_finished"),
        CheckConstraint("revealed_seed IS NULL OR status NOT IN ('ready', 'live')", name="hand_reveal"),
        Index("hand_seq", "player_id", "game", "seq", unique=True),
        Index("hand_one_open", "player_id", "game", unique=True, sqlite_where=_IS_OPEN, postgresql_where=_IS_OPEN),
        Index("hand_history", "player_id", "finished_at", "key", sqlite_where=_IS_PUBLIC, postgresql_where=_IS_PUBLIC),
        Index("hand_overdue", "moved_at", sqlite_where=_IS_LIVE, postgresql_where=_IS_LIVE),
    )


IS_PUBLIC: Final = and_(Hand.__table__.c.finished_at.is_not(None), Hand.__table__.c.cut.is_not(None))
"""Hands that have a page: they are over, and had a cut."""
