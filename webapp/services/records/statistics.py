"""Statistics of a player's finished hands: wins and losses, and a career in each game."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Self

from sqlalchemy import bindparam, func, select

from webapp.engine.games import GAMES, SOLO
from webapp.engine.spec import Spec
from webapp.extensions import db
from webapp.models import Hand, LedgerEntry, OutcomeStatistics, Purse, TableRound

POINTS: Final = 60
LOOKED_AT: Final = 3000
"""Latest entries of the ledger that the curve of a purse is made from, thinned to ``POINTS``."""

LEFT: Final = ("FORFEITED", "VOID")

# put together once: building a statement takes as long as running it
_OF_VARIANT: Final = select(OutcomeStatistics.outcome, OutcomeStatistics.hands).where(
    OutcomeStatistics.player_id == bindparam("player"),
    OutcomeStatistics.game == bindparam("game"),
    OutcomeStatistics.variant == bindparam("variant"),
)


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
    counted = db.session.execute(_OF_VARIANT, {"player": player, "game": game, "variant": variant})
    return WinLossCount.of(GAMES[game].spec, ((code, count) for code, count in counted))


@dataclass(frozen=True, slots=True)
class OutcomeCount:
    """Count of an outcome, its share, and its expected share in dealt cards, None if it is not known."""

    code: str
    count: int
    share: float
    expected: float | None


@dataclass(frozen=True, slots=True)
class VariantStatistics:
    """Statistics of one variant of a game, ``table``. ``win_loss``: None where no result is a win, as at draw poker."""

    table: str
    win_loss: WinLossCount | None
    staked: int
    returned: int
    hands: int

    @property
    def returned_percent(self) -> int | None:
        """Chips returned of those staked, in whole per cent; None if nothing was staked."""
        return _percent(self.returned, self.staked)


@dataclass(frozen=True, slots=True)
class Career:
    """Statistics of one game. ``balances``: the purse over time, evenly thinned, oldest first.

    ``tables``: statistics of each variant, for a game with own rules: results by different rules cannot be compared.
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

    @property
    def returned_percent(self) -> int | None:
        """Chips returned of those staked, in whole per cent; None if nothing was staked."""
        return _percent(self.returned, self.staked)

    @property
    def has_lines(self) -> bool:
        """Several hands may be drawn from one hold: only the best of them is among the outcomes."""
        game = GAMES.get(self.game)
        bets = game.rules(game.spec.default).bets if game else None
        return bets is not None and len(bets.lines) > 1


def _percent(part: int, whole: int) -> int | None:
    return round(100 * part / whole) if whole else None


def careers(player: str | None) -> tuple[Career, ...]:
    """Return a career for each game that the player has sat down to."""
    if player is None:
        return ()
    purses = db.session.scalars(select(Purse).where(Purse.player_id == player).order_by(Purse.game))
    return tuple(_career(purse) for purse in purses)


def _career(purse: Purse) -> Career:
    counts = db.session.scalars(
        select(OutcomeStatistics).where(
            OutcomeStatistics.player_id == purse.player_id, OutcomeStatistics.game == purse.game
        )
    )
    kept = tuple(counts)
    outcomes = _outcomes(purse.game, kept)
    return Career(
        game=purse.game,
        hands=sum(outcome.count for outcome in outcomes),
        purse=purse.balance,
        best=purse.best,
        peak=purse.peak,
        runs=purse.runs,
        staked=sum(count.staked for count in kept),
        returned=sum(count.returned for count in kept),
        outcomes=outcomes,
        balances=_balances(purse),
        tables=_tables(purse.game, kept) if purse.game in SOLO and SOLO[purse.game].choices() else (),
    )


def _tables(game: str, kept: tuple[OutcomeStatistics, ...]) -> tuple[VariantStatistics, ...]:
    """Return statistics of each variant, the most played first."""
    by_variant: dict[str, list[OutcomeStatistics]] = {}
    for count in kept:
        by_variant.setdefault(count.variant, []).append(count)
    tables = (_of_variant(game, variant, counts) for variant, counts in by_variant.items())
    return tuple(sorted(tables, key=lambda variant: (-variant.hands, variant.table)))


def _of_variant(game: str, variant: str, counts: list[OutcomeStatistics]) -> VariantStatistics:
    spec = GAMES[game].spec
    win_loss = WinLossCount.of(spec, ((count.outcome, count.hands) for count in counts))
    staked, returned = sum(count.staked for count in counts), sum(count.returned for count in counts)
    return VariantStatistics(variant, win_loss if spec.won else None, staked, returned, win_loss.played)


def _outcomes(game: str, kept: tuple[OutcomeStatistics, ...]) -> tuple[OutcomeCount, ...]:
    """Return the outcomes of all variants together, the most frequent first."""
    counts: Counter[str] = Counter()
    for count in kept:
        counts[count.outcome] += count.hands
    expected = _expected(game, kept) if game in GAMES else {}
    return tuple(
        OutcomeCount(code, counts[code], counts[code] / counts.total(), expected.get(code))
        for code in sorted(counts, key=lambda code: (-counts[code], code))
        if code
    )


def _expected(game: str, kept: tuple[OutcomeStatistics, ...]) -> dict[str, float]:
    """Return the share of each outcome among cards as they are dealt, at the variants that were played."""
    hands: Counter[str] = Counter()
    for count in kept:
        hands[count.variant] += count.hands
    expected: dict[str, float] = {}
    for variant, number in hands.items():
        for code, share in GAMES[game].frequencies(variant).items():
            expected[code] = expected.get(code, 0.0) + share * number / hands.total()
    return expected


def _balances(purse: Purse) -> tuple[int, ...]:
    """Return at most ``POINTS`` of the balances after each of the latest hands and rounds, the last one among them.

    Chips that lie on the table are not gone, so what a purse held during a hand is left out.
    """
    latest = (
        select(LedgerEntry.balance_after, func.coalesce(LedgerEntry.hand_key, LedgerEntry.round_key, ""))
        .outerjoin(Hand, Hand.key == LedgerEntry.hand_key)
        .outerjoin(TableRound, TableRound.key == LedgerEntry.round_key)
        .where(LedgerEntry.player_id == purse.player_id, LedgerEntry.game == purse.game)
        .where(func.coalesce(Hand.status, TableRound.status, "done").not_in(("live", "betting")))
        .order_by(LedgerEntry.id.desc())
        .limit(LOOKED_AT)
    )
    seen, balances = set[str](), list[int]()
    for balance, key in db.session.execute(latest):
        if not key or key not in seen:
            balances.append(balance)
        seen.add(key)
    return tuple(reversed(balances[:: max(1, -(-len(balances) // POINTS))]))
