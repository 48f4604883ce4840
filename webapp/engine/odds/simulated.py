"""Simulation of a decision: each action is played out many times by the game's own rules, with best play afterwards.

It computes nothing of what it is compared with: cards are shuffled, the game deals them, and what the hands brought is
averaged. Only how they are played on is taken from the odds.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeVar, runtime_checkable

import numpy as np

from webapp.engine.action import ALONE, Action
from webapp.engine.cards import Card
from webapp.engine.game import AnyGame
from webapp.engine.odds.question import Spot
from webapp.engine.odds.value import AnyOdds, Decision, TableStore

S = TypeVar("S")

Shuffle = Callable[[Sequence[Card], int], tuple[Card, ...]]
"""Returns so many of these cards, by chance."""

VERSION: Final = 1
"""Number of the way that cards are shuffled and hands are played on: with another one the figures are others."""
SHOWN: Final = 5
"""Actions that are simulated of many: the best ones. One more may be asked for."""


@runtime_checkable
class Dealing(Protocol[S]):
    """Functions of a game that the simulation of its decisions needs."""

    def unseen(self, spot: Spot[S]) -> tuple[Card, ...]:
        """Return the cards that can still come, by the book."""

    def dealt(self, state: S, unseen: Sequence[Card], shuffle: Shuffle) -> S | None:
        """Return a state in which unseen cards come by chance; None if those cannot be, and others are to be drawn."""

    def alike(self, state: S) -> Hashable:
        """Return what states have in common that are played on alike."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Net chips that an action brought on average, and the standard error of that."""

    action: Action
    mean: float
    error: float


def actions_of(decision: Decision, asked: Action | None) -> tuple[Action, ...]:
    """Return the actions of a decision that are simulated: the best ones, and one that was asked for."""
    ranked = [option.action for option in decision.options]
    return tuple(action for place, action in enumerate(ranked) if place < SHOWN or action == asked)


def estimates(
    game: AnyGame,
    odds: AnyOdds,
    spot: Spot[Any],
    actions: Sequence[Action],
    rounds: int,
    seed: int,
    store: TableStore,
    on_round: Callable[[int], None] = lambda _: None,
) -> tuple[Estimate, ...]:
    """Return the estimate of each action. All of them get the same cards, and the same seed gives the same cards.

    ``on_round`` is called with the number of rounds that are dealt; it may raise an error to end this.
    """
    assert isinstance(odds, Dealing)
    player = _Player(game, odds, spot.others, store)
    shuffle = _shuffle_of(np.random.Generator(np.random.PCG64(seed)))
    nets, unseen = np.zeros((rounds, len(actions))), odds.unseen(spot)
    for number in range(rounds):
        state = None
        while state is None:
            state = odds.dealt(spot.state, unseen, shuffle)
        for place, action in enumerate(actions):
            nets[number, place] = player.net(game.apply(state, action))
        on_round(number + 1)
    errors = nets.std(axis=0, ddof=1) / rounds**0.5
    return tuple(
        Estimate(action, float(mean), float(error))
        for action, mean, error in zip(actions, nets.mean(axis=0), errors, strict=True)
    )


class _Player:
    """Plays hands to their end by the best play, which is looked up once for all states that are alike."""

    def __init__(self, game: AnyGame, odds: AnyOdds, others: tuple[Card, ...], store: TableStore) -> None:
        self._game, self._odds, self._others, self._store = game, odds, others, store
        self._best: dict[Hashable, Action] = {}

    def net(self, state: Any) -> float:
        """Return what a hand brings in the end."""
        game = self._game
        while game.legal_actions(state):
            state = game.apply(state, self._action(state))
        return float(self._odds.value(state, ALONE, self._store))

    def _action(self, state: Any) -> Action:
        assert isinstance(self._odds, Dealing)
        key = self._odds.alike(state)
        if key not in self._best:
            decision = self._odds.decision(state, self._store, self._others)
            # a fair bet is declined: it adds nothing but variance
            best = self._game.default_action(state, ALONE) if decision.fair else decision.best.action
            self._best[key] = best
        return self._best[key]


def _shuffle_of(generator: np.random.Generator) -> Shuffle:
    def shuffle(cards: Sequence[Card], count: int) -> tuple[Card, ...]:
        return tuple(cards[place] for place in generator.choice(len(cards), min(count, len(cards)), replace=False))

    return shuffle
