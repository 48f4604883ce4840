"""Answers about decisions that are asked again: puzzles and drills."""

from dataclasses import dataclass
from typing import Annotated, Literal

from webapp.engine.action import Action
from webapp.services.deals.puzzles import Priced, Puzzle, Verdict
from webapp.web.api.game_types import SoloView


@dataclass(frozen=True, kw_only=True, slots=True)
class VerdictAnswer:
    """Verdict on an answer."""

    answer: Annotated[Action, "The action that was answered."]
    value: Annotated[float, "What it is worth."]
    best: Annotated[Action, "The best action."]
    best_value: Annotated[float, "What that is worth."]
    cost: Annotated[float, "What the answer costs beside it."]
    grade: Annotated[
        Literal["best", "fine", "slip", "mistake", "blunder"] | None, "Its quality; null where nothing is better."
    ]
    unit: Annotated[str, "What values are, as in the answers of `/odds/{code}`."]
    options: Annotated[tuple[Priced, ...], "All actions, the best first."]

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
    """A decision that is asked, and the verdict on an answer. Nothing that came later is in it before."""

    game: Annotated[str, "Code of the game."]
    table: Annotated[str, "Name of the table, or its own rules in one word."]
    ask: Annotated[str, "The step of the hand that is asked about, or the word that names the drill's cards."]
    view: Annotated[SoloView, "What lies on the table."]
    actions: Annotated[tuple[Action, ...], "All that may be answered."]
    verdict: Annotated[VerdictAnswer | None, "Null until something was answered, or while it is worked out."]
    pending: Annotated[bool, "The answer is being worked out: ask again in a moment."]

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
