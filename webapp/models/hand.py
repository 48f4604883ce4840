"""A hand: its public facts and its moves. The seed of its cards is sealed until the end, and revealed then.

A practice hand and a round of a daily deal have the cards of another hand, or of the deal, and no seed of their own. No
purse, no ledger entry and no number among the player's hands belongs to them.
"""

from typing import Final

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, String, Text, and_, false, literal_column, text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from webapp.extensions import Base
from webapp.models.daily_deal import DailyDeal
from webapp.models.shoe import Shoe

PLAY: Final = "play"
"""Kind of a hand that is played for chips, or where nothing is staked, for the career."""
FIRST: Final = "first"
"""Kind of a player's first try at another hand: it counts among those of the others."""
AGAIN: Final = "again"
"""Kind of a try by who knows the cards: it counts nowhere."""
DAILY: Final = "daily"
"""Kind of a round of the one try that a player has at a daily deal."""
OPEN: Final = ("ready", "live")
IS_OPEN_PRACTICE: Final = text("status = 'live' AND kind IN ('first', 'again')")
_IS_OPEN = text("status IN ('ready', 'live') AND kind = 'play'")
_IS_PUBLIC = text("finished_at IS NOT NULL AND cut IS NOT NULL AND kind = 'play'")
_IS_LIVE = text("status = 'live' AND kind = 'play'")
_IS_FIRST = text("kind = 'first'")
_IS_DAILY = text("kind = 'daily'")
_HAS_ORIGINAL = text("of_key IS NOT NULL")
_HAS_DAILY_DEAL = text("daily_key IS NOT NULL")


class Hand(Base):
    """One hand of one player, from the commitment to the result.

    ``stakes``, ``marks`` and ``payouts`` are numbers separated by commas; ``moves`` are actions separated by spaces.
    Status ``ready``: committed, not dealt (prepared, if ``seq`` is 0); ``live``: dealt; ``done``: played out;
    ``forfeited``; ``void``.
    """

    __tablename__ = "hand"

    key: Mapped[str] = mapped_column(String(16), primary_key=True)
    player_id: Mapped[str] = mapped_column(ForeignKey("player.id"))
    kind: Mapped[str] = mapped_column(String(10), default=PLAY, server_default=PLAY)
    game: Mapped[str] = mapped_column(String(20))
    variant: Mapped[str] = mapped_column(String(300))
    seq: Mapped[int | None]
    """Number of the hand among this player's hands of this game, without gaps, from 1; 0 while it is only prepared.

    None of any kind but PLAY, so that no comparison of numbers finds them.
    """
    of_key: Mapped[str | None] = mapped_column(ForeignKey("hand.key"))
    """Key of the finished hand whose cards these are."""
    original: Mapped["Hand | None"] = relationship(remote_side=[key])
    daily_key: Mapped[str | None] = mapped_column(ForeignKey("daily_deal.key"))
    daily_deal: Mapped[DailyDeal | None] = relationship()
    number: Mapped[int | None]
    """Number of the round within a daily deal, from 1."""
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
    net: Mapped[int | None] = mapped_column(BigInteger)
    """Of any kind but PLAY: chips that it would have won or lost; the score where nothing is staked.

    Of PLAY, chips that it did win, only if they are fewer than the rules say: the purse had no room for all of them.
    """
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
        CheckConstraint("kind IN ('play', 'first', 'again', 'daily')", name="hand_kind"),
        CheckConstraint("(kind = 'play') = (seq IS NOT NULL)", name="hand_numbered"),
        CheckConstraint(
            "(kind = 'play') = (of_key IS NULL AND daily_key IS NULL) AND (of_key IS NULL OR daily_key IS NULL)",
            name="hand_cards",
        ),
        CheckConstraint("kind <> 'daily' OR daily_key IS NOT NULL", name="hand_daily"),
        Index("hand_seq", "player_id", "game", "seq", unique=True),
        Index("hand_one_open", "player_id", "game", unique=True, sqlite_where=_IS_OPEN, postgresql_where=_IS_OPEN),
        Index("hand_history", "player_id", "finished_at", "key", sqlite_where=_IS_PUBLIC, postgresql_where=_IS_PUBLIC),
        Index("hand_overdue", "moved_at", sqlite_where=_IS_LIVE, postgresql_where=_IS_LIVE),
        Index("hand_once", "player_id", "of_key", unique=True, sqlite_where=_IS_FIRST, postgresql_where=_IS_FIRST),
        Index(
            "hand_one_try",
            *("player_id", "daily_key", "number"),
            unique=True,
            sqlite_where=_IS_DAILY,
            postgresql_where=_IS_DAILY,
        ),
        Index(
            "hand_one_practice",
            *("player_id", "game"),
            unique=True,
            sqlite_where=IS_OPEN_PRACTICE,
            postgresql_where=IS_OPEN_PRACTICE,
        ),
        Index("hand_original", "of_key", sqlite_where=_HAS_ORIGINAL, postgresql_where=_HAS_ORIGINAL),
        Index("hand_deal", "daily_key", "number", sqlite_where=_HAS_DAILY_DEAL, postgresql_where=_HAS_DAILY_DEAL),
    )


# literal, as the databases find an index of some of the rows by it
_H: Final = Hand.__table__.c
IS_PLAY: Final = _H.kind == literal_column("'play'")
"""Condition for hands that count: lists, statistics, the numbers of hands and the ledger know no others."""
IS_DAILY: Final = _H.kind == literal_column("'daily'")
"""Condition for rounds of the one try at a daily deal."""
IS_PUBLIC: Final = and_(_H.finished_at.is_not(None), _H.cut.is_not(None), IS_PLAY)
"""Condition for hands that count and have a public page: they are over, and had a cut."""


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
