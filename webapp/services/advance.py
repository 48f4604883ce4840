"""A hand in play moves on by a compare-and-set: the row is changed only if its step is the one that was read."""

from typing import Final

from sqlalchemy import bindparam, update
from sqlalchemy.orm.attributes import set_committed_value
from sqlalchemy.orm.exc import StaleDataError

from webapp.extensions import db
from webapp.models import Hand

_HANDS: Final = Hand.metadata.tables["hand"]
# what is set are the names among the values; objects that are flushed take four times as long
_SET: Final = update(_HANDS).where(_HANDS.c.key == bindparam("of"), _HANDS.c.step == bindparam("read"))


def advance(hand: Hand, **changes: object) -> None:
    """Change columns of the row and of ``hand`` at once. StaleDataError, and nothing has changed, if it is too late."""
    done = db.session.connection().execute(_SET, {"of": hand.key, "read": hand.step, **changes})
    if done.rowcount != 1:
        raise StaleDataError(f"hand {hand.key} is not at step {hand.step} any more")
    for name, value in changes.items():
        set_committed_value(hand, name, value)
