"""Players. There are no accounts: the signed cookie names the player."""

from sqlalchemy import BigInteger, String
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
