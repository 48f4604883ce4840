"""nginx with the configuration of ``docs/deploy``, changed to this machine's name, ports, certificate and folders.

Without a certificate it serves http, for benchmarks.
"""

import os
import re
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.support import proxies
from tests.support.certificates import Certificate
from tests.support.process_guard import ProcessGuard
from tests.support.project_files import ROOT

SITE: Final = ROOT / "docs" / "deploy" / "nginx.conf"


@dataclass(frozen=True)
class Secure:
    """A certificate, and the port where http requests are redirected to https."""

    certificate: Certificate
    http_port: int


@contextmanager
def running(folder: Path, port: int, behind: Sequence[int], secure: Secure | None = None) -> Iterator[int]:
    """Run nginx on a port in front of two processes, with all its files in ``folder``. Yield its process id."""
    program = proxies.required("nginx")
    file = folder / "nginx.conf"
    file.write_text(configuration(folder, port, behind, secure), "utf-8")
    checked = subprocess.run([program, "-t", "-c", str(file), "-p", str(folder)], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr
    process = subprocess.Popen([program, "-c", str(file), "-p", str(folder)], start_new_session=True)
    guard = ProcessGuard("/bin/kill", "-KILL", "--", f"-{process.pid}")
    try:
        _wait_for(port)
        yield process.pid
    finally:
        process.terminate()
        process.wait(timeout=20)
        guard.release()


def configuration(folder: Path, port: int, behind: Sequence[int], secure: Secure | None = None) -> str:
    """Return the configuration of ``docs/deploy`` changed for this machine."""
    site = SITE.read_text("utf-8")
    redirect, _served = re.findall(r"^server \{.*?^\}", site, re.DOTALL | re.MULTILINE)
    ours = [
        (r"^    listen \[::\]:.*\n", ""),
        (r"cards\.example", "127.0.0.1"),
        (r"/var/cache/nginx-tefuda", str(folder / "cache")),
        (r"127\.0\.0\.1:8001", f"127.0.0.1:{behind[0]}"),
        (r"127\.0\.0\.1:8002", f"127.0.0.1:{behind[1]}"),
    ]
    if secure is None:
        site = site.replace(redirect, "")
        ours += [(r"^    listen 443 ssl http2;$", f"    listen 127.0.0.1:{port};"), (r"^    ssl_.*$", "")]
    else:
        ours += [
            (r"^    listen 80;$", f"    listen 127.0.0.1:{secure.http_port};"),
            (r"^    listen 443 ssl http2;$", f"    listen 127.0.0.1:{port} ssl http2;"),
            (r"/etc/letsencrypt/live/127\.0\.0\.1/fullchain\.pem", str(secure.certificate.chain)),
            (r"/etc/letsencrypt/live/127\.0\.0\.1/privkey\.pem", str(secure.certificate.key)),
        ]
    for pattern, replacement in ours:
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
events {{ worker_connections 1024; }}
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
