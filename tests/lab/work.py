"""Work in the lab, here and now."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

from flask import Flask

from webapp.services.lab import supervisor
from webapp.services.lab.lease import Lease
from webapp.services.lab.pool import ChunkPool


class Inline(Executor):
    """Does what it is given at once, and counts it."""

    def __init__(self) -> None:
        self.done = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.done += 1
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001  # whoever asks for the result gets it
            future.set_exception(error)
        return future


def turns(app: Flask, most: int = 1000, foreman: Lease = Lease("somebody")) -> int:  # noqa: B008  # it is frozen
    """Serve what waits, at most so many turns. How many there were."""
    with app.app_context(), ChunkPool(1, executor=Inline()) as crew:
        for turn in range(most):
            if not supervisor.serve_next(foreman, crew):
                return turn
    return most
