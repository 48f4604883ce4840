"""Signs that the site is listening, so that nobody is blamed for the time in which it was not."""

from sqlalchemy import BigInteger, CheckConstraint
from sqlalchemy.orm import Mapped, mapped_column

from webapp.extensions import Base


class SiteBeat(Base):
    """The one row that all serving processes share.

    ``at`` is the latest beat of any of them; ``since`` the time since which there was no gap between two beats.
    """

    __tablename__ = "site_beat"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    at: Mapped[int] = mapped_column(BigInteger)
    since: Mapped[int] = mapped_column(BigInteger)

    __table_args__ = (CheckConstraint("id = 1", name="site_beat_one_row"),)
