"""Answers about odds, simulated decisions and advice of the coach."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from webapp.engine.cards import Card, parse_cards
from webapp.engine.label import Label
from webapp.engine.odds.value import Grade
from webapp.web.api.serialize import ABSENT, Absent
from webapp.web.i18n.messages import line_or_sentence


@dataclass(frozen=True, kw_only=True, slots=True)
class OddsOptionAnswer:
    """A legal action and its value, assuming optimal play afterwards."""

    action: Annotated[str, "The action: `hold-1-3`."]
    value: Annotated[float, "Value in the `unit` of the answer."]
    outcomes: Annotated[Mapping[str, float], "Probability of each outcome, by code; empty if unknown."]
    counted: Annotated[float | Absent, "With `seen`: value for the shoe without those cards."] = ABSENT

    @classmethod
    def of(cls, option: Mapping[str, Any]) -> "OddsOptionAnswer":
        """Return an option that a service gave."""
        return cls(
            action=option["action"],
            value=option["value"],
            outcomes=option["outcomes"],
            counted=option.get("counted", ABSENT),
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class OddsAnswer:
    """All legal actions of a decision, best first."""

    game: Annotated[str, "Code of the game."]
    table: Annotated[str, "Name of the table, or own rules in one word."]
    unit: Annotated[
        str,
        "Unit of the values: `score`; `chips` paid; `coins` paid for each coin staked; net `bets` of the box to act, "
        "without other boxes and an earlier insurance; net `rounds`.",
    ]
    options: Annotated[tuple[OddsOptionAnswer, ...], "The actions."]
    best: Annotated[str, "The action with the highest value."]
    fair: Annotated[bool, "A fair bet: no action is better than another."]
    exact: Annotated[bool, "Whether the values are exact."]
    method: Annotated[str, "Name of the method of computation."]
    error: Annotated[float | None, "Upper bound of the relative error of values that are not exact, if known."]
    action: Annotated[str | Absent, "The requested action, or that of the hand."] = ABSENT
    cost: Annotated[float | Absent, "Its cost compared with the best action."] = ABSENT
    url: Annotated[str, "Address of the page."]

    @classmethod
    def of(cls, game: str, table: str, url: str, answer: Mapping[str, Any]) -> "OddsAnswer":
        """Return the answer that a service gave."""
        return cls(
            game=game,
            table=table,
            unit=answer["unit"],
            options=tuple(OddsOptionAnswer.of(option) for option in answer["options"]),
            best=answer["best"],
            fair=answer["fair"],
            exact=answer["exact"],
            method=answer["method"],
            error=answer["error_share"],
            action=answer.get("action", ABSENT),
            cost=answer.get("cost", ABSENT),
            url=url,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class CommonHoldAnswer:
    """A hold that is often best."""

    code: Annotated[str, "Code of what it is: a line of the pay table, a category, or what it can become."]
    name: Annotated[str, "The same in words."]
    wilds: Annotated[int, "Wild cards in the hand."]
    value: Annotated[float, "What is paid for each coin, or the score, on average where it is best."]
    share: Annotated[float, "The share of all hands in which it is best."]
    cards: Annotated[tuple[Card, ...], "A hand in which it is."]
    held: Annotated[tuple[int, ...], "Positions of the held cards there, from 1."]

    @classmethod
    def of(cls, hold: Mapping[str, Any]) -> "CommonHoldAnswer":
        """Return a hold that a service gave."""
        code, args = hold["label"]
        return cls(
            code=code,
            name=line_or_sentence(Label.of(code, **args)),
            wilds=hold["wilds"],
            value=hold["value"],
            share=hold["share"],
            cards=parse_cards(hold["cards"]),
            held=tuple(hold["held"]),
        )


@dataclass(frozen=True, slots=True)
class HoldsAnswer:
    """The common holds of a table."""

    game: Annotated[str, "Code of the game."]
    table: Annotated[str, "Name of the table, or own rules in one word."]
    holds: Annotated[
        tuple[CommonHoldAnswer, ...], "Those with most wild cards first, and then those that are worth most."
    ]


@dataclass(frozen=True, kw_only=True, slots=True)
class OddsPendingAnswer:
    """The answer is being computed: repeat the request in a second."""

    game: Annotated[str, "Code of the game."]
    table: Annotated[str, "Name of the table, or own rules in one word."]
    pending: Annotated[bool, "True."]
    message: Annotated[str, "A sentence that says so."]


@dataclass(frozen=True, kw_only=True, slots=True)
class PriceAnswer:
    """Value of a table with optimal play."""

    game: Annotated[str, "Code of the game."]
    table: Annotated[str, "Name of the table, or own rules in one word."]
    value: Annotated[float | Absent, "Mean payout of a hand for each coin staked, or the mean score."] = ABSENT
    edge: Annotated[float | Absent, "Mean gain of the player for each bet; negative for a loss."] = ABSENT
    exact: Annotated[str | Absent | None, "With `value`: the exact fraction; null if unknown."] = ABSENT
    variance: Annotated[float | Absent, "Of what a hand pays for each coin staked, where it is known exactly."] = ABSENT
    method: Annotated[str, "Name of the method of computation."]
    error: Annotated[float | None, "Upper bound of its relative error, if it is not exact and the bound is known."]
    rules: Annotated[
        Mapping[str, float] | None,
        "Gain for each bet from each rule that differs from the usual one; null while it is being computed.",
    ]

    @classmethod
    def of(cls, game: str, table: str, answer: Mapping[str, Any]) -> "PriceAnswer":
        """Return the answer that a service gave."""
        is_value = answer["figure"] == "value"
        return cls(
            game=game,
            table=table,
            value=answer["value"] if is_value else ABSENT,
            edge=ABSENT if is_value else answer["value"],
            exact=answer["fraction"] if is_value else ABSENT,
            variance=answer.get("variance", ABSENT),
            method=answer["method"],
            error=answer["error_share"],
            rules=answer["rules"],
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class ChartAnswer:
    """The basic strategy for the rules of a table, by hand and upcard."""

    table: Annotated[str, "Name of the table, or own rules in one word."]
    dealer: Annotated[tuple[str, ...], "The dealer's upcards, in the order of the words in a row."]
    rows: Annotated[
        Mapping[str, tuple[str, ...]],
        "For each hand, `4` to `21`, `A2` to `A9` and the pairs, a word for each upcard.",
    ]
    insurance: Annotated[bool, "Whether insurance is taken."]


@dataclass(frozen=True, kw_only=True, slots=True)
class IndexTurnAnswer:
    """A count at which the best action changes."""

    index: Annotated[
        int,
        "Index number: the true count, rounded down, from which `above` is played; for a system that is not balanced "
        "the running count from which it gains on average.",
    ]
    count: Annotated[float, "The exact count for each 52 unseen cards, from the pivot of the system."]
    below: Annotated[str, "Best action below it: `hit`, `stand`, `double`, `split` or `surrender`."]
    above: Annotated[str, "Best action above it."]


@dataclass(frozen=True, kw_only=True, slots=True)
class IndexPlayAnswer:
    """A decision of basic strategy, and the counts that change it."""

    hand: Annotated[str, "A hard total, a soft hand (`A7`) or a pair (`88`)."]
    dealer: Annotated[str, "The dealer's upcard."]
    basic: Annotated[str, "Best action from a full shoe."]
    turns: Annotated[tuple[IndexTurnAnswer, ...], "Changes of the best action, by ascending count."]


@dataclass(frozen=True, kw_only=True, slots=True)
class IndexAnswer:
    """The index numbers of a table for a system of counting cards."""

    game: Annotated[str, "Code of the game."]
    table: Annotated[str, "Name of the table, or own rules in one word."]
    system: Annotated[str, "The system: its name, or its tags."]
    tags: Annotated[tuple[int, ...], "What a card adds to the count, from the ace to the ten."]
    balanced: Annotated[bool, "The tags of a deck add up to 0, so that the count is divided by the unseen decks."]
    start: Annotated[int, "Count before the first card."]
    limits: Annotated[tuple[int, ...], "Lowest and highest index that is looked for."]
    insurance: Annotated[int | None, "Index from which insurance pays; null if it never does or is not offered."]
    insurance_count: Annotated[float | None, "The exact count of it."]
    plays: Annotated[tuple[IndexPlayAnswer, ...], "All hands of a chart against all upcards."]

    @classmethod
    def of(cls, game: str, table: str, answer: Mapping[str, Any]) -> "IndexAnswer":
        """Return the answer that a service gave."""
        plays = tuple(
            IndexPlayAnswer(**{**play, "turns": tuple(IndexTurnAnswer(**turn) for turn in play["turns"])})
            for play in answer["plays"]
        )
        listed = {name: tuple(answer[name]) for name in ("tags", "limits")}
        return cls(game=game, table=table, **{**answer, **listed, "plays": plays})


@dataclass(frozen=True, kw_only=True, slots=True)
class SpotOptionAnswer:
    """A legal action with its exact value and its simulated mean."""

    action: Annotated[str, "The action: `hold-1-3`."]
    value: Annotated[float, "Computed value in the `unit` of the answer."]
    mean: Annotated[float, "Simulated mean."]
    standard_error: Annotated[float, "Standard error of the mean."]


@dataclass(frozen=True, kw_only=True, slots=True)
class SpotAnswer:
    """A simulated decision: its best actions, and the requested or chosen one."""

    game: Annotated[str, "Code of the game."]
    table: Annotated[str, "Name of the table, or own rules in one word."]
    unit: Annotated[str, "Unit of the values, as at the odds desk."]
    rounds: Annotated[int, "Number of deals for each action."]
    seed: Annotated[int, "Seed; equal seeds give equal cards."]
    options: Annotated[tuple[SpotOptionAnswer, ...], "The actions, best first."]
    exact: Annotated[bool, "Whether the computed values are exact."]
    method: Annotated[str, "Name of the method of computation."]
    url: Annotated[str, "Address of the page."]
    odds: Annotated[str, "Address of the same decision at the odds desk."]

    @classmethod
    def of(
        cls, game: str, table: str, rounds: int, seed: int, url: str, odds: str, answer: Mapping[str, Any]
    ) -> "SpotAnswer":
        """Return the answer that a service gave."""
        simulated = answer["simulated"]
        return cls(
            game=game,
            table=table,
            unit=answer["unit"],
            rounds=rounds,
            seed=seed,
            options=tuple(
                SpotOptionAnswer(
                    action=option["action"],
                    value=option["value"],
                    mean=simulated[option["action"]][0],
                    standard_error=simulated[option["action"]][1],
                )
                for option in answer["options"]
                if option["action"] in simulated
            ),
            exact=answer["exact"],
            method=answer["method"],
            url=url,
            odds=odds,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class CoachPendingAnswer:
    """The coach's answer is being computed: repeat the request in a second."""

    hand: Annotated[str, "Key of the hand."]
    step: Annotated[int, "Number of the move that is decided."]
    pending: Annotated[bool, "True."]
    message: Annotated[str, "A sentence that says so."]


@dataclass(frozen=True, kw_only=True, slots=True)
class CoachAnswer:
    """The coach's answer: values of the actions of a decision, before or after it."""

    hand: Annotated[str, "Key of the hand."]
    step: Annotated[int, "Number of the move that is decided."]
    helped: Annotated[bool, "A hint was shown before a decision of this hand, which counts as played with help."]
    grade: Annotated[
        Grade | None,
        "Grade of the decision; null before it, and if no action was better than another.",
    ]
    odds: Annotated[OddsAnswer, "All actions that the purse can pay, best first, and the address of their page."]
