"""Names of those who sit at a table, and of automatic actions, in the language of the page."""

import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Final

from webapp.engine.words import N_, Text
from webapp.services import players
from webapp.services.core.errors import Refusal
from webapp.services.records.finished import Finished
from webapp.services.records.stored_round import AutoMove
from webapp.web.i18n.translations import use_language
from webapp.web.i18n.vocabulary import seat_name, translated
from webapp.web.request import preferences

_BOT: Final = N_("House bot %(number)s")


def seat_display_name(name: str, bot: bool, number: int) -> str:
    """Return the name that a player chose, else that of a bot or the number of the seat."""
    if name:
        return name
    return translated(_BOT) % {"number": number + 1} if bot else seat_name(number)


def parse_name(text: str) -> str:
    """Return a name that may be taken.

    Raises:
        Refusal: ``bad-name``, or ``machines-name`` for what a bot is called in any of our languages: nobody should
            take a person for a bot.
    """
    if _bare(text) in _bot_names():
        raise Refusal("machines-name")
    return players.name_from(text)


@cache
def _bot_names() -> frozenset[str]:
    """Return what a bot is called in all our languages, without the number."""
    names = set()
    for language in preferences.LANGUAGES:
        with use_language(language):
            names.add(_bare(seat_display_name("", bot=True, number=0)))
    return frozenset(names)


def _bare(name: str) -> str:
    """Return letters and digits, all in one case and width, and no digits at the end."""
    letters = "".join(letter for letter in unicodedata.normalize("NFKC", name).casefold() if letter.isalnum())
    return letters.rstrip("".join(letter for letter in letters if letter.isdigit()))


def names_of(finished: Finished) -> Mapping[int, str]:
    """Return the names at a round among several, by their places in it; none where one plays alone."""
    return {place: seat_display_name(seat.name, seat.bot, seat.number) for place, seat in enumerate(finished.seats)}


def auto_name(auto: AutoMove) -> str:
    """Return how and why a seat was played for: "automatic, timid (out of time)"."""
    how = translated(_POLICIES[auto.policy])
    return f"{how} ({translated(_REASONS[auto.reason])})" if auto.reason in _REASONS else how


_POLICIES: Final[Mapping[str, Text]] = {
    "bot": N_("bot"),
    "bank": N_("automatic"),
    "least": N_("automatic"),
    "timid": N_("automatic, timid"),
    "dealer": N_("automatic, like a dealer"),
    "basic": N_("automatic, basic strategy"),
}

# a bot needs no reason
_REASONS: Final[Mapping[str, Text]] = {
    "late": N_("out of time"),
    "away": N_("away"),
    "left": N_("has left"),
}
