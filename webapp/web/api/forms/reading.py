"""Reading of a request: a form or query as its dataclass."""

from collections.abc import Hashable
from functools import cache
from typing import Any, Final, TypeVar, cast, get_origin, get_type_hints

from werkzeug.datastructures import MultiDict

from webapp.web.api.fields import is_on

T = TypeVar("T")

LONGEST: Final = 4000
"""Characters of one value that anything here reads. The longest that means something are the cards of eight decks."""


def read(kind: type[T], values: MultiDict[str, str]) -> T:
    """Return a form or query of this class.

    A field of type ``str`` is the first value of its name, a tuple has all of them, a ``bool`` is a box that may be
    ticked. Without a value a field has its default.
    """
    content: dict[str, Any] = {}
    for name, hint in _hints(cast(Hashable, kind)).items():
        if get_origin(hint) is tuple:
            content[name] = tuple(map(_readable, values.getlist(name)))
        elif hint is bool:
            content[name] = is_on(values.get(name, ""))
        elif name in values:
            content[name] = _readable(values[name])
    return kind(**content)


def _readable(text: str) -> str:
    """Return what is read of a value: its beginning, and nothing that PostgreSQL cannot be asked for.

    What is longer than all that means something is refused like what means nothing, and costs no more.
    """
    return text[:LONGEST].replace("\0", "\ufffd")


@cache
def _hints(kind: object) -> dict[str, Any]:
    return get_type_hints(kind)
