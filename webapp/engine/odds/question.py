"""Questions about decisions, as text, and the reasons why one has no answer."""

from dataclasses import dataclass, fields
from typing import Any, Generic, TypeVar

from webapp.engine.cards import Card
from webapp.engine.errors import SetupError

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Question:
    """A decision. Which fields matter is the game's; one that is empty is left out.

    variant: the table. cards: the hand. thrown, exchanges: cards of earlier exchanges, and how many are left. score,
    open, wins, rounds: of a double-up, its open card and what has been played of it. dealer: the dealer's open card.
    others: other cards that lie open in this round. seen: cards that have been seen since the shuffle. bet: chips. ask:
    the question of the table, if it is another than how to play the hand. hands: all hands of a box that was split.
    """

    variant: str
    cards: str = ""
    thrown: str = ""
    exchanges: str = ""
    score: str = ""
    open: str = ""
    wins: str = ""
    rounds: str = ""
    dealer: str = ""
    others: str = ""
    seen: str = ""
    bet: str = ""
    ask: str = ""
    hands: str = ""


FIELDS = tuple(field.name for field in fields(Question) if field.name != "variant")
"""Fields of a question beside its table."""


class ImpossibleSpot(SetupError):
    """A decision that cannot be.

    ``reason`` is a code that has a sentence in every language in ``webapp.web.i18n.odds_words``, with these ``values``.
    """

    code = "impossible-spot"

    def __init__(self, reason: str, text: str, **values: Any) -> None:
        super().__init__(text)
        self.reason = reason
        self.values = values


@dataclass(frozen=True, slots=True)
class Spot(Generic[S]):
    """A state before a decision. ``others`` lie open in this round, and ``seen`` were seen since the shuffle."""

    state: S
    others: tuple[Card, ...] = ()
    seen: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Scale:
    """The unit in which a net value in chips is shown: ``(value + returned) / unit``, in the unit of this name.

    name: ``coins`` that are paid for each coin, ``score``, ``chips``, ``bets`` that are won, or ``rounds``. stake: what
    the cost of a decision is measured by; 0 where nothing is staked, and the best value is the measure.
    """

    name: str
    returned: int = 0
    unit: int = 1
    stake: int = 0


def whole_number(text: str, name: str, least: int, most: int, default: int) -> int:
    """Return the whole number of a field. ImpossibleSpot if it is none, or beyond its limits."""
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 10 and least <= int(text) <= most):
        raise ImpossibleSpot(
            f"bad-{name}", f"{name} is a whole number from {least} to {most}, not {text[:20]!r}", least=least, most=most
        )
    return int(text)
