"""Shoes: opened by the first hand, cut by its deal, closed when the cut card has come or nobody can deal from them."""

from sqlalchemy import select

from webapp.engine.game import AnyGame
from webapp.engine.shuffling import commitment
from webapp.extensions import db
from webapp.models import Shoe
from webapp.services.core.errors import Refusal
from webapp.services.core.randomness import new_key, new_seed
from webapp.services.fairness.sealing import SealedSeeds, is_unreadable, sealer, unseal_seed


def shoe_for(player: str, game: AnyGame, table: str, boxes: SealedSeeds, now: int) -> tuple[Shoe, str | None]:
    """The shoe to deal the next hand from, and its box if it is a new one.

    The open shoe is closed and a new one opened if the cut card has come, other rules are wanted, or its box is lost or
    sealed with a key that is not here: between two rounds nothing is at stake, so nobody has to wait for it.
    """
    code = game.spec.code
    is_open = (Shoe.player_id == player, Shoe.game == code, Shoe.closed_at.is_(None))
    shoe = db.session.scalars(select(Shoe).where(*is_open).with_for_update()).one_or_none()
    if shoe is not None:
        at_hand = shoe.key in boxes if shoe.sealed_seed is None else not is_unreadable(shoe)
        if shoe.variant == table and at_hand and not is_spent(shoe, game):
            shoe.moved_at = now
            return shoe, None
        put_away(shoe, now)
        db.session.flush()
    seed, key = new_seed(), new_key()
    shoe = Shoe(
        key=key,
        player_id=player,
        game=code,
        variant=table,
        commitment=commitment(seed, key),
        dealt=0,
        opened_at=now,
        moved_at=now,
    )
    db.session.add(shoe)
    db.session.flush()
    return shoe, sealer().seal(key, player, seed)


def is_spent(shoe: Shoe, game: AnyGame) -> bool:
    """Whether the cut card has come."""
    cut_card = game.cut_card(shoe.variant)
    return cut_card is None or shoe.dealt >= cut_card


def close_shoe(shoe: Shoe, now: int) -> None:
    """Nothing is dealt from it any more: what had a cut is revealed, and with it the proof of all its hands.

    Refusal ``box-broken``, and it is as it was, if no key opens it.
    """
    if shoe.cut is not None:
        shoe.revealed_seed = unseal_seed(shoe.sealed_seed, shoe).hex()
    shoe.closed_at, shoe.sealed_seed = now, None


def put_away(shoe: Shoe, now: int) -> None:
    """Close it even if no key opens it. Then it keeps its seal: if the key comes back, all its hands are proved."""
    try:
        close_shoe(shoe, now)
    except Refusal:
        shoe.closed_at = now
