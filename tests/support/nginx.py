"""nginx with the site of ``docs/deploy``, bound to this machine: other name, ports, certificate and folders."""

import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.support.process_guard import ProcessGuard
from tests.support.project_files import ROOT

PROGRAM: Final = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
SITE: Final = ROOT / "docs" / "deploy" / "nginx.conf"


@contextmanager
def running(folder: Path, port: int, behind: Sequence[int]) -> Iterator[int]:
    """Run nginx on a port in front of two others, with all that it writes in a folder. Yield its process."""
    assert PROGRAM is not None
    file = folder / "nginx.conf"
    file.write_text(configuration(folder, port, behind), "utf-8")
    checked = subprocess.run([PROGRAM, "-t", "-c", str(file), "-p", str(folder)], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr
    process = subprocess.Popen([PROGRAM, "-c", str(file), "-p", str(folder)], start_new_session=True)
    guard = ProcessGuard("/bin/kill", "-KILL", "--", f"-{process.pid}")
    try:
        _wait_for(port)
        yield process.pid
    finally:
        process.terminate()
        process.wait(timeout=20)
        guard.release()


def configuration(folder: Path, port: int, behind: Sequence[int]) -> str:
    """The site, bound to this machine."""
    site = SITE.read_text("utf-8")
    redirect, _served = re.findall(r"^server \{.*?^\}", site, re.DOTALL | re.MULTILINE)
    site = site.replace(redirect, "")
    for pattern, replacement in (
        (r"^    listen 443 ssl http2;$", f"    listen 127.0.0.1:{port};"),
        (r"^    ssl_.*$", ""),
        (r"cards\.example", "127.0.0.1"),
        (r"/var/cache/nginx/tefuda", str(folder / "cache")),
        (r"127\.0\.0\.1:8001", f"127.0.0.1:{behind[0]}"),
        (r"127\.0\.0\.1:8002", f"127.0.0.1:{behind[1]}"),
    ):
        site, count = re.subn(pattern, replacement, site, flags=re.MULTILINE)
        assert count, pattern
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "\n".join(f"{kind}_temp_path {folder / kind};" for kind in kinds)
    user = "user root;" if os.getuid() == 0 else ""
    return f"""
{user}
daemon off;
worker_processes 1;
pid {folder / "nginx.pid"};
error_log {folder / "error.log"} warn;
events {{ worker_connections 512; }}
http {{
access_log off;
{temporary}
{site}
}}
"""


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise RuntimeError("nginx does not listen")
