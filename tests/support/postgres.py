"""A PostgreSQL server in a temporary folder for the duration of the tests.

``TEST_PG_URL`` names a server to use instead, with a role that may create databases. ``python
tests/support/postgres.py`` installs PostgreSQL if it is missing and that is possible. Without a server the tests that
need it are skipped, or fail if ``TEFUDA_REQUIRE_PG`` is set.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.support import apt
from tests.support.process_guard import ProcessGuard

MISSING = (
    "PostgreSQL is missing: install it (Debian: apt-get install postgresql), "
    "put initdb on PATH, or name a server in TEST_PG_URL"
)
DRIVER = "postgresql+psycopg"


def required() -> bool:
    return os.environ.get("TEFUDA_REQUIRE_PG", "") not in ("", "0")


def programs() -> Path | None:
    """Return the folder of initdb and pg_ctl: from PATH, else the newest version under /usr/lib/postgresql."""
    found = shutil.which("initdb")
    if found and (Path(found).resolve().parent / "pg_ctl").exists():
        return Path(found).resolve().parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: _version(folder.parent.name))
    return next((folder for folder in reversed(folders) if (folder / "pg_ctl").exists()), None)


def _version(name: str) -> float:
    return float(name) if name.replace(".", "", 1).isdigit() else 0.0


def available() -> bool:
    return bool(os.environ.get("TEST_PG_URL")) or programs() is not None


@dataclass(frozen=True)
class Cluster:
    """A PostgreSQL server. ``url`` is that of its maintenance database."""

    url: str
    room: Path
    programs: Path

    def stop(self, mode: str = "immediate") -> None:
        """Stop the server in a mode of ``pg_ctl``: smart, fast or immediate."""
        self._control("-m", mode, "stop")

    def kill(self) -> None:
        """Kill the server and all of its processes with SIGKILL."""
        lock = self.room / "data" / "postmaster.pid"
        postmaster = int(lock.read_text().splitlines()[0])
        killed = (postmaster, *_children(postmaster))
        for process in killed:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        while any(map(_is_running, killed)):
            time.sleep(0.01)
        # Without a process that reaps orphans, PostgreSQL would take its own zombie for a running server.
        for left in (lock, *self.room.glob(".s.PGSQL.*")):
            left.unlink()

    def kill_connection(self) -> None:
        """Kill a process that serves a connection with SIGKILL; the server then ends all others and recovers."""
        postmaster = int((self.room / "data" / "postmaster.pid").read_text().splitlines()[0])
        commands = {process: Path(f"/proc/{process}/cmdline").read_bytes() for process in _children(postmaster)}
        os.kill(next(process for process, words in commands.items() if b" [local] " in words), signal.SIGKILL)

    def start(self, options: str) -> None:
        # Without a log file the server would keep our pipe open, and a captured start would never end.
        self._control("-l", str(self.room / "log"), "-o", f"-k {self.room} -c listen_addresses='' {options}", "start")

    def _control(self, *words: str) -> None:
        run_as_postgres(str(self.programs / "pg_ctl"), "-D", str(self.room / "data"), "-w", *words)


def _children(parent: int) -> list[int]:
    return [int(pid) for pid in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]


def _is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _somebody() -> dict[str, Any]:
    """Return options of ``Popen`` that run a program as the user postgres: PostgreSQL refuses to run as root."""
    user = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}
    return {"cwd": "/", **user}


def run_as_postgres(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True, **_somebody())


QUICK = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off"
"""For tests that neither end the server nor the machine."""
DURABLE = "-c fsync=off -c synchronous_commit=on -c full_page_writes=off"
"""What is committed outlives the server, if not the machine."""


@contextmanager
def cluster(options: str) -> Iterator[Cluster]:
    """Run a server in a temporary folder, which is removed afterwards."""
    folder = programs()
    if folder is None:
        raise RuntimeError(MISSING)
    # A short path: a socket's name may not pass 107 bytes.
    room = Path(tempfile.mkdtemp(prefix="tf-pg-", dir="/tmp"))
    if os.geteuid() == 0:
        shutil.chown(room, "postgres", "postgres")
    server = Cluster(f"{DRIVER}://tefuda@/postgres?host={room}", room, folder)
    end = '"$1" -D "$2/data" -w -m immediate stop; rm -rf "$2"'
    guard = ProcessGuard("/bin/sh", "-c", end, "end", str(folder / "pg_ctl"), str(room), **_somebody())
    try:
        run_as_postgres(
            str(folder / "initdb"), "-D", str(room / "data"), "-U", "tefuda", "-A", "trust", "-E", "UTF8", "--no-sync"
        )
        server.start(options)
        yield server
    finally:
        guard.release()


@contextmanager
def running() -> Iterator[str]:
    """Run a server; yield the URL of its maintenance database, ``postgresql+psycopg://...``."""
    if url := os.environ.get("TEST_PG_URL"):
        yield f"{DRIVER}://{url.partition('://')[2]}"
        return
    with cluster(QUICK) as server:
        yield server.url


def main() -> int:
    if not available():
        apt.install("postgresql")
    print("postgresql: " + (os.environ.get("TEST_PG_URL") or str(programs() or MISSING)))
    return 1 if required() and not available() else 0


if __name__ == "__main__":
    sys.exit(main())
