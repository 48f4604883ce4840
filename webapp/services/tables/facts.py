"""Facts of a shared table at one version, apart from who looks at it."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from webapp.engine.action import Seat
from webapp.engine.games.table21.rules import Table21Rules
from webapp.engine.games.table21.state import Table21State
from webapp.engine.label import Label
from webapp.services.records.stored_round import AutoMove, PastRoundFacts


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """An occupied seat. The chips are those of ``player``; ``holder`` acts for the seat."""

    number: int
    player: str
    holder: str
    link: str
    bot: bool
    ready: int
    away: bool
    leaving: bool
    policy: str
    has_cut: bool
    seen_at: int


@dataclass(frozen=True, slots=True)
class BetFacts:
    """One seat in a round."""

    number: int
    player: str
    bot: bool
    stake: int
    has_cut: bool
    auto: bool


@dataclass(frozen=True, slots=True)
class LogLine:
    """Something that happened in a round. ``auto``: policy and reason, if it was an automatic action."""

    label: Label
    auto: AutoMove | None


@dataclass(frozen=True, slots=True)
class RoundFacts:
    """A round that is played, or was just settled. ``state``: of the engine, None before the deal."""

    seq: int
    status: str
    banker: int | None
    bets: tuple[BetFacts, ...]
    state: Table21State | None
    log: tuple[LogLine, ...]
    """The latest first, with the seat numbers of the table."""
    moves: int = 0
    before_forced: tuple[Table21State, ...] = ()
    """The states before the last moves that had no alternative: they came all at once, and pages show each of them."""
    last_moves: tuple[tuple[int, LogLine], ...] = ()
    """The last move of seats of the table."""

    @property
    def over(self) -> bool:
        """True once the round is paid."""
        return self.status in ("done", "void")

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the seats that play, in the order of their places."""
        return tuple(bet.number for bet in self.bets)

    def bet(self, number: int) -> BetFacts | None:
        """Return the bet of the seat with a number."""
        return next((bet for bet in self.bets if bet.number == number), None)

    def place(self, number: int) -> Seat | None:
        """Return the place of the seat with a number among those that play."""
        return next((Seat(place) for place, bet in enumerate(self.bets) if bet.number == number), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFacts:
    """Facts of a table that are the same for all its viewers. Times are unix milliseconds.

    ``free``: numbers of the seats that may be taken. ``said``: what happened last.
    """

    code: str
    game: str
    variant: str
    rules: Table21Rules
    public: bool
    version: int
    phase: str
    clock_from: int | None
    deadline: int | None
    acting: int | None
    banker: int | None
    next_banker: int | None
    free: tuple[int, ...]
    said: tuple[Label, ...]


_SHARED: Final = tuple(field.name for field in fields(TableFacts))


def shared_facts(table: TableFacts) -> dict[str, Any]:
    """Return the fields of ``TableFacts``, by name."""
    return {name: getattr(table, name) for name in _SHARED}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Snapshot(TableFacts):
    """All facts of a table at one version. It equals only itself, so that caches find it by its identity.

    ``seq`` and ``commitment`` are those of the round in play or to come; ``shown`` is the round whose cards lie on the
    table, if any. Names, chips and the most chips there ever were are by player. ``returned``: chips that went back
    with the last round, by player, if that is void and no other is in play.
    """

    seq: int
    commitment: str
    seats: tuple[SeatFacts, ...]
    shown: RoundFacts | None
    names: Mapping[str, str]
    chips: Mapping[str, int]
    peaks: Mapping[str, int]
    past: tuple[PastRoundFacts, ...]
    returned: Mapping[str, int]

    def seat_of(self, player: str | None) -> SeatFacts | None:
        """Return the seat that a player acts for."""
        return next((seat for seat in self.seats if seat.holder == player), None) if player else None

    @property
    def in_play(self) -> bool:
        """True while chips lie on the table."""
        return self.phase in ("betting", "playing")
