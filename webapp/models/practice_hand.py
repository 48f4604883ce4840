"""A practice hand: the cards of a finished hand, or of a daily deal, played without chips."""

from typing import Final

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from webapp.extensions import Base

FIRST: Final = "first"
"""Kind of a player's first try at a hand: it counts among those of the others."""
AGAIN: Final = "again"
"""Kind of a try by who knows the cards: it counts nowhere."""
DAILY: Final = "daily"
"""Kind of a round of the one try that a player has at a daily deal."""
_IS_FIRST = text("kind = 'first'")
_IS_DAILY = text("kind = 'daily'")
_IS_OPEN_PRACTICE = text("status = 'live' AND kind <> 'daily'")


class PracticeHand(Base):
    """A hand that is played again. No purse, no ledger entry and no number among the player's hands belongs to it.

    It has no seed: that is its ``of_key``'s or its ``daily_key``'s. Columns with the names of a hand's are as there.
    """

    __tablename__ = "practice_hand"

    key: Mapped[str] = mapped_column(String(16), primary_key=True)
    player_id: Mapped[str] = mapped_column(ForeignKey("player.id"))
    kind: Mapped[str] = mapped_column(String(10))
    of_key: Mapped[str | None] = mapped_column(ForeignKey("hand.key"), index=True)
    """Key of the finished hand whose cards these are."""
    daily_key: Mapped[str | None] = mapped_column(ForeignKey("daily_deal.key"))
    number: Mapped[int] = mapped_column(default=1)
    """Number of the round within a daily deal, from 1."""
    game: Mapped[str] = mapped_column(String(20))
    variant: Mapped[str] = mapped_column(String(300))
    offset: Mapped[int] = mapped_column(default=0)
    cut: Mapped[str] = mapped_column(String(64))
    stakes: Mapped[str] = mapped_column(String(80), default="")
    moves: Mapped[str] = mapped_column(Text, default="")
    step: Mapped[int] = mapped_column(default=0)
    marks: Mapped[str] = mapped_column(String(20), default="")
    status: Mapped[str] = mapped_column(String(10))
    payouts: Mapped[str | None] = mapped_column(String(200))
    net: Mapped[int | None] = mapped_column(BigInteger)
    """Chips that it would have won or lost; the score where nothing is staked."""
    created_at: Mapped[int] = mapped_column(BigInteger)
    moved_at: Mapped[int] = mapped_column(BigInteger)
    finished_at: Mapped[int | None] = mapped_column(BigInteger)

    __table_args__ = (
        CheckConstraint("kind IN ('first', 'again', 'daily')", name="practice_hand_kind"),
        CheckConstraint("status IN ('live', 'done', 'forfeited')", name="practice_hand_status"),
        CheckConstraint("(status = 'live') = (finished_at IS NULL)", name="practice_hand_finished"),
        CheckConstraint("(of_key IS NULL) <> (daily_key IS NULL)", name="practice_hand_cards"),
        CheckConstraint("kind <> 'daily' OR daily_key IS NOT NULL", name="practice_hand_daily"),
        Index(
            "practice_hand_once", "player_id", "of_key", unique=True, sqlite_where=_IS_FIRST, postgresql_where=_IS_FIRST
        ),
        Index(
            "practice_hand_one_try",
            "player_id",
            "daily_key",
            "number",
            unique=True,
            sqlite_where=_IS_DAILY,
            postgresql_where=_IS_DAILY,
        ),
        Index(
            "practice_hand_one_open",
            "player_id",
            "game",
            unique=True,
            sqlite_where=_IS_OPEN_PRACTICE,
            postgresql_where=_IS_OPEN_PRACTICE,
        ),
        Index("practice_hand_deal", "daily_key", "number"),
    )
