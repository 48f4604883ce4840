"""Servers in processes of their own, and their CPU time and memory as the system reports them."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.support.processes import cpu_seconds
from tests.support.server import free_port, start_serving, wait_until_healthy
from webapp.config import SERVER_THREADS

ROOT: Final = Path(__file__).parents[2]
MB: Final = 1024 * 1024


@dataclass(frozen=True)
class Running:
    """A running server with its child processes."""

    url: str
    pid: int

    @property
    def pids(self) -> list[int]:
        found = [self.pid]
        for each in Path(f"/proc/{self.pid}/task").glob("*/children"):  # whichever of its threads has started them
            with suppress(OSError):  # a thread that has ended meanwhile
                found += [int(child) for child in each.read_text().split()]
        return found

    @property
    def cpu(self) -> float:
        """Return the CPU seconds used so far."""
        return sum(map(cpu_seconds, self.pids))

    @property
    def memory(self) -> list[float]:
        """Return the resident MB of each process."""
        return [
            int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / MB
            for pid in self.pids
        ]


@contextmanager
def tefuda(instance: Path | None = None, **environ: str) -> Iterator[Running]:
    """Run ``tefuda serve`` without rate limits, on this instance folder or on a new one."""
    with tempfile.TemporaryDirectory(prefix="tefuda-bench-") as folder:
        server = start_serving(instance or Path(folder), **environ)
        try:
            yield Running(server.url, server.process.pid)
        finally:
            server.stop()


def bare() -> AbstractContextManager[Running]:
    """Serve the bare Flask app with gunicorn's threads (see ``tests.bench.bare``)."""
    port = free_port()
    served = ("-b", f"127.0.0.1:{port}", "-k", "gthread", "--threads", str(SERVER_THREADS), "--log-level", "error")
    return program([sys.executable, "-m", "gunicorn", *served, "tests.bench.bare:app"], port)


@contextmanager
def program(command: Sequence[str], port: int) -> Iterator[Running]:
    """Run a server; yield it when it listens on the port."""
    with tempfile.TemporaryDirectory(prefix="bare-bench-") as folder:
        log = Path(folder) / "log"
        with log.open("wb") as out:
            process = subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=out)
        try:
            url = f"http://127.0.0.1:{port}"
            wait_until_healthy(url, process, log)
            yield Running(url, process.pid)
        finally:
            process.terminate()
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def taken_by_others(seconds: float = 1.0) -> float:
    """Return the share of the processors that other programs use, in percent."""
    before = _processor_times()
    time.sleep(seconds)
    passed = [now - then for now, then in zip(_processor_times(), before, strict=True)]
    _user, _nice, _system, idle, waiting, *_ = passed
    return 100 * (1 - (idle + waiting) / max(1, sum(passed)))


def _processor_times() -> list[int]:
    """Return the ticks of all processors: user, nice, system, idle, iowait, irq, softirq, steal."""
    return [int(ticks) for ticks in Path("/proc/stat").read_text().split("\n")[0].split()[1:9]]
