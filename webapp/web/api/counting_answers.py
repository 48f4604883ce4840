"""Answers about drills of counting cards."""

from dataclasses import dataclass
from typing import Annotated

from webapp.engine.cards import Card
from webapp.services.deals.counting_drills import Conversion, CountedDeck, Tray
from webapp.services.deals.index_plays import PricedIndexPlay, PricedPlay

Question = CountedDeck | Conversion | Tray | PricedIndexPlay


@dataclass(frozen=True, kw_only=True, slots=True)
class CountedCardsAnswer:
    """Cards of a deck that is counted down, or the question for the count after them."""

    start: Annotated[int, "Count before the first card of the deck."]
    step: Annotated[int, "Number of these cards, from 1."]
    cards: Annotated[tuple[Card, ...], "The cards; none while the count after them is asked."]
    asked_next: Annotated[bool, "The count after these cards is asked: `ask=1` in place of the next `step`."]


@dataclass(frozen=True, kw_only=True, slots=True)
class ConversionAnswer:
    """A running count that is to become a true count."""

    running: Annotated[int, "The running count."]
    decks: Annotated[float, "Decks that are left."]
    rounding: Annotated[str, "`floor`, `truncate` or `nearest`."]


@dataclass(frozen=True, kw_only=True, slots=True)
class TrayAnswer:
    """The discards of a shoe, of which the decks that are left are asked, to the nearest half."""

    decks: Annotated[int, "Decks of the whole shoe."]
    dealt: Annotated[int, "Cards in the tray."]


@dataclass(frozen=True, kw_only=True, slots=True)
class IndexHandAnswer:
    """A hand near an index number."""

    hand: Annotated[tuple[Card, ...], "The player's cards."]
    dealer: Annotated[Card, "The dealer's upcard."]
    count: Annotated[int, "The true count, rounded down; of a system that is not balanced, the running count."]
    insurance: Annotated[bool, "It is asked whether to insure, and not how to play."]


@dataclass(frozen=True, kw_only=True, slots=True)
class IndexVerdictAnswer:
    """What was best with a hand near an index number."""

    index: Annotated[int, "The index number."]
    below: Annotated[str, "Best action below it."]
    above: Annotated[str, "Best action from it on."]
    options: Annotated[
        tuple[PricedPlay, ...],
        "All actions: `value` with the very cards that are left, `full` from a full shoe; an insurance by itself.",
    ]
    unit: Annotated[str, "Unit of the values, as in the answers of `/odds/{code}`."]
    seen: Annotated[tuple[Card, ...], "Cards seen before the hand."]


@dataclass(frozen=True, kw_only=True, slots=True)
class CountingVerdictAnswer:
    """Verdict on an answer."""

    answer: Annotated[str, "The answer."]
    right: Annotated[str, "The right one."]
    off: Annotated[float, "By how much it is off, in points of the count or in decks; of an action, what it costs."]
    kept_back: Annotated[tuple[Card, ...], "At the end of a deck: the cards that stayed face down."]
    whole: Annotated[int | None, "At the end of a deck: the count with them."]
    play: Annotated[IndexVerdictAnswer | None, "Of a hand near an index number: what was best."]

    @classmethod
    def of(cls, question: Question, step: int, answer: str, right: str, off: float) -> "CountingVerdictAnswer":
        """Return the answer that describes a verdict. ``step``: that of a deck."""
        ended = isinstance(question, CountedDeck) and step == question.steps
        return cls(
            answer=answer,
            right=right,
            off=off,
            kept_back=question.kept_back if isinstance(question, CountedDeck) and ended else (),
            whole=question.whole if isinstance(question, CountedDeck) and ended else None,
            play=_best(question) if isinstance(question, PricedIndexPlay) else None,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class CountingAnswer:
    """A step of a drill of counting cards, and the verdict on an answer. Before it nothing later is shown."""

    drill: Annotated[str, "`deck`, `true`, `tray` or `plays`."]
    game: Annotated[str, "Code of the game."]
    table: Annotated[str, "Name of the table, or own rules in one word."]
    system: Annotated[str, "The counting system: its name, or its tags."]
    ask: Annotated[str, "The word that determines the question: `spot` of the requests."]
    question: Annotated[
        CountedCardsAnswer | ConversionAnswer | TrayAnswer | IndexHandAnswer, "What is shown, by the drill."
    ]
    answers: Annotated[tuple[str, ...], "The possible answers; none for a count, which is any whole number."]
    verdict: Annotated[CountingVerdictAnswer | None, "Null before an answer."]


def question_answer(
    question: Question, step: int, asks: bool
) -> CountedCardsAnswer | ConversionAnswer | TrayAnswer | IndexHandAnswer:
    """Return what a question shows. ``step``, ``asks``: of a deck, which cards, and whether their count is asked."""
    match question:
        case CountedDeck() as deck:
            return CountedCardsAnswer(
                start=deck.start,
                step=step,
                cards=() if asks else deck.shown(step),
                asked_next=not asks and step in deck.stops,
            )
        case Conversion(running, decks, rounding):
            return ConversionAnswer(running=running, decks=float(decks), rounding=rounding)
        case Tray(whole, dealt):
            return TrayAnswer(decks=whole, dealt=dealt)
        case PricedIndexPlay(play):
            return IndexHandAnswer(hand=play.hand, dealer=play.dealer, count=play.count, insurance=play.is_insurance)


def possible_answers(question: Question) -> tuple[str, ...]:
    """Return the answers among which one is chosen; none where a number is typed."""
    match question:
        case Tray() as tray:
            return tuple(f"{float(choice):g}" for choice in tray.choices)
        case PricedIndexPlay() as priced:
            return tuple(option.verb for option in priced.options)
        case _:
            return ()


def _best(priced: PricedIndexPlay) -> IndexVerdictAnswer:
    play = priced.play
    return IndexVerdictAnswer(
        index=play.index, below=play.below, above=play.above, options=priced.options, unit=priced.unit, seen=play.seen
    )
