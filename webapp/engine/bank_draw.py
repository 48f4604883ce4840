"""The draw of a table's first banker: a card for each seat, from a pack that was committed to."""

from dataclasses import dataclass
from typing import Final

from webapp.engine.cards import Card
from webapp.engine.label import Label
from webapp.engine.shuffling import shuffled

PACK: Final = 1
"""Number of the pack: 0 is the one that the round is dealt from."""


@dataclass(frozen=True, slots=True)
class BankDraw:
    """The draw for the bank: the numbers of the seats, their words, and a card for each. ``seat`` has the highest."""

    seats: tuple[int, ...]
    cuts: tuple[str, ...]
    cards: tuple[Card, ...]
    seat: int

    @property
    def labels(self) -> tuple[Label, ...]:
        """What each seat has drawn, with its number at the table."""
        drawn = zip(self.seats, self.cards, strict=True)
        return tuple(Label.of("SEAT_DRAWS_FOR_BANK", seat=number, card=card) for number, card in drawn)


def draw_for_bank(seed: bytes, key: str, seats: tuple[int, ...], cuts: tuple[str, ...]) -> BankDraw:
    """Return who draws the highest card; of equal ranks it is that of the higher suit, in the order c d h s.

    Args:
        seed: Seed of the table's first round.
        key: Key of that round.
        seats: Numbers of the seats that draw.
        cuts: The word of each, ``-`` if there is none.

    Raises:
        SetupError: A word is none.
    """
    cards = shuffled(seed, key, PACK, 1, 0, cuts)[: len(seats)]
    _, seat = max(zip(((card.rank, card.suit) for card in cards), seats, strict=True))
    return BankDraw(seats, cuts, cards, seat)
