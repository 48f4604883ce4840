"""Answers about hands of one player: the board, and hands in lists."""

from dataclasses import dataclass
from typing import Annotated, Literal

from flask import url_for

from webapp.engine.cards import Card
from webapp.engine.game import Result
from webapp.engine.label import Label
from webapp.engine.tier import Tier
from webapp.services.records.lists.summary import Summary
from webapp.services.solo.prepared import NextHand
from webapp.services.solo.view.board import Board
from webapp.services.solo.view.runs import Run
from webapp.services.solo.view.shoe_view import ShoeView
from webapp.web.api.game_types import SoloRules, SoloView
from webapp.web.api.serialize import answer_from

Status = Literal["ready", "live", "done", "forfeited", "void"]


@dataclass(frozen=True, kw_only=True, slots=True)
class BoardAnswer:
    """A game as its player sees it: an open hand, one that just ended, or an empty table."""

    hand: Annotated[str | None, "Key of the hand; null while nobody sits."]
    game: Annotated[str, "Code of the game."]
    table: Annotated[str, "Name of the table, or its own rules in one word."]
    rules: Annotated[SoloRules, "The rules of the table, written out."]
    seq: Annotated[int | None, "Number of the hand among the player's hands of this game; null for one without chips."]
    step: Annotated[int, "Number of the next move: where the next action is sent to."]
    status: Annotated[Status | None, "`ready` before the deal, `live` in play, then how the hand ended."]
    commitment: Annotated[str | None, "SHA-256 of the seed, in hex, fixed before the cut."]
    cut: Annotated[str | None, "The cut of the deck or shoe; null until it is given."]
    stakes: Annotated[tuple[int, ...], "Bets, one a box."]
    marks: Annotated[tuple[int, ...], "Positions of the cards that the word HOLD is under."]
    helped: Annotated[bool, "A hint was shown before a decision: the hand does not count in figures of decisions."]
    purse: Annotated[int, "Chips of the player in this game."]
    best: Annotated[int, "The most that one hand has paid."]
    peak: Annotated[int, "The most chips that there have been."]
    runs: Annotated[int, "How many times the purse was filled."]
    note: Annotated[
        Literal["repeated", "moved-on"] | None,
        "`repeated`: the request was a copy of one that was carried out; `moved-on`: it came too late.",
    ]
    shoe: Annotated[ShoeView | None, "The shoe; null where every deck is fresh."]
    run: Annotated[Run | None, "How far the run went, once the purse pays no bet any more."]
    tier: Annotated[Tier, "How great a win the last action has brought, for the hand or for the purse, from 0 to 3."]
    view: Annotated[SoloView | None, "What lies on the table; null before the deal."]
    actions: Annotated[
        tuple[str, ...], "All that may be done now and that the purse can pay: the verb, then each argument."
    ]
    result: Annotated[Result | None, "Null until the hand is over."]
    url: Annotated[str | None, "Page of the finished hand."]
    next: Annotated[
        NextHand | None,
        "While no hand is open: one that can be dealt without sitting down, by `POST /play/{code}/{hand}/0`, and its "
        "commitment; null where none is prepared.",
    ]
    practice: Annotated[bool, "Played again from the cards of a finished hand, without chips."]
    of_: Annotated[str | None, "Of a practice hand: key of the hand whose cards these are."]
    daily: Annotated[str | None, "Of a daily deal: its day in UTC, `2026-11-22`."]
    round: Annotated[int | None, "Of a daily deal: number of the round, from 1."]

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
class SummaryAnswer:
    """A finished hand in a list."""

    hand: Annotated[str, "Key of the hand, or of the round."]
    game: Annotated[str, "Code of the game."]
    seq: Annotated[int, "Number of the hand among the player's, or of the round at its table."]
    status: Annotated[Status, "How it ended."]
    cards: Annotated[tuple[Card, ...], "The few cards that stand for it; none if no key opens its seed."]
    label: Annotated[Label, "How it came out."]
    payout: Annotated[int | None, "What it paid; null where hands are only won, lost or drawn, and for rounds."]
    code: Annotated[str | None, "Of a round: the code of its table."]
    net: Annotated[int | None, "Chips won or lost; null where nothing is staked."]
    helped: Annotated[bool, "A hint was shown before a decision."]
    url: Annotated[str, "Page of the hand."]

    @classmethod
    def of(cls, summary: Summary) -> "SummaryAnswer":
        """Return the answer that describes a hand of a list."""
        return answer_from(cls, summary, hand=summary.key, url=url_for("hands.show", key=summary.key))
