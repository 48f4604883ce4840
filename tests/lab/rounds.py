"""One round by the engine and by the kernel: the same shoe, the same decisions, told to each in its own way."""

from dataclasses import replace
from random import Random

import numpy as np

from tests.engine.banking import any_rules
from webapp.engine.action import ALONE, Action
from webapp.engine.cards import STANDARD_DECK, Card, Rank
from webapp.engine.game import Setup
from webapp.engine.games.blackjack.game import BlackjackGame
from webapp.engine.games.blackjack.state import BlackjackPhase, BlackjackState
from webapp.engine.simulation import kernel
from webapp.engine.simulation.chunks import KernelRun
from webapp.engine.simulation.lookup_tables import build_lookup_tables
from webapp.engine.simulation.strategies import HARD, PAIRS, SOFT, UPCARDS, Strategy

LIKINGS = ("S", "HHHHSD", "HHSDR", "HHDRP", "HSDRPPPP")


def any_strategy(chance: Random, liking: str) -> Strategy:
    """Any words at all, those that it likes above all."""

    def row(of: str) -> tuple[str, ...]:
        return tuple(_word(chance.choice(liking), of, chance) for _ in UPCARDS)

    rows = {hand: row("total") for hand in (*HARD, *SOFT)} | {hand: row("pair") for hand in PAIRS}
    return Strategy.of("any", rows, insure=chance.random() < 0.5)


def _word(verb: str, of: str, chance: Random) -> str:
    if of == "pair":
        return {"P": "P", "R": "Rp"}.get(verb, chance.choice(("-", "P")))
    return {"D": chance.choice(("Dh", "Ds")), "R": chance.choice(("Rh", "Rs")), "S": "S"}.get(verb, "H")


def letter(card: Card) -> str:
    return "T" if card.rank >= 10 and card.rank is not Rank.ACE else str(card)[0]


def decide(state: BlackjackState, legal: tuple[Action, ...], strategy: Strategy) -> str:
    """What the strategy says to a player who sees the state, among what may be said."""
    verbs = {action.verb for action in legal}
    if state.phase is BlackjackPhase.INSURANCE:
        return "insure" if strategy.insure else "decline"
    hand, up = state.hand, letter(state.dealer[0])
    if "split" in verbs:
        said = strategy.word(letter(hand.cards[0]) * 2, up)
        if said == "Rp" and "surrender" in verbs:
            return "surrender"
        if said in ("P", "Rp"):
            return "split"
    soft = any(card.rank is Rank.ACE for card in hand.cards) and hand.total != sum(
        1 if card.rank is Rank.ACE else min(int(card.rank), 10) for card in hand.cards
    )
    if soft and hand.total == 21:
        return "stand"
    said = strategy.word(f"A{max(hand.total - 11, 2)}" if soft else str(max(hand.total, 4)), up)
    first, second = said[0], said[-1]
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
    """What the round brought, in chips; where nothing is staked, as if it had been."""
    result = game.result(state)
    assert result is not None
    if state.rules.bets is None:
        code = result.labels[0].code
        return bet if code in ("WIN", "DEALER_BUST") else 0 if code == "PUSH" else -bet
    return sum(result.payouts) - sum(game.committed(state))


FAVOURED = ("", "", "", "A", "ATJQK", "A8", "88", "TJQK", "A23", "A2345")
LONGEST = 80
"""More cards than one box ever takes: four hands that draw until they are bust, and the dealer."""


class Table:
    """Rules and strategy by chance, and rounds dealt from anywhere in a long row of cards by chance."""

    def __init__(self, seed: int, cards: int = 3000) -> None:
        self.chance = chance = Random(seed)
        rules, favoured, is_short = any_rules(chance), chance.choice(FAVOURED), seed % 8 == 0
        if is_short:  # many and long hands from next to nothing: the shoe runs out
            rules, favoured = replace(rules, decks=1, penetration=0.9, fresh_deck=False, split_by="value"), "A23"
        # where nothing is staked nothing is doubled either: the engine counts hands there, and we count chips
        self.rules = rules if rules.bets else replace(rules, double_on="none", split_by="none", surrender="none")
        self.strategy = any_strategy(chance, "HHSPPPP" if is_short else chance.choice(LIKINGS))
        self.bet = chance.choice([1, 2, 3, 5, 10, 25, 101, 1000])
        self.game = BlackjackGame("blackjack", {"own": self.rules})
        self.dealer = KernelRun(build_lookup_tables(self.rules, self.strategy, self.bet), 0)
        weights = [5 if str(card)[0] in favoured else 1 for card in STANDARD_DECK]
        self.cards = tuple(chance.choices(STANDARD_DECK, weights, k=cards))
        self.ranks = np.array([1 if card.rank is Rank.ACE else int(card.rank) for card in self.cards], np.uint8)
        self.each = np.zeros(1, np.int64)

    def round(self, start: int) -> tuple[tuple[int, int], tuple[int, int], BlackjackState]:
        """What it brought and how many cards it took, by the engine and by the kernel; and how it ended."""
        setup = Setup("own", (self.bet,) if self.rules.bets else (), (self.cards[start : start + LONGEST],))
        state = by_engine(self.game, setup, self.strategy)
        dealer = self.dealer
        dealer.shoe[:LONGEST] = self.ranks[start : start + LONGEST]
        dealer.places[kernel.AT], dealer.places[kernel.READY] = 0, kernel.ROOM
        dealer.play(1, shuffle=False, each=self.each)
        by_kernel = int(self.each[0]), int(dealer.places[kernel.AT])
        return (net_of(self.game, state, self.bet), self.game.dealt(state)[0]), by_kernel, state
