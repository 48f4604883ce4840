"""One round of blackjack played by the engine and by the kernel, with the same shoe and the same strategy."""

from dataclasses import replace
from random import Random

import numpy as np

from tests.support.blackjack_rounds import any_rules
from webapp.engine.action import ALONE, Action
from webapp.engine.cards import STANDARD_DECK, Card, Rank
from webapp.engine.game import Setup
from webapp.engine.games.blackjack.game import BlackjackGame
from webapp.engine.games.blackjack.state import BlackjackPhase, BlackjackState
from webapp.engine.simulation import kernel
from webapp.engine.simulation.chunks import KernelRun
from webapp.engine.simulation.experiment import Scenario
from webapp.engine.simulation.strategy_chart import HARD, PAIRS, SOFT, UPCARDS, Strategy

LETTERS = ("S", "HHHHSD", "HHSDR", "HHDRP", "HSDRPPPP")


def any_strategy(random: Random, letters: str) -> Strategy:
    """Return a strategy of random words, drawn from these letters."""

    def row(kind: str) -> tuple[str, ...]:
        return tuple(_word(random.choice(letters), kind, random) for _ in UPCARDS)

    rows = {hand: row("total") for hand in (*HARD, *SOFT)} | {hand: row("pair") for hand in PAIRS}
    return Strategy.of("any", rows, insure=random.random() < 0.5)


def _word(letter: str, kind: str, random: Random) -> str:
    if kind == "pair":
        return {"P": "P", "R": "Rp"}.get(letter, random.choice(("-", "P")))
    return {"D": random.choice(("Dh", "Ds")), "R": random.choice(("Rh", "Rs")), "S": "S"}.get(letter, "H")


def letter(card: Card) -> str:
    return "T" if card.rank >= 10 and card.rank is not Rank.ACE else str(card)[0]


def decide(state: BlackjackState, legal: tuple[Action, ...], strategy: Strategy) -> str:
    """Return the legal verb that the strategy chooses in this state."""
    verbs = {action.verb for action in legal}
    if state.phase is BlackjackPhase.INSURANCE:
        return "insure" if strategy.insure else "decline"
    hand, up = state.hand, letter(state.dealer[0])
    if "split" in verbs:
        word = strategy.word(letter(hand.cards[0]) * 2, up)
        if word == "Rp" and "surrender" in verbs:
            return "surrender"
        if word in ("P", "Rp"):
            return "split"
    soft = any(card.rank is Rank.ACE for card in hand.cards) and hand.total != sum(
        1 if card.rank is Rank.ACE else min(int(card.rank), 10) for card in hand.cards
    )
    if soft and hand.total == 21:
        return "stand"
    word = strategy.word(f"A{max(hand.total - 11, 2)}" if soft else str(max(hand.total, 4)), up)
    first, second = word[0], word[-1]
    wanted = {"S": "stand", "H": "hit", "D": "double", "R": "surrender"}[first]
    if wanted not in verbs:
        wanted = {"s": "stand", "h": "hit"}.get(second, "stand")
    return wanted if wanted in verbs else "stand"


def by_engine(game: BlackjackGame, setup: Setup, strategy: Strategy) -> BlackjackState:
    state = game.start(setup)
    while legal := game.legal_actions(state):
        state = game.apply(state, Action(ALONE, decide(state, legal, strategy)))
    return state


def net_of(game: BlackjackGame, state: BlackjackState, bet: int) -> int:
    """Return the chips that the round won or lost; where nothing is staked, as if the bet had been."""
    result = game.result(state)
    assert result is not None
    if state.rules.bets is None:
        code = result.labels[0].code
        return bet if code in ("WIN", "DEALER_BUST") else 0 if code == "PUSH" else -bet
    return sum(result.payouts) - sum(game.committed(state))


FREQUENT = ("", "", "", "A", "ATJQK", "A8", "88", "TJQK", "A23", "A2345")
LONGEST = 80
"""More cards than one box ever takes: four hands that draw until they bust, and the dealer."""
MOST_BOXES = 3


class RandomTable:
    """Random rules, a random strategy, and rounds dealt from any position of a long row of random cards.

    ``several``: a random number of boxes, where the table has them.
    """

    def __init__(self, seed: int, cards: int = 3000, several: bool = False) -> None:
        self.random = random = Random(seed)
        rules, frequent, is_short = any_rules(random), random.choice(FREQUENT), seed % 8 == 0
        if is_short:  # many long hands from few cards: the shoe runs out
            rules, frequent = replace(rules, decks=1, penetration=0.9, fresh_deck=False, split_by="value"), "A23"
        # where nothing is staked nothing is doubled either: the engine counts hands there, and the kernel counts chips
        self.rules = rules if rules.bets else replace(rules, double_on="none", split_by="none", surrender="none")
        self.strategy = any_strategy(random, "HHSPPPP" if is_short else random.choice(LETTERS))
        self.bet = random.choice([1, 2, 3, 5, 10, 25, 101, 1000])
        self.game = BlackjackGame("blackjack", {"own": self.rules})
        self.boxes = random.randint(1, MOST_BOXES) if several and self.rules.bets else 1
        self.run = KernelRun(Scenario(self.rules, self.strategy, boxes=self.boxes), self.bet, key=0)
        weights = [5 if str(card)[0] in frequent else 1 for card in STANDARD_DECK]
        self.cards = tuple(random.choices(STANDARD_DECK, weights, k=cards))
        self.ranks = np.array([1 if card.rank is Rank.ACE else int(card.rank) for card in self.cards], np.uint8)

    def play(self, start: int) -> tuple[tuple[int, int], tuple[int, int], BlackjackState]:
        """Play one round.

        Return (net, cards taken) by the engine, the same by the kernel, and the engine's last state.
        """
        longest = self.boxes * LONGEST
        stakes = (self.bet,) * self.boxes if self.rules.bets else ()
        setup = Setup("own", stakes, (self.cards[start : start + longest],))
        state = by_engine(self.game, setup, self.strategy)
        shoe = self.run.shoe
        shoe.cards[:longest] = self.ranks[start : start + longest]
        shoe.state[kernel.AT], shoe.state[kernel.READY] = 0, kernel.ROOM
        nets, _ = self.run.play_each(1, shuffle=False)
        by_kernel = int(nets[0]), int(shoe.state[kernel.AT])
        return (net_of(self.game, state, self.bet), self.game.dealt(state)[0]), by_kernel, state
