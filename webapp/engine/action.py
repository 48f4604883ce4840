"""Actions of a seat: a verb with numbers. ``Action.parse(str(action)) == action``."""

import re
from dataclasses import dataclass
from typing import Final, NewType

from webapp.engine.errors import NotationError

Seat = NewType("Seat", int)
ALONE: Final = Seat(0)

_TEXT: Final = re.compile(r"([a-z]{1,20})((?:-(?:0|[1-9][0-9]{0,8})){0,60})(?:@([1-9]))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Action:
    """An action, written ``hold-1-3`` for the only seat of a game and ``hit@2`` for seat 2.

    Several arguments are a set of positions, therefore written in ascending order, each once.
    """

    seat: Seat
    verb: str
    args: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if any(a >= b for a, b in zip(self.args, self.args[1:], strict=False)):
            raise NotationError(f"positions repeat or are out of order: {self.verb} {self.args}")

    def __str__(self) -> str:
        words = "-".join((self.verb, *map(str, self.args)))
        return f"{words}@{self.seat}" if self.seat else words

    @classmethod
    def parse(cls, text: str) -> "Action":
        """Return the action that ``str`` wrote. NotationError for any other text."""
        match = _TEXT.fullmatch(text)
        if match is None:
            raise NotationError(f"not an action: {text[:80]!r}")
        verb, args, seat = match.groups()
        return cls(Seat(int(seat or 0)), verb, tuple(int(arg) for arg in args.split("-")[1:]))
