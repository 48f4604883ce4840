"""JSON made from dataclasses: those of ``webapp.web.api.answers``, and the engine's own views and rules."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, Final, TypeVar

from flask import Response, jsonify

from webapp.engine.action import Action
from webapp.engine.cards import RANK_LETTERS, Card, Rank
from webapp.engine.game import View
from webapp.engine.label import Label
from webapp.engine.tier import Tier
from webapp.web.i18n.messages import say
from webapp.web.i18n.translations import gettext as _

T = TypeVar("T")


class Absent(Enum):
    """Value of a field that is left out of an answer."""

    ABSENT = "absent"


ABSENT: Final = Absent.ABSENT
BESIDE_VIEW: Final = frozenset({"actions", "result", "viewer"})
"""Fields of a view that an answer gives beside it, not in it."""
_PLAIN: Final = frozenset({int, str, bool, float, type(None)})


def to_json(value: object) -> Any:
    """Return lists, dicts and plain values: a card is ``"Qh"``, a face-down card null, an action ``"hold-1-3"``."""
    kind: Any = type(value)
    if kind in _PLAIN:
        return value
    match value:
        case Card() | Action():
            return str(value)
        case Label():
            return {"code": value.code, "args": {name: to_json(arg) for name, arg in value.args}, "text": say(value)}
        case Rank():
            return RANK_LETTERS[value - 2]
        case Tier():
            return int(value)
        case Enum():
            return value.name if isinstance(value, int) else value.value
        case tuple() | list():
            return [to_json(item) for item in value]
        case Mapping():
            return {str(name): to_json(item) for name, item in value.items()}
        case _ if is_dataclass(value):
            items = ((name, getattr(value, name)) for name in json_fields(kind))
            return {json_name(name): to_json(item) for name, item in items if item is not ABSENT}
        case _:
            return value


def json_response(answer: object, status: int = 200) -> Response:
    """Return an answer, one of ``webapp.web.api.answers``, as a response."""
    response = jsonify(to_json(answer))
    response.status_code = status
    return response


def pending_response(kind: type, **values: object) -> Response:
    """Return the answer of this class, with these fields, which says that something is still being worked out."""
    message = _("This is being worked out. Ask again in a moment.")
    response = json_response(kind(pending=True, message=message, **values), 202)
    response.headers["Retry-After"] = "1"
    return response


def answer_from(kind: type[T], source: object, **values: object) -> T:
    """Return an answer whose fields are the given values, and for all others those of the same name in ``source``."""
    names = (field.name for field in fields(kind))  # type: ignore[arg-type]
    return kind(**{name: values[name] if name in values else getattr(source, name) for name in names})


def json_name(field: str) -> str:
    """Return the name of a field in JSON: without the underscore of one that a class uses for something else."""
    return field.rstrip("_")


@cache
def json_fields(kind: type) -> tuple[str, ...]:
    """Return the names of a dataclass's fields that are in its JSON."""
    names = tuple(field.name for field in fields(kind))
    return tuple(name for name in names if name not in BESIDE_VIEW) if issubclass(kind, View) else names
