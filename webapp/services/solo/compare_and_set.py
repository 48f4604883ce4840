"""The compare-and-set of a hand in play: its row is changed only if its step is still the one that was read.

A row is changed by one UPDATE of the changed columns. To flush the object instead costs four times as much, and every
move of every player would pay it.
"""

from typing import Final

from sqlalchemy import Update, bindparam, update
from sqlalchemy.orm.attributes import set_committed_value
from sqlalchemy.orm.exc import StaleDataError

from webapp.extensions import db
from webapp.models import Hand, Shoe

_HANDS: Final = Hand.metadata.tables["hand"]
_SHOES: Final = Shoe.metadata.tables["shoe"]
_HAND: Final = update(_HANDS).where(
    _HANDS.c.key == bindparam("of"), _HANDS.c.step == bindparam("read"), _HANDS.c.finished_at.is_(None)
)
_SHOE: Final = update(_SHOES).where(_SHOES.c.key == bindparam("of"))


def update_if_unchanged(hand: Hand, **changes: object) -> None:
    """Change columns of the row and of ``hand`` at once.

    Raises:
        StaleDataError: The row has moved on, or the hand is over; nothing was changed.
    """
    _change(hand, _HAND, {"read": hand.step}, changes)


def draw_from_shoe(shoe: Shoe, **changes: object) -> None:
    """Change columns of the row and of ``shoe`` at once. The caller has locked the only open hand of the shoe.

    Raises:
        StaleDataError: There is no such row any more.
    """
    _change(shoe, _SHOE, {}, changes)


def _change(row: Hand | Shoe, statement: Update, read: dict[str, object], changes: dict[str, object]) -> None:
    done = db.session.connection().execute(statement, {"of": row.key, **read, **changes})
    if done.rowcount != 1:
        raise StaleDataError(f"{row.key} has changed")
    for name, value in changes.items():
        set_committed_value(row, name, value)
