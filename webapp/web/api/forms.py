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
class TablesQuery:
    """Fields of the page of shared tables."""

    code: Annotated[str, "Code of a table: leads to it."] = ""
    table: Annotated[str | None, "Rules that the form for a new table begins with."] = None


@dataclass(frozen=True, slots=True)
class NewTableForm:
    """A new shared table. Its rules are one word, or are given rule by rule."""

    table: Annotated[str, "Name of the rules, or own rules in one word."] = ""
    public: Annotated[bool, "Stands in the list of public tables."] = False
    bot: Annotated[bool, "The player sits down, ready, and so does the bot of the house, which banks first."] = False
    name: Annotated[str, "Name that others see."] = ""


@dataclass(frozen=True, slots=True)
class SharedTableQuery:
    """The way in which a shared table is looked at."""

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
    ready: Annotated[bool, "With `sit`: be ready at once; a cut may come along."] = False


@dataclass(frozen=True, slots=True)
class ReactionForm:
    """A picture without words, shown at the sender's seat for a moment."""

    kind: Annotated[str, "`applause`, `wow`, `laugh`, `ouch`, `thinking` or `cheers`."] = ""
    once: Annotated[str, "Any word: with the same word again nothing is shown anew."] = ""


@dataclass(frozen=True, slots=True)
class ReportForm:
    """A name to be reported."""

    seat: Annotated[str, "Number of the seat."] = ""


@dataclass(frozen=True, slots=True)
class ForgetForm:
    """The player of this browser is to be forgotten."""

    sure: Annotated[bool, "There is no way back."] = False


@dataclass(frozen=True, slots=True)
class StreamQuery:
    """The page that opens a stream."""

    page: Annotated[str, "Any word: a page that opens a second stream with it ends its first."] = ""
    since: Annotated[str, "Version that a page shows: what differs from then on is sent to it as `parts`."] = ""


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
class OddsQuery:
    """A decision that is asked about. Which fields matter is the game's. Cards are written like `Ah Td Jk`."""

    table: Annotated[str, "Name of the table, or its own rules in one word; the game's first table without it."] = ""
    cards: Annotated[str, "The hand."] = ""
    held: Annotated[str, "An action to be compared with the best: `hold-1-3`, or `1-3`."] = ""
    thrown: Annotated[str, "Cards of earlier exchanges, which cannot come again."] = ""
    exchanges: Annotated[str, "Exchanges left, where there are several; all that are possible without it."] = ""
    score: Annotated[str, "Of a double-up: the score."] = ""
    open: Annotated[str, "Of a double-up: its open card; to double or to collect without it."] = ""
    wins: Annotated[str, "Of a double-up: rounds that were won."] = ""
    rounds: Annotated[str, "Of a double-up: rounds that were played; those that were won without it."] = ""
    dealer: Annotated[str, "The open card of the dealer, or of the bank."] = ""
    others: Annotated[str, "Other cards that lie open in this round."] = ""
    seen: Annotated[str, "Cards seen since the shuffle, for values with the count."] = ""
    bet: Annotated[str, "Chips, where shares of a bet are rounded; the least bet without it."] = ""
    ask: Annotated[str, "`insurance`: asks about insurance, not about how to play the hand."] = ""
    hands: Annotated[
        str, "Hands of a split: `8h5c-,8d3s+,8c4d`, behind one that stands a minus, behind one that was doubled a plus."
    ] = ""
    hand: Annotated[str, "Key of a finished hand: asks about one of its decisions in place of cards."] = ""
    step: Annotated[str, "With `hand`: number of the step before the decision, from 0."] = ""
    to: Annotated[str, "For the page alone: where the next card goes."] = ""


@dataclass(frozen=True, slots=True)
class SpotQuery(OddsQuery):
    """A decision that is simulated."""

    simulate: Annotated[str, "How many times it is dealt, from 100 to 10,000; 2,000 without it."] = ""
    seed: Annotated[str, "The same seed, the same cards; 1 without it."] = ""


@dataclass(frozen=True, slots=True)
class PriceQuery:
    """A table whose rules are priced. Rules may also be given rule by rule."""

    table: Annotated[str, "Name of the table, or its own rules in one word; the game's first table without it."] = ""


@dataclass(frozen=True, slots=True)
class ChartQuery:
    """A table for which the best play is printed."""

    table: Annotated[str, "Name of the table, or own rules in one word."] = "vegas"


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
