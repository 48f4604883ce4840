"""Install Debian packages of programs that pip cannot install: a browser, PostgreSQL and the proxies."""

import os
import shutil
import subprocess


def install(*packages: str) -> bool:
    """Install Debian packages with apt-get, which needs root. Return False, and print the reason, if that fails."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0 or not shutil.which("apt-get"):
        return False
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (
        ["apt-get", "update", "-qq"],
        ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages],
    ):
        try:
            done = subprocess.run(
                command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300
            )
        except subprocess.TimeoutExpired:
            print(f"{' '.join(command)}: no answer in five minutes")
            return False
        if done.returncode:
            print(f"{' '.join(command)}: {done.stderr.strip()[-500:]}")
            return False
    return True
