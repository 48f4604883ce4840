"""The board: all that a player may see of a table, in one value. Pages, partials and JSON are made from it alone."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from webapp.engine.action import ALONE
from webapp.engine.game import AnyGame, View
from webapp.extensions import db
from webapp.models import Hand, Purse
from webapp.services.finished import Summary, summary_of
from webapp.services.replaying import game_of, numbers

RECENT = 5


@dataclass(frozen=True, slots=True)
class Board:
    """``hand`` and what follows is None or empty when the table is. ``view`` is None until the cards are dealt.

    ``note`` is ``repeated`` when a request was a copy of one already carried out, ``moved-on`` when it came too late.
    """

    game: AnyGame
    table: str
    rules: Any
    purse: int
    best: int
    recent: tuple[Summary, ...]
    hand: str | None = None
    seq: int | None = None
    step: int = 0
    status: str | None = None
    commitment: str | None = None
    cut: str | None = None
    stakes: tuple[int, ...] = ()
    marks: tuple[int, ...] = ()
    view: View | None = None
    actions: tuple[str, ...] = ()
    note: str | None = None

    @property
    def code(self) -> str:
        return self.game.spec.code

    @property
    def over(self) -> bool:
        return self.status not in (None, "ready", "live")

    @property
    def has_page(self) -> bool:
        """Whether ``/h/<key>`` shows this hand: it is over, and it had a cut."""
        return self.over and self.cut is not None


def empty_board(game: AnyGame, table: str, player: str | None) -> Board:
    """The table before anybody sits down."""
    return Board(game, table, game.rules(table), *_standing(player, game.spec.code))


def board_of(hand: Hand, state: Any = None, note: str | None = None) -> Board:
    """The board of a hand. ``state`` is None before the deal, and for hands whose cards are not known here."""
    game = game_of(hand)
    view = None if state is None else game.view(state, ALONE)
    actions = ("deal",) if hand.status == "ready" else tuple(map(str, view.actions)) if view else ()
    return Board(
        game,
        hand.variant,
        game.rules(hand.variant),
        *_standing(hand.player_id, hand.game),
        hand=hand.key,
        seq=hand.seq,
        step=hand.step,
        status=hand.status,
        commitment=hand.commitment,
        cut=hand.cut,
        stakes=numbers(hand.stakes),
        marks=numbers(hand.marks),
        view=view,
        actions=actions if hand.status in ("ready", "live") else (),
        note=note,
    )


def _standing(player: str | None, game: str) -> tuple[int, int, tuple[Summary, ...]]:
    """Purse, best hand and the last hands of a player in a game."""
    purse = db.session.get(Purse, (player, game)) if player else None
    if purse is None:
        return 0, 0, ()
    latest = (
        select(Hand)
        .where(
            Hand.player_id == player, Hand.game == game, Hand.seq > purse.hands - 2 * RECENT, Hand.reveal.is_not(None)
        )
        .order_by(Hand.seq.desc())
        .limit(RECENT)
    )
    return purse.balance, purse.best, tuple(summary_of(hand) for hand in db.session.scalars(latest))
