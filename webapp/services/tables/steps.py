"""Forced moves of a shared table, as steps that the page shows one by one.

The table plays such moves when they are due, all in one transaction. A page that has not seen them yet shows them one
after the other; what is shown of each is what the same viewer would have seen of the table then.
"""

from dataclasses import dataclass, replace

from webapp.engine.games import COMPANY
from webapp.services.tables.reading.facts import RoundFacts, Snapshot
from webapp.services.tables.reading.from_rows import said_in
from webapp.services.tables.view.table_view import TableView, view_for


@dataclass(frozen=True, slots=True)
class ForcedStep:
    """The table before a move without an alternative. ``verb``: of that move."""

    table: TableView
    verb: str


def steps_for(table: Snapshot, viewer: str | None) -> tuple[ForcedStep, ...]:
    """Return the table as a viewer would have seen it before each of the last moves that had no alternative."""
    shown = table.shown
    if shown is None:
        return ()
    return tuple(_step(table, shown, number, viewer) for number in range(len(shown.before_forced)))


def _step(table: Snapshot, shown: RoundFacts, number: int, viewer: str | None) -> ForcedStep:
    state = shown.before_forced[number]
    action = COMPANY.forced(state)
    assert action is not None
    moves = shown.moves - len(shown.before_forced) + number
    live = replace(shown, status="live", state=state, log=(), moves=moves, before_forced=())
    said = said_in(shown, shown.before_forced[: number + 1])
    then = replace(table, phase="playing", acting=shown.banker, banker=shown.banker, shown=live, said=said)
    return ForcedStep(view_for(then, viewer), action.verb)
