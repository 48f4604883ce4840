"""Shoes: opened by the first hand, cut by its deal, closed when the cut card comes or no key opens them."""

from typing import Final

from sqlalchemy import bindparam, select

from webapp.engine.game import AnyGame
from webapp.engine.shuffling import commitment
from webapp.extensions import db
from webapp.models import Shoe
from webapp.services.core.errors import Refusal
from webapp.services.core.randomness import new_key, new_seed
from webapp.services.fairness.sealing import SealedSeeds, is_unreadable, sealer, unseal_seed

_OPEN_LOCKED: Final = (
    select(Shoe)
    .where(Shoe.player_id == bindparam("player"), Shoe.game == bindparam("game"), Shoe.closed_at.is_(None))
    .with_for_update()
)


def open_shoe(player: str, code: str) -> Shoe | None:
    """Return the one shoe of a game that is open, if there is one, and lock it."""
    return db.session.scalars(_OPEN_LOCKED, {"player": player, "game": code}).one_or_none()


def shoe_for(player: str, game: AnyGame, variant: str, sealed_seeds: SealedSeeds, now: int, shoe: Shoe | None) -> Shoe:
    """Return the shoe to deal the next hand from.

    The open shoe is closed and a new one opened if the cut card has come, if another variant is wanted, or if its
    sealed seed is lost or no key opens it. Between two hands nothing is at stake, so there is no need to wait for one.

    Args:
        shoe: the open shoe of the player and the game, which the caller has locked, if there is one.
    """
    code = game.spec.code
    if shoe is not None:
        at_hand = shoe.key in sealed_seeds if shoe.sealed_seed is None else not is_unreadable(shoe)
        if shoe.variant == variant and at_hand and not is_spent(shoe, game):
            if shoe.moved_at != now:
                shoe.moved_at = now
            return shoe
        put_away(shoe, now)
        db.session.flush()
    seed, key = new_seed(), new_key()
    shoe = Shoe(
        key=key,
        player_id=player,
        game=code,
        variant=variant,
        commitment=commitment(seed, key),
        sealed_seed=sealer().seal(key, player, seed),
        dealt=0,
        opened_at=now,
        moved_at=now,
    )
    db.session.add(shoe)
    db.session.flush()
    return shoe


def is_spent(shoe: Shoe, game: AnyGame) -> bool:
    """Return True if the cut card has come."""
    cut_card = game.cut_card(shoe.variant)
    return cut_card is None or shoe.dealt >= cut_card


def close_shoe(shoe: Shoe, now: int) -> None:
    """Close a shoe. If it had a cut the seed is revealed, and with it the proof of all its hands.

    Without one it stays sealed: a cut that is on its way may still ask for it (``undealt.py``).

    Raises:
        Refusal: ``box-broken``: no key opens it. Nothing was changed.
    """
    if shoe.cut is not None:
        shoe.revealed_seed, shoe.sealed_seed = unseal_seed(shoe.sealed_seed, shoe).hex(), None
    shoe.closed_at = now


def put_away(shoe: Shoe, now: int) -> None:
    """Close a shoe even if no key opens it. Then its sealed seed stays, to prove its hands if the key comes back."""
    try:
        close_shoe(shoe, now)
    except Refusal:
        shoe.closed_at = now
