"""Fields of forms, queries and addresses. Every kind of field is parsed here, and nowhere else in the web layer.

A field that cannot be read is refused: `Refusal` with the code that names the field. What people type themselves (bets,
cuts, codes, numbers) is read as their keyboards write it, in full width too; what pages and programs send, as it is.
"""

import re
import unicodedata
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from webapp.engine.action import ALONE, Action
from webapp.engine.errors import NotationError
from webapp.engine.shuffling import SILENT, is_word
from webapp.services.core.errors import Refusal

MOST_ARGS: Final = 60
"""Arguments of one action."""

_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,15}", re.ASCII)
_VERB: Final = re.compile(r"[a-z]{1,20}", re.ASCII)
_TABLE_CODE: Final = re.compile(r"[0-9A-Za-z]{1,8}", re.ASCII)
_DIGITS: Final = re.compile(r"[0-9]{1,30}", re.ASCII)
_SIGNED: Final = re.compile(r"[+-]?[0-9]{1,4}(\.[05])?", re.ASCII)
_GROUPED: Final = re.compile(r"[ _,'’\u202f]")
_MOST_TYPED: Final = 200
"""Characters that are read of what somebody types."""
_PATH_OF_TABLE: Final = "/t/"
_ON: Final = ("1", "true", "on", "yes")


def typed(text: str) -> str:
    """Return what somebody has typed into a field, or the beginning of it: letters and digits in their usual width."""
    return unicodedata.normalize("NFKC", text[:_MOST_TYPED])


def signed_numbers(text: str) -> str:
    """Return what somebody has typed of whole numbers, without spaces and with the minus sign of programs."""
    return "".join(typed(text).replace("−", "-").split())


def is_number(text: str, digits: int = 16) -> bool:
    """Return True for a whole number that is written in one way only, with at most so many digits."""
    return len(text) <= digits and _NUMBER.fullmatch(text) is not None


def number(text: str, code: str = "bad-notation", digits: int = 16) -> int:
    """Return a whole number as programs write it: plain digits, no sign, no leading zero.

    Raises:
        Refusal: ``code``, if it is anything else.
    """
    if not is_number(text, digits):
        raise Refusal(code, text[:80])
    return int(text)


def grouped_number(text: str) -> int | None:
    """Return a whole number as people write it, with any grouping of digits; None if it is not one."""
    bare = _GROUPED.sub("", typed(text)).strip()
    return int(bare) if _DIGITS.fullmatch(bare) else None


def verb(text: str) -> str:
    """Return the verb of an action or command, in lower case.

    Raises:
        Refusal: ``bad-notation``.
    """
    word = text.lower()
    if _VERB.fullmatch(word) is None:
        raise Refusal("bad-notation", word[:80])
    return word


def action(word: str, args: Sequence[str]) -> Action:
    """Return the action of a verb and its positions, which may come in any order, but each only once.

    Raises:
        Refusal: ``bad-notation`` for the verb, ``illegal-<verb>`` for the positions.
    """
    word = verb(word)
    code = f"illegal-{word}"
    if len(args) > MOST_ARGS:
        raise Refusal(code)
    try:
        return Action(ALONE, word, tuple(sorted(number(arg, code) for arg in args)))
    except NotationError as error:
        raise Refusal(code, str(error)) from error


def position(args: Sequence[str], code: str) -> int:
    """Return the one position that is given.

    Raises:
        Refusal: ``code``, if there is none, more than one, or no number.
    """
    if len(args) != 1:
        raise Refusal(code)
    return number(args[0], code)


def chips(values: Sequence[str]) -> tuple[int | None, ...]:
    """Return the chips of each stake place, None for a field that was left empty.

    Raises:
        Refusal: ``bad-stake``.
    """
    return tuple(number(bet, "bad-stake") if bet else None for bet in map(_bet, values))


def on_lines(values: Sequence[str], lines: str) -> tuple[str, ...]:
    """Return the bets of a form, of which the only one may be laid on several lines.

    Raises:
        Refusal: ``bad-stake``.
    """
    count = number(lines, "bad-stake", digits=2) if lines else 1
    if count == 1:
        return tuple(values)
    if len(values) != 1 or not count:
        raise Refusal("bad-stake", lines)
    return tuple(values) * count


def chosen_stakes(values: Sequence[str], lines: str) -> tuple[str, ...]:
    """Return the bets that were chosen before sitting down, as text; none of them if one cannot be read."""
    try:
        bets = tuple(map(_bet, on_lines(values, lines)))
    except Refusal:
        return ()
    return bets if any(bets) and all(is_number(bet) for bet in bets if bet) else ()


def _bet(text: str) -> str:
    return typed(text)


def table_code(text: str) -> str:
    """Return the code of a shared table, as it was written.

    Raises:
        Refusal: ``table-not-found``, for what no table is called.
    """
    if _TABLE_CODE.fullmatch(text) is None:
        raise Refusal("table-not-found", text[:20])
    return text


def circle_code(text: str) -> str:
    """Return the code of a circle.

    Raises:
        Refusal: ``circle-not-found``, for what no circle is called.
    """
    if _TABLE_CODE.fullmatch(text) is None:
        raise Refusal("circle-not-found", text[:20])
    return text.upper()


def written_table_code(text: str) -> str:
    """Return the table code in what people write: a link, or a code with spaces, hyphens or the end of a sentence."""
    _, is_link, after = typed(text).rpartition(_PATH_OF_TABLE)
    if is_link:
        after = re.split(r"[\s/?#]", after, maxsplit=1)[0]
    return "".join(filter(str.isalnum, after))[:20].upper()


def is_on(text: str) -> bool:
    """Return True for a box that is ticked."""
    return text.lower() in _ON


def index(text: str, count: int, default: int) -> int:
    """Return an index below ``count``; ``default`` for anything else."""
    is_index = text.isascii() and text.isdigit() and len(text) < 4
    return min(int(text), count - 1) if is_index else default


def signed_number(text: str) -> Fraction:
    """Return a number of at most four digits, or with halves, as people write it: ``+3``, ``−2``, ``2.5``.

    Raises:
        Refusal: ``bad-count``.
    """
    bare = typed(text).strip().replace("−", "-")
    if _SIGNED.fullmatch(bare) is None:
        raise Refusal("bad-count", bare[:20])
    return Fraction(bare)


def count(text: str) -> int:
    """Return a count of cards, a whole number as people write it.

    Raises:
        Refusal: ``bad-count``.
    """
    number_ = signed_number(text)
    if number_.denominator != 1:
        raise Refusal("bad-count", text[:20])
    return int(number_)


def moment(text: str, default: int) -> int:
    """Return the Unix milliseconds that a page carries along; ``default`` for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 14 else default


def cut(text: str) -> str | None:
    """Return the cut, None where the seat stays silent.

    Raises:
        Refusal: ``bad-cut``, for what is no word, and for the word that stands for silence.
    """
    word = typed(text)
    if word and (not is_word(word) or word == SILENT):
        raise Refusal("bad-cut", word[:80])
    return word or None
