"""Simulations of the lab: what was requested, and the results so far."""

from typing import Final

from sqlalchemy import BigInteger, CheckConstraint, Float, ForeignKey, Index, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from webapp.extensions import Base

UNFINISHED: Final = ("waiting", "running")
_IS_UNFINISHED = text("status IN ('waiting', 'running')")


class LabJob(Base):
    """A simulation that somebody has requested: one scenario, or two to compare if there is an ``other_table``.

    ``table`` is the variant, ``sheet`` an uploaded chart as text.
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
    """Number of chunks that are counted, from the first on. Only a compare-and-set raises it."""
    counted: Mapped[str] = mapped_column(Text, default="")
    """Statistics of the counted chunks, as JSON; empty before the first."""
    seconds: Mapped[float] = mapped_column(Float, default=0.0)
    """Computing time so far."""
    stop_asked: Mapped[bool] = mapped_column(default=False)
    interrupted: Mapped[int] = mapped_column(default=0)
    """Number of times that the supervisor was lost in the middle of the job."""
    created_at: Mapped[int] = mapped_column(BigInteger)
    served: Mapped[int] = mapped_column(BigInteger, default=0)
    """Number of the last turn of this job. The job with the lowest number comes next."""
    supervisor: Mapped[str | None] = mapped_column(String(32))
    """Name of the supervisor that has the lease, or had it last. See ``services/lab/lease.py``."""
    noted_at: Mapped[int | None] = mapped_column(BigInteger)
    """Time of the last heartbeat of the supervisor."""
    finished_at: Mapped[int | None] = mapped_column(BigInteger)

    __table_args__ = (
        CheckConstraint("status IN ('waiting', 'running', 'done', 'stopped', 'failed')", name="lab_job_status"),
        CheckConstraint("(status IN ('waiting', 'running')) = (finished_at IS NULL)", name="lab_job_finished"),
        Index("lab_job_unfinished", "created_at", sqlite_where=_IS_UNFINISHED, postgresql_where=_IS_UNFINISHED),
        Index("lab_job_player", "player_id", "created_at"),
    )
