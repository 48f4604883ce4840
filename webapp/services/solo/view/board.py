"""The board: all that a player sees of a solo game, in one value. Pages, partials and JSON are made from it alone."""

from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import bindparam, select

from webapp.engine.action import ALONE
from webapp.engine.bets import Bets
from webapp.engine.cards import Card
from webapp.engine.game import AnyGame, View
from webapp.engine.tier import Tier
from webapp.extensions import db
from webapp.models import IS_PUBLIC, Hand, Purse, Shoe
from webapp.services.fairness.sealing import seed_owner
from webapp.services.records.lists.summary import FACTS, HANDS, Summary, summary_of, with_shoes
from webapp.services.records.statistics import WinLossCount, count_wins
from webapp.services.records.stored_hand import hand_game, parse_numbers
from webapp.services.solo.prepared import NextHand
from webapp.services.solo.view.runs import Run, run_over
from webapp.services.solo.view.wins import is_lost, net_of, tier_of

RECENT = 5

_PURSES: Final = Purse.metadata.tables["purse"]
_P: Final = _PURSES.c
_H: Final = HANDS.c
_LAST: Final = (_H.player_id == _P.player_id) & (_H.game == _P.game) & (_H.seq > _P.hands - 2 * RECENT) & IS_PUBLIC
# put together once: building a statement takes as long as running it
_STANDING: Final = (
    select(_P.balance, _P.best, _P.peak, _P.runs, _P.last_stakes, *FACTS)
    .select_from(with_shoes(_PURSES.outerjoin(HANDS, _LAST)))
    .where(_P.player_id == bindparam("player"), _P.game == bindparam("game"))
    .order_by(_H.seq.desc())
    .limit(RECENT)
)


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's chips in a game: now, the most one hand ever paid, the most there ever were, and in how many runs."""

    purse: int = 0
    best: int = 0
    peak: int = 0
    runs: int = 0
    last_stakes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ShoeView:
    """A shoe as it may be seen: how many of its cards are gone, and where the cut card lies.

    ``offset``: cards that were gone when the hand began. ``key`` is None for a shoe that is not there yet.
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


@dataclass(frozen=True, slots=True)
class SameDeal:
    """Where the cards of a hand come from that is played without chips.

    ``of`` is the key of the finished hand. ``daily`` is the day of a daily deal, and the hand is its round ``number``
    of ``rounds``. ``practice`` is false for the one try that counts on that day.
    """

    practice: bool
    of: str | None = None
    daily: str | None = None
    number: int = 1
    rounds: int = 1


@dataclass(frozen=True, slots=True)
class Board:
    """All that a player sees of a solo game.

    ``hand`` and what follows is None or empty when the table is. ``view`` is None until the cards are dealt.

    ``note`` is ``repeated`` when a request was a copy of one already carried out, ``moved-on`` when it came too late.
    """

    game: AnyGame
    table: str
    rules: Any
    standing: Standing
    recent: tuple[Summary, ...]
    hand: str | None = None
    seq: int | None = None
    step: int = 0
    status: str | None = None
    commitment: str | None = None
    cut: str | None = None
    stakes: tuple[int, ...] = ()
    marks: tuple[int, ...] = ()
    helped: bool = False
    """The player was shown what a decision is worth before it was made."""
    shoe: ShoeView | None = None
    view: View | None = None
    actions: tuple[str, ...] = ()
    note: str | None = None
    summary_cards: tuple[Card, ...] = ()
    win_loss: WinLossCount | None = None
    """Hands won, lost and drawn at this table, where a payout says nothing."""
    staked: int = 0
    """Chips put into the hand so far."""
    run: Run | None = None
    """The run that is over, once the purse pays no bet any more."""
    next: NextHand | None = None
    """The next hand, where one is prepared and none is open."""
    same: SameDeal | None = None
    """Set for a hand without chips: a practice hand, or a round of a daily deal."""

    @property
    def code(self) -> str:
        """Code of the game."""
        return self.game.spec.code

    @property
    def purse(self) -> int:
        """Chips now."""
        return self.standing.purse

    @property
    def best(self) -> int:
        """The most that one hand ever paid."""
        return self.standing.best

    @property
    def most_bet(self) -> int:
        """The highest bet the purse and the table allow; 0 where nothing is staked, or when the run is over."""
        bets = self.rules.bets
        if bets is None:
            return 0
        most: int = min(self.purse, bets.most or self.purse)
        return most if most >= bets.least else 0

    @property
    def tier(self) -> Tier:
        """Tier of the win that the last action has brought: that of the hand, or of the purse that it has filled."""
        if self.same:
            return self.view.tier if self.view else Tier.EVEN
        return tier_of(self.view, self.rules.bets, self.purse, self.standing.peak, self.staked)

    @property
    def net(self) -> int:
        """Chips that the hand has brought in all: its stake is not won when it comes back. 0 while it is played."""
        return 0 if self.note else net_of(self.view, self.rules.bets, self.staked)

    @property
    def is_lost(self) -> bool:
        """The hand was played to its end, and brought less than was put in, or nothing."""
        return not self.closed and is_lost(self.game, self.view, self.rules.pays, self.staked)

    @property
    def usual_bet(self) -> int:
        """The bet of *same again*: the last one, as far as the purse allows it."""
        return min(self.standing.last_stakes[0] if self.standing.last_stakes else self.most_bet, self.most_bet)

    @property
    def usual_bets(self) -> tuple[int, ...]:
        """The bets of *same again*, one a place, as far as the purse goes; at first a tenth of a new purse on one."""
        bets = self.rules.bets
        if bets is None:
            return ()
        last = self.standing.last_stakes or (max(bets.start // 10, bets.least),)
        usual, left = [], self.purse
        for place in range(len(bets.places)):
            bet = min(last[place], bets.most or left, left) if place < len(last) else 0
            usual.append(bet if bet >= bets.least else 0)
            left -= usual[-1]
        return tuple(usual)

    @property
    def over(self) -> bool:
        """The hand has ended, one way or another."""
        return self.status not in (None, "ready", "live")

    @property
    def closed(self) -> bool:
        """The hand was ended without being played out."""
        return self.over and self.status != "done"

    @property
    def has_page(self) -> bool:
        """The hand has a page at ``/h/<key>``: it is over, and it had a cut."""
        return self.over and self.cut is not None


def empty_board(game: AnyGame, table: str, player: str | None) -> Board:
    """Return the board of a table before anybody sits down."""
    rules = game.rules(table)
    standing, recent = standing_of(player, game.spec.code, rules.bets)
    win_loss = None if rules.pays else count_wins(player, game.spec.code, table)
    run = run_over(player, game.spec.code, rules.bets, standing.purse)
    shoe = _shoe_waiting(game, table, player)
    return Board(game, table, rules, standing, recent, shoe=shoe, win_loss=win_loss, run=run)


def board_of(hand: Hand, state: Any = None, note: str | None = None) -> Board:
    """Return the board of a hand. ``state`` is None before the deal, and for hands whose cards are not known here."""
    game = hand_game(hand)
    rules = game.rules(hand.variant)
    standing, recent = standing_of(hand.player_id, hand.game, rules.bets)
    view = None if state is None else game.view(state, ALONE)
    if view and rules.bets:
        view = replace(view, actions=tuple(a for a in view.actions if game.cost(state, a) <= standing.purse))
    actions = ("deal",) if hand.status == "ready" else tuple(map(str, view.actions)) if view else ()
    return Board(
        game,
        hand.variant,
        rules,
        standing,
        recent,
        hand=hand.key,
        seq=hand.seq or None,  # a prepared hand has no number yet
        step=hand.step,
        status=hand.status,
        commitment=hand.commitment,
        cut=hand.cut or seed_owner(hand).cut,
        shoe=_shoe(hand, state),
        stakes=parse_numbers(hand.stakes),
        marks=parse_numbers(hand.marks),
        helped=hand.helped,
        view=view,
        actions=actions if hand.status in ("ready", "live") else (),
        note=note,
        summary_cards=() if state is None else game.summary_cards(state),
        win_loss=None if rules.pays else count_wins(hand.player_id, hand.game, hand.variant),
        staked=0 if state is None else sum(game.committed(state)),
        run=run_over(hand.player_id, hand.game, rules.bets, standing.purse, hand.status),
    )


def _shoe(hand: Hand, state: Any) -> ShoeView | None:
    game = hand_game(hand)
    taken = 0 if state is None else game.dealt(state)[0]
    return shoe_view(game, hand.variant, hand.shoe_key, hand.offset, taken)


def _shoe_waiting(game: AnyGame, table: str, player: str | None) -> ShoeView | None:
    """Return the shoe that the next hand is dealt from; a full one if there is none yet."""
    is_open = (Shoe.player_id == player, Shoe.game == game.spec.code, Shoe.closed_at.is_(None), Shoe.variant == table)
    shoe = db.session.scalars(select(Shoe).where(*is_open)).one_or_none() if player else None
    return shoe_view(game, table, shoe.key, shoe.dealt) if shoe else shoe_view(game, table)


def shoe_view(game: AnyGame, table: str, key: str | None = None, offset: int = 0, taken: int = 0) -> ShoeView | None:
    """Return the shoe of a table, None where every deck is fresh."""
    cut_card = game.cut_card(table)
    if cut_card is None:
        return None
    cards = sum(52 * pack.decks + pack.jokers for pack in game.packs(table)[:1])
    return ShoeView(key, offset, offset + taken, cut_card, cards)


def standing_of(player: str | None, game: str, bets: Bets | None) -> tuple[Standing, tuple[Summary, ...]]:
    """Return chips and last hands of a player in a game; before the first hand the chips of a full purse."""
    rows = db.session.execute(_STANDING, {"player": player, "game": game}).all() if player else ()
    if not rows or (bets and not rows[0].runs):
        return Standing(purse=bets.start if bets else 0), ()
    purse = rows[0]
    standing = Standing(purse.balance, purse.best, purse.peak, purse.runs, parse_numbers(purse.last_stakes))
    return standing, tuple(summary_of(row) for row in rows if row.key is not None)
