"""Answers of the odds desk as rows of a page: values, estimates, and reasons in a sentence and a bar."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Final

from webapp.engine.action import Action
from webapp.engine.cards import Rank, parse_cards
from webapp.engine.label import Label, Value
from webapp.web.i18n.odds_words import SAID, reason_sentence

MOST_PARTS: Final = 4
"""Parts of a bar that are named; smaller ones are one part together."""


@dataclass(frozen=True, slots=True)
class PartRow:
    """A part of the bar: ``start`` and ``width`` in hundredths. ``code`` is "" for all small ones together."""

    code: str
    count: int
    value: float
    start: float
    width: float


@dataclass(frozen=True, slots=True)
class ReasonView:
    """A reason as it is shown. ``parts`` are empty where nothing is counted, or nothing is left to chance."""

    sentence: str
    parts: tuple[PartRow, ...] = ()


def reason_of(option: Mapping[str, Any], *, is_best: bool, most: int = SAID) -> ReasonView | None:
    """Return the reason of an option that the desk has answered with; None without one.

    ``most``: lines that its sentence names.
    """
    found = option.get("reason")
    if not found:
        return None
    label = Label(found["code"], tuple((name, _value(spelled)) for name, spelled in found["args"].items()))
    counts = [(code, count) for code, count, _ in found["parts"]]
    sentence = reason_sentence(label, found["made"], found["ways"], found["drawn"], counts, is_best=is_best, most=most)
    return ReasonView(sentence, _bar(found["parts"]) if found["drawn"] else ())


def _bar(parts: list[tuple[str, int, float]]) -> tuple[PartRow, ...]:
    named, small = parts[:MOST_PARTS], parts[MOST_PARTS:]
    if len(small) == 1:
        named, small = parts, []
    if small:
        named = [*named, ("", sum(count for _, count, _ in small), sum(value for *_, value in small))]
    whole = sum(value for *_, value in named)
    starts = accumulate((100 * value / whole for *_, value in named), initial=0.0)
    rows = zip(named, starts, strict=False)
    return tuple(PartRow(code, count, value, start, 100 * value / whole) for (code, count, value), start in rows)


def _value(spelled: Any) -> Value:
    match spelled:
        case {"rank": rank}:
            return Rank(rank)
        case {"cards": cards}:
            return parse_cards(cards)
        case int() | str():
            return spelled
    raise TypeError(spelled)


NORMAL95: Final = 1.96
"""Standard errors on either side of an estimate between which the value lies with 95 %."""


@dataclass(frozen=True, slots=True)
class EstimateRow:
    """One action. ``half`` is half of the 95 % interval, ``apart`` how many standard errors lie between the two.

    ``at``, ``low`` and ``high`` are where the exact value and the interval lie, in hundredths of all rows.
    """

    action: Action
    value: float
    mean: float
    error: float
    half: float
    apart: float | None
    at: float
    low: float
    high: float
    is_best: bool
    is_held: bool


def estimate_rows(answer: Mapping[str, Any]) -> tuple[EstimateRow, ...]:
    """Return the actions that were simulated, best first."""
    simulated = answer["simulated"]
    options = [option for option in answer["options"] if option["action"] in simulated]
    ends = [option["value"] for option in options]
    for mean, error in simulated.values():
        ends += [mean - NORMAL95 * error, mean + NORMAL95 * error]
    low = float(min(ends))
    breadth = float(max(ends)) - low or 1.0

    def place(value: float) -> float:
        return 100 * (value - low) / breadth

    return tuple(
        EstimateRow(
            action=Action.parse(option["action"]),
            value=option["value"],
            mean=mean,
            error=error,
            half=NORMAL95 * error,
            apart=abs(mean - option["value"]) / error if error > 0 else None,
            at=place(option["value"]),
            low=place(mean - NORMAL95 * error),
            high=place(mean + NORMAL95 * error),
            is_best=option["value"] == options[0]["value"],
            is_held=option["action"] == answer.get("action"),
        )
        for option in options
        for mean, error in [simulated[option["action"]]]
    )


MOST_OUTCOMES: Final = 4
"""Outcomes that are named beside an option: those that its value depends on most, or that are likeliest."""
SHOWN: Final = 5
"""Options that are shown of many; the rest can be unfolded."""


@dataclass(frozen=True, slots=True)
class OptionRow:
    """One option. ``start`` and ``width`` are those of its bar, in hundredths; ``zero`` is where nothing is."""

    action: Action
    value: float
    cost: float
    counted: float | None
    outcomes: tuple[tuple[str, float], ...]
    start: float
    width: float
    zero: float
    is_best: bool
    is_held: bool
    reason: ReasonView | None = None


def rows(answer: Mapping[str, Any]) -> tuple[OptionRow, ...]:
    """Return all options, best first."""
    options = answer["options"]
    values = [option["value"] for option in options]
    low, high = min(0.0, *values), max(0.0, *values)
    breadth = (high - low) or 1.0
    return tuple(
        OptionRow(
            action=Action.parse(option["action"]),
            value=option["value"],
            cost=values[0] - option["value"],
            counted=option.get("counted"),
            outcomes=_outcomes(option),
            start=100 * (min(option["value"], 0.0) - low) / breadth,
            width=100 * abs(option["value"]) / breadth,
            zero=100 * -low / breadth,
            is_best=values[0] == option["value"],
            is_held=option["action"] == answer.get("action"),
            reason=reason_of(option, is_best=values[0] == option["value"]),
        )
        for option in options
    )


def _outcomes(option: Mapping[str, Any]) -> tuple[tuple[str, float], ...]:
    chances = option["outcomes"]
    parts = (option.get("reason") or {}).get("parts", ())
    codes = [code for code, _, _ in parts] or sorted(chances, key=lambda code: -chances[code])
    return tuple((code, chances[code]) for code in codes[:MOST_OUTCOMES])


def shown(options: tuple[OptionRow, ...]) -> tuple[OptionRow, ...]:
    """Return the options that are shown at once: the best few, and the one that was asked about."""
    return tuple(row for place, row in enumerate(options) if place < SHOWN or row.is_held)
