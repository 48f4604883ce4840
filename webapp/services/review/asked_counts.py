"""What is the count? A question between two rounds that are dealt from one shoe.

The first answer to it is kept with those to the drills of counting. Nothing tells the count before.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from webapp.engine.twenty_one.counting import NAMES, CountingSystem
from webapp.extensions import db
from webapp.models import Hand
from webapp.services.core.errors import Refusal
from webapp.services.deals.counting_drills import digest
from webapp.services.review.counting_progress import AT_THE_TABLE, is_answered, kept_error, note_count
from webapp.services.solo.board import Board
from webapp.services.solo.card_counting import Count, count_of

ONE_OF: Final = 4
"""Rounds of which one is asked about on average, of a player who is asked now and then."""


@dataclass(frozen=True, slots=True)
class AskedCount:
    """The question after a round. ``count`` is None until it was answered; ``off``: by how much the answer was off."""

    board: Board
    system: CountingSystem
    count: Count | None = None
    off: int = 0

    @property
    def most(self) -> int:
        """The highest count, up or down, that is an answer."""
        decks: int = self.board.rules.decks
        return self.system.most(decks, decks)

    @property
    def system_name(self) -> str:
        """Name of the system, which is the same in all languages; empty for own tags."""
        return NAMES.get(self.system.name, "")


def asked_after(board: Board, chosen: Mapping[str, str]) -> AskedCount | None:
    """Return what a player with these preferences is asked after a round, or the verdict on the first answer to it.

    None if nothing is asked; a question without an answer is gone when the next round is dealt.
    """
    spec = board.game.spec
    if not _is_countable(board) or board.shoe is None:
        return None
    if not spec.asks_card_count(chosen, at_shuffle=board.shoe.spent, now=_is_chosen(board)):
        return None
    asked = AskedCount(board, CountingSystem.parse(spec.counting_system(chosen)))
    return _told(asked) or (asked if board.next and not _is_answered(board) else None)


def answer(board: Board, system: CountingSystem, running: int) -> AskedCount:
    """Return the verdict on the first answer to what the count is after a round, which is this one if there was none.

    Refusal ``no-decision``: the round is not over, or its cards are not counted. ``bad-count``: no shoe comes to it.
    """
    asked = AskedCount(board, system)
    count = count_of(board, system) if _is_countable(board) else None
    if count is None:
        raise Refusal("no-decision", str(board.hand))
    if abs(running) > asked.most:
        raise Refusal("bad-count", str(running))
    note_count(_player(board), AT_THE_TABLE, _question(asked), abs(running - count.running), _round(board))
    return _told(asked) or AskedCount(board, system, count, abs(running - count.running))


def _is_countable(board: Board) -> bool:
    """Return True after a round whose cards all lie open, of those that are played for chips."""
    return board.status == "done" and board.same is None and board.shoe is not None


def _is_chosen(board: Board) -> bool:
    """Return True after one of the rounds that the house asks about now and then, which nobody knows beforehand."""
    return digest("asked", board.hand)[0] % ONE_OF == 0


def _told(asked: AskedCount) -> AskedCount | None:
    """Return the question with the verdict on the answer that was kept; None if there is none."""
    off = kept_error(_player(asked.board), AT_THE_TABLE, _question(asked))
    count = None if off is None else count_of(asked.board, asked.system)
    return AskedCount(asked.board, asked.system, count, round(off)) if count and off is not None else None


def _is_answered(board: Board) -> bool:
    """Return True if the count was answered by another system: the count of one tells that of the others."""
    return is_answered(_player(board), AT_THE_TABLE, _round(board))


def _question(asked: AskedCount) -> str:
    return f"{_round(asked.board)}{asked.system.name}"


def _round(board: Board) -> str:
    return f"{board.hand}-"


def _player(board: Board) -> str:
    hand = db.session.get_one(Hand, board.hand)
    return hand.player_id
