"""Forms and queries of shared tables."""

from dataclasses import dataclass
from typing import Annotated


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
