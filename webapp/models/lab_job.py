"""A simulation of the lab: what was asked, and what has been counted of it."""

from typing import Final

from sqlalchemy import BigInteger, CheckConstraint, Float, ForeignKey, Index, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from webapp.extensions import Base

UNFINISHED: Final = ("waiting", "running")
_IS_UNFINISHED = text("status IN ('waiting', 'running')")


class LabJob(Base):
    """With an ``other_table`` two are compared. A ``sheet`` is an uploaded strategy.

    Times are unix milliseconds: the queue goes by them.
    """

    __tablename__ = "lab_job"

    key: Mapped[str] = mapped_column(String(16), primary_key=True)
    player_id: Mapped[str] = mapped_column(ForeignKey("player.id"))
    table: Mapped[str] = mapped_column(String(300))
    strategy: Mapped[str] = mapped_column(String(20))
    sheet: Mapped[str | None] = mapped_column(Text)
    other_table: Mapped[str | None] = mapped_column(String(300))
    other_strategy: Mapped[str | None] = mapped_column(String(20))
    other_sheet: Mapped[str | None] = mapped_column(Text)
    rounds: Mapped[int] = mapped_column(BigInteger)
    seed: Mapped[int] = mapped_column(BigInteger)
    bet: Mapped[int]
    chunk: Mapped[int]
    status: Mapped[str] = mapped_column(String(10))
    chunks: Mapped[int] = mapped_column(default=0)
    """How many chunks are counted, from the first on; only a compare-and-set raises it."""
    counted: Mapped[str] = mapped_column(Text, default="")
    """What they add up to, as JSON; empty before the first."""
    seconds: Mapped[float] = mapped_column(Float, default=0.0)
    """How long it was worked at."""
    stop_asked: Mapped[bool] = mapped_column(default=False)
    interrupted: Mapped[int] = mapped_column(default=0)
    """How often the workers were gone in the middle of it."""
    created_at: Mapped[int] = mapped_column(BigInteger)
    served: Mapped[int] = mapped_column(BigInteger, default=0)
    """Number of the last turn it had: whoever has waited longest comes next."""
    supervisor: Mapped[str | None] = mapped_column(String(32))
    """Who plays it, or had it last: see ``services/foreman``."""
    noted_at: Mapped[int | None] = mapped_column(BigInteger)
    """When something was last heard of him."""
    finished_at: Mapped[int | None] = mapped_column(BigInteger)

    __table_args__ = (
        CheckConstraint("status IN ('waiting', 'running', 'done', 'stopped', 'failed')", name="lab_job_status"),
        CheckConstraint("(status IN ('waiting', 'running')) = (finished_at IS NULL)", name="lab_job_finished"),
        Index("lab_job_unfinished", "created_at", sqlite_where=_IS_UNFINISHED, postgresql_where=_IS_UNFINISHED),
        Index("lab_job_player", "player_id", "created_at"),
    )
