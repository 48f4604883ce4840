"""Rules and strategy, folded into the arrays that the kernel reads: whatever can be known before a round is played."""

from dataclasses import dataclass
from itertools import product
from typing import Any, Final

import numpy as np

from webapp.engine.games.blackjack.rules import BlackjackRules
from webapp.engine.games.blackjack.shoe import reserve, shuffled_at, size
from webapp.engine.simulation import kernel
from webapp.engine.simulation.kernel import DOUBLE, HIT, NATURAL, SOFT, SPLIT, STAND, SURRENDER, TWENTY_ONE
from webapp.engine.simulation.strategies import NO_SPLIT, Strategy

Array = Any

_GOES_ON: Final = 64
_BONUS: Final = {"3:2": (3, 2), "6:5": (6, 5), "1:1": (1, 1)}
_DOUBLES: Final = {"any": (0, 21), "9-11": (9, 11), "10-11": (10, 11), "none": (99, 0)}

# By rank: 0 is no card, and 14 and 15 are there to fill up. By value, a ten is as good as a king.
_VALUES: Final = 11
_VALUE: Final = np.array([0, *range(1, 11), 10, 10, 10, 0, 0])
_IS_CARD: Final = _VALUE > 0


def add(code: int, card: int) -> int:
    """What a hand counts to with one card more; from ``code`` 0, that card alone."""
    hard = (code & 31) - (10 if code & SOFT else 0)
    ace = bool(code & SOFT) or card == 1
    hard += min(card, 10)
    return SOFT + hard + 10 if ace and hard <= 11 else min(hard, 30)


_AFTER: Final = np.array([[add(code, card) if _IS_CARD[card] else code for card in range(16)] for code in range(64)])


@dataclass(frozen=True, eq=False)
class LookupTables:
    """rules: int64[FIELDS].

    steps: uint8[16 << 10], by dealer's card << 10 | code << 4 | card: the code after, and 64 more if the player draws
    again. dealer_steps: uint8[1 << 10], the same for the dealer. codes: uint8[256], by two cards: the code, and 64 more
    if the dealer would draw to it. openings: uint8[OPENINGS << 12], by kind << 12 | dealer's card << 8 | two cards:
    what is done with them. net_of: int64[FINALS], what a usual round brings, by its place in ``finals``. order:
    uint8[ROOM], the shoe before it is shuffled: rank by rank, so that shoes of different sizes are alike.
    """

    rules: Array
    steps: Array
    dealer_steps: Array
    codes: Array
    openings: Array
    net_of: Array
    order: Array


def build_lookup_tables(rules: BlackjackRules, strategy: Strategy, bet: int, paired: bool = False) -> LookupTables:
    """``bet``: chips, from which halves are rounded down as at the table; ``paired``: a fresh shoe for every round, the
    same for whoever has the same seed.
    """
    draws = np.array([_dealer_draws(code, rules) for code in range(64)])
    dealer_steps = _AFTER | np.where(draws[_AFTER] & _IS_CARD, _GOES_ON, 0)
    codes = dealer_steps[_AFTER[0]]
    order = np.zeros(kernel.ROOM, np.uint8)
    order[: size(rules)] = np.repeat(np.arange(1, 14), 4 * rules.decks)
    return LookupTables(
        _fields(rules, strategy, bet, paired),
        _steps(rules, strategy),
        dealer_steps.astype(np.uint8).reshape(-1),
        codes.astype(np.uint8).reshape(-1),
        _openings(rules, strategy),
        _nets(rules, bet),
        order,
    )


def _fields(rules: BlackjackRules, strategy: Strategy, bet: int, paired: bool) -> Array:
    won, of = _BONUS[rules.blackjack_pays]
    fields = np.zeros(kernel.FIELDS, np.int64)
    fields[kernel.SIZE] = size(rules)
    # as at the table, where three boxes may be played and the shoe is shuffled when there might not be enough for them
    fields[kernel.LAST] = -1 if rules.fresh_deck else shuffled_at(rules) - 1
    fields[kernel.MOST] = reserve(rules, 1)
    fields[kernel.PEEK] = rules.hole_card == "peek"
    fields[kernel.LOSE_ORIGINAL] = rules.lose == "original"
    fields[kernel.NATURALS] = rules.naturals
    fields[kernel.INSURES] = strategy.insure and rules.naturals and rules.insurance and bet >= 2
    fields[kernel.MAX_HANDS] = 1 if rules.split_by == "none" else rules.max_hands
    fields[kernel.RESPLIT_ACES] = rules.resplit_aces
    fields[kernel.SPLIT_BY_VALUE] = rules.split_by == "value"
    fields[kernel.BET] = bet
    fields[kernel.BONUS] = bet * won // of
    fields[kernel.HALF] = bet // 2
    fields[kernel.PAIRED] = paired
    return fields


def _dealer_draws(code: int, rules: BlackjackRules) -> bool:
    total = code & 31
    return total < 17 or (rules.soft_17 == "hit" and code == SOFT + 17)


def _steps(rules: BlackjackRules, strategy: Strategy) -> Array:
    hits = np.zeros((_VALUES, 64), bool)
    for up in range(1, _VALUES):
        for code in range(64):
            hits[up, code] = _hits(code, up, rules, strategy)
    steps = _AFTER | np.where(hits[_VALUE][:, _AFTER] & _IS_CARD, _GOES_ON, 0)
    return steps.astype(np.uint8).reshape(-1)


def _hits(code: int, up: int, rules: BlackjackRules, strategy: Strategy) -> bool:
    """Whether a hand of three cards or more draws again."""
    return 2 <= (code & 31) <= 21 and _of_total(code, up, strategy, rules, double=False, surrender=False) == HIT


def _openings(rules: BlackjackRules, strategy: Strategy) -> Array:
    made = np.zeros((kernel.OPENINGS, _VALUES, _VALUES, _VALUES), np.uint8)
    for kind, up, a, b in product(range(kernel.OPENINGS), *[range(1, _VALUES)] * 3):
        made[kind, up, a, b] = _opening(kind, up, a, b, rules, strategy)
    return made[:, _VALUE][:, :, _VALUE][:, :, :, _VALUE].reshape(-1)


def _opening(kind: int, up: int, a: int, b: int, rules: BlackjackRules, strategy: Strategy) -> int:
    """What is done with two cards. The kernel asks for a kind that may split only where the two may be split."""
    split = kind in (kernel.SECOND_MAY_SPLIT, kernel.SECOND)
    may_split = kind in (kernel.FIRST_MAY_SPLIT, kernel.SECOND_MAY_SPLIT)
    code = add(add(0, a), b)
    if code == TWENTY_ONE and rules.naturals and not split:
        return NATURAL
    surrender = rules.surrender == "late" and not split
    if may_split and a == b:
        word = strategy.word(_pair(a), _upcard(up))
        if word == "Rp" and surrender:
            return SURRENDER
        if word != NO_SPLIT:
            return SPLIT
    if split and a == 1 and not rules.hit_split_aces:
        return STAND
    double = not split or rules.double_after_split
    return _of_total(code, up, strategy, rules, double, surrender)


def _of_total(code: int, up: int, strategy: Strategy, rules: BlackjackRules, double: bool, surrender: bool) -> int:
    total, soft = code & 31, bool(code & SOFT)
    if total == 21 and (rules.auto_stand_21 or soft):
        return STAND
    least, most = _DOUBLES[rules.double_on]
    word = strategy.word(_hand(total, soft), _upcard(up))
    if word in ("Dh", "Ds"):
        return DOUBLE if double and least <= total <= most else HIT if word == "Dh" else STAND
    if word in ("Rh", "Rs"):
        return SURRENDER if surrender else HIT if word == "Rh" else STAND
    return HIT if word == "H" else STAND


def _hand(total: int, soft: bool) -> str:
    if soft:
        return f"A{max(2, total - 11)}"
    return str(max(4, total))


def _pair(card: int) -> str:
    return {1: "AA"}.get(card, "TT" if card >= 10 else f"{card}{card}")


def _upcard(up: int) -> str:
    return {1: "A"}.get(up, "T" if up >= 10 else str(up))


def _nets(rules: BlackjackRules, bet: int) -> Array:
    """What usual rounds bring, by kind << 10 | total << 5 | the dealer's total."""
    nets = np.zeros((3, 32, 32), np.int64)
    won, of = _BONUS[rules.blackjack_pays]
    for total in range(32):
        for dealer in range(32):
            nets[0, total, dealer] = _net(total, dealer, bet, bet, rules)
            nets[1, total, dealer] = _net(total, dealer, 2 * bet, bet, rules)
            nets[2, total, dealer] = 0 if dealer == kernel.DEALER_NATURAL else bet * won // of
    return nets.reshape(-1)


def _net(total: int, dealer: int, stake: int, bet: int, rules: BlackjackRules) -> int:
    if total > 21:
        return -stake
    if dealer == kernel.DEALER_NATURAL:
        return -bet if rules.lose == "original" else -stake
    if dealer > 21 or total > dealer:
        return stake
    return 0 if total == dealer else -stake
