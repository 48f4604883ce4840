"""Prepared hands: the response that ends a hand commits to the next one, so that it is dealt by one request.

A prepared hand is a ready hand without a number: ``seq`` is 0 until it is dealt, or until somebody sits down to it. It
costs nothing, and when it is replaced it leaves neither a row nor a gap among the numbers.

Its seed is sealed once, with the hand. The row keeps the sealed seed, and every copy of the answer that ends a hand
puts the same one into the cookie.
"""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import bindparam, insert, select, union_all

from webapp.engine.game import AnyGame
from webapp.engine.games import SOLO
from webapp.engine.shuffling import commitment
from webapp.extensions import db
from webapp.models import IS_PLAY, OPEN, Hand, Shoe
from webapp.services import purses
from webapp.services.core.randomness import new_key, new_seed
from webapp.services.fairness.sealing import SealedSeeds, sealer
from webapp.services.solo.shoes import open_shoe, shoe_for

UNNUMBERED: Final = 0
"""``seq`` of a prepared hand."""

# put together once: building a statement takes as long as running it
OPEN_HANDS: Final = select(Hand).where(
    # player, games, the literal statuses and kind lead SQLite to the index of open hands; with less it goes through all
    Hand.player_id == bindparam("player"),
    Hand.game.in_(bindparam("games", expanding=True)),
    Hand.status.in_(bindparam("open", OPEN, expanding=True, literal_execute=True)),
    IS_PLAY,
)
_HELD: Final = union_all(
    OPEN_HANDS.with_only_columns(Hand.key, Hand.sealed_seed).where(Hand.shoe_key.is_(None)),
    select(Shoe.key, Shoe.sealed_seed).where(Shoe.player_id == bindparam("player"), Shoe.closed_at.is_(None)),
)
_ADDED: Final = insert(Hand.metadata.tables["hand"])


@dataclass(frozen=True, slots=True)
class NextHand:
    """The hand that can be dealt next, by its key: it is committed to before its cut is known.

    ``cut`` is that of a shoe that was cut with an earlier hand, else None.
    """

    hand: str
    commitment: str
    cut: str | None


@dataclass(frozen=True, slots=True)
class Deck:
    """Cards that a new hand is committed to. ``sealed_seed`` is that of packs of its own; a shoe has its own."""

    key: str
    commitment: str
    shoe: Shoe | None
    sealed_seed: str | None


def new_deck(
    player: str, game: AnyGame, variant: str, sealed_seeds: SealedSeeds, now: int, after: Hand | None = None
) -> Deck:
    """Return a new seed's commitment, or that of the shoe that the next hand is dealt from.

    ``after``: the player's last hand of the game, if it has ended in this transaction.
    """
    key = new_key()
    if game.cut_card(variant) is None:
        seed = new_seed()
        return Deck(key, commitment(seed, key), None, sealer().seal(key, player, seed, after.key if after else ""))
    if after is None:
        at_hand = open_shoe(player, game.spec.code)
    else:
        at_hand = after.shoe if after.shoe and after.shoe.closed_at is None else None
    shoe = shoe_for(player, game, variant, sealed_seeds, now, at_hand)
    return Deck(key, shoe.commitment, shoe, None)


def add_hand(player: str, game: AnyGame, variant: str, deck: Deck, seq: int, now: int) -> None:
    """Store a ready hand."""
    db.session.flush()  # its shoe comes first
    columns = {
        "key": deck.key,
        "player_id": player,
        "game": game.spec.code,
        "variant": variant,
        "seq": seq,
        "status": "ready",
        "commitment": deck.commitment,
        "shoe_key": deck.shoe.key if deck.shoe else None,
        "offset": deck.shoe.dealt if deck.shoe else 0,
        "stakes": "",
        "moves": "",
        "step": 0,
        "marks": "",
        "sealed_seed": deck.sealed_seed,
        "created_at": now,
        "moved_at": now,
    }
    db.session.execute(_ADDED, columns)


def held_seeds(player: str) -> dict[str, str | None]:
    """Return the sealed seeds of all open hands and shoes of a player, by key: what the cookie holds.

    None for a hand that was sat down to before rows had a copy: only the cookie has its seed.
    """
    asked = {"player": player, "games": list(SOLO)}
    return {row.key: row.sealed_seed for row in db.session.execute(_HELD, asked)}


def prepare(hand: Hand, game: AnyGame, now: int) -> NextHand:
    """Store the hand that comes after one that has just ended, inside the transaction that ended it."""
    deck = new_deck(hand.player_id, game, hand.variant, {}, now, after=hand)
    add_hand(hand.player_id, game, hand.variant, deck, UNNUMBERED, now)
    return NextHand(deck.key, deck.commitment, deck.shoe.cut if deck.shoe else None)


def next_hand(player: str, code: str, variant: str) -> NextHand | None:
    """Return the prepared hand of a table, if there is one."""
    hand = db.session.scalars(OPEN_HANDS, {"player": player, "games": [code]}).one_or_none()
    if hand is None or not is_prepared(hand) or hand.variant != variant:
        return None
    return NextHand(hand.key, hand.commitment, hand.shoe.cut if hand.shoe else None)


def is_prepared(hand: Hand) -> bool:
    """Return True if nobody has sat down to the hand yet."""
    return hand.seq == UNNUMBERED


def number_for(hand: Hand, game: AnyGame, now: int, anew: bool = False) -> int:
    """Return the number of a prepared hand, now that it is played. ``anew`` as in ``purses.begin_hand``."""
    return purses.begin_hand(hand.player_id, hand.game, game.rules(hand.variant).bets, now, anew)


def drop_prepared(hand: Hand) -> None:
    """Delete a prepared hand, and the shoe if that was opened for it. No cut was ever given for either."""
    shoe = hand.shoe
    db.session.delete(hand)
    db.session.flush()
    if shoe is not None:
        drop_unused(shoe)


def drop_unused(shoe: Shoe) -> None:
    """Delete a shoe that nobody has cut and no hand names."""
    if shoe.cut is not None:
        return
    if db.session.scalars(select(Hand.key).where(Hand.shoe_key == shoe.key).limit(1)).first() is None:
        db.session.delete(shoe)
        db.session.flush()
