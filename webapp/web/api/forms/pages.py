"""Forms and queries of pages about hands and players: rules, history, settings, privacy."""

from dataclasses import dataclass
from typing import Annotated


@dataclass(frozen=True, slots=True)
class RulesQuery:
    """The rules of a game to print."""

    table: Annotated[str | None, "Name of the table, or its own rules in one word; the first table without it."] = None


@dataclass(frozen=True, slots=True)
class HandQuery:
    """The step of a finished hand to show."""

    step: Annotated[str, "Number of the step, from 0; the one that names the hand without it. For the page alone."] = ""
    ask: Annotated[str, "Number of a step, from 0: what would you do there? Nothing later is told."] = ""
    answer: Annotated[str, "With `ask`: the action that is answered, as in `actions`."] = ""
    verb: Annotated[str, "With `ask`, for pages: the verb of the answer."] = ""
    arg: Annotated[tuple[str, ...], "With `ask`, for pages: its arguments."] = ()


@dataclass(frozen=True, slots=True)
class HistoryQuery:
    """The page of the history to show."""

    before: Annotated[str | None, "Key of a hand: those that ended before it; the latest without it."] = None
    game: Annotated[str | None, "Code of a game: only its hands; those of all games without it."] = None


@dataclass(frozen=True, slots=True)
class SettingsForm:
    """Preferences of a browser, and the name of its player."""

    name: Annotated[str | None, "Name that others see: at most 24 characters, or empty for none."] = None
    next: Annotated[str, "Path of the page to return to."] = ""


@dataclass(frozen=True, slots=True)
class AfreshForm:
    """The player of this browser is to be forgotten by it."""

    unreadable: Annotated[bool, "Only if the cookie cannot be read: the page that asks may be an old one."] = False


@dataclass(frozen=True, slots=True)
class ReportForm:
    """A name to be reported."""

    seat: Annotated[str, "Number of the seat."] = ""
    name: Annotated[str, "The name as it was shown: nothing is reported if somebody else sits there by now."] = ""


@dataclass(frozen=True, slots=True)
class SessionsForm:
    """All sessions of the player are to end but that of this browser."""

    once: Annotated[
        str, "Any word that nobody guesses: with it, the same may be sent again if the answer was lost."
    ] = ""


@dataclass(frozen=True, slots=True)
class ForgetForm:
    """The player of this browser is to be forgotten."""

    sure: Annotated[bool, "There is no way back."] = False
