"""Answers about shared tables."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from flask import url_for

from webapp.engine.game import Result
from webapp.engine.label import Label
from webapp.services.tables.facts import LogLine
from webapp.services.tables.lobby import ListedTable
from webapp.services.tables.reactions import Reaction
from webapp.services.tables.table_view import SeatState, TableView
from webapp.web.api.game_types import SharedHandView, SharedRules, SharedView
from webapp.web.api.serialize import answer_from


@dataclass(frozen=True, kw_only=True, slots=True)
class ListedTableAnswer:
    """A public table."""

    code: Annotated[str, "Code of the table."]
    people: Annotated[int, "Number of present players."]
    free: Annotated[int, "Number of free seats; 0 if the table can only be watched."]
    least: Annotated[int, "Lowest bet."]
    most: Annotated[int, "Highest bet."]
    phase: Annotated[str, "As in [Table](#table)."]
    url: Annotated[str, "Page of the table."]


@dataclass(frozen=True, slots=True)
class TablesAnswer:
    """Public tables."""

    tables: Annotated[
        tuple[ListedTableAnswer, ...], "Tables with people: those with free seats first, then by activity."
    ]
    mine: Annotated[str | None, "Page of the table that the player sits at."]

    @classmethod
    def of(cls, tables: Iterable[ListedTable], own: str | None) -> "TablesAnswer":
        """Return the list of these tables; ``own`` is the code of the player's table."""
        listed = (answer_from(ListedTableAnswer, table, url=_address(table.code)) for table in tables)
        return cls(tuple(listed), _address(own) if own else None)


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatAnswer:
    """An occupied seat, or one whose last cards are still shown."""

    seat: Annotated[int, "Number of the seat, from 0."]
    place: Annotated[int | None, "Place among the seats that play the round shown, from 0; null if it does not play."]
    name: Annotated[str, "Name of the player; empty if there is none."]
    bot: Annotated[bool, "Played by the house bot."]
    chips: Annotated[int, "Chips without the bet, including the banker's reserve."]
    bet: Annotated[int, "Chips bet."]
    auto: Annotated[bool, "The player is absent or has left, and the seat is played automatically."]
    ready: Annotated[bool, "Will play the next round."]
    playing: Annotated[bool, "Plays the current round."]
    banker: Annotated[bool, "Is the banker of the current round."]
    left: Annotated[bool, "The player has left."]
    hands: Annotated[tuple[SharedHandView, ...] | None, "Hands; null before the deal. Face-down cards are null."]
    net: Annotated[int | None, "Chips won or lost, when the round is over."]

    @classmethod
    def of(cls, seat: SeatState) -> "SeatAnswer":
        """Return the answer that describes a seat."""
        return answer_from(
            cls,
            seat,
            place=seat.seen.place if seat.seen else None,
            banker=seat.banker,
            left=seat.left or seat.gone,
            hands=seat.seen.hands if seat.seen else None,
            net=seat.seen.net if seat.seen else None,
        )


@dataclass(frozen=True, slots=True)
class ReactionAnswer:
    """A reaction: a picture that a seat shows for a moment."""

    seat: Annotated[int, "Number of the seat."]
    kind: Annotated[str, "`applause`, `wow`, `laugh`, `ouch`, `thinking` or `cheers`."]
    word: Annotated[str, "Identifies the reaction, so that it is shown only once."]


@dataclass(frozen=True, kw_only=True, slots=True)
class TableAnswer:
    """A shared table as this viewer may see it. Times are Unix seconds by the clock of `now`."""

    code: Annotated[str, "Code of the table."]
    version: Annotated[int, "Increases with every change; commands are sent to it."]
    game: Annotated[str, "Code of the game."]
    table: Annotated[str, "Name of the rules, or own rules in one word."]
    rules: Annotated[SharedRules, "The rules, field by field."]
    public: Annotated[bool, "Is in the list of public tables."]
    phase: Annotated[str, "`waiting`, `betting`, `playing`, `settled` or `closed`."]
    round: Annotated[int, "Number of the current round."]
    now: Annotated[float, "Time of this response."]
    deadline: Annotated[float | None, "Time at which the table continues automatically."]
    acting: Annotated[int | None, "Seat to act."]
    banker: Annotated[int | None, "Seat of the banker."]
    next_banker: Annotated[int | None, "Seat of the next banker, as far as known."]
    seats: Annotated[tuple[SeatAnswer, ...], "Seats that are occupied, or whose cards are still shown."]
    free: Annotated[tuple[int, ...], "Free seats."]
    you: Annotated[int | None, "Seat of the viewer; null for a watcher."]
    view: Annotated[SharedView | None, "The view of the player, which counts places; null before the deal."]
    actions: Annotated[tuple[str, ...], "Verbs that are possible now, some with an argument: `sit-2`."]
    limits: Annotated[tuple[int, int] | None, "Lowest and highest possible bet now."]
    exposure: Annotated[int, "Chips that the banker may have to pay for the current bets."]
    commitment: Annotated[str | None, "SHA-256 of the round's seed, in hex, fixed before the cuts."]
    policy: Annotated[str | None, "Policy by which the viewer's seat is played automatically."]
    seat_link: Annotated[str | None, "Private address by which another browser can take over the seat."]
    said: Annotated[tuple[Label, ...], "The latest events."]
    log: Annotated[tuple[LogLine, ...], "Earlier events of this round, latest first."]
    result: Annotated[Result | None, "Null until the round is over."]
    watching: Annotated[int, "Number of watchers."]
    reactions: Annotated[tuple[ReactionAnswer, ...], "Reactions of the last seconds, oldest first."]
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
