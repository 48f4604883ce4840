"""The kernel: rounds of blackjack with one box, as fast as the machine goes.

It plays the rules of ``families/bank*`` over flat integer arrays. With Numba it is compiled, and kept on disk; without,
the same source runs slowly. Cards are ranks from 1, the ace, to 13, the king.

A shoe is shuffled as it is dealt (Fisher and Yates, one step a card): what was dealt before is as good a start as any
order, so a new shoe costs nothing. The generator is xoshiro256++ (Blackman and Vigna, 2019, public domain).
"""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

try:
    from numba import njit as _njit

    COMPILED: Final = True
except ImportError:  # pragma: no cover
    COMPILED: Final = False  # type: ignore[misc]

    def _njit(**_options: Any) -> Callable[[Any], Any]:
        return lambda function: function


# What a strategy says; the second half of a word is for when the first is not allowed.
STAND, HIT, DOUBLE_OR_HIT, DOUBLE_OR_STAND, SURRENDER_OR_HIT, SURRENDER_OR_STAND, SURRENDER_OR_SPLIT, SPLIT = range(8)

# Fields of the rules, as the kernel reads them.
(
    SIZE,
    CUT,
    RESERVE,
    FRESH,
    HIT_SOFT_17,
    PEEK,
    LOSE_ORIGINAL,
    BONUS,
    BONUS_OF,
    DOUBLE_LEAST,
    DOUBLE_MOST,
    DOUBLE_AFTER_SPLIT,
    SPLIT_BY_VALUE,
    MAX_HANDS,
    RESPLIT_ACES,
    HIT_SPLIT_ACES,
    MAY_SURRENDER,
    MAY_INSURE,
    AUTO_STAND,
    NATURALS,
    FIELDS,
) = range(21)

# What is counted, beside the distribution of what a round brings.
ROUNDS, HANDS, NATURAL, BUST, WON, PUSHED, LOST, DOUBLED, SPLITS, SURRENDERED, INSURED, DEALER_BUST, COUNTS = range(13)

MOST_HANDS: Final = 4
MOST_NET: Final = 2 * MOST_HANDS + 1
"""No round wins or loses more than so many bets: four doubled hands, and half a bet for the insurance."""


@_njit(inline="always")
def _rotated(x, k):  # type: ignore[no-untyped-def]
    return (x << np.uint64(k)) | (x >> np.uint64(64 - k))


@_njit(inline="always")
def _draw(shoe, place, size, state, shuffle):  # type: ignore[no-untyped-def]
    """The card at a place of the shoe: any of those that are left, each equally likely."""
    if not shuffle:
        return np.int64(shoe[place])
    left = np.uint64(size - place)
    while True:
        s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
        word = (_rotated(s0 + s3, 23) + s0) >> np.uint64(32)
        t = s1 << np.uint64(17)
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= t
        state[0], state[1], state[2], state[3] = s0, s1, s2, _rotated(s3, 45)
        # Lemire's way to an even number below ``left``, without a division in all but one of millions
        product = word * left
        low = product & np.uint64(0xFFFFFFFF)
        if low >= left or low >= (np.uint64(1 << 32) - left) % left:
            break
    other = place + np.int64(product >> np.uint64(32))
    card = shoe[other]
    shoe[other] = shoe[place]
    shoe[place] = card
    return np.int64(card)


@_njit(inline="always")
def _best(hard, ace):  # type: ignore[no-untyped-def]
    """The total of a hand whose cards count ``hard`` with every ace as 1."""
    return hard + 10 if ace and hard <= 11 else hard


@_njit(cache=True, nogil=True)
def play(shoe, state, rules, hard_table, soft_table, pair_table, insure, bet, rounds, shuffle, nets, counts):  # type: ignore[no-untyped-def]  # noqa: C901
    """Play rounds, one bet each.

    shoe: int8[cards], any order, changed; state: uint64[4] of the generator, changed; rules: int64[FIELDS];
    hard_table, soft_table: int8[22, 11], pair_table: int8[11, 11], by total (or value of the pair) and the dealer's card,
    1 for an ace; insure: whether insurance is taken; bet: chips; shuffle: False deals the shoe as it lies, round after
    round. Adds to nets: int64[2 * MOST_NET * bet + 1], rounds by what they brought in chips (the middle is nothing),
    and to counts: int64[COUNTS]. Returns how many cards of the shoe are dealt.
    """
    size, cut, reserve, fresh = rules[SIZE], rules[CUT], rules[RESERVE], rules[FRESH] != 0
    hit_soft_17, peek, lose_original = rules[HIT_SOFT_17] != 0, rules[PEEK] != 0, rules[LOSE_ORIGINAL] != 0
    bonus, bonus_of = rules[BONUS], rules[BONUS_OF]
    double_least, double_most = rules[DOUBLE_LEAST], rules[DOUBLE_MOST]
    double_after_split = rules[DOUBLE_AFTER_SPLIT] != 0
    split_by_value, max_hands = rules[SPLIT_BY_VALUE] != 0, rules[MAX_HANDS]
    resplit_aces, hit_split_aces = rules[RESPLIT_ACES] != 0, rules[HIT_SPLIT_ACES] != 0
    may_surrender, auto_stand = rules[MAY_SURRENDER] != 0, rules[AUTO_STAND] != 0
    naturals = rules[NATURALS] != 0
    insures = insure and naturals and rules[MAY_INSURE] != 0
    middle = MOST_NET * bet
    waiting = np.zeros((MOST_HANDS, 2), np.int64)  # split hands whose turn comes: their first card, and the second or 0
    totals = np.zeros(MOST_HANDS, np.int64)
    bets = np.zeros(MOST_HANDS, np.int64)
    at = 0
    hands_counted = naturals_counted = busts = won = pushed = lost = 0
    doubles = splits = surrenders = insurances = dealer_busts = 0

    for _ in range(rounds):
        if shuffle and (fresh or at >= cut or size - at < reserve):
            at = 0
        first = _draw(shoe, at, size, state, shuffle)
        up = _draw(shoe, at + 1, size, state, shuffle)
        second = _draw(shoe, at + 2, size, state, shuffle)
        at += 3
        up_value = min(up, 10)
        hole = 0
        if peek:
            hole = min(_draw(shoe, at, size, state, shuffle), 10)
            at += 1
        insurance = bet // 2 if insures and up == 1 else 0
        dealer_natural = False
        if peek and naturals and up_value + hole == 11 and (up == 1 or hole == 1):
            dealer_natural = True

        # the boxes
        a, b = min(first, 10), min(second, 10)
        natural = naturals and a + b == 11 and (a == 1 or b == 1)
        surrendered = False
        hands = 0
        undecided = 0
        busted_bets = 0
        staked = bet
        if not dealer_natural and not natural:
            split = False
            pending = 0
            while True:
                hard, ace = a + b, a == 1 or b == 1
                cards, stake = 2, bet
                while True:
                    best = _best(hard, ace)
                    may_hit = hit_split_aces or not (split and first == 1)
                    may_split = False
                    if cards == 2 and a == b and hands + pending + 1 < max_hands:
                        if (split_by_value or first == second) and (first != 1 or not split or resplit_aces):
                            may_split = True
                    if not may_hit and not may_split:
                        break
                    if may_hit and auto_stand and best == 21:
                        break
                    say = soft_table[best, up_value] if best != hard else hard_table[best, up_value]
                    if may_split:
                        of_pair = pair_table[a, up_value]
                        if of_pair == SPLIT or of_pair == SURRENDER_OR_SPLIT:
                            say = of_pair
                    if say >= SURRENDER_OR_HIT and say <= SURRENDER_OR_SPLIT:
                        if may_surrender and cards == 2 and not split:
                            surrendered = True
                            break
                        if say == SURRENDER_OR_SPLIT:
                            say = SPLIT
                        else:
                            say = HIT if say == SURRENDER_OR_HIT else STAND
                    if say == SPLIT:
                        splits += 1
                        split = True
                        staked += bet
                        waiting[pending, 0] = second
                        waiting[pending, 1] = 0
                        second = _draw(shoe, at, size, state, shuffle)
                        at += 1
                        if first == 1:
                            waiting[pending, 1] = _draw(shoe, at, size, state, shuffle)
                            at += 1
                        pending += 1
                        b = min(second, 10)
                        hard, ace = a + b, a == 1 or b == 1
                        continue
                    if not may_hit:
                        break
                    if say == DOUBLE_OR_HIT or say == DOUBLE_OR_STAND:
                        if cards == 2 and best >= double_least and best <= double_most and (double_after_split or not split):
                            doubles += 1
                            stake = 2 * bet
                            staked += bet
                            card = min(_draw(shoe, at, size, state, shuffle), 10)
                            at += 1
                            hard += card
                            ace = ace or card == 1
                            break
                        say = HIT if say == DOUBLE_OR_HIT else STAND
                    if say == STAND:
                        break
                    card = min(_draw(shoe, at, size, state, shuffle), 10)
                    at += 1
                    cards += 1
                    hard += card
                    ace = ace or card == 1
                    if hard > 21:
                        break
                totals[hands] = _best(hard, ace)
                bets[hands] = stake
                hands += 1
                if hard > 21:
                    busts += 1
                    busted_bets += stake
                elif not surrendered:
                    undecided += 1
                if pending == 0:
                    break
                pending -= 1
                first, second = waiting[pending, 0], waiting[pending, 1]
                if second == 0:
                    second = _draw(shoe, at, size, state, shuffle)
                    at += 1
                a, b = min(first, 10), min(second, 10)
        else:
            totals[0], bets[0], hands = a + b, bet, 1

        # the dealer
        dealer_hard, dealer_ace = up_value + hole, up == 1 or hole == 1
        if not peek and (undecided or insurance or (natural and (up_value == 1 or up_value == 10))):
            card = min(_draw(shoe, at, size, state, shuffle), 10)
            at += 1
            dealer_hard += card
            dealer_ace = dealer_ace or card == 1
            dealer_natural = naturals and dealer_hard == 11 and dealer_ace
        dealer = _best(dealer_hard, dealer_ace)
        if undecided and not dealer_natural:
            while dealer < 17 or (hit_soft_17 and dealer == 17 and dealer != dealer_hard):
                card = min(_draw(shoe, at, size, state, shuffle), 10)
                at += 1
                dealer_hard += card
                dealer_ace = dealer_ace or card == 1
                dealer = _best(dealer_hard, dealer_ace)
            if dealer > 21:
                dealer_busts += 1
                dealer = 0

        # settlement
        back = 0
        if natural:
            naturals_counted += 1
            if dealer_natural:
                pushed += 1
                back = bet
            else:
                won += 1
                back = bet + bet * bonus // bonus_of
        elif surrendered:
            surrenders += 1
            back = bet // 2
        elif dealer_natural:
            owed = max(0, bet - busted_bets) if lose_original and not peek else staked
            for hand in range(hands):
                lost += 1
                if totals[hand] <= 21 and lose_original and not peek:
                    back += bets[hand] - owed
                    owed = 0
        else:
            for hand in range(hands):
                total = totals[hand]
                if total > 21 or total < dealer:
                    lost += 1
                elif total == dealer:
                    pushed += 1
                    back += bets[hand]
                else:
                    won += 1
                    back += 2 * bets[hand]
        if insurance:
            insurances += 1
            staked += insurance
            if dealer_natural:
                back += 3 * insurance
        hands_counted += hands
        nets[middle + back - staked] += 1

    counts[ROUNDS] += rounds
    counts[HANDS] += hands_counted
    counts[NATURAL] += naturals_counted
    counts[BUST] += busts
    counts[WON] += won
    counts[PUSHED] += pushed
    counts[LOST] += lost
    counts[DOUBLED] += doubles
    counts[SPLITS] += splits
    counts[SURRENDERED] += surrenders
    counts[INSURED] += insurances
    counts[DEALER_BUST] += dealer_busts
    return at
