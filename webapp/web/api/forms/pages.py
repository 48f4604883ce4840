"""Forms and queries of pages about hands and players: rules, history, settings, privacy."""

from dataclasses import dataclass
from typing import Annotated


@dataclass(frozen=True, slots=True)
class RulesQuery:
    """The table whose rules are shown."""

    table: Annotated[str | None, "Name of the table, or own rules in one word; by default the first table."] = None


@dataclass(frozen=True, slots=True)
class HandQuery:
    """The step of a finished hand to show."""

    step: Annotated[str, "Number of the step, from 0; by default the deciding one. Only for the page."] = ""
    ask: Annotated[str, "Number of a step, from 0, as a puzzle: nothing later is shown."] = ""
    answer: Annotated[str, "With `ask`: the answer, one of `actions`."] = ""
    verb: Annotated[str, "With `ask`, for pages: the verb of the answer."] = ""
    arg: Annotated[tuple[str, ...], "With `ask`, for pages: its arguments."] = ()


@dataclass(frozen=True, slots=True)
class HistoryQuery:
    """The page of the history to show."""

    before: Annotated[str | None, "Key of a hand: only hands that ended before it; by default the latest ones."] = None
    game: Annotated[str | None, "Code of a game: only its hands; by default all games."] = None


@dataclass(frozen=True, slots=True)
class SettingsForm:
    """Preferences of a browser, and the name of its player."""

    name: Annotated[str | None, "Name that others see: at most 24 characters, or empty for none."] = None
    next: Annotated[str, "Path of the page to return to."] = ""


@dataclass(frozen=True, slots=True)
class AfreshForm:
    """Request to forget the player in this browser."""

    unreadable: Annotated[bool, "Only if the cookie cannot be read; the page that sends this may be outdated."] = False


@dataclass(frozen=True, slots=True)
class ReportForm:
    """Report of a name."""

    seat: Annotated[str, "Number of the seat."] = ""
    name: Annotated[str, "The name as shown; nothing is reported if somebody else sits there now."] = ""


@dataclass(frozen=True, slots=True)
class SessionsForm:
    """Request to end all other sessions of the player."""

    once: Annotated[str, "Any secret word, which allows to repeat the request if the response was lost."] = ""


@dataclass(frozen=True, slots=True)
class SignInForm:
    """Request to make this browser that of the player who made the link."""

    once: Annotated[str, "Any secret word, which allows to repeat the request if the response was lost."] = ""


@dataclass(frozen=True, slots=True)
class ForgetForm:
    """Request to forget the player."""

    sure: Annotated[bool, "Must be true: it cannot be undone."] = False
