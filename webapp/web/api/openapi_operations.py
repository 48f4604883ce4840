"""Input and answers of an address, described once beside its view: ``GET /openapi.json`` is made from it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from webapp.web.api.error_answers import ErrorAnswer

Answer = type | tuple[type, ...] | str | None
V = TypeVar("V", bound=Callable[..., Any])


@dataclass(frozen=True, kw_only=True, slots=True)
class Operation:
    """Input and answers of a view.

    ``answers`` are the classes of the JSON answers, by status: one, or several of which it is one; of those that are
    not JSON the media type, and None where there is no content. ``refused`` are the classes of all answers that say no.
    ``path`` describes the variable parts of the address. ``choices`` are the values of fields that the form takes
    beside its own. ``name`` is the ``operationId``, where programs know the view by another name than it has.
    """

    answers: Mapping[int, Answer]
    form: type | None = None
    query: type | None = None
    refused: tuple[type, ...] = (ErrorAnswer,)
    path: Mapping[str, str] = field(default_factory=dict)
    choices: Callable[[], Mapping[str, tuple[object, ...]]] = dict
    name: str = ""


def describe(operation: Operation) -> Callable[[V], V]:
    """Attach a description to a view."""

    def decorate(view: V) -> V:
        view.operation = operation  # type: ignore[attr-defined]
        return view

    return decorate


def operation_of(view: Callable[..., Any]) -> Operation | None:
    """Return the description of a view, None for one that only makes pages."""
    operation = getattr(view, "operation", None)
    return operation if isinstance(operation, Operation) else None
