"""What players decided in rounds at shared tables: at their own seats, and not where they were played for."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from webapp.engine.odds.review import VERSION
from webapp.extensions import db
from webapp.models import Review, RoundSeat, TableRound
from webapp.services.records.finished import Finished
from webapp.services.records.stored_round import AutoMove

_REVIEWED: Final = (
    select(TableRound.key, TableRound.game, TableRound.autos, TableRound.banker, Review.document)
    .add_columns(RoundSeat.number, RoundSeat.finished_at)
    .join(TableRound, TableRound.key == RoundSeat.round_key)
    .join(Review, (Review.key == TableRound.key) & (Review.version == VERSION))
    .where(RoundSeat.player_id == bindparam("player"), ~RoundSeat.bot, TableRound.status == "done")
    .order_by(RoundSeat.finished_at.desc(), RoundSeat.round_key, RoundSeat.number)
    .limit(bindparam("most"))
)
_STAKES: Final = select(RoundSeat.round_key, RoundSeat.number, RoundSeat.stake).where(
    RoundSeat.round_key.in_(bindparam("rounds", expanding=True))
)


@dataclass(frozen=True, slots=True)
class OwnRound:
    """A player's part of a reviewed round: the decisions as the review has them, and what their costs are shares of."""

    key: str
    game: str
    finished_at: int
    staked: int
    decisions: tuple[Mapping[str, Any], ...]


def latest_rounds(player: str, most: int) -> Iterator[OwnRound]:
    """Yield the latest reviewed rounds of a player, the latest first."""
    rows = db.session.execute(_REVIEWED, {"player": player, "most": most}).all()
    stakes: defaultdict[str, dict[int, int]] = defaultdict(dict)
    for seat in db.session.execute(_STAKES, {"rounds": {row.key for row in rows}}) if rows else ():
        stakes[seat.round_key][seat.number] = seat.stake
    for row in rows:
        of_round = stakes[row.key]
        place = sum(number < row.number for number in of_round)
        against = sum(of_round.values()) - of_round[row.number]
        autos = tuple(AutoMove.parse(word) for word in row.autos.split())
        decisions = own_decisions(json.loads(row.document), place, autos)
        staked = against if row.banker == row.number else of_round[row.number]
        yield OwnRound(row.key, row.game, row.finished_at, staked, tuple(decisions))


def own_decisions(
    document: Mapping[str, Any], place: int, autos: Sequence[AutoMove | None]
) -> Sequence[Mapping[str, Any]]:
    """Return the decisions of a review that were made at a place, and by its player.

    Args:
        autos: For each move of a round how and why it was made, None if the player made it; of a hand there are none.
    """
    return [each for each in document["decisions"] if each["seat"] == place and not (autos and autos[each["step"]])]


def staked_at(finished: Finished, place: int) -> int:
    """Return what the decisions at a place of a round are measured by: its bet, and for the bank those against it."""
    stakes = finished.setup.stakes
    return sum(stakes) - stakes[place] if finished.seats[place].banker else stakes[place]


def people_in(session: Session, finished: Finished) -> tuple[tuple[int, str], ...]:
    """Return the places of the people who played a round, and who they are; bots are none."""
    rows = session.execute(
        select(RoundSeat.number, RoundSeat.player_id).where(RoundSeat.round_key == finished.key, ~RoundSeat.bot)
    )
    players: dict[int, str] = {row.number: row.player_id for row in rows}
    return tuple((place, players[seat.number]) for place, seat in enumerate(finished.seats) if seat.number in players)


def own_steps(finished: Finished, player: str | None) -> frozenset[int]:
    """Return the steps at which a player has moved in a round."""
    places = {place for place, who in people_in(db.session(), finished) if who == player} if player else ()
    return frozenset(
        step
        for step, (move, auto) in enumerate(zip(finished.moves, finished.autos, strict=True))
        if move.seat in places and auto is None
    )
