"""Players, their purses with a ledger of all changes, reports of names, and links that sign in another browser."""

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, Integer, String
from sqlalchemy.orm import Mapped, mapped_column

from webapp.extensions import Base


class Player(Base):
    """Somebody who has played here, or a bot. ``name`` is empty until one is chosen."""

    __tablename__ = "player"

    id: Mapped[str] = mapped_column(String(24), primary_key=True)
    name: Mapped[str] = mapped_column(String(80), default="")
    created_at: Mapped[int] = mapped_column(BigInteger)
    session_number: Mapped[int] = mapped_column(default=0)
    """Number that a cookie must name to be this player's; raised to end all sessions."""
    recalls_since: Mapped[int | None] = mapped_column(BigInteger)
    """Since when costly decisions are asked again; None if the player has not wished it."""


class Purse(Base):
    """Chips of a player in a game.

    ``balance`` is the sum of the amounts in the ledger; without stakes, the career total.
    """

    __tablename__ = "purse"

    player_id: Mapped[str] = mapped_column(ForeignKey("player.id"), primary_key=True)
    game: Mapped[str] = mapped_column(String(20), primary_key=True)
    balance: Mapped[int] = mapped_column(BigInteger, default=0)
    best: Mapped[int] = mapped_column(BigInteger, default=0)
    """Highest payout of a single hand."""
    hands: Mapped[int] = mapped_column(default=0)
    """Number of hands begun, and so the number of the latest one."""
    runs: Mapped[int] = mapped_column(default=0)
    """Number of times that the purse was filled."""
    given: Mapped[int] = mapped_column(BigInteger, default=0)
    """Chips that came from nothing with these fillings. Whoever compares purses takes them off the balance."""
    peak: Mapped[int] = mapped_column(BigInteger, default=0)
    """Highest balance of any run."""
    last_stakes: Mapped[str] = mapped_column(String(80), default="")
    """Stakes of the latest hand, as numbers separated by commas."""

    __table_args__ = (CheckConstraint("balance >= 0", name="purse_never_negative"),)


class OutcomeStatistics(Base):
    """Counts of an outcome among a player's finished hands of a variant, and the chips that went in and came out.

    Kept with every hand that ends: to count all hands of a player takes longer with each of them. The banker of a round
    has staked what was put up for the bets that were made.
    """

    __tablename__ = "outcome_count"

    player_id: Mapped[str] = mapped_column(ForeignKey("player.id"), primary_key=True)
    game: Mapped[str] = mapped_column(String(20), primary_key=True)
    variant: Mapped[str] = mapped_column(String(300), primary_key=True)
    outcome: Mapped[str] = mapped_column(String(40), primary_key=True)
    hands: Mapped[int]
    staked: Mapped[int] = mapped_column(BigInteger)
    returned: Mapped[int] = mapped_column(BigInteger)


class LedgerEntry(Base):
    """One change of a purse. Entries are only added.

    ``carried`` is the reason of those whose round at a table was pruned, or whose hand, by an earlier version.

    A hand has at most one entry for each reason, and so has a player in a round of a shared table: nothing can be paid
    or charged twice.
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


class NameReport(Base):
    """A report of a player's name. The same person reports the same name once."""

    __tablename__ = "name_report"

    player_id: Mapped[str] = mapped_column(ForeignKey("player.id"), primary_key=True)
    """The player who has the name."""
    name: Mapped[str] = mapped_column(String(80), primary_key=True)
    reporter_id: Mapped[str] = mapped_column(ForeignKey("player.id"), primary_key=True)
    table_code: Mapped[str] = mapped_column(String(8))
    at: Mapped[int] = mapped_column(BigInteger)


class SignInLink(Base):
    """The latest link of a player. A link is good once and for minutes; a new one takes the place of the one before."""

    __tablename__ = "sign_in_link"

    player_id: Mapped[str] = mapped_column(ForeignKey("player.id"), primary_key=True)
    word_hash: Mapped[str] = mapped_column(String(64), unique=True)
    """SHA-256 of the word in the link, which is stored nowhere."""
    session_number: Mapped[int]
    """The player's when the link was made: ending all other sessions ends the link, too."""
    preferences: Mapped[str] = mapped_column(String(400))
    """Preferences of the browser that made the link, as its cookie has them."""
    expires_at: Mapped[int] = mapped_column(BigInteger)
    used_by: Mapped[str | None] = mapped_column(String(64))
    """SHA-256 of the random word of the form that used the link: the same form may be sent again."""
