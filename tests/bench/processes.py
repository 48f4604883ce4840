"""A server that runs apart from us, and what the system says about it."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.support.server import free_port, start_serving, wait_until_healthy

ROOT: Final = Path(__file__).parents[2]
TICKS: Final = os.sysconf("SC_CLK_TCK")
MB: Final = 1024 * 1024


@dataclass(frozen=True)
class Running:
    """A server, and the processes that it has started."""

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
        """Seconds of processor time so far."""
        return sum(_ticks(pid) for pid in self.pids) / TICKS

    @property
    def memory(self) -> list[float]:
        """Resident megabytes of each process."""
        return [
            int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / MB
            for pid in self.pids
        ]


@contextmanager
def tefuda(instance: Path | None = None) -> Iterator[Running]:
    """``tefuda serve`` without rate limits; on an instance folder of its own, or on this one."""
    with tempfile.TemporaryDirectory(prefix="tefuda-bench-") as folder:
        server = start_serving(instance or Path(folder))
        try:
            yield Running(server.url, server.process.pid)
        finally:
            server.stop()


@contextmanager
def bare(*how: str) -> Iterator[Running]:
    """A Flask app that does nothing, on the same server software with the same settings; or ``how`` else it is."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="bare-bench-") as folder:
        log = Path(folder) / "log"
        with log.open("wb") as out:
            command = [sys.executable, "-m", "tests.bench.bare", str(port), *how]
            process = subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=out)
        try:
            url = f"http://127.0.0.1:{port}"
            wait_until_healthy(url, process, log)
            yield Running(url, process.pid)
        finally:
            process.terminate()
            process.wait(timeout=20)


def _ticks(pid: int) -> int:
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(words[11]) + int(words[12])
