"""Advice of the coach as values for a template, and as JSON.

The sentence itself: ``templates/play/_coach.html``.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Final

from webapp.engine.action import Action
from webapp.engine.errors import EngineError
from webapp.engine.odds.value import MARKS, NAMES, Grade
from webapp.services.coach import Advice
from webapp.services.core.errors import Refusal
from webapp.services.odds import desk
from webapp.web.api.forms import OddsQuery
from webapp.web.api.odds_answers import CoachAnswer, OddsAnswer
from webapp.web.i18n.vocabulary import translated
from webapp.web.odds_page import rows
from webapp.web.odds_page.question import Asked

VALUES: Final = 4
"""Actions whose values the page shows."""
EVERY: Final = "1-2-3-4-5"
"""What is held by who stops."""


@dataclass(frozen=True, slots=True)
class CoachView:
    """Advice as a page shows it. ``advice`` is None if there is nothing to say; ``pending``: it is being worked out."""

    advice: Advice | None = None
    pending: bool = False

    @property
    def asked(self) -> Asked:
        """The decision as a question to the odds desk."""
        advice = self._given
        fields = {name: text for name, text in asdict(advice.question).items() if name != "variant"}
        return Asked.of(advice.game.spec.code, advice.table, OddsQuery(**fields))

    @property
    def options(self) -> tuple[rows.OptionRow, ...]:
        """The best actions, the best first."""
        return rows.rows(self._given.answer)[:VALUES]

    @property
    def own(self) -> float | None:
        """What the cards are worth that the player held before the hint; None if there were none."""
        held = {option["action"]: option["value"] for option in self._given.answer["options"]}
        whole = held.get("stop") if self._given.marks == EVERY else None
        return held.get(f"hold-{self._given.marks}", whole)

    @property
    def is_of_holds(self) -> bool:
        """True if cards are held."""
        return self.best.verb in ("hold", "stop")

    @property
    def best(self) -> Action:
        """The best action."""
        return Action.parse(self._given.answer["best"])

    @property
    def hinted(self) -> Action | None:
        """The action that a hint says is best; None without a hint, and where no action is better than another."""
        return self.best if self.advice and not self.advice.action and not self.is_fair else None

    @property
    def unit(self) -> str:
        """Name of what values are."""
        return str(self._given.answer["unit"])

    @property
    def is_fair(self) -> bool:
        """True if no action is better than another."""
        return bool(self._given.answer["fair"])

    @property
    def grade(self) -> Grade | None:
        """The grade of the decision that was made; None if there is nothing to learn from it."""
        return self._given.grade

    @property
    def grade_name(self) -> str:
        """The word for it, in the language of the page."""
        return translated(NAMES[self.grade or Grade.BEST])

    @property
    def mark(self) -> str:
        """The mark for it."""
        return MARKS[self.grade or Grade.BEST]

    @property
    def _given(self) -> Advice:
        assert self.advice is not None
        return self.advice


def coach_view(ask: Callable[[], Advice]) -> CoachView:
    """Return the view of what is asked; an empty one where there is no answer, for a page that has to come anyway."""
    try:
        return CoachView(ask())
    except desk.Pending:
        return CoachView(pending=True)
    except (Refusal, EngineError):
        return CoachView()


def answer_of(advice: Advice) -> CoachAnswer:
    """Return the answer to a program."""
    view = CoachView(advice)
    asked = view.asked
    held = str(advice.action) if advice.action else ""
    return CoachAnswer(
        hand=advice.hand,
        step=advice.step,
        helped=advice.helped,
        grade=view.grade,
        odds=OddsAnswer.of(asked.code, advice.table, asked.url(held=held), advice.answer),
    )
