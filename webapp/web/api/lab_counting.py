"""Parsing of the part of the lab's form that is about counting cards."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from webapp.engine.errors import SetupError
from webapp.engine.games.blackjack.rules import BlackjackRules
from webapp.engine.simulation.bet_ramp import LIMITS
from webapp.engine.simulation.card_counter import CardCounter
from webapp.engine.simulation.counted_play import ramp_for
from webapp.engine.twenty_one.counting import ROUNDINGS, CountingSystem, Rounding
from webapp.services.core.errors import Refusal
from webapp.services.lab.index_numbers import Later, index_numbers
from webapp.services.lab.jobs import CountingRequest, JobRequest
from webapp.web.api import fields
from webapp.web.api.lab_parsing import FormError, whole_number
from webapp.web.i18n.translations import gettext as _

DEFAULT_RAMP: Final = "1-12"
FIELDS: Final = frozenset(
    {"count", "own_tags", "rounding", "ramp", "other_ramp", "index_plays", "bankroll", "trip", "boxes", "leave"}
)
"""Fields of this part that may be wrong."""
_NEED_COUNT: Final = ("own_ramp", "other_ramp", "own_other_ramp", "index_plays", "leave")
"""Fields that say nothing unless cards are counted, and are empty unless somebody fills them in."""


def counting_from(form: Mapping[str, str], request: JobRequest) -> CountingRequest | None:
    """Read how the player of a job counts; None for one who does not.

    What is written in a field of one's own counts in place of a choice.

    Raises:
        FormError: it cannot be simulated.
    """
    name = _own_or_chosen(form, "own_tags", "count")
    if not name:
        if any(form.get(field) for field in _NEED_COUNT) or form.get("boxes", "") not in ("", "1"):
            raise FormError(
                "no-count", "count", _("Choose a system of counting: these bets and plays go by the count.")
            )
        return None
    if request.other:
        sentence = _("Nobody can count in a comparison of two: each round has a fresh shoe. Compare two ramps instead.")
        raise FormError("count-compared", "count", sentence)
    system, rules = _system(name), request.scenario.rules
    second = _own_or_chosen(form, "own_other_ramp", "other_ramp")
    first = _own_or_chosen(form, "own_ramp", "ramp") or DEFAULT_RAMP
    ramps = (_ramp(first, "ramp", system, rules), *([_ramp(second, "other_ramp", system, rules)] if second else ()))
    asked = CountingRequest(
        system=system.name,
        ramps=ramps,
        index_plays=fields.is_on(form.get("index_plays", "")),
        bankroll=whole_number(form.get("bankroll"), "bankroll", *LIMITS["bankroll"], default=1000),
        trip=whole_number(form.get("trip"), "trip", *LIMITS["trip"], default=1000),
        rounding=_rounding(form.get("rounding") or "floor"),
        leave=_leave(form.get("leave", ""), CardCounter(system), rules),
        boxes=whole_number(form.get("boxes"), "boxes", 1, rules.bets.boxes if rules.bets else 1, default=1),
    )
    if asked.index_plays:
        _begin_index_numbers(request.scenario.variant, asked.system)
    return asked


def _own_or_chosen(form: Mapping[str, str], own: str, chosen: str) -> str:
    """Return what is typed into one field, in usual width and without spaces, or else what is chosen in another."""
    return fields.signed_numbers(form.get(own, "")) or form.get(chosen, "")


def _system(name: str) -> CountingSystem:
    try:
        return CountingSystem.parse(name)
    except SetupError as error:
        sentence = _(
            "A system of counting is one of the list, or ten tags from −4 to 4, from the ace to the ten, as in "
            "%(tags)s. They cannot all be the same.",
            tags="-1,1,1,1,1,1,0,0,0,-1",
        )
        raise FormError("bad-count", "own_tags", sentence) from error


def _ramp(text: str, field: str, system: CountingSystem, rules: BlackjackRules) -> str:
    """Return a ramp, written out."""
    try:
        return str(ramp_for(text, system, rules))
    except SetupError as error:
        sentence = _(
            "Write bets as count:units, as in %(ramp)s: the counts rise, there are at most 40 of them, and nobody bets "
            "more than 1000 units, or nothing at all.",
            ramp="0:1,1:2,2:4",
        )
        raise FormError("bad-ramp", field, sentence) from error


def _rounding(name: str) -> Rounding:
    if name in ROUNDINGS:
        return name
    sentence = _("True counts are rounded down (floor), towards 0 (truncate) or to the nearest (nearest).")
    raise FormError("bad-rounding", "rounding", sentence)


def _leave(text: str, counter: CardCounter, rules: BlackjackRules) -> int | None:
    """Return the count at which the player leaves; None for one who stays."""
    typed = fields.signed_numbers(text)
    if not typed:
        return None
    try:
        leave = int(typed) if len(typed) < 6 else None
        replace(counter, leaves_at=leave).require_valid(rules.decks)
    except (ValueError, SetupError):
        leave = None
    if leave is None:
        least, most = counter.counts(rules.decks)[0], counter.system.start(rules.decks)
        sentence = _(
            "Leave at a whole count from %(least)s to %(most)s, or not at all.",
            least=str(least).replace("-", "−"),
            most=str(most).replace("-", "−"),
        )
        raise FormError("bad-leave", "leave", sentence)
    return leave


def _begin_index_numbers(table: str, system: str) -> None:
    """Have the index numbers of a table worked out, if they are not there.

    Raises:
        FormError: they cannot be worked out here.
    """
    try:
        index_numbers(table, system)
    except Later:
        pass
    except Refusal as error:
        sentence = _("The index numbers of this table cannot be worked out here.")
        raise FormError("no-index-numbers", "index_plays", sentence) from error
