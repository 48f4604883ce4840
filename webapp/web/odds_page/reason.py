"""Why an action is worth what it is, as a sentence, and as a bar of the parts of its value."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Final

from webapp.engine.cards import Rank, parse_cards
from webapp.engine.label import Label, Value
from webapp.web.i18n.odds_words import reason_sentence

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


def reason_of(option: Mapping[str, Any], *, is_best: bool) -> ReasonView | None:
    """Return the reason of an option that the desk has answered with; None without one."""
    found = option.get("reason")
    if not found:
        return None
    label = Label(found["code"], tuple((name, _value(spelled)) for name, spelled in found["args"].items()))
    counts = [(code, count) for code, count, _ in found["parts"]]
    sentence = reason_sentence(label, found["made"], found["ways"], found["drawn"], counts, is_best=is_best)
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
