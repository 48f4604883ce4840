"""Rules as one word: a preset, then what differs from it, in the order of the fields: ``vegas,decks=2``.

A table has one name, so any other spelling of the same rules is refused. ``choice_of`` is a function of the game: it
returns the value that a word stands for in a field, and raises KeyError if there is none.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

from webapp.engine.errors import SetupError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

R = TypeVar("R", bound="DataclassInstance")
ChoiceOf = Callable[[str, str], object]


def parse_rule_words(text: str, presets: Mapping[str, R], choice_of: ChoiceOf, spelled: Callable[[R, str], str]) -> R:
    """Parse the name of a table. ``spelled`` returns the one valid name of its rules.

    Raises:
        SetupError: The preset, a field or a value is unknown, or the rules are spelled differently.
    """
    if text in presets:
        return presets[text]
    preset, *changes = text.split(",")
    if preset not in presets:
        raise SetupError(f"no such table: {preset[:80]!r}")
    rules = replace(presets[preset], **parse_choices(changes, choice_of))
    right = spelled(rules, preset)
    if right != text:
        raise SetupError(f"these rules are written {right!r}, not {text[:200]!r}")
    return rules


def parse_choices(changes: Iterable[str], choice_of: ChoiceOf) -> dict[str, Any]:
    """Return fields and their values, from ``field=word``. SetupError."""
    values = {}
    for change in changes:
        name, _, word = change.partition("=")
        try:
            values[name] = choice_of(name, word)
        except KeyError:
            raise SetupError(f"no such rule: {change[:80]!r}") from None
    return values


def differences(rules: R, preset: R) -> list[tuple[str, Any]]:
    """Return fields and values in which rules differ from the preset."""
    names = [field.name for field in fields(rules)]
    return [(name, getattr(rules, name)) for name in names if getattr(rules, name) != getattr(preset, name)]
