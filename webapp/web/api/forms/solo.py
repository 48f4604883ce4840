"""Forms and queries of games that somebody plays alone: tables, hands, daily deals, drills."""

from dataclasses import dataclass
from typing import Annotated


@dataclass(frozen=True, slots=True)
class GameQuery:
    """The table of a game to look at."""

    table: Annotated[str, "Name of the table, or own rules in one word; by default the game's first table."] = ""
    hand: Annotated[str | None, "Key of the hand, open or finished."] = None
    hint: Annotated[str, "For pages without JavaScript: the step whose hint was requested."] = ""
    verdict: Annotated[str, "For pages without JavaScript: the step whose verdict is shown."] = ""


@dataclass(frozen=True, slots=True)
class SitForm:
    """Sitting down to a game."""

    table: Annotated[str, "Name of the table, or own rules in one word; by default the game's first table."] = ""
    run: Annotated[str, "`new` starts a new run with a full purse."] = ""
    stake: Annotated[tuple[str, ...], "For pages: bets to be filled in."] = ()


@dataclass(frozen=True, slots=True)
class ActionForm:
    """An action in a hand."""

    verb: Annotated[str, "`deal` first, then one of `actions`; `mark` marks or unmarks a card."] = ""
    arg: Annotated[tuple[str, ...], "Arguments of the verb."] = ()
    cut: Annotated[str, "With `deal`: the cut, 1 to 64 letters, digits, `_` and `-`."] = ""
    stake: Annotated[tuple[str, ...], "With `deal`: the bets, one for each box."] = ()
    table: Annotated[
        str,
        "With `deal`: the table to sit down at, as with `POST /play/{code}`, if that hand is gone or its seed is lost.",
    ] = ""
    gone: Annotated[bool, "For pages: `1` repeats the sentence that the hand before this one is gone."] = False
    held: Annotated[str, "With `mark`: `1` or `0`; without it the mark is toggled."] = ""


@dataclass(frozen=True, slots=True)
class DailyForm:
    """Sitting down to a daily deal."""

    day: Annotated[str, "Day of a try that was started before midnight, UTC; by default today."] = ""


@dataclass(frozen=True, slots=True)
class DailyQuery:
    """The month to show beside today's deals."""

    month: Annotated[str, "Month in UTC, `2026-11`; by default the present one."] = ""


@dataclass(frozen=True, slots=True)
class PastDayForm:
    """Playing the cards of a past day for practice."""

    after: Annotated[str, "Key of the finished round whose next one is wanted; by default the first round."] = ""


@dataclass(frozen=True, slots=True)
class DrillQuery:
    """A decision of a drill, the answer to it, and the round so far."""

    table: Annotated[str, "Name of the table, or own rules in one word; by default that of the daily deal."] = ""
    spot: Annotated[str, "Word that determines the cards; without it the response redirects to a new one."] = ""
    kind: Annotated[str, "Kinds of decisions, the narrowest first, separated by spaces; by default all."] = ""
    hand: Annotated[str, "Key of a finished hand: redirects to decisions similar to that at `step`."] = ""
    step: Annotated[str, "Step of that hand."] = ""
    mine: Annotated[str, "`1`: decisions similar to the player's most costly ones."] = ""
    answer: Annotated[str, "The answer, one of `actions`."] = ""
    verb: Annotated[str, "For pages: the verb of the answer."] = ""
    arg: Annotated[tuple[str, ...], "For pages: its arguments."] = ()
    round: Annotated[str, "For pages: the answers of this round so far."] = ""
    since: Annotated[str, "For pages: when the spot was shown, in Unix milliseconds."] = ""
