"""Which decisions are asked again: the costliest when a player begins, and those of each new hand.

A few that were played well are mixed in, where the second best action is neither as good nor absurd.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from webapp.engine.games import GAMES, SOLO
from webapp.engine.odds.review import VERSION
from webapp.engine.odds.value import Grade, grade
from webapp.extensions import db
from webapp.models import AGAIN, IS_DAILY, IS_PUBLIC, Hand, Player, Review, RoundSeat
from webapp.services import players
from webapp.services.core.clock import now_ms
from webapp.services.core.database import writing
from webapp.services.records.finished import Finished
from webapp.services.review.own_rounds import latest_rounds, own_decisions, people_in, staked_at
from webapp.services.review.recalls import COSTLY, add, due, known
from webapp.services.review.statistics import decisions_of

AT_FIRST: Final = 20
"""Costly decisions that are taken in when a player begins, the costliest first."""
LATEST: Final = 200
"""Hands that are looked through then, the latest ones, and as many rounds at shared tables."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A decision that may be asked again. ``grade``: one of ``COSTLY``, or BEST for one that was played well.

    ``hand``: key of the hand, or of the round.
    """

    hand: str
    step: int
    grade: Grade
    finished_at: int
    in_round: bool


def has_played(player: str | None) -> bool:
    """Return True if the player has finished a hand or a round: before, there is nothing to ask."""
    if player is None:
        return False
    hands = select(Hand.key).where(Hand.player_id == player, Hand.status == "done")
    rounds = select(RoundSeat.round_key).where(RoundSeat.player_id == player, RoundSeat.finished_at.is_not(None))
    return bool(db.session.scalar(select(hands.exists() | rounds.exists())))


def start(player: str) -> None:
    """Take in the player's costliest decisions, and from now on those of new hands. Started already, nothing changes.

    Raises:
        Refusal: ``unknown-player``.
    """
    costly, well = _first_candidates(player)
    with writing() as session:
        players.lock(player)
        row = session.get_one(Player, player, populate_existing=True)
        if row.recalls_since is not None:
            return
        row.recalls_since = now_ms()
        for each in (*costly, *well):
            _add(session, player, each)


def take_in(session: Session, finished: Finished, document: Mapping[str, Any]) -> None:
    """Take in the decisions of a hand or round whose review is being stored, of all who want theirs. The caller writes.

    A hand that was played with the coach's help, or from cards that were known, says nothing about the player.
    """
    for player, place, finished_at in sorted(_wanting(session, finished)):  # all lock players in the same order
        players.lock(player)
        if session.get_one(Player, player, populate_existing=True).recalls_since is None:
            continue
        decisions = own_decisions(document, place, finished.autos)
        staked = staked_at(finished, place) if finished.seats else finished.staked if finished.rules.bets else None
        found = tuple(_candidates(finished.key, finished_at, decisions, staked, bool(finished.seats)))
        open_ones = [row.slipped for row in known(session, player).values() if row.due_at is not None]
        costly = [each for each in found if each.grade is not Grade.BEST]
        well = [each for each in found if each.grade is Grade.BEST]
        room = (sum(open_ones) + len(costly)) // 2 - open_ones.count(False)
        for each in (*costly, *well[: max(0, min(1, room))]):
            _add(session, player, each)


def _wanting(session: Session, finished: Finished) -> Iterator[tuple[str, int, int]]:
    """Yield the players of a hand or round who want to be asked, with their places in it and when it was finished."""
    if not finished.seats:
        own = select(Hand.player_id, Hand.finished_at).join(Player, Player.id == Hand.player_id)
        own = own.where(Hand.key == finished.key, Hand.kind != AGAIN, ~Hand.helped, Player.recalls_since.is_not(None))
        yield from ((player, 0, at or now_ms()) for player, at in session.execute(own))
        return
    own = select(RoundSeat.player_id, RoundSeat.finished_at).join(Player, Player.id == RoundSeat.player_id)
    own = own.where(RoundSeat.round_key == finished.key, Player.recalls_since.is_not(None))
    wanting = {player: at or now_ms() for player, at in session.execute(own)}
    yield from ((who, place, wanting[who]) for place, who in people_in(session, finished) if who in wanting)


def _add(session: Session, player: str, each: Candidate) -> None:
    slipped, due_at = each.grade is not Grade.BEST, due(each.finished_at, 0)
    add(session, player, each.hand, each.step, slipped, due_at, each.in_round)


def _first_candidates(player: str) -> tuple[Sequence[Candidate], Sequence[Candidate]]:
    """Return the costliest decisions of a player, and half as many that were played well."""
    found = {(each.hand, each.step): each for each in (*_dearest(player), *_latest(player))}.values()
    costly = sorted(
        (each for each in found if each.grade in COSTLY),
        key=lambda each: (COSTLY.index(each.grade), -each.finished_at),
    )[:AT_FIRST]
    well = sorted((each for each in found if each.grade is Grade.BEST), key=lambda each: -each.finished_at)
    return costly, well[: len(costly) // 2]


def _dearest(player: str) -> Iterator[Candidate]:
    dearest = [(dear, at.game not in SOLO) for at in decisions_of(player) if at.game in GAMES for dear in at.dearest]
    keys = {dear.key for dear, _ in dearest}
    of_hands = select(Hand.key, Hand.finished_at).where(Hand.key.in_(keys), Hand.player_id == player)
    of_rounds = select(RoundSeat.round_key, RoundSeat.finished_at).where(
        RoundSeat.round_key.in_(keys), RoundSeat.player_id == player
    )
    finished = {key: at for times in (of_hands, of_rounds) for key, at in db.session.execute(times) if at is not None}
    for dear, in_round in dearest:
        if dear.key in finished and dear.grade in COSTLY:
            yield Candidate(dear.key, dear.step, Grade(dear.grade), finished[dear.key], in_round)


def _latest(player: str) -> Iterator[Candidate]:
    """Yield the decisions of the latest hands that have a review, of daily deals and of rounds at shared tables."""
    parts: tuple[tuple[ColumnElement[bool], Any], ...] = (
        (IS_PUBLIC, Hand.finished_at.desc()),
        (IS_DAILY, Hand.daily_key.desc()),
    )
    for which, order in parts:
        hands = (
            select(Hand.key, Hand.game, Hand.variant, Hand.finished_at, Review.document, Review.summary)
            .join(Review, (Review.key == Hand.key) & (Review.version == VERSION))
            .where(Hand.player_id == player, which, Hand.status == "done", ~Hand.helped, Hand.game.in_(tuple(SOLO)))
            .order_by(order)
            .limit(LATEST)
        )
        for key, game, variant, finished_at, document, summary in db.session.execute(hands):
            at = finished_at or now_ms()
            staked = json.loads(summary)["measure"] if summary and SOLO[game].rules(variant).bets else None
            yield from _candidates(key, at, json.loads(document)["decisions"], staked, in_round=False)
    for own in latest_rounds(player, LATEST):
        yield from _candidates(own.key, own.finished_at, own.decisions, own.staked, in_round=True)


def _candidates(
    key: str, at: int, decisions: Sequence[Mapping[str, Any]], staked: float | None, in_round: bool
) -> Iterator[Candidate]:
    """Yield the decisions that cost something, or were played well where that was not plain.

    ``staked``: the chips that a cost is a share of; None where nothing is staked.
    """
    for decision in decisions:
        measured = decision["grade"]
        if measured in COSTLY or (measured == Grade.BEST and _is_hard(decision, staked)):
            yield Candidate(key, decision["step"], Grade(measured), at, in_round)


def _is_hard(decision: Mapping[str, Any], staked: float | None) -> bool:
    """Return True if the second best action would have been a slip or a mistake: neither as good, nor absurd."""
    best, second = (option["value"] for option in decision["options"][:2])
    measure = Fraction(decision["best_value"] if staked is None else staked)
    return grade(Fraction(best) - Fraction(second), measure) in (Grade.SLIP, Grade.MISTAKE)
