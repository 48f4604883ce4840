"""A hand of draw poker as it may be seen."""

from dataclasses import dataclass

from webapp.engine.action import ALONE, Action, Seat
from webapp.engine.cards import Card
from webapp.engine.draw_poker.double_up import DoubleUpOdds, DoubleUpRoundView
from webapp.engine.draw_poker.state import DrawPhase, DrawState
from webapp.engine.game import Result, View
from webapp.engine.label import Label
from webapp.engine.poker.ranking import label, rank


@dataclass(frozen=True, kw_only=True, slots=True)
class DrawView(View):
    """``line`` is the code of the pay table's line that the standing hand is on, ``worth`` what that pays.

    ``score`` is what can be collected, 0 before the last exchange.
    ``ladder`` holds five scores of the double-up around the present one, ``rung`` the index of the present one.
    """

    phase: DrawPhase
    hand: tuple[Card, ...]
    held: tuple[int, ...]
    fresh: tuple[int, ...]
    made: Label
    category: str
    line: str | None
    worth: int
    exchanges_left: int
    score: int
    wins: int
    rounds: tuple[DoubleUpRoundView, ...]
    odds: DoubleUpOdds | None
    ladder: tuple[int, ...]
    rung: int


def view_of(state: DrawState, viewer: Seat | None, actions: tuple[Action, ...], result: Result | None) -> DrawView:
    """Return the state as a viewer may see it. ``actions`` and ``result`` are those of the state."""
    ranked = rank(state.hand)
    line = state.rules.pay_table.line_of(state.hand)
    ladder, rung = _ladder(state)
    return DrawView(
        viewer=viewer,
        to_act=ALONE if actions else None,
        actions=actions if viewer == ALONE else (),
        result=result,
        said=state.said,
        phase=state.phase,
        hand=state.hand,
        held=state.held,
        fresh=state.fresh,
        made=label(ranked),
        category=ranked.category.name,
        worth=state.worth,
        line=line.code if line else None,
        exchanges_left=state.exchanges_left,
        score=state.score,
        wins=state.wins,
        rounds=tuple(map(DoubleUpRoundView.of, state.rounds)),
        odds=DoubleUpOdds.of(state.rounds[-1].cards[0]) if state.phase is DrawPhase.PICK else None,
        ladder=ladder,
        rung=rung,
    )


def _ladder(state: DrawState) -> tuple[tuple[int, ...], int]:
    """Return five scores, the present one among the doubled ones before and after it, and its index."""
    double_up = state.rules.double_up
    if double_up is None or not state.worth:
        return (), 0
    scores = [min(state.worth * 2**wins, double_up.max_score) for wins in range(double_up.max_wins + 1)]
    first = max(0, min(state.wins - 1, len(scores) - 5))
    return tuple(scores[first : first + 5]), state.wins - first
