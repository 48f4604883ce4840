"""Purses: every change of chips is a conditional update of the purse together with an entry in the ledger.

A new purse has as many chips as the rules of its game say: ``Bets.start``, 100 where they say nothing.
"""

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import BigInteger, Row, bindparam, case, func, insert, literal_column, select, update
from sqlalchemy.dialects import postgresql, sqlite

from webapp.engine.bets import Bets
from webapp.extensions import db
from webapp.models import Hand, LedgerEntry, OutcomeStatistics, Purse, TableRound
from webapp.services.core.errors import Refusal

PAID: Final = ("payout", "bank")
"""Reasons of entries for what a hand or round has paid; all others take stakes, or give back what was not staked."""
CEILING: Final = 10**15
"""The most that a purse holds. What a hand pays beyond it is not paid, and the hand says so.

Bets at a shared table are too small to reach it, and nothing is cut there: what one player loses, another one has won.
"""
_BOUNDLESS: Final = 2**63 - 1

# Statements are built once: building one takes as long as running it. They update rows and not objects, so that no
# object is left with an old balance.
_PURSES: Final = Purse.metadata.tables["purse"]
_LEDGER: Final = LedgerEntry.metadata.tables["ledger_entry"]
_P: Final = _PURSES.c
_OF_PLAYER: Final = (_P.player_id == bindparam("player"), _P.game == bindparam("of"))
_BALANCE: Final = select(_P.balance).where(*_OF_PLAYER)
_BALANCE_LOCKED: Final = _BALANCE.with_for_update()
_AFTER: Final = _P.balance + bindparam("chips", type_=BigInteger)
_PAID: Final = bindparam("paid", type_=BigInteger)
_CHANGED: Final = (
    update(_PURSES)
    .where(*_OF_PLAYER, _AFTER.between(0, bindparam("most", type_=BigInteger)))
    .values(
        balance=_AFTER,
        peak=case((_P.peak < _AFTER, _AFTER), else_=_P.peak),
        best=case((_P.best < _PAID, _PAID), else_=_P.best),
        runs=_P.runs + bindparam("more_runs"),
        given=_P.given + bindparam("given", type_=BigInteger),
        last_stakes=func.coalesce(bindparam("stakes", type_=_P.last_stakes.type), _P.last_stakes),
    )
    .returning(_P.balance)
)
_ENTERED: Final = insert(_LEDGER)
_CHARGED: Final = select(-func.sum(_LEDGER.c.amount)).where(_LEDGER.c.hand_key == bindparam("hand"))
_REFUNDED: Final = select(_LEDGER.c.amount).where(
    _LEDGER.c.hand_key == bindparam("hand"), _LEDGER.c.reason == literal_column("'refund'")
)
_OUTCOMES: Final = OutcomeStatistics.metadata.tables["outcome_count"]
_ONE_MORE: Final = {
    dialect: (added := upsert(_OUTCOMES)).on_conflict_do_update(
        index_elements=["player_id", "game", "variant", "outcome"],
        set_={name: _OUTCOMES.c[name] + added.excluded[name] for name in ("hands", "staked", "returned")},
    )
    for dialect, upsert in (("sqlite", sqlite.insert), ("postgresql", postgresql.insert))
}
_COUNTED: Final = {
    dialect: (begun := upsert(_PURSES).values(balance=0, best=0, runs=0, given=0, peak=0, last_stakes=""))
    .on_conflict_do_update(index_elements=["player_id", "game"], set_={"hands": _P.hands + begun.excluded.hands})
    .returning(_P.hands, _P.balance, _P.runs)
    for dialect, upsert in (("sqlite", sqlite.insert), ("postgresql", postgresql.insert))
}


def begin_hand(
    player: str, game: str, bets: Bets | None, now: int, anew: bool = False, number: int | None = None
) -> int:
    """Return the number of a new hand, and lock the purse until the transaction ends. The first hand makes the purse.

    A purse that is too small for any bet begins a new run: it is filled to the start. With ``anew`` any purse does.
    ``number``: that of a hand that was never dealt, to be used again.
    """
    more = 1 if number is None else 0
    purse = _counted(player, game, more)
    if bets is not None:
        _fill_if_over(player, game, purse, bets, now, anew)
    hands: int = purse.hands
    return hands


def open_at_table(player: str, game: str, bets: Bets, now: int) -> int:
    """Return the chips of a player who begins a round at a shared table. A purse too small for any bet is filled."""
    purse = _counted(player, game)
    chips: int = _fill_if_over(player, game, purse, bets, now)
    return chips


def begin_run(player: str, game: str, bets: Bets, now: int) -> None:
    """Begin a new run: set the purse to the start, whatever is in it, and forget the bet of the run before."""
    _enter(player, game, None, "run", bets.start - balance(player, game), now, more_runs=1, stakes="")


def stake(hand: Hand, chips: int, now: int) -> None:
    """Take the stakes of a hand with its deal, and remember them for the bets of the next one.

    Raises:
        Refusal: ``purse-too-small``.
    """
    if chips:
        _enter(hand.player_id, hand.game, hand.key, "stake", -chips, now, stakes=hand.stakes)


def charge(hand: Hand, reason: str, chips: int, now: int) -> None:
    """Take more chips for a hand.

    Raises:
        Refusal: ``purse-too-small``.
    """
    if chips:
        _enter(hand.player_id, hand.game, hand.key, reason, -chips, now)


def pay(hand: Hand, chips: int, now: int) -> int:
    """Pay a finished hand, up to the ceiling of the purse, and remember the highest payout. Return what was paid."""
    if not chips:
        return 0
    paid = chips
    try:
        _enter(hand.player_id, hand.game, hand.key, "payout", paid, now, paid=paid)
    except Refusal:  # it is more than the purse has room for
        paid = CEILING - int(db.session.scalars(_BALANCE_LOCKED, {"player": hand.player_id, "of": hand.game}).one())
        _enter(hand.player_id, hand.game, hand.key, "payout", paid, now, paid=paid)
    return paid


def count_outcome(
    player: str, game: str, variant: str, outcome: str | None, staked: int = 0, returned: int = 0
) -> None:
    """Count one finished hand more."""
    counted = {"player_id": player, "game": game, "variant": variant, "outcome": outcome or "", "hands": 1}
    db.session.execute(_ONE_MORE[db.engine.dialect.name], {**counted, "staked": staked, "returned": returned})


def refund(hand: Hand, now: int) -> None:
    """Give back everything that was charged for a hand that does not count."""
    chips = charged(hand)
    if chips:
        _enter(hand.player_id, hand.game, hand.key, "refund", chips, now)


def refunded(hand_key: str) -> int:
    """Return the chips that a hand has given back, because it is void."""
    return int(db.session.scalars(_REFUNDED, {"hand": hand_key}).one_or_none() or 0)


def charged(hand: Hand) -> int:
    """Return all that was charged for a hand so far, and not given back."""
    return int(db.session.scalars(_CHARGED, {"hand": hand.key}).one() or 0)


def balance(player: str, game: str) -> int:
    """Return the chips of a player in a game, 0 if there is no purse yet."""
    return db.session.scalars(_BALANCE, {"player": player, "of": game}).one_or_none() or 0


def move_at_table(player: str, round: TableRound, reason: str, chips: int, now: int) -> None:
    """Take chips for a round of a shared table, if ``chips`` is negative, or give them.

    Raises:
        Refusal: ``purse-too-small``.
    """
    if chips:
        paid = chips if reason == "payout" else 0
        _enter(player, round.game, None, reason, chips, now, round=round.key, paid=paid, most=_BOUNDLESS)


def charged_at_table(round: TableRound) -> Mapping[str, int]:
    """Return the chips that a round has taken from each player so far."""
    charged = select(_LEDGER.c.player_id, -func.sum(_LEDGER.c.amount)).where(_LEDGER.c.round_key == round.key)
    return {player: int(chips) for player, chips in db.session.execute(charged.group_by(_LEDGER.c.player_id))}


def _counted(player: str, game: str, more: int = 1) -> Row[Any]:
    """Count one hand more in the purse, which is made if there is none. Return hands, balance and runs."""
    return db.session.execute(
        _COUNTED[db.engine.dialect.name], {"player_id": player, "game": game, "hands": more}
    ).one()


def _fill_if_over(player: str, game: str, purse: Row[Any], bets: Bets, now: int, anew: bool = False) -> int:
    """Begin a new run if the purse is too small for any bet, or if ``anew``. Return the balance."""
    if purse.runs and purse.balance >= bets.least and not anew:
        chips: int = purse.balance
        return chips
    if purse.runs and purse.balance == bets.start:
        return bets.start  # a full purse needs no filling, and no entry
    return _enter(player, game, None, "run", bets.start - purse.balance, now, more_runs=1, stakes="")


def _enter(
    player: str,
    game: str,
    hand: str | None,
    reason: str,
    chips: int,
    now: int,
    *,
    round: str | None = None,
    paid: int = 0,
    more_runs: int = 0,
    stakes: str | None = None,
    most: int = CEILING,
) -> int:
    """Change a purse and add the entry. Return the balance after it.

    ``paid`` is compared with the highest payout so far; ``stakes`` are remembered if given.

    Raises:
        Refusal: ``purse-too-small``, also if it would hold more than ``most``; then nothing has changed.
    """
    given = chips if more_runs else 0
    changed = {"chips": chips, "paid": paid, "more_runs": more_runs, "given": given, "stakes": stakes, "most": most}
    balance = db.session.scalars(_CHANGED, {"player": player, "of": game, **changed}).one_or_none()
    if balance is None:
        raise Refusal("purse-too-small")
    owner = {"player_id": player, "game": game, "hand_key": hand, "round_key": round}
    db.session.execute(_ENTERED, {**owner, "reason": reason, "amount": chips, "balance_after": balance, "at": now})
    return int(balance)
