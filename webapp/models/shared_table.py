"""Shared tables, their seats and their rounds: public facts, moves, and the sealed seed of the cards."""

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from webapp.extensions import Base

_IS_OPEN = text("phase <> 'closed'")
_IS_RUNNING = text("deadline IS NOT NULL")


class SharedTable(Base):
    """A table that several people share by its code.

    ``version`` counts all changes that somebody can see; only a compare-and-set raises it. Phases: ``waiting`` for two
    players who are ready, ``betting``, ``playing``, ``settled`` (a pause to look at the cards), ``closed``.
    """

    __tablename__ = "shared_table"

    code: Mapped[str] = mapped_column(String(8), primary_key=True)
    game: Mapped[str] = mapped_column(String(20))
    variant: Mapped[str] = mapped_column(String(300))
    public: Mapped[bool]
    opened_by: Mapped[str] = mapped_column(ForeignKey("player.id"), index=True)
    opened_from: Mapped[str | None] = mapped_column(String(16))
    """Of an open public table: what tells the network of who opened it from others, without naming it."""
    circle_code: Mapped[str | None] = mapped_column(String(8), index=True)
    """Code of the circle for whose members it was opened; that may be closed by now."""
    version: Mapped[int] = mapped_column(default=1)
    turn_version: Mapped[int] = mapped_column(default=1)
    """Version since which bets, cards and turn are unchanged."""
    phase: Mapped[str] = mapped_column(String(10))
    round_key: Mapped[str] = mapped_column(String(16))
    """Key of the round that is played or comes next. It is committed to at the end of the round before."""
    rounds: Mapped[int] = mapped_column(default=0)
    """Number of rounds begun."""
    banker: Mapped[int | None]
    """Number of the banker's seat; between rounds, of the last banker's."""
    banker_rounds: Mapped[int] = mapped_column(default=0)
    """Number of rounds in a row that this seat has banked."""
    bank_order: Mapped[str] = mapped_column(Text, default="")
    """Ids of players in the order in which they become banker, with ``*`` after one who has banked since coming last.

    Empty until the first banker is drawn. Players who have left keep their place.
    """
    acting: Mapped[int | None]
    """Number of the seat whose turn it is."""
    clock_from: Mapped[int | None] = mapped_column(BigInteger)
    deadline: Mapped[int | None] = mapped_column(BigInteger)
    """Time at which the timer continues the table."""
    opened_at: Mapped[int] = mapped_column(BigInteger)
    moved_at: Mapped[int] = mapped_column(BigInteger)

    seats: Mapped[list["TableSeat"]] = relationship(
        order_by="TableSeat.number", cascade="all, delete-orphan", lazy="selectin"
    )

    __mapper_args__ = {"version_id_col": version, "version_id_generator": False}  # noqa: RUF012
    __table_args__ = (
        CheckConstraint("phase IN ('waiting', 'betting', 'playing', 'settled', 'closed')", name="shared_table_phase"),
        Index("shared_table_open", "moved_at", sqlite_where=_IS_OPEN, postgresql_where=_IS_OPEN),
        Index("shared_table_deadline", "deadline", sqlite_where=_IS_RUNNING, postgresql_where=_IS_RUNNING),
    )


class TableSeat(Base):
    """An occupied seat.

    The chips are those of ``player_id``. ``holder_id`` acts for the seat, which may be the same person's other device.
    """

    __tablename__ = "table_seat"

    table_code: Mapped[str] = mapped_column(ForeignKey("shared_table.code"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    player_id: Mapped[str] = mapped_column(ForeignKey("player.id"), index=True)
    holder_id: Mapped[str] = mapped_column(ForeignKey("player.id"))
    link: Mapped[str] = mapped_column(String(24))
    """Secret word of the link that takes the seat over; replaced each time it was used."""
    bot: Mapped[bool] = mapped_column(default=False)
    ready: Mapped[int] = mapped_column(default=0)
    """0: only sits; 1: plays; 2: plays and does not need the rest of the pause between rounds."""
    away: Mapped[bool] = mapped_column(default=False)
    leaving: Mapped[bool] = mapped_column(default=False)
    policy: Mapped[str] = mapped_column(String(10), default="timid")
    banks: Mapped[bool] = mapped_column(default=False)
    """True for the seat that banked last, also between rounds."""
    name_number: Mapped[int] = mapped_column(default=1)
    """Number that tells the player's name from others at the table that look the same; 1 is not shown."""
    cut: Mapped[str | None] = mapped_column(String(64))
    """Cut given with *ready* for the round that was committed to then; removed when the next one is."""
    seen_at: Mapped[int] = mapped_column(BigInteger)

    __table_args__ = (Index("table_seat_holder", "table_code", "holder_id", unique=True),)


class TableRound(Base):
    """One deal of cards at a shared table.

    The cuts of several players shuffle the pack, so the seed is in no cookie but here, sealed until the end. Status
    ``ready``: committed, nothing at stake; ``betting``: bets and cuts come in; ``live``: dealt; ``done``; ``void``.
    """

    __tablename__ = "table_round"

    key: Mapped[str] = mapped_column(String(16), primary_key=True)
    table_code: Mapped[str] = mapped_column(ForeignKey("shared_table.code"))
    game: Mapped[str] = mapped_column(String(20))
    variant: Mapped[str] = mapped_column(String(300))
    seq: Mapped[int]
    """Number of the round at this table, without gaps, from 1."""
    status: Mapped[str] = mapped_column(String(10))
    commitment: Mapped[str] = mapped_column(String(64))
    sealed_seed: Mapped[str | None] = mapped_column(Text)
    revealed_seed: Mapped[str | None] = mapped_column(String(64))
    begun: Mapped[int] = mapped_column(default=0)
    """Number of times that betting was opened: until the deal it may be taken back."""
    banker: Mapped[int | None]
    """Number of the banker's seat."""
    bank_draw: Mapped[str | None] = mapped_column(Text)
    """Who drew for the bank before the first round of the table: numbers of seats with their words, ``0:word 3:-``."""
    dealt: Mapped[bool] = mapped_column(default=False)
    """True once cards were dealt; then the round has a page when it is over."""
    moves: Mapped[str] = mapped_column(Text, default="")
    """Actions separated by spaces. Their seats are places among ``bets``, from 0."""
    autos: Mapped[str] = mapped_column(Text, default="")
    """For each move ``-`` if the player made it, else policy and reason, like ``timid/late``."""
    step: Mapped[int] = mapped_column(default=0)
    void_when_over: Mapped[bool | None]
    """Decided for good when the last person at the cards is marked as away; None until then."""
    sealed_since: Mapped[int | None] = mapped_column(BigInteger)
    """Time at which it was first noticed that no key opens the seed; None if one does."""
    created_at: Mapped[int] = mapped_column(BigInteger)
    finished_at: Mapped[int | None] = mapped_column(BigInteger)

    bets: Mapped[list["RoundSeat"]] = relationship(
        order_by="RoundSeat.number", cascade="all, delete-orphan", lazy="selectin"
    )

    __table_args__ = (
        CheckConstraint("status IN ('ready', 'betting', 'live', 'done', 'void')", name="table_round_status"),
        CheckConstraint("(status IN ('done', 'void')) = (finished_at IS NOT NULL)", name="table_round_finished"),
        CheckConstraint("(revealed_seed IS NULL) = (sealed_seed IS NOT NULL)", name="table_round_sealed"),
        CheckConstraint("revealed_seed IS NULL OR finished_at IS NOT NULL", name="table_round_reveal"),
        Index("table_round_seq", "table_code", "seq", unique=True),
    )


class RoundSeat(Base):
    """One seat in one round: its stake, its cut and its result."""

    __tablename__ = "round_seat"

    round_key: Mapped[str] = mapped_column(ForeignKey("table_round.key"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    player_id: Mapped[str] = mapped_column(ForeignKey("player.id"))
    bot: Mapped[bool] = mapped_column(default=False)
    name: Mapped[str | None] = mapped_column(String(80))
    """Name of the player when the round ended, empty if there was none; None in rounds from before it was kept."""
    queue: Mapped[int | None]
    """Place in the order of the bank when the round began; None in rounds from before there was one."""
    cut: Mapped[str | None] = mapped_column(String(64))
    stake: Mapped[int] = mapped_column(BigInteger, default=0)
    """The bet of a player, 0 until it is placed; what the banker has put up."""
    auto: Mapped[bool] = mapped_column(default=False)
    """True if the bet was placed automatically."""
    payout: Mapped[int | None] = mapped_column(BigInteger)
    outcome: Mapped[str | None] = mapped_column(String(40))
    finished_at: Mapped[int | None] = mapped_column(BigInteger)
    """Copy of the end of the round, for the history of a player."""

    __table_args__ = (Index("round_seat_history", "player_id", "finished_at", "round_key"),)
