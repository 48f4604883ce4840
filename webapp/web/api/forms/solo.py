"""Forms and queries of games that somebody plays alone: tables, hands, daily deals, drills."""

from dataclasses import dataclass
from typing import Annotated


@dataclass(frozen=True, slots=True)
class GameQuery:
    """The table of a game to look at."""

    table: Annotated[str, "Name of the table, or its own rules in one word; the game's first table without it."] = ""
    hand: Annotated[str | None, "Key of the hand to be shown, open or finished."] = None
    hint: Annotated[str, "For pages without a script: the step whose hint was asked for."] = ""
    verdict: Annotated[str, "For pages without a script: the step whose verdict is shown."] = ""


@dataclass(frozen=True, slots=True)
class SitForm:
    """Sitting down to a game."""

    table: Annotated[str, "Name of the table, or its own rules in one word; the game's first table without it."] = ""
    run: Annotated[str, "`new` begins a new run with a full purse."] = ""
    stake: Annotated[tuple[str, ...], "For pages: bets to be filled in."] = ()


@dataclass(frozen=True, slots=True)
class ActionForm:
    """An action in a hand."""

    verb: Annotated[str, "`deal` first, then one of `actions`; `mark` puts HOLD under a card, or takes it away."] = ""
    arg: Annotated[tuple[str, ...], "Arguments of the verb."] = ()
    cut: Annotated[str, "With `deal`: the cut, 1 to 64 letters, digits, `_` and `-`."] = ""
    stake: Annotated[tuple[str, ...], "With `deal`: the bets, one a box."] = ()
    table: Annotated[
        str,
        "With `deal`: where to sit down, as `POST /play/{code}` does, if that hand is gone or its seed is lost.",
    ] = ""
    held: Annotated[str, "With `mark`: `1` or `0`; without it the mark is turned over."] = ""


@dataclass(frozen=True, slots=True)
class DailyForm:
    """Sitting down to a daily deal."""

    day: Annotated[str, "Day of a try that was begun before midnight, UTC; today without it."] = ""


@dataclass(frozen=True, slots=True)
class DrillQuery:
    """A spot of a drill, the answer to it, and how the drill has gone so far."""

    table: Annotated[str, "Name of the table, or its own rules in one word; that of the daily deal without it."] = ""
    spot: Annotated[str, "Word that names the cards; without it the answer leads to a new one."] = ""
    kind: Annotated[str, "Kinds of spots, the narrowest first, with spaces between them; all without it."] = ""
    hand: Annotated[str, "Key of a finished hand: the answer leads to spots like that of its `step`."] = ""
    step: Annotated[str, "Step of that hand."] = ""
    mine: Annotated[str, "`1`: spots like those that cost the player most."] = ""
    answer: Annotated[str, "The action that is answered, as in `actions`."] = ""
    verb: Annotated[str, "For pages: the verb of the answer."] = ""
    arg: Annotated[tuple[str, ...], "For pages: its arguments."] = ()
    right: Annotated[str, "For pages: answers so far that were the best."] = ""
    all: Annotated[str, "For pages: answers so far."] = ""
    run: Annotated[str, "For pages: the latest answers that were the best, without a break."] = ""
    since: Annotated[str, "For pages: when the drill began, in unix milliseconds."] = ""
