"""Puzzles: decisions of finished hands that are asked again, and their grading by the odds."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from webapp.engine.action import ALONE, Action
from webapp.engine.cards import Card
from webapp.engine.errors import IllegalAction
from webapp.engine.game import AnyGame, View
from webapp.engine.odds import kinds_of
from webapp.engine.odds.value import Grade
from webapp.services.core.errors import Refusal
from webapp.services.odds import desk
from webapp.services.records.finished import Finished


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A decision, and nothing of what came after it. It is asked of one person, so no action has a seat.

    ``marking`` is the verb whose arguments are cards that are marked, if there is one. ``line`` and ``at`` say to the
    odds desk which decision it is; they hold later cards, and never leave the site.
    """

    game: AnyGame
    table: str
    view: View
    actions: tuple[Action, ...]
    marking: str | None
    line: str
    at: int
    kinds: tuple[str, ...] = ()
    """Kinds of the decision, the narrowest first."""

    @property
    def rules(self) -> Any:
        """The rules of the table."""
        return self.game.rules(self.table)

    @property
    def hand(self) -> tuple[Card, ...]:
        """The cards that can be marked."""
        return tuple(getattr(self.view, "hand", ()))

    @property
    def buttons(self) -> tuple[Action, ...]:
        """The actions that are no choice of marks."""
        return tuple(action for action in self.actions if action.verb != self.marking)


@dataclass(frozen=True, slots=True)
class Priced:
    """An action and its value."""

    action: Action
    value: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """Verdict on an answer. ``grade`` is None where no action is better than another.

    ``measure``: what a cost is a share of, the stake, or the best value where nothing is staked.
    """

    answer: Priced
    best: Priced
    options: tuple[Priced, ...]
    cost: float
    grade: Grade | None
    measure: float
    unit: str
    exact: bool
    question: Mapping[str, str]
    reason: Mapping[str, Any] | None
    """The decision as a question to the desk, and why the best action is best, both as the desk says them."""

    @property
    def is_right(self) -> bool:
        """True if no action would have been worth more."""
        return self.grade in (None, Grade.BEST)

    @property
    def share(self) -> float:
        """The cost as a share of the stake, or of the best value where nothing is staked."""
        return max(0.0, self.cost / self.measure) if self.measure > 0 else 0.0


def puzzle_of(hand: Finished, step: int) -> Puzzle:
    """Return a decision of a finished hand or round.

    Raises:
        Refusal: ``no-decision``: there is nothing to decide at this step.
    """
    if not 0 <= step < len(hand.moves):
        raise Refusal("no-decision", str(step))
    return puzzle_at(hand.game, hand.table, hand.replay.states[step], hand.notation, step)


def puzzle_for_all(hand: Finished, step: int) -> Puzzle:
    """Return a decision that anybody with the link of its hand may be asked. In a round each has their own.

    Raises:
        Refusal: ``no-decision``, as ``puzzle_of`` does and for a round.
    """
    if hand.seats:
        raise Refusal("no-decision", str(step))
    return puzzle_of(hand, step)


def verdict_on(puzzle: Puzzle, action: Action) -> Verdict:
    """Return what an action is worth beside the best one.

    Raises:
        IllegalAction: It cannot be done here.
        desk.Pending, NoOdds, Refusal: as of the odds desk.
    """
    if action not in puzzle.actions:
        raise IllegalAction(f"{action} is not legal here")
    found = desk.ask("step", {"line": puzzle.line, "step": str(puzzle.at)})
    options = tuple(Priced(_unseated(Action.parse(each["action"])), each["value"]) for each in found["options"])
    place, answer = next((place, option) for place, option in enumerate(options) if option.action == action)
    measured = found["options"][place]["grade"] or Grade.BEST
    return Verdict(
        answer=answer,
        best=options[0],
        options=options,
        cost=options[0].value - answer.value,
        grade=None if found["fair"] else Grade(measured),
        measure=found["measure"],
        unit=found["unit"],
        exact=found["exact"],
        question=found.get("question", {}),
        reason=found["options"][0].get("reason"),
    )


def puzzle_at(game: AnyGame, table: str, state: Any, line: str, at: int) -> Puzzle:
    """Return the decision of a state; ``line`` and ``at`` say to the odds desk which it is."""
    marking = game.marks(state)
    return Puzzle(
        game,
        table,
        game.view(state, None),
        tuple(map(_unseated, game.legal_actions(state))),
        marking.verb if marking else None,
        line,
        at,
        kinds_of(game, state),
    )


def _unseated(action: Action) -> Action:
    return replace(action, seat=ALONE)
