"""The coach: the values of a decision of the player's own hand, before or after it is made.

The odds are asked only about what the player sees. A hand is marked as played with help before the help is
given, and no transaction stays open while odds are computed.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm.exc import StaleDataError

from webapp.engine.action import Action
from webapp.engine.game import AnyGame, affordable, states
from webapp.engine.odds import question_of
from webapp.engine.odds.question import Question
from webapp.engine.odds.value import Grade, NoOdds
from webapp.extensions import db
from webapp.models import DAILY, PLAY, Hand, Purse
from webapp.services import purses
from webapp.services.core.database import rollback, writing
from webapp.services.core.errors import Refusal
from webapp.services.fairness.sealing import SealedSeeds
from webapp.services.odds import desk
from webapp.services.records.stored_hand import hand_game, hand_moves, hand_setup
from webapp.services.solo.reading import owned_hand, state_of
from webapp.services.solo.rows import update_if_unchanged

SOON: Final = 1.0
"""Seconds for which an answer may wait for its tables."""


@dataclass(frozen=True, slots=True)
class Advice:
    """Values of the actions of a decision.

    ``answer`` is the desk's. ``action`` was taken; None while the decision is open. ``helped``: the hand is one that
    is played with help. ``marks``: the cards that the player held before a hint, as ``1-3``, since those that are best
    are held after it.
    """

    game: AnyGame
    hand: str
    table: str
    step: int
    question: Question
    answer: Mapping[str, Any]
    action: Action | None
    helped: bool
    marks: str = ""

    @property
    def grade(self) -> Grade | None:
        """The quality of the action that was taken; None before it, and where no action was better than another."""
        grades = {option["action"]: option["grade"] for option in self.answer["options"]}
        found = grades.get(str(self.action)) if self.action else None
        return Grade(found) if found else None


def note_help(player: str | None, code: str, key: str, step: int, sealed_seeds: SealedSeeds) -> None:
    """Record that the hand is played with help, before a page shows it. Raises what ``hint`` raises."""
    _noted(player, code, key, step, sealed_seeds)


def hint(player: str | None, code: str, key: str, step: int, sealed_seeds: SealedSeeds) -> Advice:
    """Record that the hand is played with help, and return the values of its next decision.

    Raises:
        Refusal: ``hand-not-found``, ``not-dealt``, ``decision-over``; of the desk.
        NoOdds: the game has no odds.
        Pending: tables are being built; that help was asked for is noted.
    """
    game, table, question, among, marks = _noted(player, code, key, step, sealed_seeds)
    return replace(_advice(game, key, table, step, question, among, None, helped=True), marks=marks)


def verdict(player: str | None, code: str, key: str, step: int, sealed_seeds: SealedSeeds) -> Advice:
    """Return the values of a decision in the player's latest hand of a game.

    Raises:
        Refusal, NoOdds, Pending: as ``hint``.
    """
    hand, game, state = _opened(player, code, key, sealed_seeds)
    moves = hand_moves(hand)
    if hand.status not in ("live", "done") or not 0 <= step < len(moves) or hand.seq != _latest(hand):
        raise Refusal("decision-over", key)
    setup = hand_setup(hand, state_of(hand, sealed_seeds)[0])
    before = list(states(game, setup, moves[:step]))[-1]
    result, staked = game.result(state), sum(game.committed(state)) - sum(game.committed(before))
    question, table, helped = question_of(game, before), hand.variant, hand.helped
    among = _affordable(hand, before, staked - (sum(result.payouts) if result else 0))
    rollback()
    return _advice(game, key, table, step, question, among, moves[step], helped=helped)


def has_coach(code: str) -> bool:
    """Return whether the decisions of a game can be asked about while it is played."""
    return desk.has_odds(code)


def _noted(
    player: str | None, code: str, key: str, step: int, sealed_seeds: SealedSeeds
) -> tuple[AnyGame, str, Question, str, str]:
    """Record the help, and return the question: game, table, state, the actions to choose from, and what is held."""
    try:
        with writing():
            hand, game, state = _opened(player, code, key, sealed_seeds, lock=True)
            if hand.status != "live" or hand.step != step:
                raise Refusal("decision-over", key)
            if not hand.helped:
                update_if_unchanged(hand, helped=True)
            among = _affordable(hand, state)
            return game, hand.variant, question_of(game, state), among, hand.marks.replace(",", "-")
    except StaleDataError as error:
        raise Refusal("decision-over", key) from error


def _opened(
    player: str | None, code: str, key: str, sealed_seeds: SealedSeeds, lock: bool = False
) -> tuple[Hand, AnyGame, Any]:
    hand = owned_hand(player, code, key, lock)
    if hand.kind == DAILY:
        raise Refusal("hand-not-found")  # all have the same help: none
    if not desk.has_odds(code):
        raise NoOdds(f"there are no odds for {code}")
    _, state = state_of(hand, sealed_seeds)
    if state is None:
        raise Refusal("not-dealt", key)
    return hand, hand_game(hand), state


def _latest(hand: Hand) -> int | None:
    """Return the number of the hand that the player of a hand has begun last in its game; None of practice hands."""
    if hand.kind != PLAY:
        return None
    of_player = (Purse.player_id == hand.player_id, Purse.game == hand.game)
    return db.session.scalars(select(Purse.hands).where(*of_player)).one_or_none()


def _affordable(hand: Hand, state: Any, since: int = 0) -> str:
    """Return the actions that the purse can pay, empty if it can pay all: others cannot be the best.

    ``since``: chips that the hand has cost the purse since that state.
    """
    game = hand_game(hand)
    if hand.kind != PLAY:
        return ""
    paid = affordable(game, state, purses.balance(hand.player_id, hand.game) + since)
    return "" if paid == game.legal_actions(state) else " ".join(map(str, paid))


def _advice(
    game: AnyGame,
    key: str,
    table: str,
    step: int,
    question: Question,
    among: str,
    action: Action | None,
    *,
    helped: bool,
) -> Advice:
    fields = {name: text for name, text in asdict(question).items() if name != "variant"}
    asked = {"game": game.spec.code, "table": table, "held": str(action or ""), "among": among, **fields}
    answer = desk.ask("spot", asked, SOON)
    return Advice(game, key, table, step, question, answer, action, helped)
