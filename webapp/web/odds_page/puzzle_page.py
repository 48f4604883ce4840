"""Puzzles and drills, as pages and as JSON: the decision, the answer that was given, and its verdict."""

from dataclasses import dataclass
from typing import Final, Literal

from flask import request
from werkzeug.datastructures import MultiDict

from webapp.engine.action import Action
from webapp.engine.errors import EngineError
from webapp.services.core.errors import Refusal
from webapp.services.deals import puzzles
from webapp.services.deals.puzzles import Puzzle, Verdict
from webapp.services.odds import desk
from webapp.web.api import fields
from webapp.web.hand_page.comparison import Laid
from webapp.web.i18n.odds_words import SAID
from webapp.web.i18n.translations import gap
from webapp.web.i18n.unit_words import worths_sentence
from webapp.web.odds_page.question import Asked
from webapp.web.odds_page.rows import reason_of

BESIDE: Final = 2
"""Lines that a reason names before what two holds are worth: a phone has no room for more."""


@dataclass(frozen=True, slots=True)
class PuzzlePage:
    """A puzzle, and the verdict on what was answered. ``pending``: it is being worked out.

    ``method``: that of the form with the answer, which is posted if it is recorded.
    """

    puzzle: Puzzle
    answer: Action | None
    verdict: Verdict | None
    pending: bool
    method: Literal["get", "post"] = "get"

    @property
    def why(self) -> str:
        """Why the best action is best, and beside another hold what both are worth; "" where nothing is to be said."""
        found = self.verdict
        assert found
        is_other = self.puzzle.marking is not None and not found.is_right
        reason = reason_of({"reason": found.reason}, is_best=True, most=BESIDE if is_other else SAID)
        worths = worths_sentence(found.best.value, found.answer.value, found.unit) if is_other else ""
        return gap().join(filter(None, (reason.sentence if reason else "", worths)))

    @property
    def odds(self) -> str:
        """The address of the odds of this decision; "" if only the hand itself can ask about it."""
        assert self.verdict
        if not self.verdict.question:
            return ""
        asked = Asked(self.puzzle.game.spec.code, {"table": self.puzzle.table})
        return asked.having(self.verdict.question).url(held=str(self.verdict.answer.action))

    @property
    def laid(self) -> Laid:
        """The hand, so that its holds can be named by their cards."""
        return Laid(self.puzzle.hand)


def asked(puzzle: Puzzle) -> PuzzlePage:
    """Return a puzzle with the answer that the address of the request gives, if it gives one.

    Raises:
        EngineError, Refusal: It is no answer that can be given, or it cannot be graded.
    """
    return answered(puzzle, answer_in(request.args))


def answered(puzzle: Puzzle, action: Action | None, method: Literal["get", "post"] = "get") -> PuzzlePage:
    """Return a puzzle with an answer, or without.

    Raises:
        EngineError, Refusal: As ``asked`` does.
    """
    if action is None:
        desk.prepare(puzzle.game.spec.code, puzzle.table)
        return PuzzlePage(puzzle, None, None, pending=False, method=method)
    try:
        return PuzzlePage(puzzle, action, puzzles.verdict_on(puzzle, action), pending=False, method=method)
    except desk.Pending:
        return PuzzlePage(puzzle, action, None, pending=True, method=method)


def answer_in(values: MultiDict[str, str]) -> Action | None:
    """Return the answer of a form or an address: in one word, or as verb and arguments; None if there is none.

    Raises:
        Refusal: It is no action.
    """
    answer, verb = values.get("answer", ""), values.get("verb", "")
    if answer:
        try:
            return Action.parse(answer)
        except EngineError as error:
            raise Refusal("illegal", answer[:40]) from error
    return fields.action(verb.lower(), tuple(values.getlist("arg"))) if verb else None
