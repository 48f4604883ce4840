"""Strategy charts as CSV: a line for each hand, a column for each card of the dealer.

Read is what spreadsheets make of it: semicolons or tabs, UTF-16, empty lines and columns, other capitals.
"""

import codecs
import csv
from collections.abc import Iterator, Sequence
from typing import Final

from webapp.engine.errors import NotationError
from webapp.engine.simulation.strategy_chart import HANDS, HARD, NO_SPLIT, PAIRS, SOFT, UPCARDS, WORDS, Row, Strategy

INSURANCE: Final = "insurance"
HEADING: Final = ("hand", *UPCARDS)
MOST_BYTES: Final = 8000
"""Largest file that is read. A chart has about 1,500 bytes."""

_SEPARATORS: Final = ";\t,"
_UTF_16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_AS_WRITTEN: Final = {word.casefold(): word for word in (*HEADING, *HANDS, *WORDS, INSURANCE)}
"""Words of a chart by their small letters."""
_WORDS_OF_TOTAL: Final = tuple(word for word in WORDS if word not in ("P", "Rp"))
_WORDS_OF_PAIR: Final = ("P", "Rp", NO_SPLIT)


class StrategyCsvError(NotationError):
    """A chart that cannot be read.

    ``fault`` is a code, ``text`` the text that is wrong, and ``expected`` the text that is allowed there. ``line`` and
    ``column`` count from 1; 0 means that the fault has no such place.
    """

    code = "bad-sheet"

    def __init__(self, fault: str, line: int = 0, column: int = 0, text: str = "", expected: str = "") -> None:
        place = f"line {line}, column {column}: " if column else f"line {line}: " if line else ""
        super().__init__(
            f"{place}{fault}{f' {text!r}' if text else ''}{f', where {expected} must be' if expected else ''}"
        )
        self.fault, self.line, self.column, self.text, self.expected = fault, line, column, text, expected


def dumps(strategy: Strategy) -> str:
    """Return a strategy as CSV."""
    lines = [",".join(HEADING)]
    lines += [",".join((hand, *strategy.row(hand))) for hand in HANDS]
    return "\n".join((*lines, f"{INSURANCE},{'yes' if strategy.insure else 'no'}")) + "\n"


def decode(raw: bytes) -> str:
    """Return the text of an uploaded chart.

    Raises:
        StrategyCsvError: the file is too long, or is neither UTF-8 nor UTF-16 with its mark at the beginning.
    """
    if len(raw) > MOST_BYTES:
        raise StrategyCsvError("too-long", text=f"{len(raw)} bytes")
    try:
        return raw.decode("utf-16" if raw.startswith(_UTF_16) else "utf-8-sig")
    except UnicodeDecodeError as error:
        before = raw[: error.start]
        line = before.count(b"\n") + 1
        column = len(before) - before.rfind(b"\n")
        raise StrategyCsvError("not-utf-8", line, column, f"byte {raw[error.start]:#04x}") from error


def loads(text: str, name: str = "chart") -> Strategy:
    """Read a strategy from CSV.

    The first line is ``hand,2,3,4,5,6,7,8,9,T,A``. Then come, in any order, lines for 4 to 21, for A2 to A9, and for
    the pairs that are ever split. Lines for 4 and 5 may be left out, which then hit, and lines for 18 to 21, which then
    stand. A line ``insurance,yes`` may be among them.

    Raises:
        StrategyCsvError: with the line and the column of the first fault.
    """
    rows, insure = {**_DEFAULTS}, False
    lines = list(_lines(text))
    heading, first = lines[0] if lines else ((), 1)
    if heading != HEADING:
        raise StrategyCsvError("heading", first, text=",".join(heading)[:60], expected=",".join(HEADING))
    seen: set[str] = set()
    for (hand, *words), number in lines[1:]:
        if hand in seen:
            raise StrategyCsvError("twice", number, 1, hand[:20])
        seen.add(hand)
        if hand == INSURANCE:
            insure = _parse_insurance(words, number)
        else:
            rows[hand] = _parse_row(hand, words, number)
    if missing := [hand for hand in (*HARD, *SOFT) if hand not in rows]:
        raise StrategyCsvError("hole", len(text.splitlines()), text=", ".join(missing))
    return Strategy.of(name, rows, insure)


def _lines(text: str) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield the cells of each line with something in it, without empty ones at its end, and its number from 1.

    Cells are separated as those of the first line are, which may be ``sep=;``.
    """
    lines = text.removeprefix("\ufeff").splitlines()
    head = next((line for line in lines if line.strip(_SEPARATORS + " ")), "")
    separator = max(_SEPARATORS, key=head.count)
    for number, cells in enumerate(csv.reader(lines, delimiter=separator), 1):
        words = [_AS_WRITTEN.get(cell.strip().casefold(), cell.strip()) for cell in cells]
        while words and not words[-1]:
            words.pop()
        if words and words[0].rstrip(_SEPARATORS).casefold() != "sep=":
            yield tuple(words), number


_DEFAULTS: Final = {
    **{str(total): ("H",) * len(UPCARDS) for total in (4, 5)},
    **{str(total): ("S",) * len(UPCARDS) for total in range(18, 22)},
    **{pair: (NO_SPLIT,) * len(UPCARDS) for pair in PAIRS},
}


def _parse_insurance(words: Sequence[str], number: int) -> bool:
    said = [word.casefold() for word in words if word]
    if said not in (["yes"], ["no"]):
        raise StrategyCsvError("word", number, 2, ",".join(words)[:20], "yes or no")
    return said == ["yes"]


def _parse_row(hand: str, words: Sequence[str], number: int) -> Row:
    if hand not in HANDS:
        raise StrategyCsvError("no-hand", number, 1, hand[:20])
    allowed = _WORDS_OF_PAIR if hand in PAIRS else _WORDS_OF_TOTAL
    for column in range(len(UPCARDS)):
        word = words[column] if column < len(words) else ""
        if word not in allowed:
            raise StrategyCsvError("word", number, column + 2, word[:20], f"one of {' '.join(allowed)}")
    if len(words) > len(UPCARDS):
        raise StrategyCsvError("too-many", number, len(HEADING) + 1)
    return tuple(words[: len(UPCARDS)])
