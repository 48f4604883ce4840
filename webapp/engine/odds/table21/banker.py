"""The banker's play once all cards lie open: forced draws, and the choices on a soft 17 to 20."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from webapp.engine.cards import STANDARD_DECK, Card
from webapp.engine.games.table21.rules import BANKER_STANDS
from webapp.engine.games.table21.settlement import gains
from webapp.engine.games.table21.state import Table21Hand, Table21State
from webapp.engine.odds.blackjack.compositions import VALUES, index_of
from webapp.engine.odds.blackjack.unseen import Unseen
from webapp.engine.twenty_one.hand import BEST, is_soft

_CARDS: tuple[Card, ...] = tuple(
    next(card for card in STANDARD_DECK if index_of(card) == value) for value in range(VALUES)
)
"""One card of each value."""

Gains = tuple[float, ...]


@dataclass(frozen=True)
class BankerPlay:
    """The average gains of all seats when the banker plays best for itself against the hands that lie open."""

    state: Table21State

    @cached_property
    def best(self) -> Gains:
        """Gains of all seats under the banker's best play."""
        return self._played(self.state.banker_hand, self._unseen)

    @cached_property
    def stand(self) -> Gains:
        """Gains if the banker stands now."""
        return self._settled(self.state.banker_hand)

    @cached_property
    def hit(self) -> Gains:
        """Gains if the banker draws now, and plays best afterwards."""
        return self._drawn(self.state.banker_hand, self._unseen)

    @property
    def _unseen(self) -> tuple[int, ...]:
        cards = (card for row in self.state.hands for hand in row for card in hand.cards)
        return Unseen(1, cards).counts

    @cached_property
    def _known(self) -> dict[Any, Gains]:
        return {}

    def _played(self, hand: Table21Hand, unseen: tuple[int, ...]) -> Gains:
        if unseen not in self._known:
            self._known[unseen] = self._computed(hand, unseen)
        return self._known[unseen]

    def _computed(self, hand: Table21Hand, unseen: tuple[int, ...]) -> Gains:
        if self.state.all_bust or hand.stood or hand.total >= BEST:
            return self._settled(hand)
        if hand.total < BANKER_STANDS:
            return self._drawn(hand, unseen)
        if not is_soft(hand.cards):
            return self._settled(hand)
        bank = self.state.banker
        return max(self._settled(hand), self._drawn(hand, unseen), key=lambda gained: gained[bank])

    def _drawn(self, hand: Table21Hand, unseen: tuple[int, ...]) -> Gains:
        left, whole = sum(unseen), [0.0] * len(self.state.hands)
        for value, count in enumerate(unseen):
            if not count:
                continue
            rest = (*unseen[:value], count - 1, *unseen[value + 1 :])
            for seat, gain in enumerate(self._played(hand.with_card(_CARDS[value]), rest)):
                whole[seat] += count / left * gain
        return tuple(whole)

    def _settled(self, hand: Table21Hand) -> Gains:
        bank = self.state.banker
        rows = tuple((hand,) if seat == bank else row for seat, row in enumerate(self.state.hands))
        return tuple(float(gain) for gain in gains(replace(self.state, hands=rows)))
