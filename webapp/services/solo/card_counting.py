"""Counting cards, for practice: the count of those cards of a shoe that have been seen."""

from dataclasses import dataclass

from webapp.engine.cards import Card
from webapp.engine.shuffling import shuffled
from webapp.engine.twenty_one.counting import CountingSystem
from webapp.extensions import db
from webapp.models import Shoe
from webapp.services.core.errors import Refusal
from webapp.services.fairness.sealing import unseal_seed
from webapp.services.solo.board import Board


@dataclass(frozen=True, slots=True)
class Count:
    """A count. ``true`` is the running count by the decks that have not been seen, rounded to tenths.

    It is None for a system that is not balanced.
    """

    running: int
    true: float | None


def count_of(board: Board, system: CountingSystem) -> Count | None:
    """Return the count of all cards of the board's shoe that lay open; a hole card counts once it is turned.

    None for a game whose cards are not counted, where there is no shoe, or no key that opens it.
    """
    if board.shoe is None or board.game.spec.card_count is None:
        return None
    try:
        seen = (*_before(board), *(board.view.open_cards if board.view else ()))
    except Refusal:
        return None
    running, unseen = system.running(seen, board.game.packs(board.table)[0].decks), board.shoe.cards - len(seen)
    if not system.is_balanced:
        return Count(running, None)
    return Count(running, round(running * 52 / unseen, 1) + 0.0 if unseen else 0.0)  # 0.0: without a minus


def _before(board: Board) -> tuple[Card, ...]:
    """Return the cards that went with the rounds before this one: they have left none unseen."""
    assert board.shoe is not None
    shoe = db.session.get(Shoe, board.shoe.key) if board.shoe.key and board.shoe.offset else None
    if shoe is None or shoe.cut is None:
        return ()
    seed = bytes.fromhex(shoe.revealed_seed) if shoe.revealed_seed else unseal_seed(shoe.sealed_seed, shoe)
    pack = board.game.packs(board.table)[0]
    return shuffled(seed, shoe.key, 0, pack.decks, pack.jokers, (shoe.cut,))[: board.shoe.offset]
