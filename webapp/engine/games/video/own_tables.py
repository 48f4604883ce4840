"""Own pay tables of video poker, each as one word: a family, and the lines that pay something else.

``jacks,full_house=8,flush=5``. The changes are in the order of the lines, so that a table has one name.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final

from webapp.engine import rule_notation
from webapp.engine.draw_poker.rules import DrawRules
from webapp.engine.errors import SetupError
from webapp.engine.games.video.tables import FAMILIES, PRESETS, paying
from webapp.engine.poker.pay_tables import PayTable

_PAYS: Final = (
    *(*range(1, 21), 25, 30, 35, 40, 45, 50, 60, 70, 80, 90, 100, 120, 140, 160, 180, 200, 240, 250, 300, 320),
    *(400, 500, 600, 700, 800, 900, 1000, 1200, 1600, 2000, 4000),
)
_TIMES: Final = 2
"""A line pays at most so many times the most, and at least such a part of the least, that it pays in a known table."""
FAMILY: Final = "family"


def _bounded() -> dict[str, tuple[object, ...]]:
    published: dict[str, set[int]] = {}
    for family, changes in PRESETS.values():
        for line in paying(FAMILIES[family], changes).lines:
            published.setdefault(line.code.lower(), set()).add(line.pays)
    return {
        word: tuple(chips for chips in _PAYS if min(pays) <= chips * _TIMES and chips <= max(pays) * _TIMES)
        for word, pays in published.items()
    }


CHOICES: Final[Mapping[str, tuple[object, ...]]] = {FAMILY: tuple(FAMILIES), **_bounded()}


class OwnPayTables:
    """The ``OwnTables`` of video poker. ``rules``: those of every table but for its lines."""

    choices = CHOICES

    def __init__(self, rules: DrawRules) -> None:
        self._rules = rules

    @lru_cache(maxsize=256)  # noqa: B019  # a request asks up to six times, and games are not deleted
    def rules(self, variant: str) -> DrawRules:
        family, *changes = variant.split(",")
        if family not in FAMILIES or not changes:
            raise SetupError(f"no such table: {variant[:80]!r}")
        right, table = _named(family, rule_notation.parse_choices(changes, _choice))
        if right != variant:
            raise SetupError(f"these rules are written {right!r}, not {variant[:200]!r}")
        return replace(self._rules, pay_table=replace(table, name=variant))

    def variant_from_choices(self, words: Mapping[str, str]) -> str:
        changes = (f"{name}={word}" for name, word in words.items() if name != FAMILY)
        name, table = _named(words.get(FAMILY, next(iter(FAMILIES))), rule_notation.parse_choices(changes, _choice))
        return next((preset for preset, known in PRESETS.items() if _lines(*known) == table.lines), name)


def _choice(name: str, word: str) -> object:
    return {str(choice): choice for choice in CHOICES[name] if name != FAMILY}[word]


def _lines(family: str, changes: Mapping[str, int]) -> object:
    return paying(FAMILIES[family], changes).lines


def _named(family: str, chosen: Mapping[str, int]) -> tuple[str, PayTable]:
    """Return the one name of a table with these lines changed, and the table."""
    if family not in FAMILIES:
        raise SetupError(f"no such table: {family[:80]!r}")
    usual = FAMILIES[family]
    lines = {line.code.lower(): line.pays for line in usual.lines}
    strange = sorted(set(chosen) - set(lines))
    if strange:
        raise SetupError(f"{family} has no line {strange[0]}")
    differing = [f"{word}={chosen[word]}" for word, pays in lines.items() if chosen.get(word, pays) != pays]
    return ",".join((family, *differing)), paying(usual, chosen)
