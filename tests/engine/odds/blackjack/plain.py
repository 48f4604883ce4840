"""A second implementation of the values of blackjack: a slow recursion over the cards.

The dealer's second card is dealt but unseen: to a player each unseen card is equally likely, except those that a peek
has ruled out. A deck is ten counts, from the ace to the ten; a hand is a sorted tuple of values, the ace 1.
"""

from functools import lru_cache


def add(hand, card):
    return tuple(sorted((*hand, card)))


def count(hand):
    hard = sum(min(card, 10) for card in hand)
    return hard + 10 if 1 in hand and hard <= 11 else hard


def less(deck, card):
    return (*deck[: card - 1], deck[card - 1] - 1, *deck[card:])


def draws(deck):
    left = sum(deck)
    for value, number in enumerate(deck, start=1):
        if number:
            yield value, number / left, less(deck, value)


class PlainBlackjack:
    """One box against one upcard. ``deck``: the unseen cards after the player's first two and the dealer's upcard."""

    def __init__(self, rules, up, deck):
        self.rules, self.up, self.deck = rules, up, tuple(deck)
        self.final = lru_cache(None)(self._final)
        self.best = lru_cache(None)(self._best)
        self.stand = lru_cache(None)(self._stand)
        self.whole = lru_cache(None)(self._whole)
        self.best_in_play = lru_cache(None)(self._best_in_play)

    # the dealer

    def is_natural(self, hole):
        return self.rules.naturals and {self.up, min(hole, 10)} == {1, 10}

    def dealt(self, hole, rest):
        """Return the probabilities of the dealer's totals with this second card."""
        return self.final(self.up + min(hole, 10), 1 in (self.up, hole), rest)

    def _final(self, hard, ace, deck):
        """Return the probabilities of final totals; 22 is any bust.

        ``hard``: the total with aces as 1. ``ace``: it has one.
        """
        is_soft = ace and hard <= 11
        total = hard + 10 if is_soft else hard
        if total > 21:
            return {22: 1.0}
        if not self.rules.dealer_draws(total, is_soft):
            return {total: 1.0}
        found = {}
        for card, chance, rest in draws(deck):
            for end, part in self.final(hard + min(card, 10), ace or card == 1, rest).items():
                found[end] = found.get(end, 0) + chance * part
        return found

    def holes(self, deck):
        """Return the probabilities of the dealer's second card, after a peek if there is one."""
        cards = [row for row in draws(deck) if self.rules.hole_card != "peek" or not self.is_natural(row[0])]
        whole = sum(chance for _, chance, _ in cards)
        return [(card, chance / whole, rest) for card, chance, rest in cards]

    def next_cards(self, deck):
        """Return the probabilities of the player's next card, which is not the dealer's second card."""
        found = {}
        for _, chance, rest in self.holes(deck):
            for card, part, _ in draws(rest):
                found[card] = found.get(card, 0) + chance * part
        return [(card, chance, less(deck, card)) for card, chance in found.items()]

    # a hand that is played alone

    def natural_takes(self, stake, split):
        if self.rules.lose == "original" and self.rules.hole_card == "no_peek":
            return 0 if split else 1
        return stake

    def _stand(self, hand, deck, stake, split):
        total, value = count(hand), 0.0
        for hole, chance, rest in self.holes(deck):
            if self.is_natural(hole):
                value -= chance * self.natural_takes(stake, split)
                continue
            for end, part in self.dealt(hole, rest).items():
                value += chance * part * stake * (1 if end == 22 else (total > end) - (total < end))
        return value

    def bust(self, deck, stake, split):
        """Return the value of a bust: minus its stake, or less where a natural takes only the first bet of a split."""
        if split and self.rules.lose == "original" and self.rules.hole_card == "no_peek":
            return -stake * sum(chance for hole, chance, _ in self.holes(deck) if not self.is_natural(hole))
        return -stake

    def hit(self, hand, deck, split=False):
        value = 0.0
        for card, chance, rest in self.next_cards(deck):
            longer = add(hand, card)
            value += chance * (self.bust(rest, 1, split) if count(longer) > 21 else self.best(longer, rest, split)[0])
        return value

    def double(self, hand, deck, split=False):
        value = 0.0
        for card, chance, rest in self.next_cards(deck):
            longer = add(hand, card)
            value += chance * (self.bust(rest, 2, split) if count(longer) > 21 else self.stand(longer, rest, 2, split))
        return value

    def _best(self, hand, deck, split):
        stand = self.stand(hand, deck, 1, split)
        if count(hand) == 21 and self.rules.auto_stand_21:
            return stand, "stand"
        hit = self.hit(hand, deck, split)
        return (hit, "hit") if hit > stand else (stand, "stand")

    # a split

    def policy(self, hand, deck):
        """Return the play of a hand when no cards but its first ones and those of the other hands are gone."""
        rules = self.rules
        if len(hand) == 1:
            return "hit"
        if self.card == 1 and not rules.hit_split_aces:
            return "stand"
        if hand not in self.decisions:
            drawn, known = list(hand), self.deck
            for card in self.start:
                drawn.remove(card)
            for card in drawn:
                known = less(known, card)
            value, verb = self.best(hand, known, True)
            stands = count(hand) == 21 and rules.auto_stand_21
            may = len(hand) == 2 and rules.double_after_split and rules.may_double_total(count(hand)) and not stands
            self.decisions[hand] = "double" if may and self.double(hand, known, True) > value else verb
        return self.decisions[hand]

    def split(self, card):
        """Return the value of both hands from their first card on.

        Pairs are split again always or never, whichever is better.
        """
        self.card, self.start, self.decisions = card, (card,), {}
        again = self.rules.max_hands - 2 if card != 1 or self.rules.resplit_aces else 0
        values = []
        for splits in {0, again}:
            self.whole.cache_clear()
            value = self._played((), 2, splits, (card,), self.deck)
            values.append(value)
        for known in (self.final, self.best, self.stand, self.whole):
            known.cache_clear()  # hundreds of megabytes, in reference cycles
        return max(values)

    def in_play(self, hand, waits, waiting, splits):
        """Return the values of standing, hitting and doubling with a hand of a split while hands ``waits`` wait."""
        self.card, self.waits, values = waits[0], waits, []
        is_pair = waits == (self.card, self.card)
        for again in {0, min(splits, is_pair), splits}:
            self.start, self.decisions = (self.card,) if is_pair and again else waits, {}
            self.whole.cache_clear()
            verbs = {"stand": self._stood, "hit": self._hit, "double": self._doubled}
            values.append({verb: act(hand, waiting, again, self.deck) for verb, act in verbs.items()})
        return {verb: max(value[verb] for value in values) for verb in values[0]}

    def _stood(self, hand, waiting, splits, deck, stake=1):
        return self._played(((count(hand), stake),), waiting, splits, self.waits, deck)

    def _hit(self, hand, waiting, splits, deck):
        return sum(
            chance * self.best_in_play(add(hand, card), waiting, splits, rest)
            for card, chance, rest in self.next_cards(deck)
        )

    def _best_in_play(self, hand, waiting, splits, deck):
        stood = self._stood(hand, waiting, splits, deck)
        if count(hand) > 21 or (count(hand) == 21 and self.rules.auto_stand_21):
            return stood
        return max(stood, self._hit(hand, waiting, splits, deck))

    def _doubled(self, hand, waiting, splits, deck):
        return sum(
            chance * self._stood(add(hand, card), waiting, splits, rest, 2)
            for card, chance, rest in self.next_cards(deck)
        )

    def _played(self, ended, waiting, splits, hand, deck):
        return self.whole(tuple(sorted(ended)), waiting, splits, hand, deck)

    def _whole(self, ended, waiting, splits, hand, deck):
        """Return the value of a split.

        ``ended``: total and stake of finished hands. ``waiting``: hands left, this one included.
        """
        if not waiting:
            return self.settle(ended, deck)
        if len(hand) == 2 and hand == (self.card, self.card) and splits:
            return self._played(ended, waiting + 1, splits - 1, (self.card,), deck)
        verb = "bust" if count(hand) > 21 else self.policy(hand, deck)
        if verb in ("stand", "bust"):
            return self._played((*ended, (count(hand), 1)), waiting - 1, splits, (self.card,), deck)
        value = 0.0
        for card, chance, rest in self.next_cards(deck):
            longer = add(hand, card)
            if verb == "double":
                part = self._played((*ended, (count(longer), 2)), waiting - 1, splits, (self.card,), rest)
            else:
                part = self._played(ended, waiting, splits, longer, rest)
            value += chance * part
        return value

    def settle(self, ended, deck):
        value = 0.0
        staked = sum(stake for _, stake in ended)
        busted = sum(stake for total, stake in ended if total > 21)
        for hole, chance, rest in self.holes(deck):
            if self.is_natural(hole):
                value -= chance * (staked if self.rules.lose == "all" else max(1, busted))
                continue
            for end, part in self.dealt(hole, rest).items():
                for total, stake in ended:
                    won = -1 if total > 21 else 1 if end == 22 else (total > end) - (total < end)
                    value += chance * part * stake * won
        return value
