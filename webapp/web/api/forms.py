"""Forms and queries as dataclasses: what a request may carry.

Values stay text; ``webapp.web.api.fields`` parses them.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, TypeVar, cast, get_origin, get_type_hints

from werkzeug.datastructures import MultiDict

from webapp.web.api.fields import is_on

T = TypeVar("T")


def read(kind: type[T], values: MultiDict[str, str]) -> T:
    """Return a form or query of this class.

    A field of type ``str`` is the first value of its name, a tuple has all of them, a ``bool`` is a box that may be
    ticked. Without a value a field has its default.
    """
    content: dict[str, Any] = {}
    for name, hint in _hints(cast(Hashable, kind)).items():
        if get_origin(hint) is tuple:
            content[name] = tuple(values.getlist(name))
        elif hint is bool:
            content[name] = is_on(values.get(name, ""))
        elif name in values:
            content[name] = values[name]
    return kind(**content)


@cache
def _hints(kind: object) -> dict[str, Any]:
    return get_type_hints(kind)


@dataclass(frozen=True, slots=True)
class GameQuery:
    """Which table of a game is looked at."""

    table: Annotated[str, "Name of the table, or its own rules in one word; the game's first table without it."] = ""
    hand: Annotated[str | None, "Key of the hand to be shown, open or finished."] = None


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
    held: Annotated[str, "With `mark`: `1` or `0`; without it the mark is turned over."] = ""


@dataclass(frozen=True, slots=True)
class RulesQuery:
    """Which rules of a game are printed."""

    table: Annotated[str | None, "Name of the table, or its own rules in one word; the first table without it."] = None


@dataclass(frozen=True, slots=True)
class HandQuery:
    """Which step of a finished hand its page shows."""

    step: Annotated[str, "Number of the step, from 0; the last one without it. For the page alone."] = ""


@dataclass(frozen=True, slots=True)
class HistoryQuery:
    """Which page of the history is shown."""

    before: Annotated[str | None, "Key of a hand: those that ended before it; the latest without it."] = None


@dataclass(frozen=True, slots=True)
class SettingsForm:
    """Preferences of a browser, and the name of its player."""

    name: Annotated[str | None, "Name that others see: at most 24 characters, or empty for none."] = None
    next: Annotated[str, "Path of the page to return to."] = ""


@dataclass(frozen=True, slots=True)
class TablesQuery:
    """What the page of shared tables shows."""

    code: Annotated[str, "Code of a table: leads to it."] = ""
    table: Annotated[str | None, "Rules that the form for a new table begins with."] = None


@dataclass(frozen=True, slots=True)
class NewTableForm:
    """A new shared table. Its rules are one word, or are given rule by rule."""

    table: Annotated[str, "Name of the rules, or own rules in one word."] = ""
    public: Annotated[bool, "Stands in the list of public tables."] = False
    bot: Annotated[bool, "The player sits down at once, with the bot of the house."] = False
    name: Annotated[str, "Name that others see."] = ""


@dataclass(frozen=True, slots=True)
class SharedTableQuery:
    """How a shared table is looked at."""

    since: Annotated[str | None, "Version that is known already: 204 if it is still that one."] = None
    still: Annotated[str | None, "For pages without a stream: the viewer is still there."] = None
    seat: Annotated[str | None, "Word of a private link that takes a seat over."] = None


@dataclass(frozen=True, slots=True)
class CommandForm:
    """A command at a shared table."""

    verb: Annotated[str, "What to do: one of `actions`, without its argument."] = ""
    arg: Annotated[str, "A seat, chips, a policy or the word of a link, as the verb wants it."] = ""
    cut: Annotated[str, "With `ready`, `bet` and `cut`: 1 to 64 letters, digits, `_` and `-`."] = ""
    name: Annotated[str, "With `sit`: the name that others see."] = ""


@dataclass(frozen=True, slots=True)
class StreamQuery:
    """Who listens to a stream."""

    page: Annotated[str, "Any word: a page that opens a second stream with it ends its first."] = ""


@dataclass(frozen=True, slots=True)
class ExerciseQuery:
    """An exercise."""

    seed: Annotated[str, "Whole number; by chance without it."] = ""
    games: Annotated[str, "Games to be played, at most 100."] = "12"
    decks: Annotated[str, "Decks in a shoe."] = "2"
    stand: Annotated[str, "Total on which the player stands."] = "17"
    natural_beats_21: Annotated[bool, "A natural wins against 21 of three cards or more."] = False
    one_shoe: Annotated[bool, "Deal all games from one shoe."] = False


@dataclass(frozen=True, slots=True)
class StrategyQuery:
    """A strategy that is written out as a table."""

    strategy: Annotated[str, "Name of the strategy."] = "basic"
    table: Annotated[str, "Name of the table, or own rules in one word: what the strategy is best for."] = "vegas"


@dataclass(frozen=True, slots=True)
class SimulationForm:
    """A simulation; with ``compare`` or ``other_table`` a comparison of two. Rules may also be given rule by rule."""

    table: Annotated[str, "Name of the table, or own rules in one word."] = ""
    strategy: Annotated[str, "Name of the strategy, or `sheet` for an uploaded one."] = "basic"
    rounds: Annotated[str, "Rounds to be played."] = ""
    seed: Annotated[str, "Whole number; by chance without it."] = ""
    bet: Annotated[str, "Chips of a round."] = "10"
    nonce: Annotated[str, "Any word: the same word again is the same simulation, begun once."] = ""
    compare: Annotated[str, "`1` for a comparison."] = ""
    other_table: Annotated[str, "The second table."] = ""
    other_strategy: Annotated[str, "The second strategy."] = "basic"
