"""Simulated hands with several exchanges, played by the engine's advice and by other policies; compiled."""

from math import comb
from typing import Final

import numpy as np
from numba import njit

from webapp.engine.odds.draw import several_exchanges_kernel

(PRICE_HOLDS, AVERAGE_HOLDS, NUMBER_SETS) = several_exchanges_kernel.compiled(
    ("price_holds", "average_holds", "number_sets"), njit
)
CHOOSE: Final = np.array([[comb(n, k) for k in range(6)] for n in range(55)])
OFFSETS: Final = several_exchanges_kernel.OFFSETS
ADVICE, PLAIN, HALF, TWICE, AS_IF_LAST = range(5)
"""Policies: the advice; by the averages of the whole deck; with half and with twice its corrections for the cards that
are out; and each exchange played, exactly, as if it were the last.
"""
POLICIES: Final = 5


@njit
def last_exchange(row, pays, hand, thrown, count, cards, prices):
    """Price the holds of the last exchange exactly, by inclusion and exclusion over sets of known cards.

    The known cards are sorted, so that the number of a set is computed card by card.
    """
    known = 5 + count
    card, mask, sign = np.zeros(15, np.int64), np.zeros(15, np.int64), np.ones(15)
    for i in range(known):
        new, place = hand[i] if i < 5 else thrown[i - 5], i
        while place and card[place - 1] > new:
            card[place], mask[place], sign[place] = card[place - 1], mask[place - 1], sign[place - 1]
            place -= 1
        card[place], mask[place], sign[place] = new, 1 << i if i < 5 else 0, 1.0 if i < 5 else -1.0
    prices[:] = 0.0
    prices[0] = row[0]
    for a in range(known):
        n1, m1, s1 = card[a], mask[a], sign[a]
        prices[m1] += s1 * row[OFFSETS[1] + n1]
        for b in range(a + 1, known):
            n2, m2, s2 = n1 + CHOOSE[card[b], 2], m1 | mask[b], s1 * sign[b]
            prices[m2] += s2 * row[OFFSETS[2] + n2]
            for c in range(b + 1, known):
                n3, m3, s3 = n2 + CHOOSE[card[c], 3], m2 | mask[c], s2 * sign[c]
                prices[m3] += s3 * row[OFFSETS[3] + n3]
                for d in range(c + 1, known):
                    n4, m4, s4 = n3 + CHOOSE[card[d], 4], m3 | mask[d], s3 * sign[d]
                    prices[m4] += s4 * row[OFFSETS[4] + n4]
                    for e in range(d + 1, known):
                        worth = pays[n4 + CHOOSE[card[e], 5]]
                        if worth:
                            prices[m4 | mask[e]] += s4 * sign[e] * worth
    for place in range(5):
        for hold in range(32):
            if not hold >> place & 1:
                prices[hold] -= prices[hold | 1 << place]
    for hold in range(32):
        kept = 0
        for place in range(5):
            kept += hold >> place & 1
        prices[hold] /= CHOOSE[cards - 5 - count, 5 - kept]


@njit
def price(policy, levels, pays, cards, left, hand, thrown, count, prices):
    """Compute the prices of the holds of an exchange according to a policy."""
    plain, numbers = np.zeros(32), np.zeros(32, np.int64)
    if policy == PLAIN:
        NUMBER_SETS(hand, numbers)
        AVERAGE_HOLDS(levels[left - 1, 0], numbers, worth_of(hand, pays), cards - 5, prices)
    elif left == 1 or policy == AS_IF_LAST:
        last_exchange(levels[0, 0], pays, hand, thrown, count, cards, prices)
    else:
        PRICE_HOLDS(levels, left, hand, thrown, count, worth_of(hand, pays), cards, prices)
        if policy in (HALF, TWICE):
            weight = 0.5 if policy == HALF else 2.0
            NUMBER_SETS(hand, numbers)
            AVERAGE_HOLDS(levels[left - 1, 0], numbers, 0.0, cards - 5, plain)
            for mask in range(31):
                prices[mask] = plain[mask] + weight * (prices[mask] - plain[mask])


@njit
def play(levels, pays, cards, exchanges, hands, seed, policies):
    """Play hands by each policy, all from the same cards; return float[policies, 3].

    A row contains the sum of the policy's payouts, the sum of their squares, and the sum of squares of the difference
    to the first policy. Policies that have thrown the same cards so far share one computation.
    """
    np.random.seed(seed)
    deck, hand, thrown = np.arange(cards), np.zeros(5, np.int64), np.zeros(15, np.int64)
    prices, first_holds, first_paid = np.zeros(32), np.zeros(exchanges + 1, np.int64), 0.0
    priced, is_priced = np.zeros((exchanges + 1, POLICIES, 32)), np.zeros((exchanges + 1, POLICIES), np.bool_)
    sums = np.zeros((len(policies), 3))
    for _ in range(hands):
        for i in range(20):
            j = i + np.random.randint(cards - i)
            deck[i], deck[j] = deck[j], deck[i]
        is_priced[:] = False
        for row in range(len(policies)):
            hand[:] = deck[:5]
            dealt, count, with_first = 5, 0, True
            for left in range(exchanges, 0, -1):
                policy = policies[row]
                if left == 1 and policy != PLAIN:
                    policy = ADVICE
                if with_first:
                    if not is_priced[left, policy]:
                        price(policy, levels, pays, cards, left, hand, thrown, count, priced[left, policy])
                        is_priced[left, policy] = True
                    prices[:] = priced[left, policy]
                else:
                    price(policy, levels, pays, cards, left, hand, thrown, count, prices)
                best = 0
                for mask in range(32):
                    if prices[mask] > prices[best]:
                        best = mask
                if row == 0:
                    first_holds[left] = best
                with_first = with_first and best == first_holds[left]
                for place in range(5):
                    if not best >> place & 1:
                        thrown[count] = hand[place]
                        count += 1
                        hand[place] = deck[dealt]
                        dealt += 1
            paid = worth_of(hand, pays)
            if row == 0:
                first_paid = paid
            sums[row, 0] += paid
            sums[row, 1] += paid * paid
            sums[row, 2] += (first_paid - paid) ** 2
    return sums


@njit
def worth_of(hand, pays):
    number = 0
    for i in range(5):
        below = 1
        for j in range(5):
            if hand[j] < hand[i]:
                below += 1
        number += CHOOSE[hand[i], below]
    return pays[number]
