"""Drills of index numbers: hands that another play is best for, or almost, because of the cards that are gone.

Hands are taken from a shoe as they come, until the count is near an index of one. Half of them are to be played by
basic strategy, and half are not. Only such hands are asked of which the exact values, from the very cards that are
left, say the same as the index. Of some it is asked whether to insure them, which has an index, too.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, islice
from typing import Any, Final

from webapp.engine.cards import Card, format_cards
from webapp.engine.games.blackjack import GAME as BLACKJACK
from webapp.engine.games.blackjack.game import DECLINE, INSURE
from webapp.engine.games.blackjack.rules import BlackjackRules
from webapp.engine.shuffling import SILENT, below, shuffled
from webapp.engine.twenty_one.counting import CountingSystem, true_count
from webapp.engine.twenty_one.hand import value
from webapp.services.core.errors import Refusal
from webapp.services.deals.counting_drills import DECK_CARDS, chance_of, digest, require_word
from webapp.services.odds import desk

NEAR: Final = 2
"""True counts between a count and an index of the hand. Of running counts it is this for each deck."""
HAND: Final = 3
"""Cards of a hand and the dealer's."""
SHOES: Final = 300
TRIES: Final = 8
"""Hands that are priced until the index and the values agree."""
INSURED: Final = 6
"""Words of which one names a hand that may be insured, on average: there is one index for all of them."""


@dataclass(frozen=True, slots=True)
class IndexPlay:
    """A hand against a dealer's card, after the cards that were seen.

    ``count``: true count rounded down, or running count, these three cards counted. ``index``: of the nearest turn,
    from which on ``above`` is played, and not ``below``. ``right``: what the count calls for. ``basic``: of basic
    strategy.
    """

    hand: tuple[Card, ...]
    dealer: Card
    seen: tuple[Card, ...]
    running: int
    decks: Fraction
    count: int
    index: int
    below: str
    above: str
    right: str
    basic: str

    @property
    def question(self) -> dict[str, str]:
        """The hand as a question to the odds desk."""
        dealt = {"cards": self.hand, "dealer": (self.dealer,), "seen": self.seen}
        asked = {"ask": "insurance"} if self.is_insurance else {}
        return {name: format_cards(cards) for name, cards in dealt.items()} | asked

    @property
    def is_insurance(self) -> bool:
        """It is asked whether to insure, and not how to play."""
        return self.above == INSURE.verb


@dataclass(frozen=True, slots=True)
class PricedPlay:
    """An action: what it is worth with the cards that are left, and from a full shoe. Both in bets, or rounds."""

    verb: str
    value: float
    full: float


@dataclass(frozen=True, slots=True)
class PricedIndexPlay:
    """A hand with the values of its actions, in the order in which they are asked."""

    play: IndexPlay
    options: tuple[PricedPlay, ...]
    unit: str

    @property
    def best(self) -> PricedPlay:
        """The best action."""
        return max(self.options, key=lambda option: option.value)

    def cost(self, verb: str) -> float:
        """Return what an action costs. Refusal ``illegal``: it is not possible."""
        for option in self.options:
            if option.verb == verb:
                return self.best.value - option.value
        raise Refusal("illegal", verb[:20])


def index_play(spot: str, table: str, system: CountingSystem) -> PricedIndexPlay:
    """Return the hand that a word names.

    Raises:
        Refusal: ``no-decision``: there is no such word, or no such hand at this table; ``odds-later`` and others.
        desk.Pending: The index numbers are being worked out.
        SetupError: There is no such table.
    """
    require_word(spot)
    rules = BLACKJACK.rules(table)
    found = desk.ask("index", {"game": BLACKJACK.spec.code, "table": table, "system": system.name}, patience=0)
    if found["insurance"] is not None and rules.bets and below(INSURED, chance_of("insured", spot)) == 0:
        turns = _insurances(found)
    else:
        turns = {(play["hand"], play["dealer"]): play for play in found["plays"] if play["turns"]}
    for play in islice(_plays(spot, rules, system, turns), TRIES):
        priced = _priced(table, play)
        if priced.best.verb == play.right:
            return priced
    raise Refusal("no-decision", table[:20])


def _insurances(found: Mapping[str, Any]) -> dict[tuple[str, str], Any]:
    """Return the turn of insurance for each hand that is no natural."""
    turn = {"index": found["insurance"], "below": DECLINE.verb, "above": INSURE.verb}
    insurance = {"turns": (turn,), "basic": DECLINE.verb}
    return {(play["hand"], "A"): insurance for play in found["plays"]}


_ORDER: Final = ("hit", "stand", "double", "split", "surrender")


def _priced(table: str, play: IndexPlay) -> PricedIndexPlay:
    if play.is_insurance:
        decks, known = BLACKJACK.rules(table).decks, (*play.hand, play.dealer)
        insured = PricedPlay(INSURE.verb, _insurance((*play.seen, *known), decks), _insurance(known, decks))
        return PricedIndexPlay(play, (insured, PricedPlay(DECLINE.verb, 0.0, 0.0)), "bets")
    found = desk.ask("spot", {"game": BLACKJACK.spec.code, "table": table, **play.question})
    options = {option["action"]: option for option in found["options"]}
    worth = (PricedPlay(verb, options[verb]["counted"], options[verb]["value"]) for verb in _ORDER if verb in options)
    return PricedIndexPlay(play, tuple(worth), found["unit"])


def _insurance(known: Sequence[Card], decks: int) -> float:
    """Return what an insurance gains, in bets: it costs half of one, and a ten of those that are left pays it twice."""
    tens = 16 * decks - sum(value(card) == 10 for card in known)
    return float(Fraction(3 * tens, DECK_CARDS * decks - len(known)) - 1) / 2


def _plays(
    spot: str, rules: BlackjackRules, system: CountingSystem, turns: Mapping[tuple[str, str], Any]
) -> Iterator[IndexPlay]:
    """Yield hands whose count is near an index, at one place of each shoe."""
    numbers = chance_of("plays", spot)
    deviates = below(2, numbers) == 1
    least, most = rules.shoe_cards // 8, rules.cut_card or rules.shoe_cards // 5
    for number in range(SHOES):
        shoe = shuffled(digest("plays", spot, number), "counting", 0, rules.decks, 0, (SILENT,))
        running = tuple(accumulate(map(system.tag, shoe), initial=system.start(rules.decks)))
        first = least + below(max(1, (most - least) // 2), numbers)
        hands = (_play(shoe, at, running[at + HAND], rules, system, turns) for at in range(first, most))
        play = next((play for play in hands if play and (play.right != play.basic) == deviates), None)
        if play:
            yield play


def _play(
    shoe: tuple[Card, ...],
    at: int,
    running: int,
    rules: BlackjackRules,
    system: CountingSystem,
    turns: Mapping[tuple[str, str], Any],
) -> IndexPlay | None:
    """Return the hand at a place of a shoe, if the count there is near one of its indices."""
    *hand, dealer = shoe[at : at + HAND]
    found = turns.get((_name(hand, rules), _letter(dealer)))
    if not found:
        return None
    decks = Fraction(len(shoe) - at - HAND, DECK_CARDS)
    counted = true_count(running, decks, "floor") if system.is_balanced else running
    nearest = min(found["turns"], key=lambda turn: abs(turn["index"] - counted))
    if abs(nearest["index"] - counted) > (NEAR if system.is_balanced else NEAR * decks):
        return None
    right = found["turns"][0]["below"]
    for turn in found["turns"]:
        right = turn["above"] if counted >= turn["index"] else right
    return IndexPlay(
        hand=tuple(hand),
        dealer=dealer,
        seen=shoe[:at],
        running=running,
        decks=decks,
        count=counted,
        index=nearest["index"],
        below=nearest["below"],
        above=nearest["above"],
        right=right,
        basic=found["basic"],
    )


def _name(hand: list[Card], rules: BlackjackRules) -> str:
    """Return the line of a chart."""
    (first, low), (other, high) = sorted((value(card), _letter(card)) for card in hand)
    if first == other and rules.split_by != "none":
        return low + high
    return f"{low}{high}" if first == 1 else str(first + other)


def _letter(card: Card) -> str:
    return "T" if value(card) == 10 else str(card)[0]
