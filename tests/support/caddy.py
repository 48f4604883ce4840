"""Caddy with the configuration of ``docs/deploy``: host name and processes are environment variables, as in compose."""

import os
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Final

from tests.support import proxies
from tests.support.process_guard import ProcessGuard
from tests.support.project_files import ROOT
from tests.support.server import free_port

FILE: Final = ROOT / "docs" / "deploy" / "Caddyfile"


@contextmanager
def running(folder: Path, port: int, behind: Sequence[str]) -> Iterator[None]:
    """Run Caddy on a port in front of the processes at these addresses. Its log is ``caddy.log`` in ``folder``."""
    program = proxies.required("caddy")
    environ = {
        **os.environ,
        "CADDY_SITE": f"http://127.0.0.1:{port}",
        "CADDY_PROCESSES": " ".join(behind),
        "CADDY_ADMIN": f"127.0.0.1:{free_port()}",
        "XDG_DATA_HOME": str(folder / "data"),
        "XDG_CONFIG_HOME": str(folder / "config"),
    }
    file, log = folder / "Caddyfile", folder / "caddy.log"
    file.write_text(
        FILE.read_text("utf-8").replace("\tgrace_period", "\tadmin {$CADDY_ADMIN}\n\tgrace_period", 1), "utf-8"
    )
    command = [program, "run", "--adapter", "caddyfile", "--config", str(file)]
    with log.open("wb") as out:
        process = subprocess.Popen(command, env=environ, stdout=out, stderr=out, start_new_session=True)
    guard = ProcessGuard("/bin/kill", "-KILL", "--", f"-{process.pid}")
    try:
        deadline = time.monotonic() + 60
        while not _answers(port):
            assert process.poll() is None and time.monotonic() < deadline, log.read_text()
            time.sleep(0.05)
        yield
    finally:
        process.kill()  # SIGTERM would wait for open connections
        process.wait(timeout=20)
        guard.release()


def _answers(port: int) -> bool:
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("GET", "/about")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()
