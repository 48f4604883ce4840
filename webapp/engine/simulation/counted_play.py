"""Playing by the index numbers of a table: a chart for each count, and the usual ramps of bets."""

from collections.abc import Mapping
from dataclasses import replace
from math import sqrt
from typing import Final

from webapp.engine.errors import SetupError
from webapp.engine.games.blackjack.rules import BlackjackRules
from webapp.engine.odds.blackjack.count_index import CountIndices, Play
from webapp.engine.simulation.bet_ramp import BetRamp
from webapp.engine.simulation.card_counter import CardCounter
from webapp.engine.simulation.strategy_chart import HANDS, NO_SPLIT, PAIRS, UPCARDS, Strategy
from webapp.engine.twenty_one.counting import HI_LO, CountingSystem, Rounding

RAMPS: Final[Mapping[str, tuple[int, ...]]] = {
    "flat": (1, 1, 1, 1, 1),
    "1-8": (1, 2, 4, 6, 8),
    "1-12": (1, 2, 4, 8, 12),
    "wong": (0, 2, 4, 8, 12),
}
"""Units below a true count of 1 of Hi-Lo, and from 1, 2, 3 and 4 on. ``wong`` sits out what is not worth a bet."""


def ramp_for(text: str, system: CountingSystem, rules: BlackjackRules) -> BetRamp:
    """Return a ramp by its name in RAMPS, or the one that is written out in counts of the system.

    The counts of a ramp with a name are those that mean as much as true counts of Hi-Lo.

    Raises:
        SetupError: there is no such ramp.
    """
    if ":" in text:
        return BetRamp.parse(text)
    if text not in RAMPS:
        raise SetupError(f"no such ramp: {text[:80]!r}; there are {', '.join(RAMPS)}, and own ones as in 0:1,1:2,2:4")
    first, *others = RAMPS[text]
    dealt = rules.cut_card / rules.shoe_cards if rules.cut_card else 0.5
    counts = CountIndices(system, rules.decks, dealt, (), None, 0, 0)
    scale = sqrt(system.variance / HI_LO.variance)
    # with few tags that are not 0 several of these are one whole count: there the last one is bet
    steps = {counts.index(true * scale - system.surplus): units for true, units in enumerate(others, 1)}
    return BetRamp(((min(steps) - 1, first), *steps.items()))


def counter_with_indices(counter: CardCounter, indices: CountIndices, basic: Strategy) -> CardCounter:
    """Return a player who leaves basic strategy at the index numbers of the table, and insures at its index number."""
    charts = tuple(_chart(indices, basic, count, counter.rounding) for count in counter.counts(indices.decks))
    return replace(counter, charts=charts)


def _chart(indices: CountIndices, basic: Strategy, count: int, rounding: Rounding) -> Strategy:
    """Return the chart that is played at a count."""
    rows = {hand: list(basic.row(hand)) for hand in HANDS}
    for play in indices.plays:
        column = UPCARDS.index(play.up)
        if (verb := _verb(indices, play, count, rounding)) != play.basic:
            rows[play.hand][column] = _word(play.hand, verb, rows[play.hand][column])
    insures = indices.insurance is not None and count >= indices.index(indices.insurance, rounding)
    return Strategy.of(f"{indices.system.name} {count:+d}", {hand: tuple(row) for hand, row in rows.items()}, insures)


def _verb(indices: CountIndices, play: Play, count: int, rounding: Rounding) -> str:
    """Return the verb of the best action at a count."""
    turns = indices.turns(play)
    if not turns:
        return play.basic
    reached = [turn for _, turn in turns if indices.index(turn.count, rounding) <= count]
    return reached[-1].above if reached else turns[0][1].below


_WORDS: Final[Mapping[str, str]] = {"stand": "S", "hit": "H", "double": "D", "surrender": "R"}
_STANDS: Final = ("S", "Ds", "Rs")


def _word(hand: str, verb: str, basic: str) -> str:
    """Return a word of a chart. Where a double or surrender is not allowed, the hand is played as by basic strategy."""
    if hand in PAIRS:
        return {"split": "P", "surrender": "Rp"}.get(verb, NO_SPLIT)
    otherwise = "s" if basic in _STANDS else "h"
    return _WORDS[verb] + (otherwise if verb in ("double", "surrender") else "")
