"""Comparison of what a JSON states with the values of the engine that it was made from."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, Final

from webapp.engine.action import Action
from webapp.engine.cards import RANK_LETTERS, Card, Rank
from webapp.engine.label import Label

_PLAIN: Final = (int, float, str, bool, type(None))


def agrees(stated: Any, value: object) -> bool:
    """Return True if stated JSON agrees with a value.

    An object may leave out names, but not have names that the value does not have. Sentences of labels depend on the
    language of the request, and are not compared.
    """
    match value:
        case Label():
            facts = {"code": value.code, "args": dict(value.args)}
            return isinstance(stated, dict) and "code" in stated and _names_agree(stated, facts, ("text",))
        case Card() | Action():
            return bool(stated == str(value))
        case Rank():
            return bool(stated == RANK_LETTERS[value - 2])
        case Enum():
            return agrees(stated, value.name if isinstance(value, int) else value.value)
        case tuple() | list():
            return isinstance(stated, list) and len(stated) == len(value) and all(map(agrees, stated, value))
        case Mapping():
            return _names_agree(stated, {str(name): fact for name, fact in value.items()})
        case _ if is_dataclass(value):
            return _names_agree(stated, {field.name.rstrip("_"): getattr(value, field.name) for field in fields(value)})
        case _ if isinstance(value, _PLAIN):
            # 1 is 1.0 to many programs, and never true
            return isinstance(stated, bool) == isinstance(value, bool) and bool(stated == value)
        case _:
            return False


def _names_agree(stated: Any, facts: Mapping[str, object], others: tuple[str, ...] = ()) -> bool:
    return isinstance(stated, dict) and all(
        name in others or (name in facts and agrees(told, facts[name])) for name, told in stated.items()
    )
