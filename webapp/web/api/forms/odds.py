"""Queries of the odds desk: decisions, their simulation, prices of rules."""

from dataclasses import dataclass
from typing import Annotated


@dataclass(frozen=True, slots=True)
class OddsQuery:
    """A question about a decision. The fields depend on the game. Cards are written like `Ah Td Jk`."""

    table: Annotated[str, "Name of the table, or own rules in one word; by default the game's first table."] = ""
    cards: Annotated[str, "The hand."] = ""
    held: Annotated[str, "An action to compare with the best: `hold-1-3`, or `1-3`."] = ""
    thrown: Annotated[str, "Cards thrown in earlier exchanges."] = ""
    exchanges: Annotated[str, "Number of exchanges left; by default the maximum."] = ""
    score: Annotated[str, "In a double-up: the score."] = ""
    open: Annotated[str, "In a double-up: the open card; without it, whether to double or to collect."] = ""
    wins: Annotated[str, "In a double-up: number of rounds won."] = ""
    rounds: Annotated[str, "In a double-up: number of rounds played; by default those won."] = ""
    dealer: Annotated[str, "The upcard of the dealer or the banker."] = ""
    others: Annotated[str, "Other open cards of this round."] = ""
    seen: Annotated[str, "Cards seen since the shuffle, for values with the count."] = ""
    bet: Annotated[str, "Bet in chips, which matters for rounding; by default the lowest bet."] = ""
    ask: Annotated[str, "`insurance` asks about insurance instead of the play of the hand."] = ""
    hands: Annotated[
        str, "Hands of a split: `8h5c-,8d3s+,8c4d`, with a minus after one that stands, a plus after a doubled one."
    ] = ""
    hand: Annotated[str, "Key of a finished hand: asks about one of its decisions instead of given cards."] = ""
    step: Annotated[str, "With `hand`: number of the step before the decision, from 0."] = ""
    to: Annotated[str, "Only for the page: where the next card goes."] = ""


@dataclass(frozen=True, slots=True)
class SpotQuery(OddsQuery):
    """A decision to be simulated."""

    simulate: Annotated[str, "Number of deals, from 100 to 10,000; 2,000 by default."] = ""
    seed: Annotated[str, "Seed; equal seeds give equal cards. 1 by default."] = ""


@dataclass(frozen=True, slots=True)
class PriceQuery:
    """A table whose rules are priced. Rules may also be given field by field."""

    table: Annotated[str, "Name of the table, or own rules in one word; by default the game's first table."] = ""
