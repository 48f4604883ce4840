"""Who sits where, in words: a player by the name they chose, a machine by what it is, else the number of the seat.
And who did something, if nobody did.
"""

import unicodedata
from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

from webapp.services import players
from webapp.services.core.errors import Refusal
from webapp.services.records.finished import Finished
from webapp.services.records.stored_round import AutoMove
from webapp.web.i18n.translations import gettext as _
from webapp.web.i18n.translations import use_language
from webapp.web.i18n.vocabulary import seat_name
from webapp.web.request import visitor


def seat_display_name(name: str, bot: bool, number: int) -> str:
    if name:
        return name
    machine: str = _("House bot %(number)s", number=number + 1)
    return machine if bot else seat_name(number)


def parse_name(text: str) -> str:
    """A name that may be taken. Refusals ``bad-name``, and ``machines-name`` for what a machine is called on anybody's
    page: nobody should take a person for the house."""
    if _bare(text) in _machines():
        raise Refusal("machines-name")
    return players.name_from(text)


@cache
def _machines() -> frozenset[str]:
    """In all our languages, without the number."""
    found = set()
    for language in visitor.LANGUAGES:
        with use_language(language):
            found.add(_bare(seat_display_name("", bot=True, number=0)))
    return frozenset(found)


def _bare(name: str) -> str:
    """Letters and digits, all in one case and width, and no digits at the end."""
    letters = "".join(each for each in unicodedata.normalize("NFKC", name).casefold() if each.isalnum())
    return letters.rstrip("".join(each for each in letters if each.isdigit()))


def names_of(finished: Finished) -> Mapping[int, str]:
    """Of a round among several, by their places in it; nothing where one plays alone."""
    return {place: seat_display_name(seat.name, seat.bot, seat.number) for place, seat in enumerate(finished.seats)}


def auto_name(auto: AutoMove) -> str:
    """How and why a seat was played for: "automatic, timid (out of time)"."""
    how, why = _POLICIES[auto.policy](), _REASONS.get(auto.reason)
    return f"{how} ({why()})" if why else how


_POLICIES: Final[Mapping[str, Callable[[], str]]] = {
    "bot": lambda: _("bot"),
    "bank": lambda: _("automatic"),
    "least": lambda: _("automatic"),
    "timid": lambda: _("automatic, timid"),
    "dealer": lambda: _("automatic, like a dealer"),
    "basic": lambda: _("automatic, basic strategy"),
}

# of a machine there is nothing to explain
_REASONS: Final[Mapping[str, Callable[[], str]]] = {
    "late": lambda: _("out of time"),
    "away": lambda: _("away"),
    "left": lambda: _("has left"),
}
