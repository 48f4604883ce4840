"""Why a hold is worth what it is: what is held, and what each line that it leads to adds to its value."""

from webapp.engine.action import Action
from webapp.engine.draw_poker.held import held, is_made
from webapp.engine.draw_poker.rules import HAND, HOLD, POSITIONS, STOP
from webapp.engine.draw_poker.state import DrawPhase, DrawState
from webapp.engine.odds.draw.final_hands.tables import LineTables
from webapp.engine.odds.draw.hold_counts import draws, hold_counts
from webapp.engine.odds.draw.hold_values import line_values
from webapp.engine.odds.draw.spot import thrown_cards
from webapp.engine.odds.value import Part, Reason, TableStore


def reason_of(state: DrawState, action: Action, store: TableStore) -> Reason | None:
    """Return the reason of a hold; without counts where further exchanges follow it. None in the double-up."""
    if state.phase is not DrawPhase.EXCHANGE or action.verb not in (HOLD, STOP.verb):
        return None
    positions = POSITIONS if action.verb == STOP.verb else action.args
    label = held(state.hand, positions)
    line = state.rules.pay_table.line_of(state.hand) if is_made(state.hand, positions) else None
    made = line.code if line else ""
    if state.exchanges_left > 1 and action.verb == HOLD:
        return Reason(label, drawn=HAND - len(positions), made=made)
    thrown, mask = thrown_cards(state), sum(1 << position - 1 for position in positions)
    tables = LineTables.of(state.rules.pay_table, state.rules.jokers, store)
    counts = hold_counts(tables, state.hand, thrown)[mask].tolist()
    ways = draws(tables.deck, len(thrown))[mask]
    values = line_values(state.rules, state.stake)
    parts = [
        Part(line.code, count, value * count / ways)
        for line, count, value in zip(tables.pay_table.lines, counts[1:], values[1:], strict=True)
        if count
    ]
    return Reason(label, ways, HAND - len(positions), tuple(sorted(parts, key=lambda part: -part.value)), made)
