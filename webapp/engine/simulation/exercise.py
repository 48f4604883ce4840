"""The exercise: twelve games against the dealer, both draw below 17, and what they come to.

The player plays out first; whoever is bust has lost at once, and the dealer then turns the second card and draws none.
A blackjack that wins scores 3, a win 2, a draw 0, a loss -2; equal totals draw.
"""

import hashlib
from dataclasses import dataclass
from typing import Final

from webapp.engine.cards import Card
from webapp.engine.errors import SetupError
from webapp.engine.shuffling import SILENT, shuffled
from webapp.engine.twenty_one.totals import BEST, is_natural, total

DEALER_STANDS: Final = 17
RESERVE: Final = 30
"""More cards than one game ever takes: with one shoe for all games it is shuffled again when fewer are left."""

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
    """stand: total on which the player stands; natural_beats_21: whether a natural wins against 21 of three cards and
    more, for player and dealer alike; one_shoe: all games from one shoe, not each from a fresh one. SetupError for what
    is out of LIMITS.
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
    """``label``: a code of SCORES."""

    player: tuple[Card, ...]
    dealer: tuple[Card, ...]
    label: str

    @property
    def player_total(self) -> int:
        return total(self.player)

    @property
    def dealer_total(self) -> int:
        return total(self.dealer)

    @property
    def score(self) -> int:
        return SCORES[self.label]


def play(task: Exercise) -> tuple[GamePlayed, ...]:
    """Deterministic: the same task, the same games. Shuffled by ``tf1``, from a seed made of the number."""
    games: list[GamePlayed] = []
    shoe: tuple[Card, ...] = ()
    packs = 0
    for _ in range(task.games):
        if not task.one_shoe or len(shoe) < RESERVE:
            shoe = _pack(task, packs)
            packs += 1
        game = _game(shoe, task)
        games.append(game)
        shoe = shoe[len(game.player) + len(game.dealer) :]
    return tuple(games)


def _pack(task: Exercise, number: int) -> tuple[Card, ...]:
    seed = hashlib.sha256(f"tefuda:lab:exercise:{task.seed}".encode()).digest()
    return shuffled(seed, "exercise", number, task.decks, 0, (SILENT,))


def _game(shoe: tuple[Card, ...], task: Exercise) -> GamePlayed:
    """Dealt by turns: player, dealer, player, dealer."""
    player: tuple[Card, ...] = (shoe[0], shoe[2])
    dealer: tuple[Card, ...] = (shoe[1], shoe[3])
    taken = 4
    while total(player) < task.stand:
        player, taken = (*player, shoe[taken]), taken + 1
    if total(player) <= BEST:
        while total(dealer) < DEALER_STANDS:
            dealer, taken = (*dealer, shoe[taken]), taken + 1
    return GamePlayed(player, dealer, label_of(player, dealer, task.natural_beats_21))


def label_of(player: tuple[Card, ...], dealer: tuple[Card, ...], natural_beats_21: bool) -> str:
    """What came of it. The player is judged first: a bust has lost, whatever the dealer has."""
    mine, its = total(player), total(dealer)
    if mine > BEST:
        return "BUST"
    if mine == its:
        if natural_beats_21 and is_natural(player) != is_natural(dealer):
            return "BLACKJACK" if is_natural(player) else "DEALER_BLACKJACK"
        return "PUSH"
    if its > BEST or mine > its:
        return "BLACKJACK" if is_natural(player) else "DEALER_BUST" if its > BEST else "WIN"
    return "DEALER_BLACKJACK" if is_natural(dealer) else "LOSE"
