"""Recalls: decisions of finished hands and rounds that a player is asked again, on a schedule, until they are solved.

A decision that cost something is asked after one day, and then three, nine and twenty-seven days after each answer,
until it was answered well twice in a row. After five wrong answers it is parked: asking once more would teach nothing.
Decisions that were played well are mixed in and asked once, so that a question does not tell that the first answer was
wrong. One of these that is answered wrongly is from then on asked like the others.

Of a round at a shared table players are asked what they decided at their own seat, and see what they saw then.
"""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from webapp.engine.action import Action
from webapp.engine.errors import EngineError
from webapp.engine.odds.value import Grade
from webapp.extensions import db
from webapp.models import Hand, Player, Recall, TableRound
from webapp.services import players
from webapp.services.core.clock import DAY, HOUR, now_ms
from webapp.services.core.database import writing
from webapp.services.core.errors import Refusal
from webapp.services.core.randomness import new_key
from webapp.services.deals.puzzles import Puzzle, puzzle_of, verdict_on
from webapp.services.odds import desk
from webapp.services.records.finished import Finished
from webapp.services.records.lookup import finished_hand
from webapp.services.review import ratings
from webapp.services.review.own_rounds import own_steps

INTERVALS: Final = (1, 3, 9, 27)
"""Days before a decision is asked for the first time, the second, and so on; the last ones are repeated."""
EARLY: Final = 6 * HOUR
"""By so much each is asked earlier: else who practises every evening would find it due a little later each time."""
IN_A_ROW: Final = 2
"""Good answers in a row after which a decision is solved."""
FAILURES: Final = 5
"""Wrong answers after which it is parked."""
MOST: Final = 200
"""Recalls of a player at most, those that are solved included."""
COSTLY: Final = (Grade.BLUNDER, Grade.MISTAKE, Grade.SLIP)
"""Grades of the decisions that are asked again, the costliest first."""


@dataclass(frozen=True, slots=True)
class Parked:
    """A recall that is asked no more, since it was answered wrongly too often."""

    word: str
    game: str
    table: str
    hand: str
    step: int


@dataclass(frozen=True, slots=True)
class Queue:
    """The recalls of a player. ``is_on``: costly decisions of new hands are added to them.

    ``due``: words of those to be asked now; ``waiting``: how many are asked later, the next of them at ``next_at``.
    """

    is_on: bool = False
    due: tuple[str, ...] = ()
    waiting: int = 0
    next_at: int | None = None
    solved: int = 0
    parked: tuple[Parked, ...] = ()

    @property
    def next_days(self) -> int:
        """Days until the next of them is asked; 0 if none is."""
        return _days_until(self.next_at)

    @property
    def is_empty(self) -> bool:
        """True if there is nothing in it."""
        return not (self.due or self.waiting or self.solved or self.parked)


@dataclass(frozen=True, slots=True)
class Asked:
    """A recall as a puzzle. ``asked``: how often it was answered. ``answer``: the last answer, until it is due again.

    ``hand`` and ``step`` are for pages that are shown after an answer.
    """

    word: str
    puzzle: Puzzle
    asked: int
    answer: Action | None
    hand: str
    step: int
    is_due: bool
    next_at: int | None
    is_parked: bool
    is_solved: bool

    @property
    def next_days(self) -> int:
        """Days until it is asked again; 0 if it is due or over."""
        return _days_until(self.next_at)


def _days_until(at: int | None) -> int:
    return 0 if at is None else max(1, round((at + EARLY - now_ms()) / DAY))


# ------------------------------------------------------------------------------------------------ looking


def queue_of(player: str | None) -> Queue:
    """Return the recalls of a player."""
    if player is None:
        return Queue()
    played = (func.coalesce(Hand.game, TableRound.game), func.coalesce(Hand.variant, TableRound.variant))
    found = select(Recall, *played).outerjoin(Hand, Hand.key == Recall.hand_key)
    found = found.outerjoin(TableRound, TableRound.key == Recall.round_key)
    rows = db.session.execute(found.where(Recall.player_id == player).order_by(Recall.word)).all()
    now = now_ms()
    later = [row.due_at for row, *_ in rows if row.due_at is not None and row.due_at > now]
    return Queue(
        is_on=db.session.scalar(select(Player.recalls_since).where(Player.id == player)) is not None,
        due=tuple(row.word for row, *_ in rows if _is_due(row)),
        waiting=len(later),
        next_at=min(later, default=None),
        solved=sum(_is_solved(row) for row, *_ in rows),
        parked=tuple(Parked(row.word, game, table, row.key, row.step) for row, game, table in rows if _is_parked(row)),
    )


def first_of(player: str | None, queue: Queue) -> str | None:
    """Return the word of the first due recall whose hand can be shown: no key opens some of a restored site."""
    return next((word for word in queue.due if _is_readable(player, word)), None)


def _is_readable(player: str | None, word: str) -> bool:
    try:
        asked(player, word)
    except (Refusal, EngineError):
        return False
    return True


def asked(player: str | None, word: str) -> Asked:
    """Return a recall of a player.

    Raises:
        Refusal: ``recall-not-found``; ``hand-sealed``: no key opens its hand.
    """
    return _asked(_own(player, word))


def _own(player: str | None, word: str) -> Recall:
    row = db.session.get(Recall, word[:20], populate_existing=True) if player else None
    if row is None or row.player_id != player:
        raise Refusal("recall-not-found", word[:20])
    return row


def _asked(row: Recall) -> Asked:
    is_due = _is_due(row)
    return Asked(
        word=row.word,
        puzzle=puzzle_of(finished_hand(row.key, row.player_id), row.step),
        asked=row.asked,
        answer=None if is_due or row.answer is None else Action.parse(row.answer),
        hand=row.key,
        step=row.step,
        is_due=is_due,
        next_at=None if is_due else row.due_at,
        is_parked=_is_parked(row),
        is_solved=_is_solved(row),
    )


def _is_due(row: Recall) -> bool:
    return row.due_at is not None and row.due_at <= now_ms()


def _is_parked(row: Recall) -> bool:
    return row.due_at is None and row.failures >= FAILURES


def _is_solved(row: Recall) -> bool:
    return row.due_at is None and row.failures < FAILURES


# ------------------------------------------------------------------------------------------------ answering


def answer(player: str | None, word: str, number: int, action: Action) -> Asked:
    """Record an answer, and return the recall after it.

    A question that was answered already, by the same form or in another tab, is not answered again; nor is one that is
    due once more by the form of the time before.

    Args:
        number: How often the recall had been answered when the page was made.

    Raises:
        Refusal: ``recall-not-found``; ``recall-not-due``: it is asked later; as ``verdict_on`` does.
        IllegalAction: It cannot be done there.
        desk.Pending: It is still being worked out; nothing is recorded yet.
    """
    before = asked(player, word)
    if before.answer is not None or before.asked != number:
        return before
    if not before.is_due:
        raise Refusal("recall-not-due")
    verdict = verdict_on(before.puzzle, action)
    with writing() as session:
        players.lock(player or "")
        row = session.get(Recall, word, populate_existing=True)
        if row is not None and row.asked == number and _is_due(row):
            ratings.count_answer(session, row.player_id, before.puzzle.game.spec.code, f"{word}.{number}", verdict)
            _note(row, action, verdict.grade)
    return asked(player, word)


def _note(row: Recall, given: Action, measured: Grade | None) -> None:
    now = now_ms()
    row.asked, row.answer, row.moved_at = row.asked + 1, str(given), now
    if measured in COSTLY:
        row.slipped, row.streak, row.failures = True, 0, row.failures + 1
    else:
        row.streak += 1
    is_over = not row.slipped or row.streak >= IN_A_ROW or row.failures >= FAILURES
    row.due_at = None if is_over else due(now, row.asked)


def due(since: int, asked: int) -> int:
    """Return when a decision is asked that was answered so often, the last time or at first played at ``since``."""
    return since + INTERVALS[min(asked, len(INTERVALS) - 1)] * DAY - EARLY


# ------------------------------------------------------------------------------------------------ choosing


def stop(player: str) -> None:
    """Delete the player's recalls, and take in no more."""
    with writing() as session:
        players.lock(player)
        session.get_one(Player, player, populate_existing=True).recalls_since = None
        session.execute(delete(Recall).where(Recall.player_id == player))


def ask_again(player: str, key: str, step: int) -> None:
    """Take in a decision of a finished hand, of whomever, or of an own one of a round.

    It may be new, or have been solved or parked before.

    Raises:
        Refusal: As ``require_decision`` does; ``unknown-player``; ``recalls-full``.
    """
    in_round = bool(require_decision(key, step, player).seats)
    with writing() as session:
        players.lock(player)
        row = known(session, player).get((key, step))
        due_at = due(now_ms(), 0)
        if row is None and not add(session, player, key, step, True, due_at, in_round):
            raise Refusal("recalls-full")
        if row is not None and row.due_at is None:
            row.slipped, row.asked, row.streak, row.failures, row.answer = True, 0, 0, 0, None
            row.due_at, row.moved_at = due_at, now_ms()


def require_decision(key: str, step: int, player: str | None = None) -> Finished:
    """Return the hand or round of a decision. Refuse what cannot be asked: only what was played out is reviewed.

    Raises:
        Refusal: ``hand-not-found``; ``no-decision``; ``no-odds``.
    """
    hand = finished_hand(key, player)
    puzzle = puzzle_of(hand, step)
    if hand.status != "done" or len(puzzle.actions) < 2 or step not in steps_for(hand, player):
        raise Refusal("no-decision", str(step))
    if not desk.has_odds(puzzle.game.spec.code):
        raise Refusal("no-odds")
    return hand


def steps_for(hand: Finished, player: str | None) -> frozenset[int]:
    """Return the steps that a player may be asked again: all moves of a hand, the own ones of a round."""
    return own_steps(hand, player) if hand.seats else frozenset(range(len(hand.moves)))


def drop(player: str | None, word: str) -> None:
    """Ask a decision no more. Sent again, it changes nothing."""
    if player is not None:
        with writing() as session:
            session.execute(delete(Recall).where(Recall.word == word, Recall.player_id == player))


def known(session: Session, player: str) -> dict[tuple[str, int], Recall]:
    """Return all recalls of a player, by hand or round and step."""
    rows = session.scalars(select(Recall).where(Recall.player_id == player)).all()
    return {(row.key, row.step): row for row in rows}


def add(session: Session, player: str, key: str, step: int, slipped: bool, due_at: int, in_round: bool) -> bool:
    """Add a recall, in place of the oldest that is solved if there are too many. Return False if there is no room."""
    there = known(session, player)
    if (key, step) in there:
        return True
    if len(there) >= MOST:
        solved = sorted((row for row in there.values() if _is_solved(row)), key=lambda row: row.moved_at)
        if not solved:
            return False
        session.delete(solved[0])
    values = {
        "round_key" if in_round else "hand_key": key,
        "step": step,
        "slipped": slipped,
        "due_at": due_at,
        "moved_at": now_ms(),
    }
    session.add(Recall(word=new_key(16), player_id=player, **values))
    session.flush()
    return True
