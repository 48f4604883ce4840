"""Answers about decisions that are asked again: puzzles and drills."""

from dataclasses import dataclass
from typing import Annotated, Literal

from webapp.engine.action import Action
from webapp.services.deals.puzzles import Priced, Puzzle, Verdict
from webapp.web.api.game_types import SoloView


@dataclass(frozen=True, kw_only=True, slots=True)
class VerdictAnswer:
    """Verdict on an answer."""

    answer: Annotated[Action, "The chosen action."]
    value: Annotated[float, "Its value."]
    best: Annotated[Action, "The best action."]
    best_value: Annotated[float, "Value of the best action."]
    cost: Annotated[float, "Cost of the answer compared with it."]
    grade: Annotated[
        Literal["best", "fine", "slip", "mistake", "blunder"] | None, "Its grade; null if no action is better."
    ]
    unit: Annotated[str, "Unit of the values, as in the answers of `/odds/{code}`."]
    options: Annotated[tuple[Priced, ...], "All actions, best first."]

    @classmethod
    def of(cls, verdict: Verdict) -> "VerdictAnswer":
        """Return the answer that describes a verdict."""
        return cls(
            answer=verdict.answer.action,
            value=verdict.answer.value,
            best=verdict.best.action,
            best_value=verdict.best.value,
            cost=verdict.cost,
            grade=verdict.grade.value if verdict.grade else None,
            unit=verdict.unit,
            options=verdict.options,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class PuzzleAnswer:
    """A puzzle: a decision, and the verdict on an answer. Before it nothing later is shown."""

    game: Annotated[str, "Code of the game."]
    table: Annotated[str, "Name of the table, or own rules in one word."]
    ask: Annotated[str, "The step of the hand, or the word that determines the drill's cards."]
    view: Annotated[SoloView, "The table at the decision."]
    actions: Annotated[tuple[Action, ...], "The possible answers."]
    verdict: Annotated[VerdictAnswer | None, "Null before an answer, and while it is being computed."]
    pending: Annotated[bool, "The verdict is being computed: repeat the request in a moment."]

    @classmethod
    def of_puzzle(cls, puzzle: Puzzle, ask: str, verdict: Verdict | None, pending: bool) -> "PuzzleAnswer":
        """Return the answer that describes a puzzle."""
        return cls(
            game=puzzle.game.spec.code,
            table=puzzle.table,
            ask=ask,
            view=puzzle.view,
            actions=puzzle.actions,
            verdict=VerdictAnswer.of(verdict) if verdict else None,
            pending=pending,
        )
