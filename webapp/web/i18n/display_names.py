"""Names of those who sit at a table, and of automatic actions, in the language of the page."""

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Final

from webapp.engine.words import N_, NP_, Text
from webapp.services.records.finished import Finished
from webapp.services.records.stored_round import AutoMove
from webapp.web.i18n.translations import gettext
from webapp.web.i18n.vocabulary import seat_name, translated

_BOT: Final = N_("House bot")
_ONE_OF_BOTS: Final = N_("House bot %(number)s")


def seat_display_name(name: str, bot: bool, number: int, bots: Sequence[int] = ()) -> str:
    """Return the name that a player chose, else that of a bot or the number of the seat.

    ``bots``: the seats of all bots at the table. If there are several, they are counted.
    """
    if name:
        return isolated(name)
    if not bot:
        return seat_name(number)
    return translated(_ONE_OF_BOTS) % {"number": bots.index(number) + 1} if len(bots) > 1 else translated(_BOT)


def member_display_name(name: str, number: int) -> str:
    """Return the name of a member of a circle, else the member's number."""
    return isolated(name) if name else gettext("Member %(number)s", number=number)


def circle_display_name(name: str) -> str:
    """Return the name of a circle; one whose name was taken away has the general one."""
    return isolated(name) if name else gettext("A circle")


def isolated(name: str) -> str:
    """Return a name; one that is written from the right cannot turn round the words and numbers beside it."""
    return f"\u2068{name}\u2069" if any(map(_is_from_the_right, name)) else name


def _is_from_the_right(letter: str) -> bool:
    return unicodedata.bidirectional(letter) in ("R", "AL", "AN")


def names_of(finished: Finished) -> Mapping[int, str]:
    """Return the names at a round among several, by their places in it; none where one plays alone."""
    bots = sorted(seat.number for seat in finished.seats if seat.bot)
    return {
        place: seat_display_name(seat.name, seat.bot, seat.number, bots) for place, seat in enumerate(finished.seats)
    }


def auto_name(auto: AutoMove) -> str:
    """Return how and why a seat was played for: "automatic, timid (out of time)"."""
    if auto.reason == "forced":
        return translated(_FORCED)
    how = translated(_POLICIES[auto.policy])
    if auto.reason not in _REASONS:
        return how
    return gettext("%(how)s (%(why)s)", how=how, why=translated(_REASONS[auto.reason]))


def reaction_name(kind: str) -> str:
    """Return what a picture without words is called, for who does not see it."""
    return translated(REACTIONS[kind])


REACTIONS: Final[Mapping[str, Text]] = {
    "applause": NP_("reaction", "Applause"),
    "wow": NP_("reaction", "Amazed"),
    "laugh": NP_("reaction", "Laughing"),
    "ouch": NP_("reaction", "Ouch"),
    "thinking": NP_("reaction", "Thinking"),
    "cheers": NP_("reaction", "Cheers"),
}
"""Names of the reactions of shared tables, in the order of their buttons."""

_POLICIES: Final[Mapping[str, Text]] = {
    "bot": N_("bot"),
    "bank": N_("automatic"),
    "least": N_("automatic"),
    "timid": N_("automatic, timid"),
    "dealer": N_("automatic, like a dealer"),
    "basic": N_("automatic, basic strategy"),
}

_FORCED: Final = N_("by the rule of the bank")

# a bot needs no reason
_REASONS: Final[Mapping[str, Text]] = {
    "late": N_("out of time"),
    "away": N_("away"),
    "left": N_("has left"),
}
