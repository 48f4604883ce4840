"""A daily deal: the same cards for everybody on one UTC day. Its commitment is public days before, its seed sealed."""

from typing import ClassVar, Final

from sqlalchemy import BigInteger, CheckConstraint, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from webapp.extensions import Base

NOBODY: Final = "daily"
"""Owner in the sealed seed of a daily deal, where that of a hand names its player."""


class DailyDeal(Base):
    """The cards of a game on a day. ``key`` is the day and the game, so that nobody can choose among several deals."""

    __tablename__ = "daily_deal"

    player_id: ClassVar[str] = NOBODY

    key: Mapped[str] = mapped_column(String(40), primary_key=True)
    day: Mapped[str] = mapped_column(String(10))
    """``2026-11-22``, in UTC."""
    game: Mapped[str] = mapped_column(String(20))
    variant: Mapped[str] = mapped_column(String(300))
    commitment: Mapped[str] = mapped_column(String(64))
    sealed_seed: Mapped[str | None] = mapped_column(Text)
    revealed_seed: Mapped[str | None] = mapped_column(String(64))
    """The seed in hex, once nobody can play the deal for the day any more."""
    published_at: Mapped[int] = mapped_column(BigInteger)

    __table_args__ = (
        CheckConstraint("(sealed_seed IS NULL) <> (revealed_seed IS NULL)", name="daily_deal_seed"),
        Index("daily_deal_day", "day", "game", unique=True),
    )
