"""Answers to what the lab asks: a decision simulated, the chart of best play, and the index numbers of a count."""

import hashlib
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from webapp.engine.action import Action
from webapp.engine.game import AnyGame
from webapp.engine.games import GAMES
from webapp.engine.odds import odds_of
from webapp.engine.odds.blackjack.count_index import IndexingCounts
from webapp.engine.odds.question import ImpossibleSpot, Spot
from webapp.engine.odds.simulated import VERSION, Dealing, actions_of, estimates
from webapp.engine.odds.value import AnyOdds, Arrays, NoOdds, TableStore
from webapp.engine.simulation.experiment import make_scenario
from webapp.engine.simulation.spot_limits import LIMITS
from webapp.engine.simulation.strategy_by_name import BEST
from webapp.engine.simulation.strategy_csv import dumps
from webapp.engine.twenty_one.counting import CountingSystem
from webapp.services.odds.store import SIMULATED

MOST_SECONDS: Final = 60.0
"""Processor time that a simulation may take."""
TRIAL_SECONDS: Final = 3.0
"""Processor time after which it is known how long it will take."""

Fields = Mapping[str, Any]
Answer = dict[str, Any]


def simulated(
    game: AnyGame, odds: AnyOdds, spot: Spot[Any], held: Action | None, asked: Fields, store: TableStore
) -> Answer:
    """Return the estimate of each action that is simulated, ``held`` among them: its mean and standard error.

    ``asked["simulated"]`` is the number of rounds, ``asked["seed"]`` says by which cards.
    """
    if not isinstance(odds, Dealing):
        raise NoOdds(f"decisions of {game.spec.code} are not simulated")
    rounds, seed = int(asked["simulated"]), int(asked["seed"])
    decision, scale = odds.decision(spot.state, store, spot.others), odds.scale(spot.state)
    actions = actions_of(decision, held)

    def build() -> Arrays:
        found = estimates(game, odds, spot, actions, rounds, seed, store, _price_limit(rounds))
        return {"estimates": np.array([(estimate.mean, estimate.error) for estimate in found])}

    name = hashlib.sha256(repr(sorted(asked.items())).encode()).hexdigest()[:32]
    rows = store.tables(f"{SIMULATED}-{VERSION}-{name}", build)["estimates"].tolist()
    return {
        str(action): [(mean + scale.returned) / scale.unit, error / scale.unit]
        for action, (mean, error) in zip(actions, rows, strict=True)
    }


def _price_limit(rounds: int) -> Callable[[int], None]:
    """Return a function that raises ImpossibleSpot once the first rounds show that all of them would take too long.

    The smallest number of rounds is never too many.
    """
    began, least = time.process_time(), LIMITS["rounds"][0]

    def check(dealt: int) -> None:
        used = time.process_time() - began
        if rounds > least and used > TRIAL_SECONDS and used * rounds > MOST_SECONDS * dealt:
            most = max(least, int(MOST_SECONDS * dealt / used) // least * least)
            raise ImpossibleSpot("too-dear", "this would take too long", most=most)

    return check


def count_indices(asked: Fields, store: TableStore) -> Answer:
    """Return the index numbers of ``game`` at ``table`` for a ``system`` of counting."""
    odds = odds_of(GAMES[asked["game"]])
    if not isinstance(odds, IndexingCounts):
        raise NoOdds(f"no cards are counted at {asked['game']}")
    return odds.count_indices(asked["table"], CountingSystem.parse(asked["system"]), store).as_json()


def chart(asked: Fields, store: TableStore) -> Answer:
    """Compute the strategy of best play by the total for the rules ``table``, as a chart in CSV."""
    return {"csv": dumps(make_scenario(asked["table"], BEST).strategy)}
