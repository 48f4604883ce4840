"""Answers of the pages that are about no single hand or table."""

from dataclasses import dataclass
from typing import Annotated

from flask import url_for

from webapp.engine.game import AnyGame
from webapp.services.records.known_games import KnownGame
from webapp.services.records.statistics import Career
from webapp.services.review.ratings import Rating
from webapp.services.review.statistics import TableDecisions
from webapp.services.sign_in_links import Belongings
from webapp.web.api.circle_answers import CircleTableAnswer
from webapp.web.api.game_types import AnyRules
from webapp.web.api.serialize import answer_from
from webapp.web.api.solo_answers import BoardAnswer, SummaryAnswer


@dataclass(frozen=True, kw_only=True, slots=True)
class GameAnswer:
    """A game of the site."""

    game: Annotated[str, "Code of the game."]
    tables: Annotated[tuple[str, ...], "Names of its tables, the default first."]
    seats: Annotated[int, "Number of players at a table; 1 for solo games."]
    url: Annotated[str, "Address of its table."]

    @classmethod
    def of(cls, game: AnyGame) -> "GameAnswer":
        """Return the answer that describes a game."""
        code, alone = game.spec.code, game.spec.seats == 1
        url = url_for("play.table", code=code) if alone else url_for("tables.listing")
        return answer_from(cls, game.spec, game=code, tables=game.spec.variants, url=url)


@dataclass(frozen=True, kw_only=True, slots=True)
class KnownGameAnswer:
    """A game that the player has played."""

    game: Annotated[str, "Code of the game."]
    purse: Annotated[int, "Chips in its purse; if nothing is staked, the collected score."]
    last: Annotated[SummaryAnswer | None, "The last finished hand, if it is recent."]

    @classmethod
    def of(cls, known: KnownGame) -> "KnownGameAnswer":
        """Return the answer that describes a known game."""
        return cls(game=known.game, purse=known.purse, last=SummaryAnswer.of(known.last) if known.last else None)


@dataclass(frozen=True, kw_only=True, slots=True)
class LobbyAnswer:
    """The lobby."""

    games: Annotated[tuple[GameAnswer, ...], "All games."]
    open_hands: Annotated[tuple[BoardAnswer, ...], "The player's hands in play, latest move first."]
    recent: Annotated[tuple[SummaryAnswer, ...], "The player's last finished hands."]
    at_table: Annotated[str | None, "Page of the shared table that the player sits at."]
    known: Annotated[tuple[KnownGameAnswer, ...], "The games that the player has played."]
    tables_open: Annotated[int, "Number of public tables with people."]
    circle_tables: Annotated[
        tuple[CircleTableAnswer, ...], "Tables of the player's circles at which somebody is and a seat is free."
    ]


@dataclass(frozen=True, slots=True)
class RulesAnswer:
    """The rules of a table."""

    game: Annotated[str, "Code of the game."]
    table: Annotated[str, "Name of the table, or own rules in one word."]
    rules: Annotated[AnyRules, "The rules, field by field."]
    cut_card: Annotated[int | None, "Number of cards dealt before the shoe is shuffled; null if every deck is fresh."]


@dataclass(frozen=True, slots=True)
class FairAnswer:
    """The shuffle of the cards."""

    scheme: Annotated[str, "Name of the scheme: `tf1`."]
    listing: Annotated[str, "A complete Python program."]


@dataclass(frozen=True, kw_only=True, slots=True)
class PlayerAnswer:
    """A player's games and hands."""

    name: Annotated[str, "Name that others see; empty if there is none."]
    games: Annotated[tuple[Career, ...], "Statistics of each game."]
    decisions: Annotated[tuple[TableDecisions, ...], "Statistics of decisions, for each table."]
    ratings: Annotated[tuple[Rating, ...], "Ratings of decisions, by game, of hands and of drills."]
    hands: Annotated[tuple[SummaryAnswer, ...], "Finished hands, latest first."]
    before: Annotated[str | None, "Key for the next page of hands; null on the last page."]


@dataclass(frozen=True, slots=True)
class RatingsAnswer:
    """Ratings of a player's decisions."""

    ratings: Annotated[tuple[Rating, ...], "By game, of hands that were played and of drills."]


@dataclass(frozen=True, slots=True)
class SignInLinkAnswer:
    """A link that signs another browser in as this player, once."""

    url: Annotated[str, "Address of the link: a page that asks before it signs in."]
    expires: Annotated[int, "Unix milliseconds at which it expires."]


@dataclass(frozen=True, kw_only=True, slots=True)
class SignInAnswer:
    """The player to whom a link leads."""

    name: Annotated[str, "Name that others see; empty if there is none."]
    hands: Annotated[int, "Number of hands begun."]
    purses: Annotated[dict[str, int], "Chips by game; where nothing is staked, the collected score."]
    expires: Annotated[int, "Unix milliseconds at which the link expires."]
    you: Annotated[bool, "True if this browser plays as that player already."]

    @classmethod
    def of(cls, theirs: Belongings, expires: int, is_you: bool) -> "SignInAnswer":
        """Return the answer that describes what a player has."""
        purses = {game: chips for game, (chips, _) in theirs.purses.items()}
        return cls(name=theirs.name, hands=theirs.hands, purses=purses, expires=expires, you=is_you)
