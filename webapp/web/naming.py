"""Who sits where, in words: a player by the name they chose, a machine by what it is, else the number of the seat."""

from collections.abc import Mapping

from flask_babel import gettext as _

from webapp.services.finished import Finished
from webapp.web.vocabulary import seat_name


def who(name: str, bot: bool, number: int) -> str:
    if name:
        return name
    machine: str = _("House bot %(number)s", number=number + 1)
    return machine if bot else seat_name(number)


def names_of(finished: Finished) -> Mapping[int, str]:
    """Of a round among several, by their places in it; nothing where one plays alone."""
    return {place: who(seat.name, seat.bot, seat.number) for place, seat in enumerate(finished.seats)}
