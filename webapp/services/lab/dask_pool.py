"""The executor of a Dask cluster: the extra ``cluster``."""

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, Final

from webapp.services.team import Team

CHECK_SECONDS: Final = 5
"""Time in which a scheduler has to answer, and between two checks that it is still there."""


class ClusterUnavailable(Exception):
    """No scheduler can be used: ``str()`` says why."""


class DaskMissing(ClusterUnavailable):
    """Dask is not installed (the extra ``cluster``)."""


@contextmanager
def team_at(address: str, on_waiting: Callable[[str], None]) -> Iterator[Team]:
    """Connect to a scheduler, and yield a team that does as many tasks at a time as the cluster has cores.

    The tasks of a worker that dies are done by another one. ``on_waiting`` is called with a sentence if there is no
    worker yet.

    Raises:
        DaskMissing: Dask is not installed.
        ClusterUnavailable: no scheduler answers.
    """
    try:
        dask: Any = import_module("distributed")
    except ImportError as error:
        raise DaskMissing("Dask is not installed") from error
    logging.disable(logging.CRITICAL)  # errors are reported in a sentence of our own
    try:
        try:
            client = dask.Client(address, timeout=CHECK_SECONDS)
        except (OSError, ValueError) as error:
            raise ClusterUnavailable(f"no scheduler answers at {address}: {error}") from error
        cores = sum(client.ncores().values())
        if not cores:
            on_waiting(f"no worker has come to {address} yet; waiting for the first")

        def check() -> None:
            if client.status != "running":
                raise BrokenExecutor("the scheduler is gone")

        try:
            executor = client.get_executor(pure=False)
            yield Team(executor, 2 * max(1, cores), check, (CancelledError, dask.KilledWorker, OSError))
        finally:
            with suppress(OSError, TimeoutError):
                client.close()
    finally:
        logging.disable(logging.NOTSET)
