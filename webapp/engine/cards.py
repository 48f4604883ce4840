"""Cards, ranks and suits, and the pile that cards are dealt from.

``str(card)`` and ``parse_cards`` are inverse to each other: ``Qh`` is the queen of hearts, ``Jk`` the joker.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from webapp.engine.errors import NotationError, SetupError


class Rank(IntEnum):
    """Ranks by value, two to ace; the joker is below all of them and is given its rank by the game."""

    JOKER = 0
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14


class Suit(IntEnum):
    """Suits, one bit each: ``a.suit & b.suit`` is true for cards of one suit; a joker is of all."""

    CLUBS = 1
    DIAMONDS = 2
    HEARTS = 4
    SPADES = 8
    ANY = 15


RANK_LETTERS: Final = "23456789TJQKA"
SUIT_LETTERS: Final = "cdhs"
RANKS: Final = tuple(rank for rank in Rank if rank is not Rank.JOKER)
SUITS: Final = (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES)

_LETTER_OF_RANK: Final = dict(zip(RANKS, RANK_LETTERS, strict=True))
_LETTER_OF_SUIT: Final = dict(zip(SUITS, SUIT_LETTERS, strict=True))


@dataclass(frozen=True, slots=True)
class Card:
    """One card. Two cards of the same name are equal, whichever deck they come from."""

    rank: Rank
    suit: Suit

    def __str__(self) -> str:
        if self.rank is Rank.JOKER:
            return "Jk"
        return _LETTER_OF_RANK[self.rank] + _LETTER_OF_SUIT[self.suit]

    @property
    def is_joker(self) -> bool:
        """The card is a joker."""
        return self.rank is Rank.JOKER


JOKER: Final = Card(Rank.JOKER, Suit.ANY)
STANDARD_DECK: Final = tuple(Card(rank, suit) for suit in SUITS for rank in RANKS)

_CARD_OF_TEXT: Final = {str(card): card for card in (*STANDARD_DECK, JOKER)}


def parse_cards(text: str) -> tuple[Card, ...]:
    """Return the cards of a text, with or without spaces: ``"Ah Kd"``, ``"AhKd"``, ``""``.

    Raises:
        NotationError: naming the first two characters that are not a card.
    """
    letters = "".join(text.split(" "))
    pieces = (letters[i : i + 2] for i in range(0, len(letters), 2))
    return tuple(_parse_card(piece) for piece in pieces)


def format_cards(cards: Iterable[Card]) -> str:
    """Return cards as text, with a space between: ``"Ah Kd"``."""
    return " ".join(map(str, cards))


def _parse_card(text: str) -> Card:
    try:
        return _CARD_OF_TEXT[text]
    except KeyError:
        raise NotationError(f"not a card: {text!r}") from None


@dataclass(frozen=True, slots=True)
class Stock:
    """Cards in the order in which they are dealt, and how many are dealt already."""

    cards: tuple[Card, ...]
    taken: int = 0

    def __len__(self) -> int:
        return len(self.cards) - self.taken

    def take(self, n: int) -> tuple[tuple[Card, ...], "Stock"]:
        """Return the next ``n`` cards and the stock without them. SetupError if there are not so many."""
        end = self.taken + n
        if end > len(self.cards):
            raise SetupError(f"{n} cards wanted, {len(self)} left")
        return self.cards[self.taken : end], Stock(self.cards, end)
