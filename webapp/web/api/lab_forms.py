"""What is asked of the lab in a form or an address, read with care."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Any, Final

from webapp.engine.errors import SetupError
from webapp.engine.games.blackjack.rules import CHOICES, PRESETS, format_rules, parse_rules, rules_from_choices
from webapp.engine.simulation.exercise import LIMITS as EXERCISE_LIMITS
from webapp.engine.simulation.exercise import Exercise
from webapp.engine.simulation.experiment import LIMITS
from webapp.engine.simulation.strategies import require_name
from webapp.engine.simulation.strategy_csv import StrategyCsvError, decode, loads
from webapp.engine.words import N_
from webapp.services.core.randomness import new_simulation_seed
from webapp.services.lab.jobs import UPLOADED_CHART, JobRequest, ScenarioRequest
from webapp.web.i18n.translations import gettext as _
from webapp.web.i18n.vocabulary import number, translated

Values = Mapping[str, str]

_DIGITS: Final = re.compile(r"[0-9]{1,30}", re.ASCII)
_GROUPED: Final = re.compile(r"[ _,'’\u202f]")
MOST_GAMES: Final = 100
"""Games of an exercise in the page; the command line has room for more."""


class FormError(Exception):
    """What cannot be simulated; ``field`` is where it was asked, ``sentence`` what is wrong with it."""

    def __init__(self, code: str, field: str, sentence: str) -> None:
        super().__init__(code, field)
        self.code = code
        self.field = field
        self.sentence = sentence


def whole(text: str | None, name: str, least: int, most: int, default: int | None = None) -> int:
    """A whole number, however its digits are grouped. Unfit."""
    bare = _GROUPED.sub("", unicodedata.normalize("NFKC", text or "")).strip()
    if not bare and default is not None:
        return default
    if _DIGITS.fullmatch(bare) is None or not least <= int(bare) <= most:
        sentence = translated(_SENTENCES[name])
        limits = _("A whole number from %(least)s to %(most)s.", least=number(least), most=number(most))
        raise FormError(f"bad-{name}", name, f"{sentence} {limits}")
    return int(bare)


_SENTENCES: Final[Mapping[str, str]] = {
    "rounds": N_("So many rounds cannot be played here."),
    "seed": N_("This is not a seed."),
    "bet": N_("This bet is not possible here."),
    "games": N_("So many games cannot be played here."),
    "decks": N_("So many decks cannot be played with."),
    "stand": N_("Nobody can stand on this total here."),
}


def job_request_from(form: Values, sheets: Mapping[str, bytes], most_rounds: int) -> JobRequest:
    """``sheets``: uploaded tables, by the name of their field. Unfit."""
    return JobRequest(
        choice=_choice(form, sheets, ""),
        rounds=whole(form.get("rounds"), "rounds", 1, most_rounds),
        seed=whole(form.get("seed"), "seed", *LIMITS["seed"], default=new_simulation_seed()),
        bet=whole(form.get("bet"), "bet", *LIMITS["bet"], default=10),
        other=_choice(form, sheets, "other_") if is_comparison(form) else None,
    )


def is_comparison(form: Values) -> bool:
    """Whether a second side is asked for."""
    return form.get("compare") == "1" or "other_table" in form


def _choice(form: Values, sheets: Mapping[str, bytes], prefix: str) -> ScenarioRequest:
    try:
        table = form.get(f"{prefix}table") or _table(form, prefix)
        parse_rules(table)
    except SetupError as error:
        raise FormError("bad-setup", f"{prefix}table", _("There is no table with these rules.")) from error
    raw, strategy = sheets.get(f"{prefix}sheet", b""), form.get(f"{prefix}strategy", "basic")
    if raw:
        text = _sheet(raw, f"{prefix}sheet")
        return ScenarioRequest(table, UPLOADED_CHART, text)
    if strategy == UPLOADED_CHART:
        raise FormError("no-sheet", f"{prefix}sheet", _("Choose the file with your own table."))
    require_known(strategy, f"{prefix}strategy")
    return ScenarioRequest(table, strategy)


def require_known(strategy: str, field: str) -> None:
    """Unfit."""
    try:
        require_name(strategy)
    except SetupError as error:
        raise FormError("bad-strategy", field, _("We do not know this strategy.")) from error


def _table(form: Values, prefix: str) -> str:
    """A preset, and what is chosen otherwise; nothing chosen leaves it as it is. SetupError."""
    preset = form.get(f"{prefix}preset", "vegas")
    return format_rules(rules_from_choices(_rules_in(form, prefix), preset), preset) if preset in PRESETS else preset


def _rules_in(form: Values, prefix: str) -> dict[str, str]:
    """The words of the rules that are chosen field by field."""
    return {name: form[f"{prefix}rule_{name}"] for name in CHOICES if form.get(f"{prefix}rule_{name}")}


def _sheet(raw: bytes, field: str) -> str:
    try:
        text = decode(raw)
        loads(text)
    except StrategyCsvError as error:
        raise FormError("bad-sheet", field, sheet_sentence(error)) from error
    return text


def sheet_sentence(error: StrategyCsvError) -> str:
    """Return what is wrong with a table, and where."""
    fault = "no-word" if error.fault == "word" and not error.found else error.fault
    what = translated(_FAULTS[fault]) % {"found": error.found, "wanted": error.wanted}
    if error.column:
        return str(_("Line %(line)s, column %(column)s: %(what)s", line=error.line, column=error.column, what=what))
    return str(_("Line %(line)s: %(what)s", line=error.line, what=what) if error.line else what)


_FAULTS: Final[Mapping[str, str]] = {
    "too-long": N_("This file is too long for a table: %(found)s."),
    "not-utf-8": N_("This is not UTF-8 text: %(found)s."),
    "heading": N_("The first line must read: %(wanted)s"),
    "twice": N_("The hand “%(found)s” is there a second time."),
    "no-hand": N_("There is no such hand: “%(found)s”."),
    "word": N_("“%(found)s” stands where %(wanted)s must be."),
    "no-word": N_("Nothing stands where %(wanted)s must be."),
    "too-many": N_("There are more columns than the dealer has cards."),
    "hole": N_("The table has no line for %(found)s."),
}


def shown(form: Values, prefix: str, strategy: str) -> dict[str, Any]:
    """A side as the form shows it: preset, the word of every rule that differs from it, and strategy.

    ``strategy``: what is shown where none is asked for.
    """
    preset, *changes = (form.get(f"{prefix}table") or form.get(f"{prefix}preset", "vegas")).split(",")
    differing = dict(change.split("=", 1) for change in changes if "=" in change)
    return {
        "preset": preset if preset in PRESETS else "vegas",
        "rules": differing | _rules_in(form, prefix),
        "strategy": form.get(f"{prefix}strategy", strategy),
    }


def exercise_from(args: Values) -> Exercise:
    """The exercise an address names. Unfit."""
    return Exercise(
        seed=whole(args.get("seed"), "seed", *EXERCISE_LIMITS["seed"], default=new_simulation_seed()),
        games=whole(args.get("games"), "games", 1, MOST_GAMES, default=12),
        decks=whole(args.get("decks"), "decks", *EXERCISE_LIMITS["decks"], default=2),
        stand=whole(args.get("stand"), "stand", *EXERCISE_LIMITS["stand"], default=17),
        natural_beats_21=args.get("natural_beats_21", "0") in ("1", "true", "on"),
        one_shoe=args.get("one_shoe", "0") in ("1", "true", "on"),
    )
