"""A hand: its public facts and its moves. The seed of its cards is sealed until the end, and revealed then."""

from typing import Final

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, String, Text, and_, false, text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from webapp.extensions import Base
from webapp.models.shoe import Shoe

OPEN: Final = ("ready", "live")
_IS_OPEN = text("status IN ('ready', 'live')")
_IS_PUBLIC = text("finished_at IS NOT NULL AND cut IS NOT NULL")
_IS_LIVE = text("status = 'live'")


class Hand(Base):
    """One hand of one player, from the commitment to the result.

    ``stakes``, ``marks`` and ``payouts`` are numbers separated by commas; ``moves`` are actions separated by spaces.
    Status ``ready``: committed, not dealt (prepared, if ``seq`` is 0); ``live``: dealt; ``done``: played out;
    ``forfeited``; ``void``.
    """

    __tablename__ = "hand"

    key: Mapped[str] = mapped_column(String(16), primary_key=True)
    player_id: Mapped[str] = mapped_column(ForeignKey("player.id"))
    game: Mapped[str] = mapped_column(String(20))
    variant: Mapped[str] = mapped_column(String(300))
    seq: Mapped[int]
    """Number of the hand among this player's hands of this game, without gaps, from 1; 0 while it is only prepared."""
    status: Mapped[str] = mapped_column(String(10))
    shoe_key: Mapped[str | None] = mapped_column(ForeignKey("shoe.key"), index=True)
    """Key of the shoe that the hand is dealt from; None for fresh packs of its own."""
    shoe: Mapped[Shoe | None] = relationship()
    offset: Mapped[int] = mapped_column(default=0)
    """Number of cards of the shoe that were dealt before this hand."""
    commitment: Mapped[str] = mapped_column(String(64))
    cut: Mapped[str | None] = mapped_column(String(64))
    stakes: Mapped[str] = mapped_column(String(80), default="")
    moves: Mapped[str] = mapped_column(Text, default="")
    step: Mapped[int] = mapped_column(default=0)
    """Number of moves. Only a compare-and-set raises it."""
    marks: Mapped[str] = mapped_column(String(20), default="")
    helped: Mapped[bool] = mapped_column(default=False, server_default=false())
    """If true the player was shown what a decision is worth before it was made."""
    payouts: Mapped[str | None] = mapped_column(String(200))
    outcome: Mapped[str | None] = mapped_column(String(40))
    """Code of the first label of the result, for statistics."""
    revealed_seed: Mapped[str | None] = mapped_column(String(64))
    """The seed in hex, once the hand is over, if a key could open it. None if the hand is dealt from a shoe."""
    sealed_seed: Mapped[str | None] = mapped_column(Text)
    """Copy of the sealed seed in the cookie, for a session that has lost it; None if the hand is dealt from a shoe.

    It stays after the end if no key opened it, or if the hand never had a cut.
    """
    sealed_since: Mapped[int | None] = mapped_column(BigInteger)
    """Time at which it was first noticed that no key opens the overdue hand."""
    created_at: Mapped[int] = mapped_column(BigInteger)
    moved_at: Mapped[int] = mapped_column(BigInteger)
    finished_at: Mapped[int | None] = mapped_column(BigInteger)

    # Every update of a row has the condition that step is still what was read: the compare-and-set.
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
"""Condition for hands that have a public page: they are over, and had a cut."""
