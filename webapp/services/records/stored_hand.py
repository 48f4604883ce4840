"""From a stored row back to the hand: ``state = replay(cards(seed, cut), stakes, moves)``."""

from collections.abc import Iterable

from webapp.engine.action import Action
from webapp.engine.game import AnyGame, Setup
from webapp.engine.games import GAMES
from webapp.engine.shuffling import ShuffledPacks
from webapp.models import Hand


def hand_game(hand: Hand) -> AnyGame:
    return GAMES[hand.game]


def hand_setup(hand: Hand, seed: bytes) -> Setup:
    """The hand's setup. The row must have a cut: before the deal there are no cards."""
    if hand.cut is None:
        raise ValueError(f"hand {hand.key} has no cut")
    deck = hand.shoe_key or hand.key
    return make_setup(hand_game(hand), hand.variant, parse_numbers(hand.stakes), seed, deck, hand.cut, hand.offset)


def make_setup(
    game: AnyGame, variant: str, stakes: tuple[int, ...], seed: bytes, deck: str, cut: str, offset: int
) -> Setup:
    """``deck`` is the key of the hand with packs of its own, or of the shoe, of which ``offset`` cards went before."""
    return Setup(variant, stakes, ShuffledPacks(seed, deck, (cut,), game.packs(variant), offset))


def hand_moves(hand: Hand) -> tuple[Action, ...]:
    return parse_moves(hand.moves)


def parse_moves(moves: str) -> tuple[Action, ...]:
    return tuple(Action.parse(word) for word in moves.split())


def parse_numbers(text: str) -> tuple[int, ...]:
    return tuple(int(word) for word in text.split(",") if word)


def join_numbers(values: Iterable[int]) -> str:
    return ",".join(map(str, values))
