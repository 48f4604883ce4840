"""A shoe: cards that several hands of one player are dealt from, until the cut card comes."""

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from webapp.extensions import Base

_IS_OPEN = text("closed_at IS NULL")


class Shoe(Base):
    """The shoe of a player for one variant of a game.

    The seed is sealed in the player's cookie and here, and revealed when the shoe is closed; if no key opens it then,
    or if there was no cut, it stays here sealed. ``cut`` comes with the first deal. ``dealt`` is the number of cards
    that finished hands have used.
    """

    __tablename__ = "shoe"

    key: Mapped[str] = mapped_column(String(16), primary_key=True)
    player_id: Mapped[str] = mapped_column(ForeignKey("player.id"))
    game: Mapped[str] = mapped_column(String(20))
    variant: Mapped[str] = mapped_column(String(300))
    commitment: Mapped[str] = mapped_column(String(64))
    cut: Mapped[str | None] = mapped_column(String(64))
    dealt: Mapped[int] = mapped_column(default=0)
    revealed_seed: Mapped[str | None] = mapped_column(String(64))
    sealed_seed: Mapped[str | None] = mapped_column(Text)
    sealed_since: Mapped[int | None] = mapped_column(BigInteger)
    """Time at which it was first noticed that no key opens the overdue shoe."""
    opened_at: Mapped[int] = mapped_column(BigInteger)
    moved_at: Mapped[int] = mapped_column(BigInteger)
    """Time at which a hand of this shoe was last begun, dealt or ended."""
    closed_at: Mapped[int | None] = mapped_column(BigInteger)

    __table_args__ = (
        CheckConstraint("revealed_seed IS NULL OR closed_at IS NOT NULL", name="shoe_reveal"),
        Index("shoe_overdue", "moved_at", sqlite_where=_IS_OPEN, postgresql_where=_IS_OPEN),
        Index("shoe_one_open", "player_id", "game", unique=True, sqlite_where=_IS_OPEN, postgresql_where=_IS_OPEN),
    )
