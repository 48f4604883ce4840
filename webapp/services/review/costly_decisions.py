"""The kinds of decisions that cost a player most, for drills of them."""

from typing import Final

from webapp.engine.errors import EngineError
from webapp.services.core.errors import Refusal
from webapp.services.core.randomness import pick
from webapp.services.deals.drills import Kinds, kinds_at
from webapp.services.review.statistics import decisions_of

UNREADABLE: Final = (Refusal, EngineError)
"""What hands raise that were pruned meanwhile, or that no key opens."""


def costly_kinds(player: str | None, code: str, table: str | None) -> Kinds | None:
    """Return the kinds of one of the decisions that cost a player most in a game; None if there is none.

    Args:
        table: The only one whose decisions count, if one is named.
    """
    tables = (at for at in decisions_of(player) if at.game == code and table in (None, at.table))
    costly = [decision for at in tables for decision in at.dearest]
    while costly:
        chosen = costly.pop(pick(len(costly)))
        try:
            found = kinds_at(chosen.key, chosen.step)
        except UNREADABLE:
            continue
        if found.words:
            return found
    return None
