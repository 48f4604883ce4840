"""The reverse proxies that the site is tested behind: nginx and Caddy, from Debian's packages.

``python tests/support/proxies.py`` installs those that are missing if that is possible. A test whose proxy is missing
fails with a message that says so.
"""

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.support import apt

PACKAGES: Final[Mapping[str, str]] = {"nginx": "nginx-light", "caddy": "caddy"}
"""Package of Debian by program."""


def find(program: str) -> str | None:
    """Return the path of a proxy, None if it is not installed. Debian installs nginx in /usr/sbin."""
    return shutil.which(program, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")


def missing(program: str) -> str:
    return f"{program} is missing: install it (Debian: apt-get install {PACKAGES[program]})"


def required(program: str) -> str:
    """Return the path of a proxy; the test fails if it is not installed."""
    path = find(program)
    if path is None:
        pytest.fail(missing(program), pytrace=False)
    return path


def main() -> int:
    for program, package in PACKAGES.items():
        if find(program) is None:
            apt.install(package)
        print(f"{program}: {find(program) or missing(program)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
