"""How a simulated player plays: a table by total and dealer's card, and whether insurance is taken."""

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from webapp.engine.errors import NotationError, SetupError
from webapp.engine.families.bank_rules import Rules
from webapp.engine.lab.kernel import (
    DOUBLE_OR_HIT,
    DOUBLE_OR_STAND,
    HIT,
    SPLIT,
    STAND,
    SURRENDER_OR_HIT,
    SURRENDER_OR_SPLIT,
    SURRENDER_OR_STAND,
)

WORDS: Final[Mapping[str, int]] = {
    "S": STAND,
    "H": HIT,
    "Dh": DOUBLE_OR_HIT,
    "Ds": DOUBLE_OR_STAND,
    "Rh": SURRENDER_OR_HIT,
    "Rs": SURRENDER_OR_STAND,
    "Rp": SURRENDER_OR_SPLIT,
    "P": SPLIT,
}
"""A cell of a table: stand, hit, double or else hit, double or else stand, surrender or else ..., split."""

UPCARDS: Final = (2, 3, 4, 5, 6, 7, 8, 9, 10, 1)
"""The dealer's cards in the order in which such tables are printed: the ace, 1, comes last."""

HARD: Final = tuple(str(total) for total in range(4, 22))
SOFT: Final = tuple(f"A{kicker}" for kicker in range(1, 11))
PAIRS: Final = ("22", "33", "44", "55", "66", "77", "88", "99", "TT", "AA")

Array = Any


@dataclass(frozen=True, eq=False)
class Strategy:
    """hard, soft: int8[22, 11], pairs: int8[11, 11], by total (or value of the pair) and dealer's card, 1 for an ace.

    A pair is only looked at for SPLIT and SURRENDER_OR_SPLIT; otherwise its total counts.
    """

    name: str
    hard: Array
    soft: Array
    pairs: Array
    insure: bool = False


def strategy(name: str, rules: Rules) -> Strategy:
    """``mimic``, ``never-bust``, ``stand-N`` (4 to 21) or ``basic``, for the rules in force. SetupError."""
    if name == "mimic":
        return _mimic(rules)
    if name == "never-bust":
        return _by_total(name, lambda total: STAND if total >= 12 else HIT, lambda total: STAND if total >= 18 else HIT)
    if name == "basic":
        from webapp.engine.lab.basic import basic

        return basic(rules)
    word, _, least = name.partition("-")
    if word == "stand" and least.isascii() and least.isdigit() and 4 <= int(least) <= 21 and str(int(least)) == least:
        return _by_total(name, *[lambda total: STAND if total >= int(least) else HIT] * 2)
    raise SetupError(f"no such strategy: {name[:80]!r}; there are mimic, never-bust, stand-4 to stand-21 and basic")


def _mimic(rules: Rules) -> Strategy:
    """As the dealer plays: draws to 16, stands on 17, at a soft 17 by the rules of the table."""
    soft_stands = 18 if rules.soft_17 == "hit" else 17
    return _by_total(
        "mimic", lambda total: STAND if total >= 17 else HIT, lambda total: STAND if total >= soft_stands else HIT
    )


def _by_total(name: str, hard: Callable[[int], int], soft: Callable[[int], int]) -> Strategy:
    rows = np.zeros((2, 22, 11), np.int8)
    for total in range(2, 22):
        rows[0, total, :], rows[1, total, :] = hard(total), soft(total)
    return Strategy(name, rows[0], rows[1], np.zeros((11, 11), np.int8))


# ------------------------------------------------------------------------------------------------ as text


def dumps(table: Strategy) -> str:
    """A table as CSV: a row a hand, a column a dealer's card."""
    lines = [",".join(("hand", *(_letter(up) for up in UPCARDS)))]
    spelled = {code: word for word, code in WORDS.items()}
    for name in (*HARD, *SOFT[1:], *PAIRS):
        row = _row(table, name)
        words = [spelled[int(row[up])] for up in UPCARDS]
        if name in PAIRS:  # what is no split is read from the total
            words = [word if word in ("P", "Rp") else "-" for word in words]
        lines.append(",".join((name, *words)))
    return "\n".join((*lines, f"insurance,{'yes' if table.insure else 'no'}")) + "\n"


def loads(text: str, name: str = "table") -> Strategy:
    """A strategy from CSV. NotationError names line and column of what is wrong.

    The first line is ``hand,2,3,4,5,6,7,8,9,T,A``; then come lines for 4 to 21, A2 to A9 (AT may be left out), and if
    pairs are ever split 22 to TT and AA; a cell is one of WORDS, in a pair's line also ``-``. A line ``insurance,yes``
    may be the last.
    """
    rows = list(csv.reader(text.lstrip("\ufeff").splitlines()))
    head = ["hand", *(_letter(up) for up in UPCARDS)]
    if not rows or [cell.strip() for cell in rows[0]] != head:
        raise NotationError(f"line 1: the heading must be {','.join(head)}")
    empty = np.full((22, 11), -1, np.int8)
    table = Strategy(name, empty.copy(), empty.copy(), np.zeros((11, 11), np.int8))
    insure, seen = False, set[str]()
    for number, cells in enumerate(rows[1:], 2):
        cells = [cell.strip() for cell in cells]
        if not any(cells):
            continue
        hand = cells[0]
        if hand in seen:
            raise NotationError(f"line {number}, column 1: {hand!r} is there twice")
        seen.add(hand)
        if hand == "insurance":
            if cells[1:] not in (["yes"], ["no"]):
                raise NotationError(f"line {number}, column 2: insurance is yes or no")
            insure = cells[1] == "yes"
            continue
        if hand not in (*HARD, *SOFT, *PAIRS):
            raise NotationError(f"line {number}, column 1: no such hand: {hand[:20]!r}")
        _fill(_row(table, hand), cells[1:], number, hand in PAIRS)
    missing = [hand for hand in (*HARD, *SOFT[1:-1]) if hand not in seen]
    if missing:
        raise NotationError(f"the table has no line for {', '.join(missing)}")
    for total in (2, 3):
        table.hard[total] = HIT
    table.soft[12] = HIT if table.soft[12].min() < 0 else table.soft[12]
    table.soft[21] = STAND if table.soft[21].min() < 0 else table.soft[21]
    np.clip(table.hard, 0, None, out=table.hard)
    np.clip(table.soft, 0, None, out=table.soft)
    return Strategy(name, table.hard, table.soft, table.pairs, insure)


def _fill(row: Array, cells: list[str], number: int, is_pair: bool) -> None:
    allowed = {**WORDS, "-": STAND} if is_pair else {word: code for word, code in WORDS.items() if "P" not in word.upper()}
    for column, up in enumerate(UPCARDS, 2):
        word = cells[column - 2] if column - 2 < len(cells) else ""
        if word not in allowed:
            said = f"{word[:20]!r}" if word else "nothing"
            raise NotationError(f"line {number}, column {column}: {said}, where one of {' '.join(allowed)} must be")
        row[up] = allowed[word]
    if len(cells) > len(UPCARDS):
        raise NotationError(f"line {number}, column {len(UPCARDS) + 2}: too many cells")


def _row(table: Strategy, hand: str) -> Array:
    if hand in PAIRS:
        return table.pairs[{"T": 10, "A": 1}.get(hand[0]) or int(hand[0])]
    if hand in SOFT:
        return table.soft[11 + int(hand[1:])]
    return table.hard[int(hand)]


def _letter(up: int) -> str:
    return {10: "T", 1: "A"}.get(up, str(up))
