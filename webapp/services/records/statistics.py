"""Statistics of a player's finished hands: wins and losses, and a career in each game."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Self

from sqlalchemy import Select, case, func, select

from webapp.engine.games import GAMES, SOLO
from webapp.engine.spec import Spec
from webapp.extensions import db
from webapp.models import IS_PUBLIC, Hand, LedgerEntry, Purse, RoundSeat, TableRound

POINTS: Final = 60
LOOKED_AT: Final = 3000
"""Latest entries of the ledger that the curve of a purse is made from, thinned to ``POINTS``."""

LEFT: Final = ("FORFEITED", "VOID")


@dataclass(frozen=True, slots=True)
class WinLossCount:
    """Numbers of hands won, lost and drawn. Hands that were not played out are not counted."""

    won: int = 0
    lost: int = 0
    drawn: int = 0

    @classmethod
    def of(cls, spec: Spec, counted: Iterable[tuple[str | None, int]]) -> Self:
        """Add up a game's pairs of the code of an outcome and how often there was one."""
        counts = {"won": 0, "lost": 0, "drawn": 0}
        for code, count in counted:
            if code and code not in LEFT:
                counts["won" if code in spec.won else "drawn" if code in spec.drawn else "lost"] += count
        return cls(**counts)

    @property
    def played(self) -> int:
        return self.won + self.lost + self.drawn


def count_wins(player: str | None, game: str, variant: str) -> WinLossCount:
    """Return the count of a player's hands of one variant."""
    own = (Hand.player_id == player, Hand.game == game, Hand.variant == variant, IS_PUBLIC)
    counted = select(Hand.outcome, func.count()).where(*own).group_by(Hand.outcome)
    return WinLossCount.of(GAMES[game].spec, ((code, count) for code, count in db.session.execute(counted)))


@dataclass(frozen=True, slots=True)
class OutcomeCount:
    """How often there was an outcome, its share, and its expected share in dealt cards, None if it is not known."""

    code: str
    count: int
    share: float
    expected: float | None


@dataclass(frozen=True, slots=True)
class VariantStatistics:
    """Statistics of one variant of a game. ``table`` is the variant."""

    table: str
    tally: WinLossCount
    staked: int
    returned: int


@dataclass(frozen=True, slots=True)
class Career:
    """Statistics of one game. ``balances``: the purse over time, evenly thinned, oldest first.

    ``tables`` are the variants one by one, for a game with own rules: results by some rules say nothing about others.
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


def careers(player: str | None) -> tuple[Career, ...]:
    """Return a career for each game that the player has sat down to."""
    if player is None:
        return ()
    purses = db.session.scalars(select(Purse).where(Purse.player_id == player).order_by(Purse.game))
    return tuple(_career(purse) for purse in purses)


def _career(purse: Purse) -> Career:
    outcomes = _outcomes(purse)
    alone = purse.game in SOLO  # at shared tables the banker's chips come and go, and would count as bets
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
    """Return statistics of each variant, the most played first."""
    own = (Hand.player_id == purse.player_id, Hand.game == purse.game, IS_PUBLIC)
    counted: dict[str, list[tuple[str | None, int]]] = {}
    for table, code, count in db.session.execute(
        select(Hand.variant, Hand.outcome, func.count()).where(*own).group_by(Hand.variant, Hand.outcome)
    ):
        counted.setdefault(table, []).append((code, count))
    paid = case((LedgerEntry.reason == "payout", LedgerEntry.amount), else_=0)
    moved = {
        table: (int(back) - int(net), int(back))
        for table, net, back in db.session.execute(
            select(Hand.variant, func.sum(LedgerEntry.amount), func.sum(paid))
            .join(LedgerEntry, LedgerEntry.hand_key == Hand.key)
            .where(*own)
            .group_by(Hand.variant)
        )
    }
    tables = (
        VariantStatistics(table, WinLossCount.of(GAMES[purse.game].spec, codes), *moved.get(table, (0, 0)))
        for table, codes in counted.items()
    )
    return tuple(sorted(tables, key=lambda variant: (-variant.tally.played, variant.table)))


def _outcomes(purse: Purse) -> tuple[OutcomeCount, ...]:
    counted = db.session.execute(_counted_outcomes(purse)).all()
    all_hands = sum(count for _, count in counted)
    expected = GAMES[purse.game].frequencies() if purse.game in GAMES else {}
    return tuple(OutcomeCount(code, count, count / all_hands, expected.get(code)) for code, count in counted if code)


def _counted_outcomes(purse: Purse) -> Select[str | None, int]:
    """Select outcomes, the most frequent first: of hands, or of rounds at shared tables."""
    if purse.game in SOLO:
        own = (Hand.player_id == purse.player_id, Hand.game == purse.game, IS_PUBLIC)
        found = select(Hand.outcome, func.count()).where(*own).group_by(Hand.outcome)
        return found.order_by(func.count().desc(), Hand.outcome)
    played = (RoundSeat.player_id == purse.player_id, RoundSeat.finished_at.is_not(None), TableRound.game == purse.game)
    found = select(RoundSeat.outcome, func.count()).join(TableRound, TableRound.key == RoundSeat.round_key)
    found = found.where(*played).group_by(RoundSeat.outcome)
    return found.order_by(func.count().desc(), RoundSeat.outcome)


def _balances(purse: Purse) -> tuple[int, ...]:
    """Return at most ``POINTS`` of the balances after each of the latest entries, the last one among them."""
    own = (LedgerEntry.player_id == purse.player_id, LedgerEntry.game == purse.game)
    latest = select(LedgerEntry.balance_after).where(*own).order_by(LedgerEntry.id.desc()).limit(LOOKED_AT)
    balances = db.session.scalars(latest).all()
    return tuple(reversed(balances[:: max(1, -(-len(balances) // POINTS))]))
