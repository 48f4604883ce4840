"""Links that sign another browser in as the same player."""

from sqlalchemy import BigInteger, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from webapp.extensions import Base


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
