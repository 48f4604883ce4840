"""Names of the lab's strategies, in the language of the page."""

from collections.abc import Mapping
from typing import Final

from webapp.engine.words import N_, Text
from webapp.web.i18n.vocabulary import translated


def strategy_name(name: str) -> str:
    """Return how a simulated player plays, as a line of a list."""
    word, _dash, total = name.partition("-")
    return translated(_STAND_ON) % {"total": total} if word == "stand" else translated(_STRATEGIES[name])


_STAND_ON: Final = N_("Stand on %(total)s")

_STRATEGIES: Final[Mapping[str, Text]] = {
    "basic": N_("Basic strategy"),
    "mimic": N_("As the dealer"),
    "never-bust": N_("Never bust"),
    "sheet": N_("A table of one’s own"),
}
