"""Shared tables and their seats. Cards are not stored here but with the rounds."""

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
