"""Answers of the pages that are about no single hand or table."""

from dataclasses import dataclass
from typing import Annotated

from flask import url_for

from webapp.engine.game import AnyGame
from webapp.services.records.lists.known_games import KnownGame
from webapp.services.records.statistics import Career
from webapp.services.review.statistics import TableDecisions
from webapp.web.api.answers.solo import BoardAnswer, SummaryAnswer
from webapp.web.api.game_types import AnyRules
from webapp.web.api.serialize import answer_from


@dataclass(frozen=True, kw_only=True, slots=True)
class GameAnswer:
    """A game that is played here."""

    game: Annotated[str, "Code of the game."]
    tables: Annotated[tuple[str, ...], "Names of its tables, the default first."]
    seats: Annotated[int, "How many play together; 1 where each plays alone."]
    url: Annotated[str, "Where it is played."]

    @classmethod
    def of(cls, game: AnyGame) -> "GameAnswer":
        """Return the answer that describes a game."""
        code, alone = game.spec.code, game.spec.seats == 1
        url = url_for("play.table", code=code) if alone else url_for("tables.listing")
        return answer_from(cls, game.spec, game=code, tables=game.spec.variants, url=url)


@dataclass(frozen=True, kw_only=True, slots=True)
class KnownGameAnswer:
    """A game of which the player has begun a hand."""

    game: Annotated[str, "Code of the game."]
    purse: Annotated[int, "Chips of its purse; what was collected where nothing is staked."]
    last: Annotated[SummaryAnswer | None, "The last finished hand, if one is recent."]

    @classmethod
    def of(cls, known: KnownGame) -> "KnownGameAnswer":
        """Return the answer that describes a known game."""
        return cls(game=known.game, purse=known.purse, last=SummaryAnswer.of(known.last) if known.last else None)


@dataclass(frozen=True, kw_only=True, slots=True)
class LobbyAnswer:
    """The lobby."""

    games: Annotated[tuple[GameAnswer, ...], "All games."]
    open_hands: Annotated[tuple[BoardAnswer, ...], "The player's hands in play, the latest move first."]
    recent: Annotated[tuple[SummaryAnswer, ...], "The player's last finished hands."]
    at_table: Annotated[str | None, "Page of the shared table that the player sits at."]
    known: Annotated[tuple[KnownGameAnswer, ...], "The games of which the player has begun a hand."]
    tables_open: Annotated[int, "Public tables at which somebody is."]


@dataclass(frozen=True, slots=True)
class RulesAnswer:
    """The rules of a table."""

    game: Annotated[str, "Code of the game."]
    table: Annotated[str, "Name of the table, or its own rules in one word."]
    rules: Annotated[AnyRules, "The rules, written out."]
    cut_card: Annotated[
        int | None, "Cards of the shoe that are dealt before it is shuffled; null where every deck is fresh."
    ]


@dataclass(frozen=True, slots=True)
class FairAnswer:
    """The shuffle of the cards."""

    scheme: Annotated[str, "Name of the way cards are shuffled: `tf1`."]
    listing: Annotated[str, "The whole of it as a Python script."]


@dataclass(frozen=True, kw_only=True, slots=True)
class PlayerAnswer:
    """Games and hands that a player has played here."""

    name: Annotated[str, "Name that others see; empty if there is none."]
    games: Annotated[tuple[Career, ...], "Numbers, one set for each game that was played."]
    decisions: Annotated[tuple[TableDecisions, ...], "What reviews of the player's hands come to, one set a table."]
    hands: Annotated[tuple[SummaryAnswer, ...], "Finished hands, the latest first."]
    before: Annotated[str | None, "Key that asks for the next page of them; null on the last one."]
