"""A table that several people share, and who sits at it. Its cards are not here: a round has them."""

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from webapp.extensions import Base

_IS_OPEN = text("phase <> 'closed'")


class SharedTable(Base):
    """``version`` counts whatever changes for anybody; only a compare-and-set raises it. Times are unix milliseconds.

    Phases: ``waiting`` for two who are ready, ``betting``, ``playing``, ``settled`` (a pause to look), ``closed``.
    """

    __tablename__ = "shared_table"

    code: Mapped[str] = mapped_column(String(8), primary_key=True)
    game: Mapped[str] = mapped_column(String(20))
    variant: Mapped[str] = mapped_column(String(300))
    public: Mapped[bool]
    opened_by: Mapped[str] = mapped_column(ForeignKey("player.id"), index=True)
    version: Mapped[int] = mapped_column(default=1)
    turn_version: Mapped[int] = mapped_column(default=1)
    """The version since which bets, cards and turn have been the same."""
    phase: Mapped[str] = mapped_column(String(10))
    round_key: Mapped[str] = mapped_column(String(16))
    """The round that is played, or comes next. Its commitment stands from the end of the one before."""
    rounds: Mapped[int] = mapped_column(default=0)
    """How many rounds have been begun."""
    bank: Mapped[int | None]
    """Number of the seat that is the bank, or was it last."""
    banked: Mapped[int] = mapped_column(default=0)
    """How many rounds in a row."""
    acting: Mapped[int | None]
    """Number of the seat in turn."""
    clock_from: Mapped[int | None] = mapped_column(BigInteger)
    deadline: Mapped[int | None] = mapped_column(BigInteger)
    """When the house does what has not been done: whoever asks next makes it so."""
    opened_at: Mapped[int] = mapped_column(BigInteger)
    moved_at: Mapped[int] = mapped_column(BigInteger)

    seats: Mapped[list["TableSeat"]] = relationship(
        order_by="TableSeat.number", cascade="all, delete-orphan", lazy="selectin"
    )

    __mapper_args__ = {"version_id_col": version, "version_id_generator": False}  # noqa: RUF012
    __table_args__ = (
        CheckConstraint("phase IN ('waiting', 'betting', 'playing', 'settled', 'closed')", name="shared_table_phase"),
        Index("shared_table_open", "moved_at", sqlite_where=_IS_OPEN, postgresql_where=_IS_OPEN),
    )


class TableSeat(Base):
    """An occupied seat. It is ``player``'s, whose chips are played for; ``holder`` acts for it, perhaps elsewhere."""

    __tablename__ = "table_seat"

    table_code: Mapped[str] = mapped_column(ForeignKey("shared_table.code"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    player_id: Mapped[str] = mapped_column(ForeignKey("player.id"), index=True)
    holder_id: Mapped[str] = mapped_column(ForeignKey("player.id"))
    link: Mapped[str] = mapped_column(String(24))
    """The word of the private link that takes the seat over; a new one each time it was used."""
    bot: Mapped[bool] = mapped_column(default=False)
    ready: Mapped[int] = mapped_column(default=0)
    """0: only sits; 1: plays along; 2: and needs no more of the pause between rounds."""
    away: Mapped[bool] = mapped_column(default=False)
    leaving: Mapped[bool] = mapped_column(default=False)
    policy: Mapped[str] = mapped_column(String(10), default="timid")
    cut: Mapped[str | None] = mapped_column(String(64))
    """Given with *ready*, for the round whose commitment stood there; taken away when the next one is committed to."""
    seen_at: Mapped[int] = mapped_column(BigInteger)

    __table_args__ = (Index("table_seat_holder", "table_code", "holder_id", unique=True),)
