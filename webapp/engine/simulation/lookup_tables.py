"""Rules and strategy as the arrays that the kernel reads: all that is known before a round is played."""

from collections.abc import Sequence
from itertools import product
from typing import Any, Final

import numpy as np

from webapp.engine.games.blackjack.rules import BlackjackRules
from webapp.engine.games.blackjack.shoe import reserve, shuffled_at, size
from webapp.engine.simulation import kernel
from webapp.engine.simulation.card_counter import CardCounter
from webapp.engine.simulation.kernel import (
    DOUBLE,
    HIT,
    NATURAL,
    SPLIT,
    STAND,
    SURRENDER,
    TWENTY_ONE,
    Counting,
    LookupTables,
)
from webapp.engine.simulation.strategy_chart import NO_SPLIT, SOFT_CODE, Strategy, add_card, hand_of

Array = Any

_DRAWS_AGAIN: Final = 64

# By rank: 0 is no card, and 14 and 15 fill the arrays up. Among values a ten is as good as a king.
_VALUES: Final = 11
_VALUE_OF: Final = np.array([0, *range(1, 11), 10, 10, 10, 0, 0])
_IS_CARD: Final = _VALUE_OF > 0
_AFTER: Final = np.array(
    [[add_card(code, card) if _IS_CARD[card] else code for card in range(16)] for code in range(64)]
)
"""Code of a hand after a card, int[64, 16]."""


def build_lookup_tables(
    rules: BlackjackRules, charts: Sequence[Strategy], bet: int, paired: bool = False, boxes: int = 1
) -> LookupTables:
    """Build the kernel's tables.

    Args:
        rules: the rules of the table.
        charts: how the player plays; several of them, one for each count.
        bet: chips, from which halves are rounded down as at the table.
        paired: deal every round from a fresh shoe, the same one for every table with the same seed.
        boxes: that are played.
    """
    dealer_draws = np.array([rules.dealer_draws(code & 31, bool(code & SOFT_CODE)) for code in range(64)])
    dealer_steps = _AFTER | np.where(dealer_draws[_AFTER] & _IS_CARD, _DRAWS_AGAIN, 0)
    blocks, steps, openings = _charts(rules, charts)
    return LookupTables(
        rules=_rule_fields(rules, bet, paired, boxes),
        blocks=blocks,
        steps=steps,
        dealer_steps=dealer_steps.astype(np.uint8).reshape(-1),
        codes=dealer_steps[_AFTER[0]].astype(np.uint8).reshape(-1),
        openings=openings,
        insures=np.array(
            [int(chart.insure and rules.naturals and rules.insurance and bet >= 2) for chart in charts], np.int64
        ),
        nets=_nets(rules, bet),
    )


_ONE: Final = 2**32
"""In Counting.scale."""
_LITTLE: Final = _ONE // 1024
"""Less than a true count can be from the next whole one or the next half, and more than the scale is off."""
_ADDS: Final = {"floor": (_LITTLE, 0), "truncate": (_LITTLE, _ONE - 2 * _LITTLE), "nearest": (_ONE // 2 + _LITTLE, 0)}
"""What is added to a true count before its fraction is cut off, and what besides to one below 0."""


def counting_of(counter: CardCounter, decks: int) -> Counting:
    """Return how the kernel counts."""
    fields, tags = np.zeros(kernel.COUNTING_FIELDS, np.int64), np.zeros(16, np.int64)
    system, counts = counter.system, counter.counts(decks)
    scale = np.full(kernel.ROOM, _ONE, np.int64)
    if system.is_balanced:
        scale[0] = 0
        scale[1:] = _ONE * 52 // np.arange(1, kernel.ROOM)
    fields[kernel.COUNTS], fields[kernel.LOWEST] = len(counts), counts.start
    fields[kernel.BEGINS] = system.start(decks)
    fields[kernel.ADDS], fields[kernel.ADDS_BELOW] = _ADDS[counter.rounding]
    fields[kernel.DEVIATES] = bool(counter.charts)
    fields[kernel.LEAVES] = -1 if counter.leaves_at is None else counts.index(counter.leaves_at)
    tags[1:14] = [system.tags[value - 1] for value in _VALUE_OF[1:14]]
    return Counting(fields, tags, scale)


def unshuffled(rules: BlackjackRules) -> Array:
    """Return the cards of a shoe rank by rank, so that shoes of different sizes are alike: uint8[ROOM]."""
    cards = np.zeros(kernel.ROOM, np.uint8)
    cards[: size(rules)] = np.repeat(np.arange(1, 14), 4 * rules.decks)
    return cards


def _rule_fields(rules: BlackjackRules, bet: int, paired: bool, boxes: int) -> Array:
    fields = np.zeros(kernel.FIELDS, np.int64)
    fields[kernel.SIZE] = size(rules)
    # as at the table, where three boxes may be played and the shoe is shuffled when there might not be enough for them
    fields[kernel.LAST] = -1 if rules.shuffled_each_round else shuffled_at(rules) - 1
    fields[kernel.MOST] = reserve(rules, boxes)
    fields[kernel.PEEK] = rules.hole_card == "peek"
    fields[kernel.LOSE_ORIGINAL] = rules.lose == "original"
    fields[kernel.NATURALS] = rules.naturals
    fields[kernel.MAX_HANDS] = 1 if rules.split_by == "none" else rules.max_hands
    fields[kernel.RESPLIT_ACES] = rules.resplit_aces
    fields[kernel.SPLIT_BY_VALUE] = rules.split_by == "value"
    fields[kernel.BET] = bet
    fields[kernel.BONUS] = rules.blackjack_bonus(bet)
    fields[kernel.HALF] = bet // 2
    fields[kernel.PAIRED] = paired
    return fields


def _charts(rules: BlackjackRules, charts: Sequence[Strategy]) -> tuple[Array, Array, Array]:
    """Return the fields ``blocks``, ``steps`` and ``openings`` of LookupTables.

    The first chart is there card by card; of the others what is played alike is there once.
    """
    found, parts, blocks = dict[bytes, int](), list[bytes](), list[int]()
    for chart in charts:
        steps, openings = _player_steps(rules, chart), _openings(rules, chart)
        for up in range(16):
            block = steps[up].tobytes() + openings[up].tobytes()
            if len(parts) < 16 or block not in found:
                found[block] = len(parts) << kernel.BLOCK_BITS
                parts.append(block)
            blocks.append(found[block])
    whole = np.frombuffer(b"".join(parts), np.uint8).reshape(-1, 2, kernel.BLOCK_SIZE)
    return np.array(blocks, np.int64), whole[:, 0].flatten(), whole[:, 1].flatten()


def _player_steps(rules: BlackjackRules, strategy: Strategy) -> Array:
    """Return uint8[dealer's card, code << 4 | card]."""
    hits = np.zeros((_VALUES, 64), bool)
    for up, code in product(range(1, _VALUES), range(64)):
        hits[up, code] = _hits(code, up, rules, strategy)
    steps = _AFTER | np.where(hits[_VALUE_OF][:, _AFTER] & _IS_CARD, _DRAWS_AGAIN, 0)
    return steps.astype(np.uint8).reshape(16, kernel.BLOCK_SIZE)


def _hits(code: int, up: int, rules: BlackjackRules, strategy: Strategy) -> bool:
    """Return True if a hand of three or more cards draws again."""
    if not 2 <= code & 31 <= 21:
        return False
    return _decision_on_total(code, up, strategy, rules, may_double=False, may_surrender=False) == HIT


def _openings(rules: BlackjackRules, strategy: Strategy) -> Array:
    """Return uint8[dealer's card, kind << 8 | two cards]."""
    openings = np.zeros((kernel.OPENINGS, _VALUES, _VALUES, _VALUES), np.uint8)
    for kind, up, a, b in product(range(kernel.OPENINGS), *[range(1, _VALUES)] * 3):
        openings[kind, up, a, b] = _opening(kind, up, a, b, rules, strategy)
    by_rank = openings[:, _VALUE_OF][:, :, _VALUE_OF][:, :, :, _VALUE_OF]
    return by_rank.swapaxes(0, 1).reshape(16, kernel.BLOCK_SIZE)


def _opening(kind: int, up: int, a: int, b: int, rules: BlackjackRules, strategy: Strategy) -> int:
    """Return the decision on two cards. The kernel asks for a kind that may split only where the rules allow it."""
    split = kind in (kernel.SECOND_MAY_SPLIT, kernel.SECOND)
    may_split = kind in (kernel.FIRST_MAY_SPLIT, kernel.SECOND_MAY_SPLIT)
    code = add_card(add_card(0, a), b)
    if code == TWENTY_ONE and rules.naturals and not split:
        return NATURAL
    may_surrender = rules.surrender == "late" and not split
    if may_split and a == b:
        word = strategy.word(_letter(a) * 2, _letter(up))
        if word == "Rp" and may_surrender:
            return SURRENDER
        if word != NO_SPLIT:
            return SPLIT
    if split and a == 1 and not rules.hit_split_aces:
        return STAND
    may_double = rules.double_after_split or not split
    return _decision_on_total(code, up, strategy, rules, may_double, may_surrender)


def _decision_on_total(
    code: int, up: int, strategy: Strategy, rules: BlackjackRules, may_double: bool, may_surrender: bool
) -> int:
    total = code & 31
    if total == 21 and (rules.auto_stand_21 or code & SOFT_CODE):
        return STAND
    word = strategy.word(hand_of(code), _letter(up))
    if word in ("Dh", "Ds") and may_double and rules.may_double_total(total):
        return DOUBLE
    if word in ("Rh", "Rs") and may_surrender:
        return SURRENDER
    return HIT if word in ("H", "Dh", "Rh") else STAND


def _letter(value: int) -> str:
    """Return the letter of a card's value in a chart."""
    return {1: "A", 10: "T"}.get(value, str(value))


def _nets(rules: BlackjackRules, bet: int) -> Array:
    """Return the chips that usual rounds win or lose, by kind << 10 | total << 5 | dealer's total."""
    nets = np.zeros((3, 32, 32), np.int64)
    for total, dealer in product(range(32), range(32)):
        nets[0, total, dealer] = _net(total, dealer, bet, bet, rules)
        nets[1, total, dealer] = _net(total, dealer, 2 * bet, bet, rules)
        nets[2, total, dealer] = 0 if dealer == kernel.DEALER_NATURAL else rules.blackjack_bonus(bet)
    return nets.reshape(-1)


def _net(total: int, dealer: int, stake: int, bet: int, rules: BlackjackRules) -> int:
    if total > 21:
        return -stake
    if dealer == kernel.DEALER_NATURAL:
        return -bet if rules.lose == "original" else -stake
    if dealer > 21 or total > dealer:
        return stake
    return 0 if total == dealer else -stake
