"""Parsing of the lab's forms and queries."""

from collections.abc import Mapping
from typing import Any, Final

from webapp.engine.errors import SetupError
from webapp.engine.games.blackjack.rules import CHOICES, PRESETS, format_rules, parse_rules, rules_from_choices
from webapp.engine.simulation.exercise_play import LIMITS as EXERCISE_LIMITS
from webapp.engine.simulation.exercise_play import Exercise
from webapp.engine.simulation.experiment import LIMITS
from webapp.engine.simulation.strategy_by_name import require_name
from webapp.engine.simulation.strategy_csv import StrategyCsvError, decode, loads
from webapp.engine.words import N_
from webapp.services.core.randomness import new_simulation_seed
from webapp.services.lab.jobs import UPLOADED_CHART, JobRequest, ScenarioRequest
from webapp.web.api import fields
from webapp.web.i18n.translations import gettext as _
from webapp.web.i18n.vocabulary import number, translated

Fields = Mapping[str, str]
Files = Mapping[str, bytes]

_OTHER: Final = "other_"
"""Prefix of the fields of the second scenario."""
_RULE_FIELDS: Final = tuple(f"rule_{name}" for name in CHOICES)
_OTHER_FIELDS: Final = tuple(f"{_OTHER}{name}" for name in ("table", "preset", "strategy", *_RULE_FIELDS))
MOST_GAMES: Final = 100
"""Most games of an exercise in the page; the command line allows more."""


class FormError(Exception):
    """An invalid field of a form or query; ``sentence`` is shown to the visitor."""

    def __init__(self, code: str, field: str, sentence: str) -> None:
        super().__init__(code, field)
        self.code = code
        self.field = field
        self.sentence = sentence


def whole_number(text: str | None, name: str, least: int, most: int, default: int | None = None) -> int:
    """Parse a whole number, with any grouping of digits.

    Raises:
        FormError: the text is not a number from ``least`` to ``most``, and not empty if there is a default.
    """
    asked = (text or "").strip()
    if not asked and default is not None:
        return default
    count = fields.grouped_number(asked)
    if count is None or not least <= count <= most:
        sentence = translated(_LIMITS[name]) % {"least": number(least), "most": number(most)}
        raise FormError(f"bad-{name}", name, sentence)
    return count


_LIMITS: Final[Mapping[str, str]] = {
    "rounds": N_("Choose how many rounds to play: a whole number from %(least)s to %(most)s."),
    "seed": N_("Choose a seed: a whole number from %(least)s to %(most)s."),
    "bet": N_("Choose a bet: a whole number from %(least)s to %(most)s."),
    "games": N_("Choose how many games to play: a whole number from %(least)s to %(most)s."),
    "decks": N_("Choose how many decks to play with: a whole number from %(least)s to %(most)s."),
    "bankroll": N_("Choose a bankroll, in units: a whole number from %(least)s to %(most)s."),
    "trip": N_("Choose the rounds of a trip: a whole number from %(least)s to %(most)s."),
    "boxes": N_("Choose how many boxes to play: a whole number from %(least)s to %(most)s."),
    "stand": N_("Choose a total to stand on: a whole number from %(least)s to %(most)s."),
}


def job_request_from(form: Fields, charts: Files, most_rounds: int) -> JobRequest:
    """Read the request for a job; ``charts`` are uploaded files by the name of their field.

    The second scenario, if anything of it is filled in, is like the first in everything that is left empty.

    Raises:
        FormError: something cannot be simulated.
    """
    scenario = _scenario(form, charts, "", None)
    return JobRequest(
        scenario=scenario,
        rounds=whole_number(form.get("rounds"), "rounds", 1, most_rounds),
        seed=whole_number(form.get("seed"), "seed", *LIMITS["seed"], default=new_simulation_seed()),
        bet=whole_number(form.get("bet"), "bet", *LIMITS["bet"], default=10),
        other=_scenario(form, charts, _OTHER, scenario) if is_comparison(form, charts) else None,
    )


def is_comparison(form: Fields, charts: Files | None = None) -> bool:
    """Return True if anything of a second scenario is filled in."""
    if form.get("compare") == "1" or (charts or {}).get(f"{_OTHER}sheet"):
        return True
    return any(form.get(name) for name in _OTHER_FIELDS)


def _scenario(form: Fields, charts: Files, prefix: str, first: ScenarioRequest | None) -> ScenarioRequest:
    try:
        variant = form.get(f"{prefix}table") or _variant(form, prefix, first.variant if first else "vegas")
        parse_rules(variant)
    except SetupError as error:
        raise FormError("bad-setup", f"{prefix}table", _("There is no table with these rules.")) from error
    if raw := charts.get(f"{prefix}sheet"):
        return ScenarioRequest(variant, UPLOADED_CHART, _chart(raw, f"{prefix}sheet"))
    strategy = form.get(f"{prefix}strategy", "basic")
    if first and not strategy:
        return ScenarioRequest(variant, first.strategy, first.chart)
    if strategy == UPLOADED_CHART:
        raise FormError("no-sheet", f"{prefix}sheet", _("Choose the file with your own table."))
    require_known(strategy, f"{prefix}strategy")
    return ScenarioRequest(variant, strategy)


def require_known(strategy: str, field: str) -> None:
    """Check that there is a strategy of this name.

    Raises:
        FormError: there is none.
    """
    try:
        require_name(strategy)
    except SetupError as error:
        raise FormError("bad-strategy", field, _("We do not know this strategy.")) from error


def _variant(form: Fields, prefix: str, default: str) -> str:
    """Return a preset, or ``default``, with the rules that are chosen field by field.

    Raises:
        SetupError: there is no such rule.
    """
    preset, chosen = _preset_and_choices(form.get(f"{prefix}preset") or default)
    if preset not in PRESETS:
        return preset  # which nobody can parse
    return format_rules(rules_from_choices(chosen | _chosen_rules(form, prefix), preset), preset)


def _preset_and_choices(variant: str) -> tuple[str, dict[str, str]]:
    """Split ``vegas,decks=2`` into the preset and the rules that differ from it."""
    preset, *changes = variant.split(",")
    return preset, dict(change.split("=", 1) for change in changes if "=" in change)


def _chosen_rules(form: Fields, prefix: str) -> dict[str, str]:
    """Return the rules that are chosen field by field, by name."""
    return {name: form[f"{prefix}rule_{name}"] for name in CHOICES if form.get(f"{prefix}rule_{name}")}


def _chart(raw: bytes, field: str) -> str:
    try:
        text = decode(raw)
        loads(text)
    except StrategyCsvError as error:
        raise FormError("bad-sheet", field, chart_sentence(error)) from error
    return text


def chart_sentence(error: StrategyCsvError) -> str:
    """Return a sentence for the fault of a chart, and its place."""
    fault = "no-word" if error.fault == "word" and not error.text else error.fault
    what = translated(_FAULTS[fault]) % {"found": error.text, "wanted": error.expected}
    if error.column:
        return str(_("Line %(line)s, column %(column)s: %(what)s", line=error.line, column=error.column, what=what))
    return str(_("Line %(line)s: %(what)s", line=error.line, what=what)) if error.line else what


_FAULTS: Final[Mapping[str, str]] = {
    "too-long": N_("This file is too long for a table: %(found)s."),
    "not-utf-8": N_("This is not UTF-8 text: %(found)s."),
    "heading": N_("The first line must read: %(wanted)s"),
    "twice": N_("The hand “%(found)s” is there twice."),
    "no-hand": N_("There is no such hand: “%(found)s”."),
    "word": N_("%(wanted)s is expected here, and “%(found)s” was found."),
    "no-word": N_("%(wanted)s is expected here, and nothing was found."),
    "too-many": N_("There are more columns than the dealer has cards."),
    "hole": N_("The table has no line for %(found)s."),
}


def shown_scenario(form: Fields, prefix: str, preset: str, strategy: str) -> dict[str, Any]:
    """Return the fields of a scenario as the form shows them: preset, rules that differ from it, and strategy.

    ``preset`` and ``strategy`` are shown where nothing is asked for.
    """
    asked, rules = _preset_and_choices(form.get(f"{prefix}table") or form.get(f"{prefix}preset") or preset)
    return {
        "preset": asked if asked in PRESETS else preset,
        "rules": rules | _chosen_rules(form, prefix),
        "strategy": form.get(f"{prefix}strategy", strategy),
    }


def exercise_from(args: Fields) -> Exercise:
    """Read the exercise that an address asks for.

    Raises:
        FormError: there is no such exercise.
    """
    return Exercise(
        seed=whole_number(args.get("seed"), "seed", *EXERCISE_LIMITS["seed"], default=new_simulation_seed()),
        games=whole_number(args.get("games"), "games", 1, MOST_GAMES, default=12),
        decks=whole_number(args.get("decks"), "decks", *EXERCISE_LIMITS["decks"], default=2),
        stand=whole_number(args.get("stand"), "stand", *EXERCISE_LIMITS["stand"], default=17),
        natural_beats_21=fields.is_on(args.get("natural_beats_21", "")),
        one_shoe=fields.is_on(args.get("one_shoe", "")),
    )
