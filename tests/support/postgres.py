"""A PostgreSQL of our own, in a temporary folder, for as long as the tests run.

``TEST_PG_URL`` names a server instead (a role that may create databases). ``python tests/support/postgres.py`` installs one if
there is none and that is possible; without it the tests that need PostgreSQL are skipped, or fail if
``TEFUDA_REQUIRE_PG`` is set.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
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
    """The folder of initdb and pg_ctl: the one on PATH, else the newest under /usr/lib/postgresql."""
    found = shutil.which("initdb")
    if found and (Path(found).resolve().parent / "pg_ctl").exists():
        return Path(found).resolve().parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: _version(folder.parent.name))
    return next((folder for folder in reversed(folders) if (folder / "pg_ctl").exists()), None)


def _version(name: str) -> float:
    return float(name) if name.replace(".", "", 1).isdigit() else 0.0


def available() -> bool:
    return bool(os.environ.get("TEST_PG_URL")) or programs() is not None


@contextmanager
def running() -> Iterator[str]:
    """A server that is up: the URL of its maintenance database, ``postgresql+psycopg://...``."""
    if url := os.environ.get("TEST_PG_URL"):
        yield f"{DRIVER}://{url.partition('://')[2]}"
        return
    folder = programs()
    if folder is None:
        raise RuntimeError(MISSING)
    # A short path: a socket's name may not pass 107 bytes.
    room = Path(tempfile.mkdtemp(prefix="tf-pg-", dir="/tmp"))
    # PostgreSQL refuses to run as root, and Debian's package brings a user for it.
    somebody: dict[str, Any] = {"cwd": "/"}
    if os.geteuid() == 0:
        shutil.chown(room, "postgres", "postgres")
        somebody |= {"user": "postgres", "group": "postgres", "extra_groups": []}

    def run(*command: str) -> None:
        subprocess.run(command, check=True, capture_output=True, **somebody)

    cluster, log, control = str(room / "data"), str(room / "log"), str(folder / "pg_ctl")
    end = '"$1" -D "$2/data" -w -m immediate stop; rm -rf "$2"'
    guard = ProcessGuard("/bin/sh", "-c", end, "end", control, str(room), **somebody)
    options = f"-k {room} -c listen_addresses='' -c fsync=off -c synchronous_commit=off -c full_page_writes=off"
    try:
        run(str(folder / "initdb"), "-D", cluster, "-U", "tefuda", "-A", "trust", "-E", "UTF8", "--no-sync")
        # Without a log file the server would keep our pipe open, and a captured start would never end.
        run(control, "-D", cluster, "-w", "-l", log, "-o", options, "start")
        yield f"{DRIVER}://tefuda@/postgres?host={room}"
    finally:
        guard.release()


def main() -> int:
    if not available():
        apt.install("postgresql")
    print("postgresql: " + (os.environ.get("TEST_PG_URL") or str(programs() or MISSING)))
    return 1 if required() and not available() else 0


if __name__ == "__main__":
    sys.exit(main())
