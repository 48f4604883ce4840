"""The drills of counting cards as pages: their settings, a question, and the verdict on an answer."""

from dataclasses import dataclass, replace
from typing import Any, Final

from webapp.engine.games.blackjack import GAME as BLACKJACK
from webapp.engine.twenty_one.counting import ROUNDINGS, CountingSystem, Rounding
from webapp.services.core.errors import Refusal
from webapp.services.deals import counting_drills as drills
from webapp.services.deals.counting_drills import AT_A_TIME, QUESTIONS, CountedDeck, Tray
from webapp.services.deals.drill_round import ROUND
from webapp.services.deals.index_plays import PricedIndexPlay, index_play
from webapp.web.api import fields
from webapp.web.api.counting_answers import (
    CountingAnswer,
    CountingVerdictAnswer,
    Question,
    possible_answers,
    question_answer,
)
from webapp.web.api.forms import CountingForm, CountingQuery
from webapp.web.odds_page.question import counting_system

PACES: Final = ("2", "1", "0.5")
"""Seconds after which the next cards follow by themselves."""
_DEFAULTS: Final = CountingQuery()


@dataclass(frozen=True, slots=True)
class Settings:
    """What is practised: for which table, by which system, how many cards at a time and how fast, how rounded."""

    table: str
    rules: Any
    system: CountingSystem
    at_a_time: int
    pace: str
    rounding: Rounding

    @classmethod
    def of(cls, query: CountingQuery | CountingForm) -> "Settings":
        """Return the settings of an address or a form.

        Raises:
            SetupError: There is no such table.
            ImpossibleSpot: There is no such system.
        """
        table = query.table or BLACKJACK.spec.default
        return cls(
            table=table,
            rules=BLACKJACK.rules(table),
            system=counting_system(query.system),
            at_a_time=next((cards for cards in AT_A_TIME if str(cards) == query.at_a_time), 1),
            pace=query.pace if query.pace in PACES else "",
            rounding=query.rounding if query.rounding in ROUNDINGS else "floor",
        )

    @property
    def carried(self) -> dict[str, Any]:
        """The settings that are not the usual ones, as the addresses and forms of a drill carry them along."""
        usual = {name: getattr(_DEFAULTS, name) for name in ("system", "at_a_time", "pace", "rounding")}
        usual |= {"table": BLACKJACK.spec.default}
        own = {name: str(getattr(self, name)) for name in usual if name != "system"} | {"system": self.system.name}
        return {name: text for name, text in own.items() if text != usual[name]}

    @property
    def without_system(self) -> dict[str, Any]:
        """The settings beside the system, as a form carries them along."""
        return {name: text for name, text in self.carried.items() if name != "system"}

    @property
    def at_own_pace(self) -> "Settings":
        """The same, where a tap brings the next cards."""
        return replace(self, pace="")

    def at_table(self, table: str) -> "Settings":
        """Return the same for another table."""
        return replace(self, table=table, rules=BLACKJACK.rules(table))

    def with_system(self, name: str) -> "Settings":
        """Return the same by another system."""
        return replace(self, system=CountingSystem.parse(name))


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on an answer, a count, decks or a verb. ``off``: by how much it is off, or what it costs, in bets."""

    answer: str
    right: str
    off: float


@dataclass(frozen=True, slots=True)
class CountingPage:
    """A question of a drill. ``step``: of a deck, the cards that are shown, of which the count is asked if ``asks``."""

    drill: str
    settings: Settings
    spot: str
    step: int
    question: Question
    asks: bool
    verdict: Verdict | None = None

    @classmethod
    def of(cls, drill: str, query: CountingQuery | CountingForm, asks: bool) -> "CountingPage":
        """Return the question of an address or a form.

        Raises:
            Refusal: ``no-decision``: There is none.
            desk.Pending: Index numbers are being worked out for it.
        """
        settings = Settings.of(query)
        question = _question(drill, settings, query.spot)
        step = int(query.step) if fields.is_number(query.step, digits=2) else 0
        if isinstance(question, CountedDeck):
            if not 1 <= step <= question.steps or (asks and step not in question.stops):
                raise Refusal("no-decision", query.step[:20])
            return cls(drill, settings, query.spot, step, question, asks)
        return cls(drill, settings, query.spot, 0, question, asks=True)

    @property
    def most(self) -> int:
        """The highest count, up or down, that is an answer: what no deck can come to would spoil an average."""
        return self.settings.system.most(self.settings.rules.decks)

    def verdict_on(self, text: str) -> Verdict:
        """Return the verdict on what somebody has typed or tapped.

        Raises:
            Refusal: ``bad-count``, ``illegal``: It is no answer.
        """
        question = self.question
        if isinstance(question, PricedIndexPlay):
            return Verdict(text, question.best.verb, question.cost(text))
        answer = fields.signed_number(text)
        possible = (
            answer in question.choices
            if isinstance(question, Tray)
            else answer.denominator == 1 and abs(answer) <= self.most
        )
        if not possible:
            raise Refusal("bad-count", text[:20])
        right = question.running(self.step) if isinstance(question, CountedDeck) else question.right
        return Verdict(f"{float(answer):g}", f"{float(right):g}", float(abs(answer - right)))

    def as_json(self, verdict: Verdict | None) -> CountingAnswer:
        """Return the same for programs, with the verdict on an answer that was posted."""
        told = (
            CountingVerdictAnswer.of(self.question, self.step, verdict.answer, verdict.right, verdict.off)
            if verdict
            else None
        )
        return CountingAnswer(
            drill=self.drill,
            game=BLACKJACK.spec.code,
            table=self.settings.table,
            system=self.settings.system.name,
            ask=self.spot,
            question=question_answer(self.question, self.step, self.asks),
            answers=possible_answers(self.question),
            verdict=told,
        )

    def seal(self, verdict: Verdict) -> str:
        """Return what shows that the answer was posted."""
        return drills.seal(self.drill, self.spot, self.step, verdict.answer)

    def is_sealed(self, verdict: Verdict, mark: str) -> bool:
        """Return True if it was."""
        return drills.is_sealed(mark, self.drill, self.spot, self.step, verdict.answer)


def questions_of(drill: str) -> int:
    """Return the number of answers in a round of a drill."""
    return QUESTIONS if drill == "deck" else ROUND


def _question(drill: str, settings: Settings, spot: str) -> Question:
    decks = settings.rules.decks
    match drill:
        case "deck":
            return drills.counted_deck(spot, settings.system, decks, settings.at_a_time)
        case "true" if settings.system.is_balanced:
            return drills.conversion(spot, decks, settings.rounding)
        case "tray":
            return drills.tray(spot, decks)
        case "plays":
            return index_play(spot, settings.table, settings.system)
        case _:
            raise Refusal("no-decision", drill[:20])
