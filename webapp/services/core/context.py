"""Objects that belong to one app: its settings, and what its services keep in memory.

Two apps in one process share neither keys nor caches, but they are counted together by the rate limits, which belong to
the process. ``create_app`` makes the services of an app; they are
current wherever the app's context is.
"""

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, Final, TypeVar

from webapp.config import Config

T = TypeVar("T")


class Services:
    """The settings of one app, and one object of each class that its services have asked for."""

    def __init__(self, config: Config) -> None:
        self.config: Final = config
        self._objects: dict[type[Any], Any] = {}

    def get(self, kind: type[T], make: Callable[[Config], T]) -> T:
        """Return this app's object of a class. The first time it is made from the settings."""
        known: T | None = self._objects.get(kind)
        return self._objects.setdefault(kind, make(self.config)) if known is None else known


_ENTERED: Final[ContextVar[tuple[Services, ...]]] = ContextVar("services", default=())
"""The services of all contexts that are open in this thread, the innermost last."""


def enter(services: Services) -> None:
    """Make the services of an app the current ones, until ``leave``."""
    _ENTERED.set((*_ENTERED.get(), services))


def leave() -> None:
    """Undo the last ``enter``."""
    _ENTERED.set(_ENTERED.get()[:-1])


def current() -> Services:
    """Return the services of the current app.

    Raises:
        RuntimeError: There is no current app.
    """
    entered = _ENTERED.get()
    if not entered:
        raise RuntimeError("no app: work inside `with app.app_context():`")
    return entered[-1]
