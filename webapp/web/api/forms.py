"""Forms and queries, each a dataclass, and how one is read from a request."""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Final, TypeVar, cast, get_origin, get_type_hints

from werkzeug.datastructures import MultiDict

from webapp.web.api.fields import is_on

T = TypeVar("T")

LONGEST: Final = 4000
"""Characters of one value that anything here reads. The longest that means something are the cards of eight decks."""


def read(kind: type[T], values: MultiDict[str, str]) -> T:
    """Return a form or query of this class.

    A field of type ``str`` is the first value of its name, a tuple has all of them, a ``bool`` is a box that may be
    ticked. Without a value a field has its default.
    """
    content: dict[str, Any] = {}
    for name, hint in _hints(cast(Hashable, kind)).items():
        if get_origin(hint) is tuple:
            content[name] = tuple(map(_readable, values.getlist(name)))
        elif hint is bool:
            content[name] = is_on(values.get(name, ""))
        elif name in values:
            content[name] = _readable(values[name])
    return kind(**content)


def _readable(text: str) -> str:
    """Return what is read of a value: its beginning, and nothing that PostgreSQL cannot be asked for.

    What is longer than all that means something is refused like what means nothing, and costs no more.
    """
    return text[:LONGEST].replace("\0", "\ufffd")


@cache
def _hints(kind: object) -> dict[str, Any]:
    return get_type_hints(kind)


@dataclass(frozen=True, slots=True)
class ExerciseQuery:
    """An exercise."""

    seed: Annotated[str, "Whole number; random by default."] = ""
    games: Annotated[str, "Games to be played, at most 100."] = "12"
    decks: Annotated[str, "Decks in a shoe."] = "2"
    stand: Annotated[str, "Total on which the player stands."] = "17"
    natural_beats_21: Annotated[bool, "A natural wins against 21 of three cards or more."] = False
    one_shoe: Annotated[bool, "Deal all games from one shoe."] = False


@dataclass(frozen=True, slots=True)
class ChartQuery:
    """The table of a strategy chart."""

    table: Annotated[str, "Name of the table, or own rules in one word."] = "vegas"


@dataclass(frozen=True, slots=True)
class StrategyQuery:
    """A strategy to be returned as CSV."""

    strategy: Annotated[str, "Name of the strategy."] = "basic"
    table: Annotated[str, "Name of the table, or own rules in one word, for which the strategy is computed."] = "vegas"


@dataclass(frozen=True, slots=True)
class SimulationForm:
    """A simulation; with `compare` or `other_table` a comparison of two. Rules may also be given field by field."""

    table: Annotated[str, "Name of the table, or own rules in one word."] = ""
    strategy: Annotated[str, "Name of the strategy, or `sheet` for an uploaded one."] = "basic"
    rounds: Annotated[str, "Number of rounds."] = ""
    seed: Annotated[str, "Whole number; random by default."] = ""
    bet: Annotated[str, "Bet of each round, in chips."] = "10"
    nonce: Annotated[str, "Any word; the same word again returns the same simulation."] = ""
    compare: Annotated[str, "`1` for a comparison."] = ""
    other_table: Annotated[str, "The second table."] = ""
    other_strategy: Annotated[str, "The second strategy."] = "basic"
    count: Annotated[
        str, "A player who counts: `hi-lo`, `ko`, `hi-opt-2`, `zen`, or ten tags, from the ace to the ten."
    ] = ""
    ramp: Annotated[str, "Bets by the count: `flat`, `1-8`, `1-12`, `wong`, or own ones: `0:1,1:2,2:4,3:8`."] = "1-12"
    other_ramp: Annotated[str, "A second ramp, held against the same rounds."] = ""
    index_plays: Annotated[str, "`1`: leaves the strategy, and insures, at the index numbers of the table."] = ""
    bankroll: Annotated[str, "Units, for their risk."] = "1000"
    trip: Annotated[str, "Rounds, for their risk."] = "1000"
    boxes: Annotated[str, "How many boxes the player who counts has: `1` to `3`."] = "1"
    rounding: Annotated[str, "Rounding of true counts: `floor`, `truncate` (towards 0) or `nearest`."] = "floor"
    leave: Annotated[str, "The count at which, or below which, that player leaves for a new shoe."] = ""


@dataclass(frozen=True, slots=True)
class OddsQuery:
    """A question about a decision. The fields depend on the game. Cards are written like `Ah Td Jk`."""

    table: Annotated[str, "Name of the table, or own rules in one word; by default the game's first table."] = ""
    cards: Annotated[str, "The hand."] = ""
    held: Annotated[str, "An action to compare with the best: `hold-1-3`, or `1-3`."] = ""
    thrown: Annotated[str, "Cards thrown in earlier exchanges."] = ""
    exchanges: Annotated[str, "Number of exchanges left; by default the maximum."] = ""
    score: Annotated[str, "In a double-up: the score."] = ""
    open: Annotated[str, "In a double-up: the open card; without it, whether to double or to collect."] = ""
    wins: Annotated[str, "In a double-up: number of rounds won."] = ""
    rounds: Annotated[str, "In a double-up: number of rounds played; by default those won."] = ""
    dealer: Annotated[str, "The upcard of the dealer or the banker."] = ""
    others: Annotated[str, "Other open cards of this round."] = ""
    seen: Annotated[str, "Cards seen since the shuffle, for values with the count."] = ""
    bet: Annotated[str, "Bet in chips, which matters for rounding; by default the lowest bet."] = ""
    ask: Annotated[str, "`insurance` asks about insurance instead of the play of the hand."] = ""
    hands: Annotated[
        str, "Hands of a split: `8h5c-,8d3s+,8c4d`, with a minus after one that stands, a plus after a doubled one."
    ] = ""
    hand: Annotated[str, "Key of a finished hand: asks about one of its decisions instead of given cards."] = ""
    step: Annotated[str, "With `hand`: number of the step before the decision, from 0."] = ""
    to: Annotated[str, "Only for the page: where the next card goes."] = ""


@dataclass(frozen=True, slots=True)
class SpotQuery(OddsQuery):
    """A decision to be simulated."""

    simulate: Annotated[str, "Number of deals, from 100 to 10,000; 2,000 by default."] = ""
    seed: Annotated[str, "Seed; equal seeds give equal cards. 1 by default."] = ""


@dataclass(frozen=True, slots=True)
class PriceQuery:
    """A table whose rules are priced. Rules may also be given field by field."""

    table: Annotated[str, "Name of the table, or own rules in one word; by default the game's first table."] = ""


@dataclass(frozen=True, slots=True)
class IndexQuery:
    """A table, and a system of counting cards."""

    table: Annotated[str, "Name of the table, or own rules in one word; by default the game's first table."] = ""
    system: Annotated[
        str, "`hi-lo`, `ko`, `hi-opt-2`, `zen`, or ten tags, from the ace to the ten: `-1,1,1,1,1,1,0,0,0,-1`."
    ] = "hi-lo"


@dataclass(frozen=True, slots=True)
class RulesQuery:
    """The table whose rules are shown."""

    table: Annotated[str | None, "Name of the table, or own rules in one word; by default the first table."] = None


@dataclass(frozen=True, slots=True)
class StepQuery:
    """The step of a finished hand to show."""

    step: Annotated[str, "Number of the step, from 0; by default the deciding one. Only for the page."] = ""


@dataclass(frozen=True, slots=True)
class HandQuery(StepQuery):
    """The step of a finished hand to show."""

    ask: Annotated[str, "Number of a step, from 0, as a puzzle: nothing later is shown."] = ""
    answer: Annotated[str, "With `ask`: the answer, one of `actions`."] = ""
    verb: Annotated[str, "With `ask`, for pages: the verb of the answer."] = ""
    arg: Annotated[tuple[str, ...], "With `ask`, for pages: its arguments."] = ()


@dataclass(frozen=True, slots=True)
class OEmbedQuery:
    """The link of a finished hand, and the room for it, by the oEmbed standard."""

    url: Annotated[str, "Address of the hand's page; with `step` that one is shown, not the deciding one."] = ""
    maxwidth: Annotated[str, "The most pixels that it may be wide."] = ""
    maxheight: Annotated[str, "The most pixels that it may be high."] = ""
    format: Annotated[str, "`json`, which is also the default; 501 for anything else."] = ""


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


@dataclass(frozen=True, slots=True)
class GameQuery:
    """The table of a game to look at."""

    table: Annotated[str, "Name of the table, or own rules in one word; by default the game's first table."] = ""
    hand: Annotated[str | None, "Key of the hand, open or finished."] = None
    hint: Annotated[str, "For pages without JavaScript: the step whose hint was requested."] = ""
    verdict: Annotated[str, "For pages without JavaScript: the step whose verdict is shown."] = ""
    stake: Annotated[tuple[str, ...], "For pages without JavaScript: bets to be filled in."] = ()


@dataclass(frozen=True, slots=True)
class SitForm:
    """Sitting down to a game."""

    table: Annotated[str, "Name of the table, or own rules in one word; by default the game's first table."] = ""
    run: Annotated[str, "`new` starts a new run with a full purse."] = ""
    stake: Annotated[tuple[str, ...], "For pages: bets to be filled in."] = ()
    lines: Annotated[str, "For pages: the number of hands to be filled in."] = ""


@dataclass(frozen=True, slots=True)
class ActionForm:
    """An action in a hand."""

    verb: Annotated[str, "`deal` first, then one of `actions`; `mark` marks or unmarks a card."] = ""
    arg: Annotated[tuple[str, ...], "Arguments of the verb."] = ()
    cut: Annotated[str, "With `deal`: the cut, 1 to 64 letters, digits, `_` and `-`."] = ""
    stake: Annotated[tuple[str, ...], "With `deal`: the bets, one for each box."] = ()
    lines: Annotated[
        str, "With `deal`: how many hands are drawn from one hold, each for this bet: a number of `rules.bets.lines`."
    ] = ""
    table: Annotated[
        str,
        "With `deal`: the table to sit down at, as with `POST /play/{code}`, if that hand is gone or its seed is lost.",
    ] = ""
    gone: Annotated[bool, "For pages: `1` repeats the sentence that the hand before this one is gone."] = False
    held: Annotated[str, "With `mark`: `1` or `0`; without it the mark is toggled."] = ""


@dataclass(frozen=True, slots=True)
class CountForm:
    """An answer to what the count is after a round."""

    answer: Annotated[str, "The running count, `-3`: of all cards seen since the shuffle."] = ""
    system: Annotated[str, "Counting system, as in `/odds/{code}/index`."] = "hi-lo"


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


@dataclass(frozen=True, slots=True)
class DrillForm:
    """An answer to a decision of a drill."""

    table: Annotated[str, "As in the query."] = ""
    spot: Annotated[str, "Word that determines the cards."] = ""
    kind: Annotated[str, "As in the query."] = ""
    mine: Annotated[str, "For pages: as in the query."] = ""
    answer: Annotated[str, "The answer, one of `actions`."] = ""
    verb: Annotated[str, "For pages: the verb of the answer."] = ""
    arg: Annotated[tuple[str, ...], "For pages: its arguments."] = ()
    round: Annotated[str, "For pages: the answers of this round so far."] = ""
    since: Annotated[str, "For pages: when the spot was shown, in Unix milliseconds."] = ""


@dataclass(frozen=True, slots=True)
class CountingQuery:
    """A question of a drill of counting, the answer to it, and the round so far."""

    table: Annotated[str, "Name of the table, or own rules in one word; by default the game's first table."] = ""
    system: Annotated[str, "Counting system, as in `/odds/{code}/index`."] = "hi-lo"
    at_a_time: Annotated[str, "Cards shown at a time: `1`, `2` or `3`."] = "1"
    pace: Annotated[
        str, "Seconds after which the next cards follow: `2`, `1` or `0.5`; by default not by themselves."
    ] = ""
    rounding: Annotated[str, "How a true count is rounded: `floor`, `truncate` or `nearest`."] = "floor"
    spot: Annotated[str, "Word that determines the question; without it the response redirects to a new one."] = ""
    step: Annotated[str, "Which cards of a deck are shown, from 1."] = "1"
    ask: Annotated[str, "`1`: the count after them is asked."] = ""
    answer: Annotated[str, "The answer, once it was posted."] = ""
    mark: Annotated[str, "For pages: seal of the answer."] = ""
    round: Annotated[str, "For pages: the answers of this round so far."] = ""
    since: Annotated[str, "For pages: when the question was shown, in Unix milliseconds."] = ""


@dataclass(frozen=True, slots=True)
class CountingForm:
    """An answer to a question of a drill of counting."""

    table: Annotated[str, "As in the query."] = ""
    system: Annotated[str, "As in the query."] = "hi-lo"
    at_a_time: Annotated[str, "As in the query."] = "1"
    pace: Annotated[str, "As in the query."] = ""
    rounding: Annotated[str, "As in the query."] = "floor"
    spot: Annotated[str, "Word that determines the question."] = ""
    step: Annotated[str, "As in the query."] = "1"
    answer: Annotated[str, "A count, `-3`, decks, `2.5`, or an action, `hit`."] = ""
    round: Annotated[str, "For pages: the answers of this round so far."] = ""
    since: Annotated[str, "For pages: when the question was shown, in Unix milliseconds."] = ""


@dataclass(frozen=True, slots=True)
class RecallForm:
    """A decision of a finished hand that shall be asked again."""

    hand: Annotated[str, "Key of the finished hand."] = ""
    step: Annotated[str, "Step of that hand."] = ""


@dataclass(frozen=True, slots=True)
class RecallAnswerForm:
    """The answer to a decision that is asked again."""

    asked: Annotated[str, "`asked` of the question, so that no answer counts twice."] = ""
    answer: Annotated[str, "The answer, one of `actions`."] = ""
    verb: Annotated[str, "For pages: the verb of the answer."] = ""
    arg: Annotated[tuple[str, ...], "For pages: its arguments."] = ()


@dataclass(frozen=True, slots=True)
class TablesQuery:
    """Fields of the page of shared tables."""

    code: Annotated[str, "Code of a table: redirects to it."] = ""
    table: Annotated[str | None, "Initial rules in the form for a new table."] = None


@dataclass(frozen=True, slots=True)
class NewTableForm:
    """A new shared table. Its rules are one word, or given field by field."""

    table: Annotated[str, "Name of the rules, or own rules in one word."] = ""
    public: Annotated[bool, "Is in the list of public tables, which has at most two from one network."] = False
    bot: Annotated[bool, "The player sits down, ready, and so does the house bot, which banks first."] = False
    circle: Annotated[str, "Code of a circle of the player: its members see the table while a seat is free."] = ""
    name: Annotated[str, "Name that others see."] = ""


@dataclass(frozen=True, slots=True)
class SharedTableQuery:
    """Request for a shared table."""

    since: Annotated[str | None, "Known version: 204 if the table has not changed since."] = None
    still: Annotated[str | None, "For pages without a stream: sent while the viewer is present."] = None
    seat: Annotated[str | None, "Secret word of a private link that takes over a seat."] = None


@dataclass(frozen=True, slots=True)
class CommandForm:
    """A command at a shared table."""

    verb: Annotated[str, "One of `actions`, without its argument."] = ""
    arg: Annotated[str, "Argument of the verb: a seat, chips, a policy or the secret word of a link."] = ""
    cut: Annotated[str, "With `ready`, `bet` and `cut`: 1 to 64 letters, digits, `_` and `-`."] = ""
    name: Annotated[str, "With `sit`: the name that others see."] = ""
    ready: Annotated[bool, "With `sit`: be ready at once; a cut may be given, too."] = False


@dataclass(frozen=True, slots=True)
class ReactionForm:
    """A reaction: a picture shown at the sender's seat for a moment."""

    kind: Annotated[str, "`applause`, `wow`, `laugh`, `ouch`, `thinking` or `cheers`."] = ""
    once: Annotated[str, "Any word; a repetition with the same word shows nothing."] = ""


@dataclass(frozen=True, slots=True)
class StreamQuery:
    """The page that opens a stream."""

    page: Annotated[str, "Any word; a second stream of the same viewer with the same word ends the first."] = ""
    since: Annotated[str, "Version that the page shows; the parts that differ from it are sent for htmx."] = ""
    opened: Annotated[str, "When the page was made, in ms. Of a player's pages at a table the newest one plays."] = ""


@dataclass(frozen=True, slots=True)
class NewCircleForm:
    """A new circle."""

    name: Annotated[str, "Name of the circle."] = ""
    member: Annotated[str, "The player's name in it; by default the one that others see elsewhere."] = ""


@dataclass(frozen=True, slots=True)
class CircleNameForm:
    """A name in a circle."""

    name: Annotated[str, "The name, at most 24 characters."] = ""


@dataclass(frozen=True, slots=True)
class CircleMemberForm:
    """A member of a circle."""

    member: Annotated[str, "Number of the member."] = ""
    name: Annotated[str, "For a report: the name that was seen, so that no other one is reported."] = ""


@dataclass(frozen=True, slots=True)
class SureForm:
    """The end of something, confirmed."""

    sure: Annotated[bool, "Must be `1`."] = False
