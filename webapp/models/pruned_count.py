"""Counts of finished hands that earlier versions have pruned: they are counted, and stored no more."""

from sqlalchemy import BigInteger, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from webapp.extensions import Base


class PrunedCount(Base):
    """The part of a player's counters whose hands and rounds were pruned.

    The keys are those of ``OutcomeStatistics``, which goes on counting all of them. ``outcome`` is ``-`` for hands
    that were numbered and never dealt: no counter has them.
    """

    __tablename__ = "pruned_count"

    player_id: Mapped[str] = mapped_column(ForeignKey("player.id"), primary_key=True)
    game: Mapped[str] = mapped_column(String(20), primary_key=True)
    variant: Mapped[str] = mapped_column(String(300), primary_key=True)
    outcome: Mapped[str] = mapped_column(String(40), primary_key=True)
    hands: Mapped[int] = mapped_column(default=0)
    staked: Mapped[int] = mapped_column(BigInteger, default=0)
    returned: Mapped[int] = mapped_column(BigInteger, default=0)
    best: Mapped[int] = mapped_column(BigInteger, default=0)
    """Highest payout among them."""
