"""A Dask cluster that plays chunks, and is gone when its scheduler is: the extra ``cluster``."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, Final

from webapp.services.lab.pool import ChunkPool

ANSWER_SECONDS: Final = 5
"""How long a scheduler may take to answer, and how often it is seen to that it is still there."""


class ClusterLost(Exception):
    """The scheduler or its workers are gone."""


class ClusterUnavailable(Exception):
    """No scheduler can be used: ``str()`` says why."""


class _Cluster(Executor):
    """Dask's own Executor forgets what it waits for when the scheduler is gone: whoever asks would wait for ever."""

    def __init__(self, client: Any, killed: type[Exception]) -> None:
        self._client, self._killed = client, killed

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        return _Answer(self._client, self._killed, self._client.submit(fn, *args, pure=False, **kwargs))


class _Answer(Future[Any]):
    """``killed``: what is raised for a chunk whose workers die again and again."""

    def __init__(self, client: Any, killed: type[Exception], future: Any) -> None:
        super().__init__()
        self._client, self._killed, self._future = client, killed, future

    def result(self, timeout: float | None = None) -> Any:
        """Whether it is there is only looked at from time to time: a chunk may take as long as it likes."""
        while True:
            try:
                return self._future.result(timeout=timeout or ANSWER_SECONDS)
            except TimeoutError:
                if timeout is not None:
                    raise
            except (CancelledError, asyncio.CancelledError, self._killed, OSError) as error:
                raise ClusterLost(str(error)) from error
            if self._client.status != "running":
                raise ClusterLost("the scheduler is gone")


@contextmanager
def pool_at(address: str, on_waiting: Callable[[str], None]) -> Iterator[ChunkPool]:
    """As many chunks at a time as it has cores. What a dead worker had in hand, Dask has another one play again."""
    try:
        dask: Any = import_module("distributed")
    except ImportError as error:
        raise ClusterUnavailable("Dask is not installed (the extra cluster)") from error
    logging.disable(logging.CRITICAL)  # what goes wrong is told in a sentence of our own
    try:
        try:
            client = dask.Client(address, timeout=ANSWER_SECONDS)
        except (OSError, ValueError) as error:
            raise ClusterUnavailable(f"no scheduler answers at {address}: {error}") from error
        cores = sum(client.ncores().values())
        if not cores:
            on_waiting(f"no worker has come to {address} yet; waiting for the first")
        yield ChunkPool(max(1, cores), executor=_Cluster(client, dask.KilledWorker))
        with suppress(OSError, TimeoutError):
            client.close()
    finally:
        logging.disable(logging.NOTSET)
