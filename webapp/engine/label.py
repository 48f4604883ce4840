"""What the engine says: a code with values. ``webapp.web.i18n.messages`` has the sentences."""

from dataclasses import dataclass

from webapp.engine.cards import Card, Rank

Value = int | str | Rank | Card | tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Label:
    """``Label.of("FULL_HOUSE", high=Rank.QUEEN, low=Rank.SEVEN)``."""

    code: str
    args: tuple[tuple[str, Value], ...] = ()

    @classmethod
    def of(cls, code: str, **args: Value) -> "Label":
        return cls(code, tuple(args.items()))
