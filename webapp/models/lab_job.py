"""A simulation job of the lab: what is to be simulated, and its statistics so far."""

from typing import Final

from sqlalchemy import BigInteger, CheckConstraint, Float, ForeignKey, Index, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from webapp.extensions import Base

UNFINISHED: Final = ("waiting", "running")
_IS_UNFINISHED = text("status IN ('waiting', 'running')")


class LabJob(Base):
    """A job plays one scenario, or compares two of them if there is an ``other_variant``.

    A ``chart`` is the text of an uploaded strategy. Times are unix milliseconds, since the queue is ordered by them.
    """

    __tablename__ = "lab_job"

    key: Mapped[str] = mapped_column(String(16), primary_key=True)
    player_id: Mapped[str] = mapped_column(ForeignKey("player.id"))
    variant: Mapped[str] = mapped_column(String(300))
    strategy: Mapped[str] = mapped_column(String(20))
    chart: Mapped[str | None] = mapped_column(Text)
    other_variant: Mapped[str | None] = mapped_column(String(300))
    other_strategy: Mapped[str | None] = mapped_column(String(20))
    other_chart: Mapped[str | None] = mapped_column(Text)
    counting: Mapped[str | None] = mapped_column(Text)
    """How the player counts and bets, as JSON; None for one who does not count."""
    rounds: Mapped[int] = mapped_column(BigInteger)
    seed: Mapped[int] = mapped_column(BigInteger)
    bet: Mapped[int]
    chunk: Mapped[int]
    status: Mapped[str] = mapped_column(String(10))
    chunks: Mapped[int] = mapped_column(default=0)
    """Number of chunks that are counted, from the first on; only a compare-and-set raises it."""
    statistics: Mapped[str] = mapped_column(Text, default="")
    """Statistics of those chunks as JSON; empty before the first."""
    seconds: Mapped[float] = mapped_column(Float, default=0.0)
    """Time for which it was played."""
    stop_requested: Mapped[bool] = mapped_column(default=False)
    interrupted: Mapped[int] = mapped_column(default=0)
    """Number of times that its supervisor was lost while it was played."""
    created_at: Mapped[int] = mapped_column(BigInteger)
    last_turn: Mapped[int] = mapped_column(BigInteger, default=0)
    """Number of the last turn it had: the player who has waited longest comes next."""
    supervisor: Mapped[str | None] = mapped_column(String(32))
    """Name of the lease under which it is played, or was played last: see ``services/lab/lease``."""
    heartbeat_at: Mapped[int | None] = mapped_column(BigInteger)
    """Time of the supervisor's last sign of life."""
    finished_at: Mapped[int | None] = mapped_column(BigInteger)

    __table_args__ = (
        CheckConstraint("status IN ('waiting', 'running', 'done', 'stopped', 'failed')", name="lab_job_status"),
        CheckConstraint("(status IN ('waiting', 'running')) = (finished_at IS NULL)", name="lab_job_finished"),
        Index("lab_job_unfinished", "created_at", sqlite_where=_IS_UNFINISHED, postgresql_where=_IS_UNFINISHED),
        Index("lab_job_player", "player_id", "created_at"),
    )
