"""Queries of the odds desk: decisions, their simulation, prices of rules."""

from dataclasses import dataclass
from typing import Annotated


@dataclass(frozen=True, slots=True)
class OddsQuery:
    """A decision that is asked about. Which fields matter is the game's. Cards are written like `Ah Td Jk`."""

    table: Annotated[str, "Name of the table, or its own rules in one word; the game's first table without it."] = ""
    cards: Annotated[str, "The hand."] = ""
    held: Annotated[str, "An action to be compared with the best: `hold-1-3`, or `1-3`."] = ""
    thrown: Annotated[str, "Cards of earlier exchanges, which cannot come again."] = ""
    exchanges: Annotated[str, "Exchanges left, where there are several; all that are possible without it."] = ""
    score: Annotated[str, "Of a double-up: the score."] = ""
    open: Annotated[str, "Of a double-up: its open card; to double or to collect without it."] = ""
    wins: Annotated[str, "Of a double-up: rounds that were won."] = ""
    rounds: Annotated[str, "Of a double-up: rounds that were played; those that were won without it."] = ""
    dealer: Annotated[str, "The open card of the dealer, or of the bank."] = ""
    others: Annotated[str, "Other cards that lie open in this round."] = ""
    seen: Annotated[str, "Cards seen since the shuffle, for values with the count."] = ""
    bet: Annotated[str, "Chips, where shares of a bet are rounded; the least bet without it."] = ""
    ask: Annotated[str, "`insurance`: asks about insurance, not about how to play the hand."] = ""
    hands: Annotated[
        str, "Hands of a split: `8h5c-,8d3s+,8c4d`, behind one that stands a minus, behind one that was doubled a plus."
    ] = ""
    hand: Annotated[str, "Key of a finished hand: asks about one of its decisions in place of cards."] = ""
    step: Annotated[str, "With `hand`: number of the step before the decision, from 0."] = ""
    to: Annotated[str, "For the page alone: where the next card goes."] = ""


@dataclass(frozen=True, slots=True)
class SpotQuery(OddsQuery):
    """A decision that is simulated."""

    simulate: Annotated[str, "How many times it is dealt, from 100 to 10,000; 2,000 without it."] = ""
    seed: Annotated[str, "The same seed, the same cards; 1 without it."] = ""


@dataclass(frozen=True, slots=True)
class PriceQuery:
    """A table whose rules are priced. Rules may also be given rule by rule."""

    table: Annotated[str, "Name of the table, or its own rules in one word; the game's first table without it."] = ""
