"""Forms and queries of shared tables."""

from dataclasses import dataclass
from typing import Annotated


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
class StreamQuery:
    """The page that opens a stream."""

    page: Annotated[str, "Any word: a page of the same viewer that opens a second stream with it ends its first."] = ""
    since: Annotated[str, "Version that a page shows: what differs from then on is sent to it as `parts`."] = ""
