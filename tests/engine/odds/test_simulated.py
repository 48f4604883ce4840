"""Simulated decisions agree with the exact odds, and equal seeds deal equal cards."""

import pytest

from webapp.engine.action import Action
from webapp.engine.games import GAMES
from webapp.engine.odds import odds_of
from webapp.engine.odds.question import Question, Spot
from webapp.engine.odds.simulated import Dealing, Estimate, actions_of, estimates
from webapp.engine.odds.value import Decision, MemoryStore

STORE = MemoryStore()
SPOTS = {
    "draw, last exchange": ("joker", Question("kings-or-better", cards="Jk Kd Qd 7s 2c")),
    "draw, cards thrown before": (
        "joker",
        Question("arcade", cards="Jk 3h 9d 9c 2s", thrown="4c 5c 8h", exchanges="1"),
    ),
    "draw, a double-up to come": ("poker", Question("quest", cards="9h 9c Qh 5h 2c")),
    "double-up, a pick": ("poker", Question("quest", score="40", open="9c")),
    "blackjack, the dealer has looked": ("blackjack", Question("vegas", cards="Th 6s", dealer="Ac")),
    "blackjack, a pair": ("blackjack", Question("downtown", cards="8h 8s", dealer="Tc")),
    "blackjack, no hole card": ("blackjack", Question("european", cards="6h 5s", dealer="Tc")),
    "blackjack, other boxes": ("blackjack", Question("single", cards="Th 2s", dealer="4c", others="Tc Td Ts 9h")),
    "blackjack, nothing staked": ("blackjack", Question("classic", cards="Th 2s", dealer="4c")),
}


def simulated(name: str, rounds: int, seed: int, asked: str = "") -> tuple[Decision, tuple[Estimate, ...]]:
    code, question = SPOTS[name]
    game, store = GAMES[code], STORE
    odds = odds_of(game)
    spot = odds.spot(question)
    decision = odds.decision(spot.state, store, spot.others)
    actions = actions_of(decision, Action.parse(asked) if asked else None)
    return decision, estimates(game, odds, spot, actions, rounds, seed, store)


@pytest.mark.slow
@pytest.mark.parametrize("name", SPOTS)
def test_what_decisions_bring_is_what_they_are_worth(name: str) -> None:
    decision, found = simulated(name, 300, 5)
    for estimate in found:
        value = float(decision.option(estimate.action).value)
        seldom = 0.05 * abs(value)  # great wins, which so few hands do not bring
        assert abs(estimate.mean - value) <= 3 * estimate.error + seldom + 1e-9, estimate.action


def test_the_same_seed_deals_the_same_cards_and_another_one_others() -> None:
    _, first = simulated("blackjack, no hole card", 100, 1)
    _, again = simulated("blackjack, no hole card", 100, 1)
    _, others = simulated("blackjack, no hole card", 100, 2)
    assert first == again != others


def test_the_best_actions_are_simulated_and_the_one_that_is_asked_about() -> None:
    decision, found = simulated("draw, last exchange", 100, 1, "hold")
    best = [option.action for option in decision.options[:5]]
    assert [estimate.action for estimate in found] == [*best, Action.parse("hold")]


@pytest.mark.parametrize("name", SPOTS)
def test_no_card_comes_that_lies_open(name: str) -> None:
    code, question = SPOTS[name]
    odds = odds_of(GAMES[code])
    assert isinstance(odds, Dealing)
    spot: Spot = odds.spot(question)
    unseen = odds.unseen(spot)
    decks = getattr(spot.state.rules, "decks", 1)
    named = f"{question.cards} {question.thrown} {question.open} {question.dealer} {question.others}".split()
    assert len(unseen) == 52 * decks + ("kings" in question.variant or "arcade" in question.variant) - len(named)
    for card in set(named):
        assert sum(str(other) == card for other in unseen) == (1 if card == "Jk" else decks) - named.count(card)
