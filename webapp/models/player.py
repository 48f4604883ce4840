"""Whoever has played here. There are no accounts: the signed cookie says who it is."""

from sqlalchemy import BigInteger, String
from sqlalchemy.orm import Mapped, mapped_column

from webapp.extensions import Base


class Player(Base):
    __tablename__ = "player"

    id: Mapped[str] = mapped_column(String(24), primary_key=True)
    name: Mapped[str] = mapped_column(String(80), default="")
    created_at: Mapped[int] = mapped_column(BigInteger)
