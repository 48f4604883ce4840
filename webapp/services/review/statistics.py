"""Statistics over the reviews of a player's hands, and the kinds of decisions that cost most.

They are not computed on request, which would take longer with every hand.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from webapp.engine.action import Action
from webapp.engine.cards import Card, parse_cards
from webapp.engine.errors import EngineError
from webapp.engine.odds.review import VERSION
from webapp.engine.odds.value import Grade
from webapp.extensions import db
from webapp.models import IS_PLAY, DecisionStatistics, Hand
from webapp.services.core.errors import Refusal
from webapp.services.core.randomness import pick
from webapp.services.deals.drills import Kinds, kinds_at
from webapp.services.records.finished import Finished
from webapp.services.review.own_rounds import own_decisions, people_in

DEAREST: Final = 5
"""Decisions that cost most, of each table."""
ENOUGH_HANDS: Final = 30
"""Hands from which on a rate says something."""


@dataclass(frozen=True, slots=True)
class DearDecision:
    """A decision that cost much: where it was taken, what was done and what was best, and the chips or points.

    ``hand``, ``dealer``: cards that lay there, where they can be named.
    """

    key: str
    step: int
    action: str
    best: str
    cost: float
    grade: str
    hand: str = ""
    dealer: str = ""

    def cards(self, place: str) -> tuple[Card, ...]:
        """Return the cards that lay there, as a desk of odds does."""
        return parse_cards(self.dealer if place == "dealer" else self.hand)

    @property
    def done(self) -> Action:
        """The action that was taken."""
        return Action.parse(self.action)

    @property
    def better(self) -> Action:
        """The best action."""
        return Action.parse(self.best)


@dataclass(frozen=True, slots=True)
class TableDecisions:
    """The decisions of a player at a table of a game. ``cost`` and ``luck`` are chips, or points."""

    game: str
    table: str
    hands: int
    decisions: int
    best: int
    cost: float
    staked: int
    luck: float
    luck_deviation: float
    """By so much luck in so many hands is off zero as a rule: one standard deviation, as these hands show it."""
    dearest: tuple[DearDecision, ...]

    @property
    def best_share(self) -> float | None:
        """Decisions of which none was better, of all; None without decisions."""
        return self.best / self.decisions if self.decisions else None

    @property
    def cost_per_hundred(self) -> float:
        """Cost of the decisions in a hundred hands."""
        return 100 * self.cost / self.hands

    @property
    def has_rate(self) -> bool:
        """True if there are enough hands for a rate."""
        return self.hands >= ENOUGH_HANDS

    @property
    def cost_share(self) -> float | None:
        """Cost of the decisions as a share of all that was staked; None where nothing is."""
        return self.cost / self.staked if self.staked else None


def decisions_of(player: str | None) -> tuple[TableDecisions, ...]:
    """Return the decisions of a player, for each table with a review, the most played first."""
    mine = (DecisionStatistics.player_id == player, DecisionStatistics.version == VERSION)
    rows = db.session.scalars(select(DecisionStatistics).where(*mine)) if player else ()
    tables = (
        TableDecisions(
            game=row.game,
            table=row.variant,
            hands=row.hands,
            decisions=row.decisions,
            best=row.best,
            cost=row.cost,
            staked=row.staked,
            luck=row.luck,
            luck_deviation=sqrt(row.luck_squared),
            dearest=tuple(DearDecision(**dear) for dear in json.loads(row.dearest)),
        )
        for row in rows
    )
    return tuple(sorted(tables, key=lambda table: (table.game, -table.hands, table.table)))


def add_review(session: Session, finished: Finished, document: Mapping[str, Any]) -> None:
    """Add a review that has just been stored to the statistics of all who played. The caller writes."""
    for place, player in _players(session, finished):
        key = (player, finished.game.spec.code, finished.table, VERSION)
        row = session.get(DecisionStatistics, key, with_for_update=True)
        if row is None:
            row = _empty(*key)
            session.add(row)
        _add(row, finished, document, place)


def _players(session: Session, finished: Finished) -> tuple[tuple[int, str], ...]:
    """Return the places of the people who played, and who they are."""
    if not finished.seats:
        # a hand played with the coach's help, or without chips, says nothing about the player
        unaided = select(Hand.player_id).where(Hand.key == finished.key, IS_PLAY, ~Hand.helped)
        return tuple((0, player) for player in session.scalars(unaided))
    return people_in(session, finished)


def _empty(player: str, game: str, variant: str, version: str) -> DecisionStatistics:
    return DecisionStatistics(
        player_id=player,
        game=game,
        variant=variant,
        version=version,
        hands=0,
        decisions=0,
        best=0,
        cost=0.0,
        staked=0,
        luck=0.0,
        luck_squared=0.0,
        dearest="[]",
    )


def _add(row: DecisionStatistics, finished: Finished, document: Mapping[str, Any], place: int) -> None:
    own = own_decisions(document, place, finished.autos)
    graded = [decision for decision in own if decision["grade"]]
    luck = document["seats"][place]["luck"]
    row.hands += 1
    row.decisions += len(graded)
    row.best += sum(decision["grade"] == Grade.BEST for decision in graded)
    row.cost += sum(decision["cost"] for decision in own)
    row.staked += _staked(finished, place)
    row.luck += luck
    row.luck_squared += luck * luck
    dear = [
        {
            "key": finished.key,
            "step": decision["step"],
            "action": decision["action"],
            "best": decision["best"],
            "cost": decision["cost"],
            "grade": decision["grade"],
            "hand": decision["cards"],
            "dealer": decision.get("dealer", ""),  # reviews of earlier versions have none
        }
        for decision in graded
        if decision["cost"]
    ]
    kept = sorted((*json.loads(row.dearest), *dear), key=lambda decision: -decision["cost"])[:DEAREST]
    row.dearest = json.dumps(kept)


def _staked(finished: Finished, place: int) -> int:
    """Return what a seat has staked. A bank stakes what the others bet against it."""
    if not finished.seats:
        return finished.staked
    stakes = finished.setup.stakes
    if finished.seats[place].banker:
        return sum(stakes) - stakes[place]
    return finished.game.committed(finished.last)[place]


UNREADABLE: Final = (Refusal, EngineError)
"""What hands raise that were pruned meanwhile, or that no key opens."""


def costly_kinds(player: str | None, code: str, table: str | None) -> Kinds | None:
    """Return the kinds of one of the decisions that cost a player most in a game; None if there is none.

    Args:
        table: The only one whose decisions count, if one is named.
    """
    tables = (at for at in decisions_of(player) if at.game == code and table in (None, at.table))
    costly = [decision for at in tables for decision in at.dearest]
    while costly:
        chosen = costly.pop(pick(len(costly)))
        try:
            found = kinds_at(chosen.key, chosen.step)
        except UNREADABLE:
            continue
        if found.words:
            return found
    return None
