"""The kernel: simulated rounds of blackjack, with one box as fast as the machine allows.

It plays the rules of ``webapp.engine.games.blackjack`` over flat integer arrays, which ``lookup_tables`` makes from
rules and strategy. With Numba it is compiled, and the machine code is kept on disk; without Numba the same source runs
slowly and gives the same statistics to the last round. All that is compiled, and every number that is compiled into it,
stands in this file: Numba compiles anew when the file of a function has changed, and does not see that a constant in
another file has.

A card is its rank from 1, the ace, to 13, the king; 0 is no card. The value of a hand is one number, its *code*: the
total, and 32 more if an ace counts 11. A table gives the next code for a code and a card, and knows when a hand draws
no more. Thus the usual round has no branch that a processor could predict wrongly.

The shoe is shuffled while it is dealt, a few cards ahead (Fisher and Yates, one step a card): the cards that were dealt
before are as good a start as any order. The random numbers come from a counter: word number n is SplitMix64's mix of
key + n * GAMMA (Steele, Lea and Flood, 2014). A word serves two cards, the lower half first. A half, 32 bits, is
reduced to a place below m by multiplying and shifting, which favours no place by more than m / 2**32, one part in ten
million.

A player who counts sees every card that was dealt by the end of a round, and has one chart for each count. Bets do
not change the cards: rounds are counted by the count before their deal, and what any bets win is a sum over them.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

try:
    from numba import njit as _njit

    COMPILED: Final = True
except ImportError:  # pragma: no cover
    COMPILED: Final = False  # type: ignore[misc]

    def _njit(**_options: Any) -> Callable[[Any], Any]:  # type: ignore[no-redef]
        return lambda function: function


# Decisions on two cards. The first bit says that a card is drawn, the second that more may follow, the third that the
# hand is a natural.
STAND, DOUBLE, HIT, NATURAL, SPLIT, SURRENDER = 0, 1, 3, 4, 5, 6

# Fields of LookupTables.rules.
(
    SIZE,
    LAST,
    MOST,
    PEEK,
    LOSE_ORIGINAL,
    NATURALS,
    MAX_HANDS,
    RESPLIT_ACES,
    SPLIT_BY_VALUE,
    BET,
    BONUS,
    HALF,
    PAIRED,
    FIELDS,
) = range(14)

# Kinds of openings: the hand is of the first two cards or of a split, and may be split (again) or not.
FIRST_MAY_SPLIT, FIRST, SECOND_MAY_SPLIT, SECOND, OPENINGS = range(5)

# Fields of Counters.events. All but LEFT are counted in unusual rounds only; usual rounds are counted by their totals.
(
    NATURALS_DEALT,
    SPLITS,
    SURRENDERS,
    INSURANCES,
    BUSTS,
    WON,
    PUSHED,
    LOST,
    DOUBLES,
    DEALER_BUSTS,
    LEFT,
    EVENTS,
) = range(12)

HAND_BITS: Final = 6
DOUBLED: Final = 32
NATURAL_BOX, SURRENDERED_BOX = 31, 63
"""Boxes of one hand: no total is as high."""

MOST_HANDS: Final = 4
MOST_NET: Final = 2 * MOST_HANDS + 1
"""Most bets that a box can win or lose: four doubled hands, and half a bet for the insurance."""

SOFT: Final = 32
TWENTY_ONE: Final = SOFT + 21
USUAL: Final = 3 << 10
"""Number of results of a usual round: a single bet, a doubled one or a natural, by both totals."""
DEALER_NATURAL: Final = 31
"""Code of a dealer's natural among the dealer's totals. No hand has this total."""

ROOM: Final = 512
"""Length of a shoe's array: eight decks, and the places that are read beyond the last card."""
AHEAD: Final = 12
"""Cards that are shuffled at a time."""
FEW: Final = 4
"""Cards that a round takes after its opening, mostly: they are counted without a branch that is predicted wrongly."""
BLOCK_BITS: Final = 10
BLOCK_SIZE: Final = 1 << BLOCK_BITS
"""Length of what ``steps`` and ``openings`` hold for one card of the dealer in one chart."""
PAIR_WORDS: Final = 256
"""Random words reserved for each round of a comparison: more than the cards of eight decks need."""

GAMMA: Final = np.uint64(0x9E3779B97F4A7C15)
_MIX_1: Final = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2: Final = np.uint64(0x94D049BB133111EB)
_30, _27, _31, _32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_LOW: Final = np.uint64(0xFFFFFFFF)

# Fields of Shoe.state: cards that are dealt, cards that are shuffled, number of the next round of a comparison, and the
# running count of the cards that are dealt.
AT, READY, ROUND, RUNNING, STATE_FIELDS = range(5)

# Fields of Counting.fields: how many counts are told apart, the lowest of them, the running count of a full shoe, what
# is added to a count before its fraction is cut off, what besides to one below 0, whether each count has a chart of its
# own, and the place of the highest count at which the player leaves for a new shoe, -1 if there is none.
COUNTS, LOWEST, BEGINS, ADDS, ADDS_BELOW, DEVIATES, LEAVES, COUNTING_FIELDS = range(8)


# The files that Numba keeps on disk refer to these classes by name, and are read before their age is compared: with a
# class rename the functions that take it too.


class Shoe(NamedTuple):
    """A shoe and its random numbers; all but ``order`` changes while it is played.

    cards: uint8[ROOM], the cards as they lie. order: uint8[ROOM], the cards before they are shuffled. state:
    int64[STATE_FIELDS]. words: uint64[2], the key of the random numbers, and the word that was taken last.
    """

    cards: Any
    order: Any
    state: Any
    words: Any


class LookupTables(NamedTuple):
    """Rules and strategy as arrays.

    rules: int64[FIELDS].

    blocks: int64[charts << 4], by chart << 4 | dealer's card: where in ``steps`` and ``openings`` begins what is played
    then. Charts that play alike against a card share a block, so that most of what is read stays in the cache. The
    first chart has its blocks one after the other, from the card 0, and needs no look here.

    steps: uint8[blocks << 10], by block | code << 4 | card: the code after that card, and 64 more if the player draws
    again. dealer_steps: uint8[1 << 10], by code << 4 | card, the same for the dealer.

    codes: uint8[256], by two cards: their code, and 64 more if the dealer would draw to it.

    openings: uint8[blocks << 10], by block | kind << 8 | two cards: the decision on them.

    insures: int64[charts], the dealer's card against which insurance is bought, 1, or 0 for none.

    nets: int64[USUAL], by kind << 10 | total << 5 | dealer's total: chips that a usual round wins or loses.
    """

    rules: Any
    blocks: Any
    steps: Any
    dealer_steps: Any
    codes: Any
    openings: Any
    insures: Any
    nets: Any


class Counting(NamedTuple):
    """How the player counts.

    fields: int64[COUNTING_FIELDS]. tags: int64[16], what a card adds, by rank.

    scale: int64[ROOM], by the number of unseen cards: what the running count is multiplied by, in parts of 2**32. It is
    52 / unseen, or 1 if the count is not divided.
    """

    fields: Any
    tags: Any
    scale: Any


class Counters(NamedTuple):
    """Counts of the rounds that were played. The first axis is the count before the deal.

    usual: int64[counts, USUAL], usual rounds by kind << 10 | total << 5 | dealer's total. With several boxes these are
    boxes of usual rounds, all at 0: so they stay in the cache.

    unusual: int64[counts, 2 * boxes * MOST_NET * bet + 1], all other rounds by the chips they won or lost, 0 in the
    middle. With several boxes these are all rounds.

    events: int64[EVENTS], of the unusual rounds. LEFT, and with several boxes DEALER_BUSTS, are of all rounds.
    """

    usual: Any
    unusual: Any
    events: Any


@_njit(cache=True, nogil=True)
def _shuffle(cards, ready, size, word):
    """Fix the next AHEAD cards and return the word that was taken last.

    Callers check how many cards are left: a separate function for that, inlined or not, makes the kernel five per cent
    slower (bench: lab).
    """
    for place in range(ready, ready + AHEAD, 2):
        word += GAMMA
        mixed = (word ^ (word >> _30)) * _MIX_1
        mixed = (mixed ^ (mixed >> _27)) * _MIX_2
        mixed ^= mixed >> _31
        if place < size:
            other = place + np.int64(((mixed & _LOW) * np.uint64(size - place)) >> _32)
            cards[place], cards[other] = cards[other], cards[place]
        if place + 1 < size:
            other = place + 1 + np.int64(((mixed >> _32) * np.uint64(size - place - 1)) >> _32)
            cards[place + 1], cards[other] = cards[other], cards[place + 1]
    return word


@_njit(cache=True, nogil=True, inline="always")
def _play_box(  # noqa: C901
    cards,
    first,
    second,
    at,
    limit,
    ready,
    word,
    block,
    shuffle,
    size,
    naturals,
    dealer_natural,
    max_hands,
    by_value,
    resplit_aces,
    steps,
    dealer_steps,
    openings,
    events,
):
    """Play the hands of one box, until the dealer's turn.

    Return them as one number, HAND_BITS for each: its total, and DOUBLED if its bet was; or NATURAL_BOX or
    SURRENDERED_BOX. Then how many are not decided yet, the number of cards dealt, that of cards shuffled, and the last
    word.
    """
    hands = waiting = played = pending = undecided = 0
    code = np.int64(dealer_steps[(np.int64(dealer_steps[first]) & 63) << 4 | second]) & 63
    if naturals and code == TWENTY_ONE:
        hands = NATURAL_BOX
    elif dealer_natural:
        hands, undecided = code & 31, 1
    else:
        while True:
            # one hand: its two cards, then as many more as the strategy takes
            code = np.int64(dealer_steps[first]) & 63
            doubled = surrendered = 0
            if second != 0:  # else the shoe was empty
                while True:
                    code = np.int64(dealer_steps[(np.int64(dealer_steps[first]) & 63) << 4 | second]) & 63
                    same = first == second or (by_value and first >= 10 and second >= 10)
                    may_split = same and played + pending + 1 < max_hands and limit - at >= 2
                    split = played + pending > 0
                    if first == 1 and split and not resplit_aces:
                        may_split = False
                    kind = (2 if split else 0) + (0 if may_split else 1)
                    decision = np.int64(openings[block | kind << 8 | first << 4 | second])
                    if decision != SPLIT:
                        break
                    events[SPLITS] += 1
                    waiting = waiting << 8 | second << 4
                    if ready - at < 2 and shuffle:
                        word = _shuffle(cards, ready, size, word)
                        ready += AHEAD
                    second = np.int64(cards[at])
                    at += 1
                    if first == 1:
                        waiting |= np.int64(cards[at])
                        at += 1
                    pending += 1
                if decision == SURRENDER and at < limit:
                    surrendered = 1
                elif decision & 1 and at < limit:
                    if decision == DOUBLE:
                        events[DOUBLES] += 1
                        doubled = DOUBLED
                    draws = 1
                    while draws != 0 and at < limit:
                        if at >= ready and shuffle:
                            word = _shuffle(cards, ready, size, word)
                            ready += AHEAD
                        code = np.int64(steps[block | (code & 63) << 4 | np.int64(cards[at])])
                        at += 1
                        draws = (code >> 6) & (decision >> 1)
            total = code & 31
            hands = hands << HAND_BITS | doubled | total
            played += 1
            if surrendered != 0:
                hands = SURRENDERED_BOX
            elif total <= 21:
                undecided += 1
            if pending == 0:
                break
            pending -= 1
            first, second = waiting >> 4 & 15, waiting & 15
            waiting >>= 8
            if second == 0 and at < limit:
                if at >= ready and shuffle:
                    word = _shuffle(cards, ready, size, word)
                    ready += AHEAD
                second = np.int64(cards[at])
                at += 1
    return hands, undecided, at, ready, word


@_njit(cache=True, nogil=True, inline="always")
def _settle(hands, insurance, dealer, dealer_natural, bet, bonus, half, original, events):
    """Return the chips that a box won or lost.

    hands: of the box, as from ``_play_box``. insurance: chips. dealer: the dealer's total, 0 if that is too high.
    """
    net, busted = np.int64(0), np.int64(0)
    if hands == NATURAL_BOX:
        events[NATURALS_DEALT] += 1
        events[PUSHED if dealer_natural else WON] += 1
        net += 0 if dealer_natural else bonus
    elif hands == SURRENDERED_BOX:
        events[SURRENDERS] += 1
        net += half - bet
    else:
        while hands != 0:
            stake = 2 * bet if hands & DOUBLED != 0 else bet
            total = hands & 31
            hands >>= HAND_BITS
            if total > 21:
                events[BUSTS] += 1
                events[LOST] += 1
                busted += stake
                net -= stake
            elif dealer_natural or total < dealer:
                events[LOST] += 1
                net -= stake
            elif total > dealer:
                events[WON] += 1
                net += stake
            else:
                events[PUSHED] += 1
        if dealer_natural and original:
            net = -max(bet, busted)
    if insurance > 0:
        events[INSURANCES] += 1
        net += 2 * insurance if dealer_natural else -insurance
    return net


@_njit(cache=True, nogil=True)
def _play_unusual(  # noqa: C901
    cards, start, ready, word, rules, steps, dealer_steps, openings, block, insured, shuffle, held, events
):
    """Play one round with everything that may happen: naturals, insurance, splits, surrender, an empty shoe.

    block: where the chart begins in steps and openings. insured: the dealer's card that is insured against, or 0. held:
    int64[boxes], room for the hands of each, or None for one box: Numba compiles the function for either.

    Return the chips that the round won or lost, the number of cards dealt, that of cards shuffled, and the last word.
    """
    # All that a box needs of the rules is read here, and hands are numbers: each array that a function is given is
    # counted in and out, which takes as long as a few cards (bench: lab).
    size, bet, bonus, half = rules[SIZE], rules[BET], rules[BONUS], rules[HALF]
    peek, naturals = rules[PEEK] != 0, rules[NATURALS] != 0
    original = rules[LOSE_ORIGINAL] != 0 and not peek
    max_hands, by_value, resplit_aces = rules[MAX_HANDS], rules[SPLIT_BY_VALUE] != 0, rules[RESPLIT_ACES] != 0
    limit = start + rules[MOST]
    boxes = 1
    if held is not None:
        boxes = len(held)
    up = np.int64(cards[start + boxes])
    at = start + 2 * boxes + 1
    dealer_code, dealer_cards = np.int64(dealer_steps[up]), 1
    if peek:
        dealer_code, dealer_cards = np.int64(dealer_steps[(dealer_code & 63) << 4 | np.int64(cards[at])]), 2
        at += 1
    insurance = half if insured == up else 0
    dealer_natural = peek and naturals and (dealer_code & 63) == TWENTY_ONE
    awaited = insurance > 0
    hands = undecided = 0
    if held is None:
        hands, undecided, at, ready, word = _play_box(
            cards,
            np.int64(cards[start]),
            np.int64(cards[start + boxes + 1]),
            at,
            limit,
            ready,
            word,
            block,
            shuffle,
            size,
            naturals,
            dealer_natural,
            max_hands,
            by_value,
            resplit_aces,
            steps,
            dealer_steps,
            openings,
            events,
        )
        awaited |= hands == NATURAL_BOX and (up == 1 or up >= 10)
    else:
        for box in range(boxes):
            held[box], more, at, ready, word = _play_box(
                cards,
                np.int64(cards[start + box]),
                np.int64(cards[start + boxes + 1 + box]),
                at,
                limit,
                ready,
                word,
                block,
                shuffle,
                size,
                naturals,
                dealer_natural,
                max_hands,
                by_value,
                resplit_aces,
                steps,
                dealer_steps,
                openings,
                events,
            )
            undecided += more
            awaited |= held[box] == NATURAL_BOX and (up == 1 or up >= 10)

    # the dealer draws against hands that are undecided, and takes a second card for a natural or an insurance
    draws = 0
    if undecided > 0 and not dealer_natural:
        draws = dealer_code >> 6
    elif dealer_cards == 1 and awaited:
        draws = 1
    while draws != 0 and at < limit:
        if at >= ready and shuffle:
            word = _shuffle(cards, ready, size, word)
            ready += AHEAD
        dealer_code = np.int64(dealer_steps[(dealer_code & 63) << 4 | np.int64(cards[at])])
        at += 1
        dealer_cards += 1
        dealer_natural = naturals and dealer_cards == 2 and (dealer_code & 63) == TWENTY_ONE
        draws = dealer_code >> 6 if undecided > 0 else 0
    dealer = dealer_code & 31
    if dealer > 21:
        events[DEALER_BUSTS] += 1
        dealer = 0

    net = np.int64(0)
    if held is None:
        net = _settle(hands, insurance, dealer, dealer_natural, bet, bonus, half, original, events)
    else:
        for box in range(boxes):
            net += _settle(held[box], insurance, dealer, dealer_natural, bet, bonus, half, original, events)
    return net, at, ready, word


@_njit(cache=True, nogil=True, inline="always")
def _place_of(running, unseen, fields, scale):
    """Return the place of the count among those that are told apart.

    A division would take as long as several cards, and its rounding would be a branch that is predicted wrongly.
    """
    count = (running * scale[unseen] + fields[ADDS] + ((running >> 63) & fields[ADDS_BELOW])) >> 32
    return min(max(count - fields[LOWEST], 0), fields[COUNTS] - 1)


@_njit(cache=True, nogil=True)
def play(shoe, tables, counting, held, counters, rounds, shuffle, round_nets, round_counts):  # noqa: C901
    """Play rounds of one bet in each box, and add them to the counters.

    shoe: Shoe, changed. tables: LookupTables. counting: Counting, or None for a player who does not count. held:
    int64[boxes], room for what each box holds, or None for one box: Numba compiles the function for either, without
    what the other needs. counters: Counters, changed. shuffle: False deals the shoe as it lies.

    round_nets, round_counts: int64[rounds], filled with the chips that each round won or lost, and the place of the
    count before its deal; or both of length 0.
    """
    cards, order, state, words = shoe
    rules, blocks, steps, dealer_steps, codes, openings, insures, nets = tables
    usual, unusual, events = counters
    size, last, most = rules[SIZE], rules[LAST], rules[MOST]
    peek, naturals, paired = rules[PEEK] != 0, rules[NATURALS] != 0, rules[PAIRED] != 0
    insured_by = 1 if insures[0] != 0 else 0  # upcard against which no round is usual
    running, counted, chart = state[RUNNING], np.int64(0), np.int64(0)
    natural_code = TWENTY_ONE if naturals else 0
    unusual_decision = -1 if peek else NATURAL  # without a peek the dealer may take a second card against it
    middle = unusual.shape[1] // 2
    recorded = len(round_nets) > 0
    at, ready, word = state[AT], state[READY], words[1]
    net = np.int64(0)

    for number in range(rounds):
        if shuffle:
            if paired:
                for place in range(size):  # faster than as a slice
                    cards[place] = order[place]
                at, ready = np.int64(0), np.int64(0)
                word = words[0] + GAMMA * np.uint64((state[ROUND] + number) * PAIR_WORDS)
            elif at > last:
                at, ready = np.int64(0), np.int64(0)
                if counting is not None:
                    running = counting.fields[BEGINS]
        if counting is not None:
            counted = _place_of(running, size - at, counting.fields, counting.scale)
            if shuffle and at > 0 and counted <= counting.fields[LEAVES]:
                at, ready = np.int64(0), np.int64(0)
                running = counting.fields[BEGINS]
                counted = _place_of(running, size, counting.fields, counting.scale)
                events[LEFT] += 1
        if shuffle and ready - at < AHEAD:
            word = _shuffle(cards, ready, size, word)
            ready += AHEAD
        start = at & (ROOM - 1)  # it never is more, but this saves the check of negative indices
        if held is not None:
            boxes = len(held)
            up = np.int64(cards[start + boxes])
            at = start + 2 * boxes + 1
            if counting is not None:
                for place in range(start, at):
                    running += counting.tags[cards[place]]
                if counting.fields[DEVIATES] != 0:  # by the count of all that lies open before anyone acts
                    chart = _place_of(running, size - at, counting.fields, counting.scale)
                    insured_by = insures[chart]
            opened = at
            block = up << BLOCK_BITS
            if counting is not None:
                block = blocks[chart << 4 | up]
            dealer, dealer_natural = np.int64(dealer_steps[up]), np.int64(0)
            if peek:
                dealer = np.int64(codes[up << 4 | np.int64(cards[at])])
                dealer_natural = np.int64((dealer & 63) == natural_code)
                at += 1
            is_usual = up != insured_by
            for box in range(boxes):
                pair = np.int64(cards[start + box]) << 4 | np.int64(cards[start + boxes + 1 + box])
                decision = np.int64(openings[block | pair])
                held[box] = decision << 8 | pair
                is_usual &= decision <= NATURAL and decision != unusual_decision
            if is_usual:
                undecided = np.int64(0)
                for box in range(boxes):
                    player = np.int64(codes[held[box] & 255])
                    decision = held[box] >> 8 & ~(3 * dealer_natural)
                    kind = (decision >> 1) & 2 | np.int64(decision == DOUBLE)
                    draws = decision & 1
                    if ready - at < 4 and shuffle:
                        word = _shuffle(cards, ready, size, word)
                        ready += AHEAD
                    for _ in range(2):
                        player = np.int64(steps[block | (player & 63) << 4 | np.int64(cards[at]) & -draws])
                        at += draws
                        draws &= (decision >> 1) & (player >> 6)
                    while draws != 0:
                        if at >= ready and shuffle:
                            word = _shuffle(cards, ready, size, word)
                            ready += AHEAD
                        player = np.int64(steps[block | (player & 63) << 4 | np.int64(cards[at])])
                        at += 1
                        draws = player >> 6
                    held[box] = kind << 10 | (player & 31) << 5
                    undecided |= np.int64((player & 31) <= 21) & ~(decision >> 2)
                if ready - at < 4 and shuffle:
                    word = _shuffle(cards, ready, size, word)
                    ready += AHEAD
                draws = undecided & (dealer >> 6)
                dealer = np.int64(dealer_steps[(dealer & 63) << 4 | (np.int64(cards[at]) & -draws)])
                at += draws
                if not peek:
                    dealer_natural = draws & np.int64((dealer & 63) == natural_code)
                draws &= dealer >> 6
                while draws != 0:
                    if at >= ready and shuffle:
                        word = _shuffle(cards, ready, size, word)
                        ready += AHEAD
                    dealer = np.int64(dealer_steps[(dealer & 63) << 4 | np.int64(cards[at])])
                    at += 1
                    draws = dealer >> 6
                is_usual = at - start <= most
            if is_usual:
                net = np.int64(0)
                events[DEALER_BUSTS] += (dealer & 31) > 21
                for box in range(boxes):
                    place = held[box] | (dealer & 31) | (DEALER_NATURAL * dealer_natural)
                    usual[0, place] += 1
                    net += nets[place]
        else:
            first, up, second = np.int64(cards[start]), np.int64(cards[start + 1]), np.int64(cards[start + 2])
            at = start + 3
            if counting is not None:
                running += counting.tags[first] + counting.tags[up] + counting.tags[second]
                if counting.fields[DEVIATES] != 0:
                    chart = _place_of(running, size - at, counting.fields, counting.scale)
                    insured_by = insures[chart]
            opened = at
            block = up << BLOCK_BITS
            if counting is not None:
                block = blocks[chart << 4 | up]
            player = np.int64(codes[first << 4 | second])
            decision = np.int64(openings[block | first << 4 | second])
            dealer = np.int64(dealer_steps[up])
            if peek:
                dealer = np.int64(codes[up << 4 | np.int64(cards[at])])
                at += 1

            is_usual = decision <= NATURAL and up != insured_by and decision != unusual_decision
            if is_usual:
                # stand, hit or double: no branch that a processor would have to predict
                dealer_natural = np.int64(
                    peek and (dealer & 63) == natural_code
                )  # the round is over before anyone acts
                decision &= ~(3 * dealer_natural)
                kind = (decision >> 1) & 2 | np.int64(decision == DOUBLE)
                draws = decision & 1
                player = np.int64(steps[block | (player & 63) << 4 | (np.int64(cards[at]) & -draws)])
                at += draws
                draws &= (decision >> 1) & (player >> 6)
                player = np.int64(steps[block | (player & 63) << 4 | (np.int64(cards[at]) & -draws)])
                at += draws
                draws &= player >> 6
                while draws != 0:
                    if at >= ready and shuffle:
                        word = _shuffle(cards, ready, size, word)
                        ready += AHEAD
                    player = np.int64(steps[block | (player & 63) << 4 | np.int64(cards[at])])
                    at += 1
                    draws = player >> 6
                total = player & 31
                if ready - at < 4 and shuffle:
                    word = _shuffle(cards, ready, size, word)
                    ready += AHEAD
                undecided = np.int64(total <= 21) & ~(decision >> 2)
                if not peek:
                    dealer = np.int64(dealer_steps[(dealer & 63) << 4 | (np.int64(cards[at]) & -undecided)])
                    at += undecided
                    dealer_natural = np.int64((dealer & 63) == natural_code)
                draws = undecided & (dealer >> 6)
                dealer = np.int64(dealer_steps[(dealer & 63) << 4 | (np.int64(cards[at]) & -draws)])
                at += draws
                draws &= dealer >> 6
                dealer = np.int64(dealer_steps[(dealer & 63) << 4 | (np.int64(cards[at]) & -draws)])
                at += draws
                draws &= dealer >> 6
                while draws != 0:
                    if at >= ready and shuffle:
                        word = _shuffle(cards, ready, size, word)
                        ready += AHEAD
                    dealer = np.int64(dealer_steps[(dealer & 63) << 4 | np.int64(cards[at])])
                    at += 1
                    draws = dealer >> 6
                is_usual = at - start <= most  # else the shoe ran out: the round is played again with care
        if held is None and is_usual:
            place = kind << 10 | total << 5 | (dealer & 31) | (DEALER_NATURAL * dealer_natural)
            usual[counted, place] += 1
            if recorded:
                round_nets[number] = nets[place]
                round_counts[number] = counted
        else:
            if not is_usual:
                net, at, ready, word = _play_unusual(
                    cards,
                    start,
                    ready,
                    word,
                    rules,
                    steps,
                    dealer_steps,
                    openings,
                    block,
                    insured_by,
                    shuffle,
                    held,
                    events,
                )
            unusual[counted, middle + net] += 1
            if recorded:
                round_nets[number] = net
                round_counts[number] = counted
        if counting is not None:
            for place in range(opened, opened + FEW):
                running += counting.tags[cards[place]] & -np.int64(place < at)
            for place in range(opened + FEW, at):
                running += counting.tags[cards[place]]
    state[AT], state[READY], words[1] = at, ready, word
    if counting is not None:
        state[RUNNING] = running
    if paired:
        state[ROUND] += rounds
