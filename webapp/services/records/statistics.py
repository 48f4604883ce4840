"""What a player has come to: a career in each game."""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import Select, case, func, select

from webapp.engine.games import GAMES, SOLO
from webapp.extensions import db
from webapp.models import IS_PUBLIC, Hand, LedgerEntry, Player, Purse, RoundSeat, TableRound
from webapp.services.records.outcomes import WinLossCount

POINTS: Final = 60
LOOKED_AT: Final = 3000


@dataclass(frozen=True, slots=True)
class OutcomeCount:
    """How often a kind of hand was made. ``expected``: its share in dealt cards, None if that is not known."""

    code: str
    count: int
    share: float
    expected: float | None


@dataclass(frozen=True, slots=True)
class VariantStatistics:
    """A player's numbers at one table of a game."""

    table: str
    tally: WinLossCount
    staked: int
    returned: int


@dataclass(frozen=True, slots=True)
class Career:
    """A player's numbers in one game. ``balances``: the purse over time, evenly thinned, oldest first.

    ``tables`` are told apart where everybody may make rules of their own: what is won by some says nothing of others.
    """

    game: str
    hands: int
    purse: int
    best: int
    peak: int
    runs: int
    staked: int
    returned: int
    outcomes: tuple[OutcomeCount, ...]
    balances: tuple[int, ...]
    tables: tuple[VariantStatistics, ...] = ()


def player_name(player: str | None) -> str:
    row = db.session.get(Player, player) if player else None
    return row.name if row else ""


def careers(player: str | None) -> tuple[Career, ...]:
    """One a game the player has sat down to."""
    if player is None:
        return ()
    purses = db.session.scalars(select(Purse).where(Purse.player_id == player).order_by(Purse.game))
    return tuple(_career(purse) for purse in purses)


def _career(purse: Purse) -> Career:
    outcomes = _outcomes(purse)
    alone = purse.game in SOLO  # among players a bank's chips come and go, and would count as bets
    moved = db.session.execute(
        select(LedgerEntry.reason, func.sum(LedgerEntry.amount))
        .where(LedgerEntry.player_id == purse.player_id, LedgerEntry.game == purse.game, LedgerEntry.reason != "run")
        .group_by(LedgerEntry.reason)
    ).all()
    return Career(
        game=purse.game,
        hands=sum(outcome.count for outcome in outcomes),
        purse=purse.balance,
        best=purse.best,
        peak=purse.peak,
        runs=purse.runs,
        staked=-sum(int(amount) for reason, amount in moved if reason != "payout") if alone else 0,
        returned=sum(int(amount) for reason, amount in moved if reason == "payout") if alone else 0,
        outcomes=outcomes,
        balances=_balances(purse),
        tables=_tables(purse) if purse.game in GAMES and GAMES[purse.game].choices() else (),
    )


def _tables(purse: Purse) -> tuple[VariantStatistics, ...]:
    """The most played first."""
    mine = (Hand.player_id == purse.player_id, Hand.game == purse.game, IS_PUBLIC)
    counted: dict[str, list[tuple[str | None, int]]] = {}
    for table, code, count in db.session.execute(
        select(Hand.variant, Hand.outcome, func.count()).where(*mine).group_by(Hand.variant, Hand.outcome)
    ):
        counted.setdefault(table, []).append((code, count))
    paid = case((LedgerEntry.reason == "payout", LedgerEntry.amount), else_=0)
    moved = {
        table: (int(back) - int(net), int(back))
        for table, net, back in db.session.execute(
            select(Hand.variant, func.sum(LedgerEntry.amount), func.sum(paid))
            .join(LedgerEntry, LedgerEntry.hand_key == Hand.key)
            .where(*mine)
            .group_by(Hand.variant)
        )
    }
    tables = (
        VariantStatistics(table, WinLossCount.of(GAMES[purse.game].spec, codes), *moved.get(table, (0, 0)))
        for table, codes in counted.items()
    )
    return tuple(sorted(tables, key=lambda each: (-each.tally.played, each.table)))


def _outcomes(purse: Purse) -> tuple[OutcomeCount, ...]:
    counted = db.session.execute(_counted_outcomes(purse)).all()
    all_hands = sum(count for _, count in counted)
    expected = GAMES[purse.game].frequencies() if purse.game in GAMES else {}
    return tuple(OutcomeCount(code, count, count / all_hands, expected.get(code)) for code, count in counted if code)


def _counted_outcomes(purse: Purse) -> Select[str | None, int]:
    """The most frequent first: of hands, or of rounds at shared tables."""
    if purse.game in SOLO:
        mine = (Hand.player_id == purse.player_id, Hand.game == purse.game, IS_PUBLIC)
        found = select(Hand.outcome, func.count()).where(*mine).group_by(Hand.outcome)
        return found.order_by(func.count().desc(), Hand.outcome)
    played = (RoundSeat.player_id == purse.player_id, RoundSeat.finished_at.is_not(None), TableRound.game == purse.game)
    found = select(RoundSeat.outcome, func.count()).join(TableRound, TableRound.key == RoundSeat.round_key)
    found = found.where(*played).group_by(RoundSeat.outcome)
    return found.order_by(func.count().desc(), RoundSeat.outcome)


def _balances(purse: Purse) -> tuple[int, ...]:
    """At most POINTS of the balances after each of the player's latest entries, the last one among them."""
    mine = (LedgerEntry.player_id == purse.player_id, LedgerEntry.game == purse.game)
    latest = select(LedgerEntry.balance_after).where(*mine).order_by(LedgerEntry.id.desc()).limit(LOOKED_AT)
    balances = db.session.scalars(latest).all()
    return tuple(reversed(balances[:: max(1, -(-len(balances) // POINTS))]))
