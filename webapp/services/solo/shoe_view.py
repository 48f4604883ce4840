"""A shoe as its player may see it."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from webapp.engine.game import AnyGame
from webapp.extensions import db
from webapp.models import Hand, Shoe
from webapp.services.records.stored_hand import hand_game


@dataclass(frozen=True, slots=True)
class ShoeView:
    """What a player sees of a shoe: how many of its cards were dealt, and where the cut card lies.

    ``offset``: cards that were dealt before the hand. ``key`` is None for a shoe that has not been opened yet.
    """

    key: str | None
    offset: int
    dealt: int
    cut_card: int
    cards: int

    @property
    def spent(self) -> bool:
        """The shoe is shuffled before the next round."""
        return self.dealt >= self.cut_card


def shoe_view(game: AnyGame, table: str, key: str | None = None, offset: int = 0, taken: int = 0) -> ShoeView | None:
    """Return the shoe of a table, None where every deck is fresh."""
    cut_card = game.cut_card(table)
    if cut_card is None:
        return None
    cards = sum(52 * pack.decks + pack.jokers for pack in game.packs(table)[:1])
    return ShoeView(key, offset, offset + taken, cut_card, cards)


def shoe_of_hand(hand: Hand, state: Any) -> ShoeView | None:
    """Return the shoe that a hand is dealt from. ``state`` is None before the deal."""
    game = hand_game(hand)
    taken = 0 if state is None else game.dealt(state)[0]
    return shoe_view(game, hand.variant, hand.shoe_key, hand.offset, taken)


def shoe_waiting(game: AnyGame, table: str, player: str | None) -> ShoeView | None:
    """Return the shoe that the next hand is dealt from; a full one if there is none yet."""
    is_open = (Shoe.player_id == player, Shoe.game == game.spec.code, Shoe.closed_at.is_(None), Shoe.variant == table)
    shoe = db.session.scalars(select(Shoe).where(*is_open)).one_or_none() if player else None
    return shoe_view(game, table, shoe.key, shoe.dealt) if shoe else shoe_view(game, table)
