"""Forced moves of a shared table, as steps that the page shows one by one.

The table plays such moves when they are due, all in one transaction. A page that has not seen them yet shows them one
after the other; what is shown of each is what the same viewer would have seen of the table then.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

from webapp.engine.games import COMPANY
from webapp.services.tables.facts import RoundFacts, Snapshot
from webapp.services.tables.snapshots import said_in
from webapp.services.tables.table_view import SNAPSHOTS, TableView, view_for


@dataclass(frozen=True, slots=True)
class ForcedStep:
    """The table before a move without an alternative. ``verb``: of that move."""

    table: TableView
    verb: str


def steps_for(table: Snapshot, viewer: str | None) -> tuple[ForcedStep, ...]:
    """Return the table as a viewer would have seen it before each of the last moves that had no alternative."""
    return tuple(ForcedStep(view_for(then, viewer), verb) for then, verb in _forced_moves(table))


@lru_cache(maxsize=SNAPSHOTS)
def _forced_moves(table: Snapshot) -> tuple[tuple[Snapshot, str], ...]:
    """Return the table before each of the last moves that had no alternative, and the verb of that move."""
    shown = table.shown
    return tuple(_forced_move(table, shown, number) for number in range(len(shown.before_forced))) if shown else ()


def _forced_move(table: Snapshot, shown: RoundFacts, number: int) -> tuple[Snapshot, str]:
    state = shown.before_forced[number]
    action = COMPANY.forced(state)
    assert action is not None
    moves = shown.moves - len(shown.before_forced) + number
    live = replace(shown, status="live", state=state, log=(), moves=moves, before_forced=())
    said = said_in(shown, shown.before_forced[: number + 1])
    then = replace(table, phase="playing", acting=shown.banker, banker=shown.banker, shown=live, said=said)
    return then, action.verb
