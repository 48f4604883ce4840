"""Chromium for the tests: find an installed one, or install it.

``python tests/e2e/browser.py`` does that.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.support import apt

SHELL = "chromium-headless-shell"
"""The same browser without its own windows and buttons, which cost a third of its work."""
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--in-process-gpu",  # nor a process of its own for what there is not
    "--disable-software-rasterizer",  # no WebGL made by the processor: a sixth less work
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
MISSING = (
    "No browser for the end-to-end tests: install Chromium (Debian: apt-get install chromium; "
    "elsewhere: python -m playwright install --with-deps chromium), or name one in E2E_CHROMIUM."
)


def starts(path: str) -> bool:
    """Return True if the program runs; a browser with missing libraries does not."""
    try:
        return subprocess.run([path, "--version"], capture_output=True, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def playwrights_own() -> str:
    """Return the path of Playwright's own Chromium, installed or not.

    It is determined in another process, since Playwright can be started only once in each.
    """
    ask = "from playwright.sync_api import sync_playwright as s\nwith s() as p: print(p.chromium.executable_path)"
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, timeout=60)
    return done.stdout.strip()


def find(own: str | None = None) -> str | None:
    """Return the path of a Chromium that starts, or None. ``own`` is the path of Playwright's, if known."""
    candidates = [
        os.environ.get("E2E_CHROMIUM"),
        shutil.which(SHELL),
        playwrights_own() if own is None else own,
        *(shutil.which(name) for name in NAMES),
    ]
    return next((path for path in candidates if path and Path(path).exists() and starts(path)), None)


def fetch() -> None:
    """Install Debian's packages, else Playwright's download. Both may be impossible; ``find`` tells."""
    for name in (SHELL, "chromium"):
        if apt.install(name, "fonts-noto-cjk"):
            return
    environment = {**os.environ, "PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT": "10000"}
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    try:
        subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=240)
    except subprocess.TimeoutExpired:
        print("Playwright's download did not come.")


def main() -> int:
    path = find()
    if path is None:
        fetch()
        path = find()
    print(f"browser: {path}" if path else MISSING, file=sys.stdout if path else sys.stderr)
    return 0 if path else 1


if __name__ == "__main__":
    sys.exit(main())
