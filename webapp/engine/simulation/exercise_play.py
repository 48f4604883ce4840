"""The exercise: twelve games against the dealer, in which both draw below 17, and the sum of their scores.

The player plays first. A player who busts has lost at once; the dealer then turns the second card and draws none. A
blackjack that wins scores 3, a win 2, a draw 0, a loss -2; equal totals draw.
"""

import hashlib
from dataclasses import dataclass
from typing import Final

from webapp.engine.cards import Card
from webapp.engine.errors import SetupError
from webapp.engine.games.blackjack.rules import DEALER_STANDS
from webapp.engine.shuffling import SILENT, shuffled
from webapp.engine.twenty_one.hand import BEST, is_natural, total

RESERVE: Final = 30
"""More cards than a game ever takes. One shoe for all games is shuffled again when fewer are left."""

SCORES: Final = {
    "BLACKJACK": 3,
    "WIN": 2,
    "DEALER_BUST": 2,
    "PUSH": 0,
    "LOSE": -2,
    "BUST": -2,
    "DEALER_BLACKJACK": -2,
}

LIMITS: Final = {"seed": (0, 2**63 - 1), "games": (1, 1000), "decks": (1, 8), "stand": (12, 21)}


@dataclass(frozen=True, slots=True)
class Exercise:
    """Settings of the exercise.

    ``stand`` is the total on which the player stands. ``natural_beats_21`` lets a natural win against 21 of three or
    more cards, for player and dealer alike. ``one_shoe`` deals all games from one shoe, not each from a fresh one.

    Raises:
        SetupError: a number is out of LIMITS.
    """

    seed: int
    games: int = 12
    decks: int = 2
    stand: int = 17
    natural_beats_21: bool = False
    one_shoe: bool = False

    def __post_init__(self) -> None:
        for name, (least, most) in LIMITS.items():
            if not least <= getattr(self, name) <= most:
                raise SetupError(f"{name} must be from {least} to {most}, not {getattr(self, name)}")


@dataclass(frozen=True, slots=True)
class GamePlayed:
    """One game, as it ended; ``label`` is a code of SCORES, ``shoe`` the number of its shoe, from 1."""

    player: tuple[Card, ...]
    dealer: tuple[Card, ...]
    label: str
    shoe: int

    @property
    def player_total(self) -> int:
        """Total of the player."""
        return total(self.player)

    @property
    def dealer_total(self) -> int:
        """Total of the dealer."""
        return total(self.dealer)

    @property
    def score(self) -> int:
        """Points that the game counts."""
        return SCORES[self.label]


def play(exercise: Exercise) -> tuple[GamePlayed, ...]:
    """Play the games of an exercise. ``tf1`` shuffles with a seed that is made of its number."""
    games: list[GamePlayed] = []
    shoe: tuple[Card, ...] = ()
    packs = 0
    for _ in range(exercise.games):
        if not exercise.one_shoe or len(shoe) < RESERVE:
            shoe = _shuffled_pack(exercise, packs)
            packs += 1
        game = _play_game(shoe, packs, exercise)
        games.append(game)
        shoe = shoe[len(game.player) + len(game.dealer) :]
    return tuple(games)


def _shuffled_pack(exercise: Exercise, number: int) -> tuple[Card, ...]:
    seed = hashlib.sha256(f"tefuda:lab:exercise:{exercise.seed}".encode()).digest()
    return shuffled(seed, "exercise", number, exercise.decks, 0, (SILENT,))


def _play_game(shoe: tuple[Card, ...], number: int, exercise: Exercise) -> GamePlayed:
    """Play one game from a shoe; the first cards go to the player, the dealer, the player, the dealer."""
    player: tuple[Card, ...] = (shoe[0], shoe[2])
    dealer: tuple[Card, ...] = (shoe[1], shoe[3])
    dealt = 4
    while total(player) < exercise.stand:
        player, dealt = (*player, shoe[dealt]), dealt + 1
    if total(player) <= BEST:
        while total(dealer) < DEALER_STANDS:
            dealer, dealt = (*dealer, shoe[dealt]), dealt + 1
    return GamePlayed(player, dealer, label_of(player, dealer, exercise.natural_beats_21), number)


def label_of(player: tuple[Card, ...], dealer: tuple[Card, ...], natural_beats_21: bool) -> str:
    """Return the code of a result. A player who is bust has lost, whatever the dealer has."""
    player_total, dealer_total = total(player), total(dealer)
    if player_total > BEST:
        return "BUST"
    if player_total == dealer_total:
        if natural_beats_21 and is_natural(player) != is_natural(dealer):
            return "BLACKJACK" if is_natural(player) else "DEALER_BLACKJACK"
        return "PUSH"
    if dealer_total > BEST or player_total > dealer_total:
        return "BLACKJACK" if is_natural(player) else "DEALER_BUST" if dealer_total > BEST else "WIN"
    return "DEALER_BLACKJACK" if is_natural(dealer) else "LOSE"
