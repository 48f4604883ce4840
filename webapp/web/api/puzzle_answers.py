"""Answers about decisions that are asked again: puzzles, drills and recalls."""

from dataclasses import dataclass
from typing import Annotated, Literal

from flask import url_for

from webapp.engine.action import Action
from webapp.services.deals.puzzles import Priced, Puzzle, Verdict
from webapp.services.review.recalls import Asked, Queue
from webapp.web.api.game_types import AnyView


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
    view: Annotated[AnyView, "The table at the decision."]
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


@dataclass(frozen=True, kw_only=True, slots=True)
class RecallAnswer:
    """A decision that is asked again. Before an answer nothing tells the hand, or how it was played."""

    puzzle: Annotated[PuzzleAnswer, "The decision; `ask` is the word in its address."]
    asked: Annotated[int, "Number of answers to it so far, to be sent with the next one."]
    due: Annotated[bool, "It can be answered now."]
    next_at: Annotated[int | None, "Unix milliseconds from which on it is asked again; null if it is due, or over."]
    state: Annotated[Literal["open", "solved", "parked"], "Parked: answered wrongly too often, and asked no more."]
    hand: Annotated[str | None, "Page of the hand at this decision; null before an answer."]

    @classmethod
    def of(cls, asked: Asked, verdict: Verdict | None, pending: bool) -> "RecallAnswer":
        """Return the answer that describes a recall."""
        is_told = verdict is not None
        return cls(
            puzzle=PuzzleAnswer.of_puzzle(asked.puzzle, asked.word, verdict, pending),
            asked=asked.asked,
            due=asked.is_due,
            next_at=asked.next_at,
            state="parked" if asked.is_parked else "solved" if asked.is_solved else "open",
            hand=url_for("hands.show", key=asked.hand, step=asked.step) if is_told else None,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class ParkedAnswer:
    """A decision that is asked no more, since it was answered wrongly five times."""

    game: Annotated[str, "Code of the game."]
    table: Annotated[str, "Name of the table, or own rules in one word."]
    url: Annotated[str, "The decision, with the verdict on the last answer and why the best is best."]
    odds: Annotated[str, "Its odds."]


@dataclass(frozen=True, kw_only=True, slots=True)
class RecallsAnswer:
    """The decisions that the player is asked again."""

    on: Annotated[bool, "Costly decisions of new hands are added."]
    due: Annotated[int, "Number of decisions to be answered now."]
    waiting: Annotated[int, "Number of those that are asked later."]
    solved: Annotated[int, "Number of those that were solved."]
    next: Annotated[str | None, "Address of one that is due."]
    next_at: Annotated[int | None, "Unix milliseconds at which the next of the others is due."]
    parked: Annotated[tuple[ParkedAnswer, ...], "Those that are asked no more."]

    @classmethod
    def of(cls, queue: Queue, word: str | None) -> "RecallsAnswer":
        """Return the answer that describes a player's recalls. ``word``: that of the next one."""
        return cls(
            on=queue.is_on,
            due=len(queue.due),
            waiting=queue.waiting,
            solved=queue.solved,
            next=url_for("recalls.show", word=word) if word else None,
            next_at=queue.next_at,
            parked=tuple(
                ParkedAnswer(
                    game=each.game,
                    table=each.table,
                    url=url_for("recalls.show", word=each.word),
                    odds=url_for("odds.show", code=each.game, hand=each.hand, step=each.step),
                )
                for each in queue.parked
            ),
        )
