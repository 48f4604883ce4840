"""Messages of the engine: a code with values. The sentences are in the ``GameWords`` of each game."""

from collections.abc import Sequence
from dataclasses import dataclass

from webapp.engine.cards import Card, Rank

Value = int | str | Rank | Card | tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Label:
    """A message, as in ``Label.of("FULL_HOUSE", high=Rank.QUEEN, low=Rank.SEVEN)``."""

    code: str
    args: tuple[tuple[str, Value], ...] = ()

    @classmethod
    def of(cls, code: str, **args: Value) -> "Label":
        """Return the label of a code with these arguments."""
        return cls(code, tuple(args.items()))

    def at_table(self, numbers: Sequence[int]) -> "Label":
        """Return the label with the number of a seat at its table instead of its place among those that play."""
        args = dict(self.args)
        if isinstance(place := args.get("seat"), int):
            args["seat"] = numbers[place]
        return Label(self.code, tuple(args.items()))

    def get(self, name: str, default: Value | None = None) -> Value | None:
        """Return the value of an argument, or the default if the label has none of this name."""
        return next((value for key, value in self.args if key == name), default)
