"""A pool of chunks on a Dask cluster, which ends with its scheduler: the extra ``cluster``."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, Final

from webapp.services.lab.worker_pool import ChunkPool

CHECK_SECONDS: Final = 5
"""Time in which a scheduler has to answer, and between two checks that it is still there."""


class ClusterLost(Exception):
    """The scheduler or its workers are gone."""


class ClusterUnavailable(Exception):
    """No scheduler can be used: ``str()`` says why."""


class DaskMissing(ClusterUnavailable):
    """Dask is not installed (the extra ``cluster``)."""


class _DaskExecutor(Executor):
    """An executor that fails when the scheduler is gone. Dask's own would wait for ever."""

    def __init__(self, client: Any, killed: type[Exception]) -> None:
        self._client, self._killed = client, killed

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        return _DaskFuture(self._client, self._killed, self._client.submit(fn, *args, pure=False, **kwargs))


class _DaskFuture(Future[Any]):
    """A future of Dask; ``killed`` is the error of a chunk whose workers die again and again."""

    def __init__(self, client: Any, killed: type[Exception], future: Any) -> None:
        super().__init__()
        self._client, self._killed, self._future = client, killed, future

    def result(self, timeout: float | None = None) -> Any:
        """Return the result, however long it takes, and check from time to time that the scheduler is still there."""
        while True:
            try:
                return self._future.result(timeout=timeout or CHECK_SECONDS)
            except TimeoutError:
                if timeout is not None:
                    raise
            except (CancelledError, asyncio.CancelledError, self._killed, OSError) as error:
                raise ClusterLost(str(error)) from error
            if self._client.status != "running":
                raise ClusterLost("the scheduler is gone")


@contextmanager
def pool_at(address: str, on_waiting: Callable[[str], None]) -> Iterator[ChunkPool]:
    """Connect to a scheduler, and yield a pool that plays as many chunks at a time as the cluster has cores.

    The chunks of a worker that dies are played by another one. ``on_waiting`` is called with a sentence if there is no
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
        try:
            yield ChunkPool(max(1, cores), executor=_DaskExecutor(client, dask.KilledWorker))
        finally:
            with suppress(OSError, TimeoutError):
                client.close()
    finally:
        logging.disable(logging.NOTSET)
