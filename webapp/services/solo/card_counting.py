"""Counting cards, for practice: what Hi-Lo says of the cards of a shoe that have been seen."""

from dataclasses import dataclass
from math import trunc

from webapp.engine.cards import Card
from webapp.engine.shuffling import shuffled
from webapp.engine.twenty_one.totals import hi_lo
from webapp.extensions import db
from webapp.models import Shoe
from webapp.services.core.errors import Refusal
from webapp.services.fairness.sealing import unseal_seed
from webapp.services.solo.board import Board


@dataclass(frozen=True, slots=True)
class Count:
    """``true`` is the running count by the decks that have not been seen, cut to tenths."""

    running: int
    true: float


def count_of(board: Board) -> Count | None:
    """Of all cards of the board's shoe that lay open; a hole card is not among them before it is turned.

    None where there is no shoe, or no key that opens it.
    """
    if board.shoe is None:
        return None
    try:
        seen = (*_before(board), *(board.view.open_cards if board.view else ()))
    except Refusal:
        return None
    running, unseen = sum(map(hi_lo, seen)), board.shoe.cards - len(seen)
    return Count(running, trunc(10 * running * 52 / unseen) / 10 if unseen else 0.0)


def _before(board: Board) -> tuple[Card, ...]:
    """What went with the rounds before this one: they have left no card unseen."""
    assert board.shoe is not None
    shoe = db.session.get(Shoe, board.shoe.key) if board.shoe.key and board.shoe.offset else None
    if shoe is None or shoe.cut is None:
        return ()
    seed = bytes.fromhex(shoe.revealed_seed) if shoe.revealed_seed else unseal_seed(shoe.sealed_seed, shoe)
    (pack,) = board.game.packs(board.table)
    return shuffled(seed, shoe.key, 0, pack.decks, pack.jokers, (shoe.cut,))[: board.shoe.offset]
