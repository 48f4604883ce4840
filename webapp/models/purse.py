"""What a player has in a game, and every entry that made it so."""

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, Integer, String
from sqlalchemy.orm import Mapped, mapped_column

from webapp.extensions import Base


class Purse(Base):
    """One per player and game. ``balance`` is the sum of the ledger's amounts; without stakes, the career total."""

    __tablename__ = "purse"

    player_id: Mapped[str] = mapped_column(ForeignKey("player.id"), primary_key=True)
    game: Mapped[str] = mapped_column(String(20), primary_key=True)
    balance: Mapped[int] = mapped_column(BigInteger, default=0)
    best: Mapped[int] = mapped_column(BigInteger, default=0)
    """The highest payout of a single hand."""
    hands: Mapped[int] = mapped_column(default=0)
    """How many hands have been begun: the number of the latest one."""
    runs: Mapped[int] = mapped_column(default=0)
    """How often the purse was filled anew."""
    peak: Mapped[int] = mapped_column(BigInteger, default=0)
    """The highest balance of any run."""
    last_stakes: Mapped[str] = mapped_column(String(80), default="")
    """For *same again*."""

    __table_args__ = (CheckConstraint("balance >= 0", name="purse_never_negative"),)


class LedgerEntry(Base):
    """Only ever added. A hand has at most one entry for each reason, and so has a player in a round of a shared table:
    nothing is paid or charged twice.
    """

    __tablename__ = "ledger_entry"

    id: Mapped[int] = mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True)
    player_id: Mapped[str] = mapped_column(ForeignKey("player.id"))
    game: Mapped[str] = mapped_column(String(20))
    hand_key: Mapped[str | None] = mapped_column(ForeignKey("hand.key"))
    round_key: Mapped[str | None] = mapped_column(ForeignKey("table_round.key"))
    reason: Mapped[str] = mapped_column(String(20))
    amount: Mapped[int] = mapped_column(BigInteger)
    balance_after: Mapped[int] = mapped_column(BigInteger)
    at: Mapped[int] = mapped_column(BigInteger)

    __table_args__ = (
        Index("ledger_hand_reason", "hand_key", "reason", unique=True),
        Index("ledger_round_reason", "round_key", "player_id", "reason", unique=True),
        Index("ledger_purse", "player_id", "game", "id"),
    )
