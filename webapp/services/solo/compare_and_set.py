"""A hand in play moves on by a compare-and-set: the row is changed only if its step is the one that was read.

Rows are changed by one statement each, made of the names among the changes: objects that are flushed cost four times as
much, and every move of every player pays it.
"""

from typing import Final

from sqlalchemy import Update, bindparam, update
from sqlalchemy.orm.attributes import set_committed_value
from sqlalchemy.orm.exc import StaleDataError

from webapp.extensions import db
from webapp.models import Hand, Shoe

_HANDS: Final = Hand.metadata.tables["hand"]
_SHOES: Final = Shoe.metadata.tables["shoe"]
_HAND: Final = update(_HANDS).where(_HANDS.c.key == bindparam("of"), _HANDS.c.step == bindparam("read"))
_SHOE: Final = update(_SHOES).where(_SHOES.c.key == bindparam("of"))


def update_if_unchanged(hand: Hand, **changes: object) -> None:
    """Change columns of the row and of ``hand`` at once. StaleDataError, and nothing has changed, if it is too late."""
    _change(hand, _HAND, {"read": hand.step}, changes)


def draw_from_shoe(shoe: Shoe, **changes: object) -> None:
    """Change columns of the row and of ``shoe`` at once; whoever does holds the only hand that is dealt from it."""
    _change(shoe, _SHOE, {}, changes)


def _change(row: Hand | Shoe, statement: Update, read: dict[str, object], changes: dict[str, object]) -> None:
    done = db.session.connection().execute(statement, {"of": row.key, **read, **changes})
    if done.rowcount != 1:
        raise StaleDataError(f"{row.key} is not what it was")
    for name, value in changes.items():
        set_committed_value(row, name, value)
