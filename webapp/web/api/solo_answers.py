"""Answers about hands of one player: the board, and hands in lists."""

from dataclasses import dataclass
from typing import Annotated, Literal

from flask import url_for

from webapp.engine.cards import Card
from webapp.engine.game import Result
from webapp.engine.label import Label
from webapp.engine.tier import Tier
from webapp.services.records.summary import Summary
from webapp.services.review.asked_counts import AskedCount
from webapp.services.solo.board import Board
from webapp.services.solo.prepared import NextHand
from webapp.services.solo.shoe_view import ShoeView
from webapp.services.solo.standing import Run
from webapp.web.api.game_types import SoloRules, SoloView
from webapp.web.api.serialize import answer_from

Status = Literal["ready", "live", "done", "forfeited", "void"]


@dataclass(frozen=True, kw_only=True, slots=True)
class BoardAnswer:
    """A solo game: an open hand, one that has just ended, or an empty table."""

    hand: Annotated[str | None, "Key of the hand; null at an empty table."]
    game: Annotated[str, "Code of the game."]
    table: Annotated[str, "Name of the table, or own rules in one word."]
    rules: Annotated[SoloRules, "The rules of the table, field by field."]
    seq: Annotated[int | None, "Number of the hand among the player's of this game; null for hands without chips."]
    step: Annotated[int, "Number of the next move; actions are sent to it."]
    status: Annotated[Status | None, "`ready` before the deal, `live` in play, then how the hand ended."]
    commitment: Annotated[str | None, "SHA-256 of the seed, in hex, fixed before the cut."]
    cut: Annotated[str | None, "The cut of the deck or shoe; null until it is given."]
    stakes: Annotated[tuple[int, ...], "Bets, one for each box, or for each hand from one hold."]
    marks: Annotated[tuple[int, ...], "Positions of the marked cards."]
    helped: Annotated[bool, "A hint was shown before a decision; the hand is excluded from statistics of decisions."]
    purse: Annotated[int, "Chips in the player's purse."]
    best: Annotated[int, "Highest payout of a hand."]
    peak: Annotated[int, "Highest number of chips so far."]
    runs: Annotated[int, "How often the purse was filled."]
    note: Annotated[
        Literal["repeated", "moved-on", "gone"] | None,
        "`repeated`: the request was carried out before; `moved-on`: it came too late; `gone`: the hand that it named "
        "cannot be dealt any more, and this is another one.",
    ]
    shoe: Annotated[ShoeView | None, "The shoe; null if every deck is fresh."]
    run: Annotated[Run | None, "Summary of the run, once the purse cannot pay a bet."]
    tier: Annotated[Tier, "How great a win the last action has brought, for the hand or for the purse, from 0 to 3."]
    view: Annotated[SoloView | None, "The view of the player; null before the deal."]
    actions: Annotated[tuple[str, ...], "Legal actions that the purse can pay: the verb, then each argument."]
    result: Annotated[Result | None, "Null until the hand is over."]
    unpaid: Annotated[int, "Chips of the payout that were not paid, as the purse had no room for them."]
    url: Annotated[str | None, "Page of the finished hand."]
    next: Annotated[
        NextHand | None,
        "The prepared next hand and its commitment, if no hand is open: `POST /play/{code}/{hand}/0` deals it without "
        "sitting down; null if none is prepared.",
    ]
    practice: Annotated[bool, "A practice hand: the cards of a finished hand, played without chips."]
    of_: Annotated[str | None, "Only for practice hands: key of the original hand."]
    daily: Annotated[str | None, "Only for daily deals: the day in UTC, `2026-11-22`."]
    round: Annotated[int | None, "Only for daily deals: number of the round, from 1."]

    @classmethod
    def of(cls, board: Board) -> "BoardAnswer":
        """Return the answer that describes a board."""
        return answer_from(
            cls,
            board,
            game=board.code,
            table=board.table,
            peak=board.standing.peak,
            runs=board.standing.runs,
            result=board.view.result if board.view else None,
            url=url_for("hands.show", key=board.hand) if board.has_page else None,
            practice=board.same.practice if board.same else False,
            of_=board.same.of if board.same else None,
            daily=board.same.daily if board.same else None,
            round=board.same.number if board.same and board.same.daily else None,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class AskedCountAnswer:
    """The count after a round, and how good the first answer to it was."""

    hand: Annotated[str, "Key of the hand."]
    system: Annotated[str, "The counting system: its name, or its tags."]
    count: Annotated[int, "The running count of all cards seen since the shuffle."]
    true_count: Annotated[float | None, "It, divided by the unseen decks and rounded to tenths; null if not balanced."]
    off: Annotated[int, "By how much the first answer was off."]

    @classmethod
    def of(cls, asked: AskedCount) -> "AskedCountAnswer":
        """Return the answer that describes a question that was answered."""
        assert asked.board.hand is not None and asked.count is not None
        return cls(
            hand=asked.board.hand,
            system=asked.system.name,
            count=asked.count.running,
            true_count=asked.count.true,
            off=asked.off,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class SummaryAnswer:
    """A finished hand in a list."""

    hand: Annotated[str, "Key of the hand, or of the round."]
    game: Annotated[str, "Code of the game."]
    seq: Annotated[int, "Number of the hand among the player's, or of the round at its table."]
    status: Annotated[Status, "How it ended."]
    cards: Annotated[tuple[Card, ...], "A few cards that represent it; empty if no key opens its seed."]
    label: Annotated[Label, "Its outcome."]
    payout: Annotated[int | None, "What it paid; null if hands are only won, lost or drawn, and for rounds."]
    code: Annotated[str | None, "Only for rounds: code of the table."]
    net: Annotated[int | None, "Chips won or lost; null if nothing is staked."]
    helped: Annotated[bool, "A hint was shown before a decision."]
    url: Annotated[str, "Page of the hand."]

    @classmethod
    def of(cls, summary: Summary) -> "SummaryAnswer":
        """Return the answer that describes a hand of a list."""
        return answer_from(cls, summary, hand=summary.key, url=url_for("hands.show", key=summary.key))
