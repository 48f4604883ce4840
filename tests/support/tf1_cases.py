"""Random packs with the cards that the engine deals, for comparison with other implementations of ``tf1``."""

from functools import cache
from random import Random
from typing import NamedTuple

from webapp.engine.cards import format_cards
from webapp.engine.shuffling import commitment, shuffled

CASES = 500
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"


class Case(NamedTuple):
    """A pack. ``seed`` is hex; ``cards`` are all of its cards, separated by spaces."""

    seed: str
    id: str
    pack: int
    decks: int
    jokers: int
    cuts: tuple[str, ...]
    commitment: str
    cards: str


@cache
def cases() -> tuple[Case, ...]:
    chance = Random("tf1")
    return tuple(_case(chance) for _ in range(CASES))


def _case(chance: Random) -> Case:
    def word() -> str:
        return "".join(chance.choices(LETTERS, k=chance.choice((1, 22, 64, chance.randint(1, 64)))))

    seed = chance.randbytes(32)
    cuts = tuple("-" if chance.random() < 0.3 else word() for _ in range(chance.randint(1, 5)))
    id, pack, decks, jokers = word(), chance.randint(0, 30), chance.randint(1, 8), chance.randint(0, 2)
    cards = format_cards(shuffled(seed, id, pack, decks, jokers, cuts))
    return Case(seed.hex(), id, pack, decks, jokers, cuts, commitment(seed, id), cards)
