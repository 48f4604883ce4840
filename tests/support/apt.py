"""Debian's packages, for what pip cannot bring: a browser, PostgreSQL, and the proxies in front of the site."""

import os
import shutil
import subprocess


def install(*packages: str) -> bool:
    """Install Debian packages if we may (root, apt-get). False, with the reason printed, if that did not work."""
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
