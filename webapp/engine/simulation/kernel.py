"""The kernel: rounds of blackjack with one box, as fast as the machine goes.

It plays the rules of ``families/bank*`` over flat integer arrays that ``tables`` makes from rules and strategy. With
Numba it is compiled, and kept on disk; without, the same source runs slowly and counts the same to the last round.
All that is compiled, and every number that is compiled into it, stands in this one file: Numba compiles anew when a
function's own file has changed, and would not see a change of a constant in another.

A card is its rank from 1, the ace, to 13, the king; 0 is no card. What a hand counts to is one number, its *code*: the
total, and 32 more if an ace counts 11. From code and card follows the next code by a table that knows when a hand
draws no more, so that the usual round has no branch a processor could guess wrong.

The shoe is shuffled as it is dealt, a few cards ahead (Fisher and Yates, one step a card): what was dealt before is as
good a start as any order. Its generator counts: word number n is SplitMix64's mix of key + n * GAMMA (Steele, Lea and
Flood, 2014), one word for two cards, the lower half first. A half, 32 bits, is brought to a place below m by
multiplying and shifting, which favours no place by more than m / 2**32, one part in ten million.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from collections.abc import Callable
from typing import Any, Final

import numpy as np

try:
    from numba import njit as _njit

    COMPILED: Final = True
except ImportError:  # pragma: no cover
    COMPILED: Final = False  # type: ignore[misc]

    def _njit(**_options: Any) -> Callable[[Any], Any]:  # type: ignore[no-redef]
        return lambda function: function


# What is done with two cards. The first bit says that a card is drawn, the second that it may go on, the third that
# the hand is a natural.
STAND, DOUBLE, HIT, NATURAL, SPLIT, SURRENDER = 0, 1, 3, 4, 5, 6

# Fields of the rules, as the kernel reads them.
(
    SIZE,
    LAST,
    MOST,
    PEEK,
    LOSE_ORIGINAL,
    NATURALS,
    INSURES,
    MAX_HANDS,
    RESPLIT_ACES,
    SPLIT_BY_VALUE,
    BET,
    BONUS,
    HALF,
    PAIRED,
    FIELDS,
) = range(15)

# Which of the openings holds: whether the hand comes from a split, and whether it may be split (again).
FIRST_MAY_SPLIT, FIRST, SECOND_MAY_SPLIT, SECOND, OPENINGS = range(5)

# What is counted in rounds that are not the usual ones; the usual ones are counted by their totals.
(
    NATURALS_DEALT,
    SPLITS,
    SURRENDERS,
    INSURANCES,
    HANDS,
    BUSTS,
    WON,
    PUSHED,
    LOST,
    DOUBLES,
    DEALER_BUSTS,
    COUNTS,
) = range(12)

MOST_HANDS: Final = 4
MOST_NET: Final = 2 * MOST_HANDS + 1
"""No round wins or loses more than so many bets: four doubled hands, and half a bet for the insurance."""

SOFT: Final = 32
TWENTY_ONE: Final = SOFT + 21
FINALS: Final = 3 << 10
"""Kinds of usual rounds: a plain bet, a doubled one, a natural; each by both totals."""
DEALER_NATURAL: Final = 31
"""Stands for a dealer's natural among the totals: no hand counts to it."""

ROOM: Final = 512
"""Length of a shoe's array: eight decks, and what is looked at beyond the last card."""
AHEAD: Final = 12
PAIR_WORDS: Final = 256
"""Words that a round of a comparison has for itself: more than the cards of eight decks need."""

GAMMA: Final = np.uint64(0x9E3779B97F4A7C15)
_MIX_1: Final = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2: Final = np.uint64(0x94D049BB133111EB)
_30, _27, _31, _32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_LOW: Final = np.uint64(0xFFFFFFFF)

# Places in the state of a shoe: how many cards are dealt, how many are shuffled, which round of a comparison is next.
AT, READY, ROUND, PLACES = range(4)


@_njit(cache=True, nogil=True)
def _shuffle(shoe, ready, size, word):
    """Fix the next AHEAD cards. The generator's word after that."""
    for place in range(ready, ready + AHEAD, 2):
        word += GAMMA
        mixed = (word ^ (word >> _30)) * _MIX_1
        mixed = (mixed ^ (mixed >> _27)) * _MIX_2
        mixed ^= mixed >> _31
        if place < size:
            other = place + np.int64(((mixed & _LOW) * np.uint64(size - place)) >> _32)
            shoe[place], shoe[other] = shoe[other], shoe[place]
        if place + 1 < size:
            other = place + 1 + np.int64(((mixed >> _32) * np.uint64(size - place - 1)) >> _32)
            shoe[place + 1], shoe[other] = shoe[other], shoe[place + 1]
    return word


@_njit(cache=True, nogil=True)
def _unusual(shoe, start, ready, word, rules, steps, dealer_steps, codes, openings, shuffle, hands, counts):  # noqa: C901
    """Play one round, whatever comes: naturals, insurance, splits, surrender, an empty shoe.

    hands: int64[4, MOST_HANDS], room for totals, bets, and the two cards of split hands whose turn comes. Returns what
    the round brought in chips, where the shoe stands, what is shuffled of it, and the generator's word.
    """
    size, most, bet = rules[SIZE], rules[MOST], rules[BET]
    peek, naturals, lose_original = rules[PEEK] != 0, rules[NATURALS] != 0, rules[LOSE_ORIGINAL] != 0
    limit = start + most
    first, up, second = np.int64(shoe[start]), np.int64(shoe[start + 1]), np.int64(shoe[start + 2])
    at = start + 3
    dealer_code, dealer_cards = np.int64(dealer_steps[up]), 1
    if peek:
        dealer_code, dealer_cards = np.int64(dealer_steps[(dealer_code & 63) << 4 | np.int64(shoe[at])]), 2
        at += 1
    insurance = rules[HALF] if rules[INSURES] != 0 and up == 1 else 0
    dealer_natural = peek and naturals and (dealer_code & 63) == TWENTY_ONE
    natural = naturals and np.int64(codes[first << 4 | second]) == TWENTY_ONE
    surrendered = split = False
    played = undecided = pending = 0
    busted = 0
    staked = bet

    if dealer_natural or natural:
        hands[0, 0], hands[1, 0] = np.int64(codes[first << 4 | second]) & 31, bet
        played = 1
        undecided = 0 if natural else 1
    else:
        while True:
            # one hand: its two cards, then as many more as it likes
            stake = bet
            if second == 0:
                code = np.int64(codes[first << 4]) & 63  # the shoe was empty
            else:
                while True:
                    code = np.int64(codes[first << 4 | second]) & 63
                    same = first == second or (rules[SPLIT_BY_VALUE] != 0 and first >= 10 and second >= 10)
                    may_split = same and played + pending + 1 < rules[MAX_HANDS] and limit - at >= 2
                    if first == 1 and split and rules[RESPLIT_ACES] == 0:
                        may_split = False
                    kind = (2 if split else 0) + (0 if may_split else 1)
                    way = np.int64(openings[kind << 12 | up << 8 | first << 4 | second])
                    if way != SPLIT:
                        break
                    counts[SPLITS] += 1
                    split = True
                    staked += bet
                    hands[2, pending], hands[3, pending] = second, 0
                    if ready - at < 2 and shuffle:
                        word = _shuffle(shoe, ready, size, word)
                        ready += AHEAD
                    second = np.int64(shoe[at])
                    at += 1
                    if first == 1:
                        hands[3, pending] = np.int64(shoe[at])
                        at += 1
                    pending += 1
                if way == SURRENDER and at < limit:
                    surrendered = True
                elif way & 1 and at < limit:
                    if way == DOUBLE:
                        counts[DOUBLES] += 1
                        stake = 2 * bet
                        staked += bet
                    go = 1
                    while go != 0 and at < limit:
                        if at >= ready and shuffle:
                            word = _shuffle(shoe, ready, size, word)
                            ready += AHEAD
                        code = np.int64(steps[up << 10 | (code & 63) << 4 | np.int64(shoe[at])])
                        at += 1
                        go = (code >> 6) & (way >> 1)
            total = code & 31
            hands[0, played], hands[1, played] = total, stake
            played += 1
            if total > 21:
                counts[BUSTS] += 1
                busted += stake
            elif not surrendered:
                undecided += 1
            if pending == 0:
                break
            pending -= 1
            first, second = hands[2, pending], hands[3, pending]
            if second == 0 and at < limit:
                if at >= ready and shuffle:
                    word = _shuffle(shoe, ready, size, word)
                    ready += AHEAD
                second = np.int64(shoe[at])
                at += 1

    # the dealer: plays against hands that are undecided, and shows a second card for a natural or an insurance
    wants = 0
    if undecided > 0 and not dealer_natural:
        wants = dealer_code >> 6
    elif dealer_cards == 1 and (insurance > 0 or (natural and (up == 1 or up >= 10))):
        wants = 1
    while wants != 0 and at < limit:
        if at >= ready and shuffle:
            word = _shuffle(shoe, ready, size, word)
            ready += AHEAD
        dealer_code = np.int64(dealer_steps[(dealer_code & 63) << 4 | np.int64(shoe[at])])
        at += 1
        dealer_cards += 1
        dealer_natural = naturals and dealer_cards == 2 and (dealer_code & 63) == TWENTY_ONE
        wants = dealer_code >> 6 if undecided > 0 else 0
    dealer = dealer_code & 31
    if dealer > 21:
        counts[DEALER_BUSTS] += 1
        dealer = 0

    # settlement
    back = np.int64(0)
    counts[HANDS] += played
    if insurance > 0:
        counts[INSURANCES] += 1
        staked += insurance
        back += 3 * insurance if dealer_natural else 0
    if natural:
        counts[NATURALS_DEALT] += 1
        counts[PUSHED if dealer_natural else WON] += 1
        back += bet if dealer_natural else bet + rules[BONUS]
    elif surrendered:
        counts[SURRENDERS] += 1
        back += rules[HALF]
    else:
        owed = max(0, bet - busted) if lose_original and not peek else staked
        for hand in range(played):
            total = hands[0, hand]
            if total > 21:
                counts[LOST] += 1
            elif dealer_natural:
                counts[LOST] += 1
                if lose_original and not peek:
                    back += hands[1, hand] - owed
                    owed = 0
            elif total > dealer:
                counts[WON] += 1
                back += 2 * hands[1, hand]
            elif total == dealer:
                counts[PUSHED] += 1
                back += hands[1, hand]
            else:
                counts[LOST] += 1
    return back - staked, at, ready, word


@_njit(cache=True, nogil=True)
def play(  # noqa: C901
    shoe,
    order,
    places,
    words,
    rules,
    steps,
    dealer_steps,
    codes,
    openings,
    net_of,
    rounds,
    shuffle,
    finals,
    nets,
    counts,
    each,
):
    """Play rounds, one bet each.

    shoe: uint8[ROOM], changed; order: uint8[ROOM], the shoe unshuffled; places: int64[PLACES] and words: uint64[2],
    where the shoe and its generator stand, changed; rules: int64[FIELDS]; steps: uint8[16 << 10], dealer_steps:
    uint8[1 << 10], codes: uint8[256], openings: uint8[OPENINGS << 12], net_of: int64[FINALS]: see ``tables``; shuffle:
    False deals the shoe as it lies. Adds to finals: int64[FINALS], usual rounds by kind << 10 | total << 5 | the
    dealer's total; to nets: int64[2 * MOST_NET * bet + 1], all other rounds by the chips they brought, nothing in the
    middle; to counts: int64[COUNTS]. each: int64[rounds], or of length 0: what every round brought, in chips.
    """
    size, last, most = rules[SIZE], rules[LAST], rules[MOST]
    peek, naturals, paired = rules[PEEK] != 0, rules[NATURALS] != 0, rules[PAIRED] != 0
    insured_by = 1 if rules[INSURES] != 0 else 0  # the card against which no round is usual
    natural_code = TWENTY_ONE if naturals else 0
    odd_way = -1 if peek else NATURAL  # without a peek it may be that the dealer draws against it, once
    middle = len(nets) // 2
    recorded = len(each) > 0
    at, ready, word = places[AT], places[READY], words[1]
    hands = np.zeros((4, MOST_HANDS), np.int64)

    for number in range(rounds):
        if shuffle:
            if paired:
                for place in range(size):  # faster than as a slice
                    shoe[place] = order[place]
                at, ready = np.int64(0), np.int64(0)
                word = words[0] + GAMMA * np.uint64((places[ROUND] + number) * PAIR_WORDS)
            elif at > last:
                at, ready = np.int64(0), np.int64(0)
            if ready - at < AHEAD:
                word = _shuffle(shoe, ready, size, word)
                ready += AHEAD
        start = at & (ROOM - 1)  # it never is more; this way no place needs to be looked at twice
        first, up, second = np.int64(shoe[start]), np.int64(shoe[start + 1]), np.int64(shoe[start + 2])
        at = start + 3
        player = np.int64(codes[first << 4 | second])
        way = np.int64(openings[up << 8 | first << 4 | second])
        dealer = np.int64(dealer_steps[up])
        if peek:
            dealer = np.int64(codes[up << 4 | np.int64(shoe[at])])
            at += 1

        usual = way <= NATURAL and up != insured_by and way != odd_way
        if usual:
            # stand, hit or double: nothing in here depends on what a processor would have to guess
            upward = up << 10
            seen = np.int64(peek and (dealer & 63) == natural_code)  # the round is over before anyone acts
            way &= ~(3 * seen)
            kind = (way >> 1) & 2 | np.int64(way == DOUBLE)
            go = way & 1
            player = np.int64(steps[upward | (player & 63) << 4 | (np.int64(shoe[at]) & -go)])
            at += go
            go &= (way >> 1) & (player >> 6)
            player = np.int64(steps[upward | (player & 63) << 4 | (np.int64(shoe[at]) & -go)])
            at += go
            go &= player >> 6
            while go != 0:
                if at >= ready and shuffle:
                    word = _shuffle(shoe, ready, size, word)
                    ready += AHEAD
                player = np.int64(steps[upward | (player & 63) << 4 | np.int64(shoe[at])])
                at += 1
                go = player >> 6
            total = player & 31
            if ready - at < 4 and shuffle:
                word = _shuffle(shoe, ready, size, word)
                ready += AHEAD
            alive = np.int64(total <= 21) & ~(way >> 2)
            if not peek:
                dealer = np.int64(dealer_steps[(dealer & 63) << 4 | (np.int64(shoe[at]) & -alive)])
                at += alive
                seen = np.int64((dealer & 63) == natural_code)
            go = alive & (dealer >> 6)
            dealer = np.int64(dealer_steps[(dealer & 63) << 4 | (np.int64(shoe[at]) & -go)])
            at += go
            go &= dealer >> 6
            dealer = np.int64(dealer_steps[(dealer & 63) << 4 | (np.int64(shoe[at]) & -go)])
            at += go
            go &= dealer >> 6
            while go != 0:
                if at >= ready and shuffle:
                    word = _shuffle(shoe, ready, size, word)
                    ready += AHEAD
                dealer = np.int64(dealer_steps[(dealer & 63) << 4 | np.int64(shoe[at])])
                at += 1
                go = dealer >> 6
            usual = at - start <= most  # else the shoe was empty before, and the round is played again with care
        if usual:
            place = kind << 10 | total << 5 | (dealer & 31) | (DEALER_NATURAL * seen)
            finals[place] += 1
            if recorded:
                each[number] = net_of[place]
        else:
            net, at, ready, word = _unusual(
                shoe, start, ready, word, rules, steps, dealer_steps, codes, openings, shuffle, hands, counts
            )
            nets[middle + net] += 1
            if recorded:
                each[number] = net
    places[AT], places[READY], words[1] = at, ready, word
    if paired:
        places[ROUND] += rounds
