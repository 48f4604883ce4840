"""Reports of names that somebody at a shared table found offensive."""

from sqlalchemy import BigInteger, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from webapp.extensions import Base


class NameReport(Base):
    """A report of a player's name. The same person reports the same name once."""

    __tablename__ = "name_report"

    player_id: Mapped[str] = mapped_column(ForeignKey("player.id"), primary_key=True)
    """The player who has the name."""
    name: Mapped[str] = mapped_column(String(80), primary_key=True)
    reporter_id: Mapped[str] = mapped_column(ForeignKey("player.id"), primary_key=True)
    table_code: Mapped[str] = mapped_column(String(8))
    at: Mapped[int] = mapped_column(BigInteger)
