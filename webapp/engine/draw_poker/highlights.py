"""Highlights of a hand of draw poker: the tier of the win, a near miss, and the card that decided."""

from collections.abc import Sequence
from functools import cache
from typing import Final

from webapp.engine.cards import JOKER, STANDARD_DECK, Card, Rank, Suit
from webapp.engine.draw_poker.double_up import DoubleUpOutcome
from webapp.engine.draw_poker.state import DrawPhase, DrawState
from webapp.engine.label import Label
from webapp.engine.poker.ranking import Category, Ranked, common_suits
from webapp.engine.tier import Tier

LONG_ROW: Final = 3
"""Rounds of the double-up won in a row, from which on each of them is a great win."""
LONGEST_ROW: Final = 10
"""Rounds of the double-up won in a row that are as great as a royal flush."""

_TIERS: Final = {
    Category.TWO_PAIR: Tier.GOOD,
    Category.THREE_OF_A_KIND: Tier.GOOD,
    Category.STRAIGHT: Tier.GOOD,
    Category.FLUSH: Tier.GOOD,
    Category.FULL_HOUSE: Tier.GREAT,
    Category.FOUR_OF_A_KIND: Tier.GREAT,
    Category.STRAIGHT_FLUSH: Tier.GREAT,
    Category.ROYAL_FLUSH: Tier.GREATEST,
    Category.FIVE_OF_A_KIND: Tier.GREATEST,
}
_TIERS_WITH_DEUCES: Final = {
    **dict.fromkeys((Category.THREE_OF_A_KIND, Category.STRAIGHT, Category.FLUSH), Tier.GOOD),
    **dict.fromkeys((Category.FULL_HOUSE, Category.FOUR_OF_A_KIND), Tier.GOOD),
    **dict.fromkeys((Category.STRAIGHT_FLUSH, Category.FIVE_OF_A_KIND), Tier.GREAT),
    Category.FOUR_DEUCES: Tier.GREATEST,
}
"""Where deuces are wild; a royal flush is the greatest without one."""


_STRAIGHTS: Final = ({Rank.ACE, *range(2, 6)}, *({*range(low, low + 5)} for low in range(2, 11)))
"""Ranks of each straight, the lowest first."""


def tier_of(state: DrawState) -> Tier:
    """Return how great a win the last action has brought.

    After the last exchange it is that of the hand; after a pick that of the row of rounds won; nothing is won while a
    card is picked or cards are still exchanged. Collecting is at most a good win: the hand was shown before.
    """
    if state.phase in (DrawPhase.EXCHANGE, DrawPhase.PICK) or not state.score:
        return Tier.EVEN
    if state.said[0].code == "COLLECTED":
        return min(Tier.GOOD, max(tier_of_hand(state), _of_row(state.wins)))
    if state.lines:  # where less comes back than was staked nothing is won, whatever one of the hands pays
        return max(map(tier_of_hand, state.hands)) if state.score > state.all_stakes else Tier.EVEN
    if not state.rounds:
        return tier_of_hand(state)
    return _of_row(state.wins) if state.rounds[-1].outcome is DoubleUpOutcome.WIN else Tier.EVEN


def tier_of_hand(state: DrawState) -> Tier:
    """Return the tier of the standing hand alone. A hand that only brings the bet back has won nothing."""
    line = state.rules.pay_table.line_of(state.hand)
    if line is None or (state.rules.bets and line.pays <= 1):
        return Tier.EVEN
    category, has_wild = state.ranked.category, state.rules.pay_table.has_wild(state.hand)
    if state.rules.pay_table.wild is Rank.TWO:
        return _TIERS_WITH_DEUCES.get(category, Tier.GREATEST if not has_wild else Tier.GREAT)
    return _TIERS.get(category, Tier.EVEN)


def near_miss(state: DrawState) -> Label | None:
    """Return what a hand that pays nothing was one card short of; None unless it is a straight flush or a royal flush.

    Four of its cards, the joker among them or not, lack one card of their own suit. The label has its rank, the highest
    where several would do, and the letter of its suit. Straights and flushes are missed every day: nothing is said of
    them. Nor is anything said of a hand that pays, of one in which no card was drawn, or of several.
    """
    if state.phase is not DrawPhase.OVER or state.worth or not state.fresh or state.lines:
        return None
    best: tuple[Ranked, Card] | None = None
    pay_table = state.rules.pay_table
    for place in range(len(state.hand)):
        four = _without(state.hand, place)
        suit = common_suits(four, pay_table.wild)
        for card in STANDARD_DECK if suit else ():
            if card.suit & suit and card not in state.hand and card.rank is not pay_table.wild:
                with_it = pay_table.rank((*four, card))
                if best is None or (with_it, card.rank) > (best[0], best[1].rank):
                    best = with_it, card
    if best is None or best[0].category not in (Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH):
        return None
    return Label.of(f"NEAR_{best[0].category.name}", rank=best[1].rank, suit=str(best[1])[1])


def missed(hand: Sequence[Card]) -> tuple[Category, int] | None:
    """Return what a hand without wild cards that makes nothing came nearest to, and how many cards it was short of it.

    It is a flush or a straight, a flush where both are as near; None if more than two cards were missing.
    """
    ranks = {card.rank for card in hand}
    short = {
        Category.FLUSH: 5 - max(sum(card.suit == suit for card in hand) for suit in Suit),
        Category.STRAIGHT: 5 - max(len(ranks & straight) for straight in _STRAIGHTS),
    }
    nearest = min(short, key=short.__getitem__)
    return (nearest, short[nearest]) if short[nearest] <= 2 else None


def deciding(state: DrawState) -> int | None:
    """Return the position of the card that was drawn last, if it has made or broken a hand worth waiting for.

    It has if, of all cards that could have come in its place, some would have made a straight or better with the other
    four, and some not; or some a better hand than others, four of a kind at least.
    """
    if not state.fresh or state.exchanges_left == state.rules.exchanges or state.rounds or state.lines:
        return None
    place = state.fresh[-1]
    others = _without(state.hand, place - 1)
    gone = frozenset(state.setup.cards[0][: state.stock.taken]) - {state.hand[place - 1]}
    strong: set[Category | None] = set()
    pay_table = state.rules.pay_table
    for alike in _alike(common_suits(others, pay_table.wild), state.rules.jokers):
        card = next((card for card in alike if card not in gone), None)
        if card is not None:
            strong.add(_strength(pay_table.rank((*others, card)).category))
            if len(strong) == 2:
                return place
    return None


def _strength(category: Category) -> Category | None:
    """Return the category of a great hand, the least one of a good hand, and None for the others."""
    if category >= Category.FOUR_OF_A_KIND:
        return category
    return Category.STRAIGHT if category >= Category.STRAIGHT else None


def _of_row(wins: int) -> Tier:
    if wins >= LONGEST_ROW:
        return Tier.GREATEST
    return Tier.GREAT if wins >= LONG_ROW else Tier.GOOD if wins else Tier.EVEN


def _without(hand: Sequence[Card], index: int) -> tuple[Card, ...]:
    return (*hand[:index], *hand[index + 1 :])


@cache
def _alike(suit: int, jokers: int) -> tuple[tuple[Card, ...], ...]:
    """Return all cards, in groups of those that make the same with four others.

    ``suit`` is the suit of the four, 0 if they do not share one: then there are 13 groups to rank, and the joker. Every
    draw ranks them. bench: server
    """
    groups: dict[tuple[Rank, bool], list[Card]] = {}
    for card in (*STANDARD_DECK, *(JOKER,) * jokers):
        groups.setdefault((card.rank, bool(card.suit & suit)), []).append(card)
    return tuple(map(tuple, groups.values()))
