"""Values of the engine from the row of a hand: setup, moves and numbers."""

from collections.abc import Iterable
from typing import Any

from webapp.engine.action import Action
from webapp.engine.game import AnyGame, Setup
from webapp.engine.games import GAMES
from webapp.engine.shuffling import ShuffledPacks
from webapp.models import PLAY, Hand
from webapp.services.fairness.sealing import seed_owner


def hand_game(hand: Hand) -> AnyGame:
    """Return the game that a hand is of."""
    return GAMES[hand.game]


def hand_setup(hand: Hand, seed: bytes) -> Setup:
    """Return the setup of a hand that is dealt.

    Raises:
        ValueError: The hand has no cut, so there are no cards yet.
    """
    if hand.cut is None:
        raise ValueError(f"hand {hand.key} has no cut")
    owner, stakes = seed_owner(hand).key, parse_numbers(hand.stakes)
    return make_setup(hand_game(hand), hand.variant, stakes, seed, owner, hand.cut, hand.offset)


def make_setup(
    game: AnyGame, variant: str, stakes: tuple[int, ...], seed: bytes, owner: str, cut: str, offset: int
) -> Setup:
    """Return a setup from its parts.

    Args:
        owner: key of the hand, or of the shoe that it is dealt from.
        offset: number of cards of the shoe that were dealt before.
    """
    return Setup(variant, stakes, ShuffledPacks(seed, owner, (cut,), game.packs(variant), offset))


def hand_moves(hand: Hand) -> tuple[Action, ...]:
    """Return the moves of a hand."""
    return parse_moves(hand.moves)


def parse_moves(moves: str) -> tuple[Action, ...]:
    """Return the actions in a text in which they are separated by spaces."""
    return tuple(Action.parse(word) for word in moves.split())


def parse_numbers(text: str) -> tuple[int, ...]:
    """Return the numbers in a text in which they are separated by commas."""
    return tuple(int(word) for word in text.split(",") if word)


def join_numbers(values: Iterable[int]) -> str:
    """Return a text that ``parse_numbers`` reads."""
    return ",".join(map(str, values))


def unpaid_of(hand: Hand, state: Any) -> int:
    """Return how many of the chips that a hand pays had no room in the purse. ``state``: the one in which it ended."""
    if hand.kind != PLAY or hand.net is None:
        return 0
    return net_of(hand_game(hand), hand.variant, state) - hand.net


def net_of(game: AnyGame, variant: str, state: Any) -> int:
    """Return what a hand that was played out has won or lost; the score where nothing is staked."""
    result = game.result(state)
    paid = sum(result.payouts) if result else 0
    return paid if game.rules(variant).bets is None else paid - sum(game.committed(state))
