"""The board: everything that a player sees of a solo game. Pages, partials and JSON are made from it alone."""

from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import func, select

from webapp.engine.action import ALONE
from webapp.engine.cards import Card
from webapp.engine.game import AnyGame, View, affordable
from webapp.engine.games import SOLO
from webapp.engine.tier import Tier
from webapp.extensions import db
from webapp.models import DAILY, IS_DAILY, PLAY, DailyDeal, Hand
from webapp.services import purses
from webapp.services.core.clock import today
from webapp.services.records.statistics import WinLossCount, count_wins
from webapp.services.records.stored_hand import hand_game, parse_numbers, unpaid_of
from webapp.services.records.summary import Summary
from webapp.services.solo.move_requests import is_late
from webapp.services.solo.prepared import NextHand
from webapp.services.solo.shoe_view import ShoeView, shoe_of_hand, shoe_waiting
from webapp.services.solo.standing import (
    Run,
    Standing,
    is_lost,
    net_of,
    run_over,
    standing_and_last_hands,
    standing_of,
    tier_of,
)


@dataclass(frozen=True, slots=True)
class SameDeal:
    """Where the cards of a hand come from that is played without chips.

    ``of`` is the key of the finished hand. ``daily`` is the day of a daily deal, and the hand is its round ``number``
    of ``rounds``. ``practice`` is false for the one try that counts on that day. ``so_far`` is what its rounds have
    won or lost together, between two of them and after the last; else None. ``still_open``, after the last round: the
    games whose deals of today the player has not finished; None once that day is past.
    """

    practice: bool
    of: str | None = None
    daily: str | None = None
    number: int = 1
    rounds: int = 1
    so_far: int | None = None
    still_open: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Board:
    """All that a player sees of a solo game.

    ``hand`` and what follows is None or empty when the table is. ``view`` is None until the cards are dealt.

    ``note`` is ``repeated`` when a request was a copy of one already carried out, ``moved-on`` when it came too late,
    ``gone`` when it named a hand that this one stands in for.
    """

    game: AnyGame
    table: str
    rules: Any
    standing: Standing
    recent: tuple[Summary, ...] | None
    """The last hands; None where they were not looked up, because the page has them."""
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
    returned: int = 0
    """Chips that went back with the hand if it is void; at an empty table, with the last one."""
    unpaid: int = 0
    """Chips of the payout that had no room in the purse."""
    deals_at_once: bool = False
    """The player wants hands to be dealt without a cut."""
    quick: bool = False
    """The hand is sealed, and is dealt without asking for a cut."""
    chosen: tuple[str, ...] = ()
    """Bets that were chosen while sitting down, and are sent with the deal."""

    @property
    def code(self) -> str:
        """Code of the game."""
        return self.game.spec.code

    @property
    def number(self) -> int:
        """Number of the hand among all of the player's in this game; one without chips has that of the next."""
        return self.seq or self.standing.hands + 1

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
        return 0 if bets is None else int(bets.most_for(self.purse))

    @property
    def lines(self) -> tuple[int, ...]:
        """How many hands may be drawn from one hold, as far as the purse pays for them."""
        bets = self.rules.bets
        return () if bets is None else tuple(lines for lines in bets.lines if bets.most_for(self.purse, lines))

    @property
    def usual_lines(self) -> int:
        """As many hands as the last time, or as many of them as the purse can pay for."""
        bets = self.rules.bets
        last = len(self.standing.last_stakes) if bets is not None and len(bets.lines) > 1 else 1
        return max((lines for lines in self.lines if lines <= last), default=1)

    @property
    def tier(self) -> Tier:
        """Tier of the win that the last action has brought: that of the hand, or of the purse that it has filled."""
        if self.same:
            return self.view.tier if self.view else Tier.EVEN
        return tier_of(self.view, self.rules.bets, self.purse, self.standing.peak, self.staked + self.unpaid)

    @property
    def net(self) -> int:
        """Chips that the hand has brought in all: its stake is not won when it comes back. 0 while it is played."""
        return 0 if self.note else net_of(self.view, self.rules.bets, self.staked) - self.unpaid

    @property
    def is_lost(self) -> bool:
        """The hand was played to its end, and brought less than was put in, or nothing."""
        return not self.closed and is_lost(self.game, self.view, self.rules.pays, self.staked)

    @property
    def usual_bet(self) -> int:
        """The bet of the button *last bet*: as far as the purse allows it."""
        most = self.rules.bets.most_for(self.purse, self.usual_lines)
        return min(self.standing.last_stakes[0], most) if self.standing.last_stakes else int(most)

    @property
    def usual_bets(self) -> tuple[int, ...]:
        """The bets of the last hand, one a place, as far as the purse goes; at first a tenth of a new purse on one."""
        bets = self.rules.bets
        if bets is None:
            return ()
        last = self.standing.last_stakes or (max(bets.start // 10, bets.least),)
        lines = self.usual_lines
        usual, left = [], self.purse if lines == 1 else bets.most_for(self.purse, lines)
        for place in range(len(bets.places)):
            bet = min(last[place], bets.most or left, left) if place < len(last) else 0
            usual.append(bet if bet >= bets.least else 0)
            left -= usual[-1]
        return tuple(usual)

    @property
    def too_dear(self) -> tuple[int, ...]:
        """The last bets, if the purse does not pay them any more and the usual ones are lower; else empty."""
        return self.standing.last_stakes if sum(self.standing.last_stakes) > self.purse else ()

    @property
    def over(self) -> bool:
        """True if the hand has ended."""
        return self.status not in (None, "ready", "live")

    @property
    def is_ready(self) -> bool:
        """The hand is sealed, and not dealt."""
        return self.status == "ready"

    @property
    def is_playing(self) -> bool:
        """The hand is dealt, and not over."""
        return self.view is not None and not self.over

    @property
    def is_broke(self) -> bool:
        """The purse pays no bet."""
        return self._may_stake and not self.most_bet

    @property
    def is_betting(self) -> bool:
        """Bets are chosen now."""
        return self._may_stake and not self.chosen

    @property
    def _may_stake(self) -> bool:
        return bool(self.rules.bets) and not self.is_playing and not self.same

    @property
    def goes_on(self) -> bool:
        """The page deals the hand by itself: nothing is left to be chosen."""
        return self.quick and (not self.rules.bets or bool(self.chosen))

    @property
    def next_at_once(self) -> NextHand | None:
        """The next hand, if it is dealt with the request that asks for it."""
        return self.next if self.deals_at_once and not self.is_broke else None

    @property
    def other_table(self) -> str | None:
        """The table as addresses name it: not at all if it is the usual one."""
        return None if self.table == self.game.spec.default else self.table

    @property
    def paid(self) -> int:
        """Chips that the last action has paid out."""
        return sum(self.view.result.payouts) - self.unpaid if self.view and self.view.result and not self.note else 0

    @property
    def result_sound(self) -> str:
        """Name of the sound of the result; empty if there is none."""
        if self.view is None or self.note:
            return ""
        return f"ping-{int(self.view.tier)}" if self.net > 0 or self.view.tier else "tick" if self.is_lost else ""

    @property
    def is_among_the_first(self) -> bool:
        """It is a new player's hand, and was just dealt or played on."""
        return self.view is not None and self.number <= 3 and not self.note and not self.closed

    @property
    def closed(self) -> bool:
        """True if the hand was ended without being played out."""
        return self.over and self.status != "done"

    @property
    def was_void(self) -> bool:
        """The table is empty, and the last hand of the game is void."""
        return self.hand is None and bool(self.recent and self.recent[0].status == "void")

    @property
    def may_ask(self) -> bool:
        """The coach may be asked about the hand: not at a daily deal, where all have the same help."""
        return self.same is None or self.same.practice

    @property
    def has_coach_line(self) -> bool:
        """The page says what the coach says of the hand, where a game has a coach."""
        return self.may_ask and not self.closed and not self.is_broke

    @property
    def has_page(self) -> bool:
        """The hand has a page at ``/h/<key>``: it is over, and it had a cut."""
        return self.over and self.cut is not None


def board_to_show(board: Board, deals_at_once: bool, wanted: tuple[str, ...] = (), refusal: str = "") -> Board:
    """Return the board with what its page depends on besides the hand.

    Args:
        deals_at_once: the preference of the player.
        wanted: bets of the form that was sent.
        refusal: code of the refusal that the page tells.
    """
    quick = board.is_ready and deals_at_once and not board.note and refusal != "bad-cut"
    chosen = wanted if quick and not refusal else ()
    return replace(board, deals_at_once=deals_at_once, quick=quick, chosen=chosen)


def empty_board(game: AnyGame, table: str, player: str | None) -> Board:
    """Return the board of a table before anybody sits down."""
    rules = game.rules(table)
    standing, recent = standing_and_last_hands(player, game.spec.code, rules.bets)
    win_loss = None if rules.pays else count_wins(player, game.spec.code, table)
    run = run_over(player, game.spec.code, rules.bets, standing.purse)
    shoe = shoe_waiting(game, table, player)
    is_void = bool(recent) and recent[0].status == "void"
    returned = purses.refunded(recent[0].key) if is_void else 0
    return Board(game, table, rules, standing, recent, shoe=shoe, win_loss=win_loss, run=run, returned=returned)


def board_of(
    hand: Hand, state: Any = None, note: str | None = None, prepared: NextHand | None = None, goes_on: bool = False
) -> Board:
    """Return the board of a hand. ``state`` is None before the deal, and for hands whose cards are not known here.

    ``goes_on``: the player has just acted in it, and it is not over. So the page has the last hands already.
    """
    game = hand_game(hand)
    rules = game.rules(hand.variant)
    owner = (hand.player_id, hand.game, rules.bets)
    same, status = _same_deal(hand, game), hand.status
    standing, recent = (standing_of(*owner), None) if goes_on or same else standing_and_last_hands(*owner)
    view = None if state is None else game.view(state, ALONE)
    if view and rules.bets and not same:
        view = replace(view, actions=affordable(game, state, standing.purse))
    actions = ("deal",) if status == "ready" else tuple(map(str, view.actions)) if view else ()
    if status == "live" and is_late(hand):
        status = "forfeited"
    return Board(
        game,
        hand.variant,
        rules,
        standing,
        recent,
        hand=hand.key,
        seq=hand.seq or None,  # a prepared hand has no number yet
        step=hand.step,
        status=status,
        commitment=hand.commitment,
        cut=hand.cut or (hand.shoe.cut if hand.shoe else None),
        shoe=shoe_of_hand(hand, state),
        stakes=parse_numbers(hand.stakes),
        marks=parse_numbers(hand.marks),
        helped=hand.helped,
        view=view,
        actions=actions if status in ("ready", "live") else (),
        note=note,
        summary_cards=() if state is None else game.summary_cards(state),
        win_loss=None if rules.pays or same else count_wins(hand.player_id, hand.game, hand.variant),
        staked=0 if state is None else sum(game.committed(state)),
        run=None if same else run_over(hand.player_id, hand.game, rules.bets, standing.purse, status),
        next=prepared,
        same=same,
        returned=purses.refunded(hand.key) if status == "void" else 0,
        unpaid=unpaid_of(hand, state) if status == "done" else 0,
    )


def _same_deal(hand: Hand, game: AnyGame) -> SameDeal | None:
    """Return where the cards of a hand without chips come from, and nothing more of the hand that has them."""
    if hand.kind == PLAY:
        return None
    day = hand.daily_deal.day if hand.daily_deal else None
    rounds = game.spec.daily.rounds if day and game.spec.daily else 1
    so_far = _won_so_far(hand) if hand.kind == DAILY and rounds > 1 and hand.status == "done" else None
    is_last = hand.kind == DAILY and hand.status == "done" and (hand.number or 1) == rounds
    still_open = _still_open(hand.player_id, day) if is_last and day == today() else None
    return SameDeal(hand.kind != DAILY, hand.of_key, day, hand.number or 1, rounds, so_far, still_open)


def _still_open(player: str, day: str) -> tuple[str, ...]:
    """Return the games whose deals of a day a player has not finished."""
    done = (
        select(DailyDeal.game, func.count())
        .join(Hand, Hand.daily_key == DailyDeal.key)
        .where(DailyDeal.day == day, Hand.player_id == player, IS_DAILY, Hand.status == "done")
        .group_by(DailyDeal.game)
    )
    rounds = {code: game.spec.daily.rounds for code, game in SOLO.items() if game.spec.daily}
    finished = {code for code, number in db.session.execute(done) if number == rounds.get(code)}
    return tuple(code for code in rounds if code not in finished)


def _won_so_far(hand: Hand) -> int:
    """Return what a player's rounds of a daily deal have won or lost, up to this one."""
    rounds = (Hand.player_id == hand.player_id, Hand.daily_key == hand.daily_key, IS_DAILY, Hand.number <= hand.number)
    return int(db.session.scalar(select(func.sum(Hand.net)).where(*rounds)) or 0)
