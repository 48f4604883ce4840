"""Answers about odds."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from webapp.web.api.serialize import ABSENT, Absent


@dataclass(frozen=True, kw_only=True, slots=True)
class OddsOptionAnswer:
    """A legal action, and what it is worth under best play afterwards."""

    action: Annotated[str, "The action: `hold-1-3`."]
    value: Annotated[float, "What it is worth, in the `unit` of the answer."]
    outcomes: Annotated[Mapping[str, float], "The chance of each outcome, by code; empty where it is not known."]
    counted: Annotated[float | Absent, "With `seen`: its worth from the shoe without those cards."] = ABSENT

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
    table: Annotated[str, "Name of the table, or its own rules in one word."]
    unit: Annotated[
        str,
        "What values are: `score`; `chips` that are paid; `coins` paid for each coin staked; net `bets` of the box "
        "whose turn it is, without other boxes and an insurance taken before; net `rounds`.",
    ]
    options: Annotated[tuple[OddsOptionAnswer, ...], "The actions."]
    best: Annotated[str, "The action with the highest value."]
    fair: Annotated[bool, "A bet at even odds: no action is better than another."]
    exact: Annotated[bool, "Values are exact."]
    method: Annotated[str, "Name of the way they were computed."]
    error: Annotated[float | None, "The most by which values that are not exact are off, as a share, where known."]
    action: Annotated[str | Absent, "The action that was asked for, or taken in the hand."] = ABSENT
    cost: Annotated[float | Absent, "What it costs compared with the best."] = ABSENT
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
class OddsPendingAnswer:
    """The answer is being worked out: ask again in a second."""

    game: Annotated[str, "Code of the game."]
    table: Annotated[str, "Name of the table, or its own rules in one word."]
    pending: Annotated[bool, "True."]
    message: Annotated[str, "The same as a sentence."]


@dataclass(frozen=True, kw_only=True, slots=True)
class PriceAnswer:
    """Value of a table to somebody who always plays best."""

    game: Annotated[str, "Code of the game."]
    table: Annotated[str, "Name of the table, or its own rules in one word."]
    value: Annotated[float | Absent, "What a hand pays on average for each coin staked; or the average score."] = ABSENT
    edge: Annotated[float | Absent, "What the player wins on average of each bet; negative where it is lost."] = ABSENT
    exact: Annotated[str | Absent | None, "With `value`: the exact fraction, null where it is not known."] = ABSENT
    method: Annotated[str, "Name of the way it was computed."]
    error: Annotated[float | None, "The most by which it is off, as a share, where it is not exact and that is known."]
    rules: Annotated[
        Mapping[str, float] | None,
        "Of each rule that is not the usual one: what it gives, of each bet; null while it is worked out.",
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
            method=answer["method"],
            error=answer["error_share"],
            rules=answer["rules"],
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class ChartAnswer:
    """The best play for the rules of a table, by hand and dealer's card."""

    table: Annotated[str, "Name of the table, or own rules in one word."]
    dealer: Annotated[tuple[str, ...], "The dealer's cards, in the order of the rows."]
    rows: Annotated[
        Mapping[str, tuple[str, ...]],
        "For each hand, `4` to `21`, `A2` to `A9` and the pairs, a word for each card of the dealer.",
    ]
    insurance: Annotated[bool, "Insurance is taken."]
