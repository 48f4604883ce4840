"""Words of the review of a finished hand, in the language of the page."""

from collections.abc import Iterator
from typing import Final

from webapp.engine.odds.value import NAMES, Grade
from webapp.web.i18n.translations import gap
from webapp.web.i18n.translations import gettext as _
from webapp.web.i18n.unit_words import in_unit
from webapp.web.i18n.vocabulary import number, translated

_LEAST: Final = 0.005


def grade_name(grade: Grade) -> str:
    """Return the word for the quality of a decision."""
    return translated(NAMES[grade])


def amount(value: float) -> str:
    """Return chips or points without their sign: with two decimals, large ones with fewer."""
    size = abs(value)
    if size == int(size) or size >= 100:
        return number(round(size))
    return f"{size:.1f}" if size >= 10 else f"{size:.2f}" if size >= _LEAST else "0.01"


def change(value: float) -> str:
    """Return chips or points with their sign; what is next to nothing without any."""
    if abs(value) < _LEAST:
        return "0"
    return f"{'+' if value > 0 else '−'}{amount(value)}"


def cost(value: float) -> str:
    """Return what a decision cost: 0 for the best only."""
    return "0" if not value else f"−{amount(value)}" if value >= _LEAST else "−<0.01"


def spread_sentence(lines: int, of_one: float, of_all: float, unit: str) -> str:
    """Return how far several hands from one hold lie from their average, by their standard deviations."""
    return _(
        "Standard deviation: %(one)s of one hand, %(all)s of all %(count)s together. Once the hold is chosen, the "
        "hands do not depend on each other.",
        one=in_unit(amount(of_one), unit),
        all=in_unit(amount(of_all), unit),
        count=lines,
    )


def ledger_sentence(decisions: int, cost_of_all: float, luck: float, unit: str) -> str:
    """Return what a ledger comes to in plain words: how it was played, and what the cards brought.

    ``unit``: what was played for, as of ``unit_words.unit_of``.
    """
    return gap().join(_sentences(decisions, cost_of_all, luck, unit))


def _sentences(decisions: int, cost_of_all: float, luck: float, unit: str) -> Iterator[str]:
    if not decisions:
        yield _("There was nothing to decide.")
    elif not cost_of_all:
        yield _("It was played perfectly.")
    elif cost_of_all < _LEAST:
        yield _("It was played all but perfectly.")
    else:
        yield _("The decisions gave away %(chips)s.", chips=in_unit(amount(cost_of_all), unit))
    if abs(luck) < _LEAST:
        yield _("The cards brought what they usually bring.")
    elif luck > 0:
        yield _("The cards brought %(chips)s more than usual.", chips=in_unit(amount(luck), unit))
    else:
        yield _("The cards brought %(chips)s less than usual.", chips=in_unit(amount(luck), unit))


def ledger_notes(cost_of_all: float, luck: float, unit: str) -> Iterator[str]:
    """Yield the same in a few words each, for the small print of a picture."""
    if cost_of_all < _LEAST:
        yield _("Played all but perfectly") if cost_of_all else _("Played perfectly")
    else:
        yield _("%(chips)s given away", chips=in_unit(amount(cost_of_all), unit))
    if luck >= _LEAST:
        yield _("lucky by %(chips)s", chips=in_unit(amount(luck), unit))
    elif luck <= -_LEAST:
        yield _("unlucky by %(chips)s", chips=in_unit(amount(luck), unit))
