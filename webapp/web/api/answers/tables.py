"""Answers about shared tables."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from flask import url_for

from webapp.engine.game import Result
from webapp.engine.label import Label
from webapp.services.tables.live.reactions import Reaction
from webapp.services.tables.lobby import ListedTable
from webapp.services.tables.reading.facts import LogLine
from webapp.services.tables.view.seat_state import SeatState
from webapp.services.tables.view.table_view import TableView
from webapp.web.api.game_types import SharedHandView, SharedRules, SharedView
from webapp.web.api.serialize import answer_from


@dataclass(frozen=True, kw_only=True, slots=True)
class ListedTableAnswer:
    """A public table."""

    code: Annotated[str, "Code of the table."]
    people: Annotated[int, "People who are there, in a seat."]
    free: Annotated[int, "Free seats; 0 at a table that can only be watched."]
    least: Annotated[int, "Lowest bet."]
    most: Annotated[int, "Highest bet."]
    phase: Annotated[str, "As in the answer about the table."]
    url: Annotated[str, "Page of the table."]


@dataclass(frozen=True, slots=True)
class TablesAnswer:
    """Public tables."""

    tables: Annotated[
        tuple[ListedTableAnswer, ...], "Tables with somebody at them: those with free seats first, the liveliest first."
    ]
    mine: Annotated[str | None, "Page of the table that the player sits at."]

    @classmethod
    def of(cls, tables: Iterable[ListedTable], own: str | None) -> "TablesAnswer":
        """Return the list of these tables; ``own`` is the code of the player's table."""
        listed = (answer_from(ListedTableAnswer, table, url=_address(table.code)) for table in tables)
        return cls(tuple(listed), _address(own) if own else None)


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatAnswer:
    """An occupied seat, or one whose last cards still lie."""

    seat: Annotated[int, "Number of the seat, from 0."]
    name: Annotated[str, "Name of the player; empty if there is none."]
    bot: Annotated[bool, "Played by the bot of the house."]
    chips: Annotated[int, "Chips beside the bet; the banker's reserve is among them."]
    bet: Annotated[int, "Chips that lie there."]
    auto: Annotated[bool, "The player is away or has left, and the seat plays by itself."]
    ready: Annotated[bool, "Plays the next round."]
    playing: Annotated[bool, "Is in the round that is shown."]
    banker: Annotated[bool, "Is the banker of that round."]
    left: Annotated[bool, "The player has left."]
    hands: Annotated[tuple[SharedHandView, ...] | None, "Null before the deal; a card that lies face down is null."]
    net: Annotated[int | None, "Chips won or lost, when the round is over."]

    @classmethod
    def of(cls, seat: SeatState) -> "SeatAnswer":
        """Return the answer that describes a seat."""
        return answer_from(
            cls,
            seat,
            banker=seat.banker,
            left=seat.left or seat.gone,
            hands=seat.seen.hands if seat.seen else None,
            net=seat.seen.net if seat.seen else None,
        )


@dataclass(frozen=True, slots=True)
class ReactionAnswer:
    """A picture without words that a seat shows for a moment."""

    seat: Annotated[int, "Number of the seat."]
    kind: Annotated[str, "`applause`, `wow`, `laugh`, `ouch`, `thinking` or `cheers`."]
    word: Annotated[str, "Tells it from others: a reaction that has been shown is not to be shown again."]


@dataclass(frozen=True, kw_only=True, slots=True)
class TableAnswer:
    """A shared table as this viewer may see it. Times are unix seconds, by the clock that says ``now``."""

    code: Annotated[str, "Code of the table."]
    version: Annotated[int, "Counts up with every change: where the next command is sent to."]
    game: Annotated[str, "Code of the game."]
    table: Annotated[str, "Name of the rules, or the table's own rules in one word."]
    rules: Annotated[SharedRules, "The rules, written out."]
    public: Annotated[bool, "Stands in the list of public tables."]
    phase: Annotated[str, "`waiting`, `betting`, `playing`, `settled` or `closed`."]
    round: Annotated[int, "Number of the round that is shown."]
    now: Annotated[float, "Time of this answer."]
    deadline: Annotated[float | None, "Time at which the table goes on by itself."]
    acting: Annotated[int | None, "Seat whose turn it is."]
    banker: Annotated[int | None, "Seat of the banker."]
    next_banker: Annotated[int | None, "Seat whose turn it is after this round, as far as can be known."]
    seats: Annotated[tuple[SeatAnswer, ...], "Seats that are occupied, or where cards still lie."]
    free: Annotated[tuple[int, ...], "Seats that may be taken."]
    you: Annotated[int | None, "Seat of the viewer; null for a watcher."]
    view: Annotated[SharedView | None, "What lies on the table; null before the deal."]
    actions: Annotated[tuple[str, ...], "Verbs that the viewer may use now, some with their argument: `sit-2`."]
    limits: Annotated[tuple[int, int] | None, "Lowest and highest bet that the viewer may place now."]
    exposure: Annotated[int, "Chips that the banker may have to pay, as the bets lie now."]
    commitment: Annotated[str | None, "SHA-256 of the round's seed, in hex, fixed before the cuts."]
    policy: Annotated[str | None, "How the viewer's seat plays when nobody does."]
    seat_link: Annotated[str | None, "Private address that takes the viewer's seat over to another browser."]
    said: Annotated[tuple[Label, ...], "What happened last."]
    log: Annotated[tuple[LogLine, ...], "What happened before in this round, the latest first."]
    result: Annotated[Result | None, "Null until the round is over."]
    watching: Annotated[int, "People who look on without a seat."]
    reactions: Annotated[tuple[ReactionAnswer, ...], "Of the last seconds, the oldest first."]
    last: Annotated[str | None, "Page of the last finished round."]

    @classmethod
    def of(cls, view: TableView, watching: int, reactions: Iterable[Reaction] = (), **more: object) -> "TableAnswer":
        """Return the answer that describes a table; ``more`` are the fields of a class derived from this one."""
        return answer_from(
            cls,
            view,
            table=view.variant,
            now=view.now / 1000,
            deadline=None if view.deadline is None else view.deadline / 1000,
            banker=view.banker,
            next_banker=view.next_banker,
            seats=tuple(SeatAnswer.of(seat) for seat in view.seats),
            limits=view.limits if view.limits[1] else None,
            seat_link=url_for("tables.show", code=view.code, seat=view.link) if view.link else None,
            result=view.view.result if view.view else None,
            watching=watching,
            reactions=tuple(answer_from(ReactionAnswer, reaction) for reaction in reactions),
            last=url_for("hands.show", key=view.last) if view.last else None,
            **more,
        )


def _address(code: str) -> str:
    return url_for("tables.show", code=code)
