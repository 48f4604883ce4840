"""Screenshots under ``artifacts/``, which is not committed; they are for people, no test reads them.

``TEST_PICTURES=1 make test`` takes those of all states that tests visit. The long tests take theirs always.
"""

import os
import re
from pathlib import Path

from playwright.sync_api import Page

ARTIFACTS = Path(__file__).parent / "artifacts"


def picture(page: Page, name: str, full_page: bool = False) -> None:
    """Save a screenshot."""
    ARTIFACTS.mkdir(exist_ok=True)
    page.screenshot(path=ARTIFACTS / f"{re.sub(r'[^A-Za-z0-9_.-]+', '-', name)}.png", full_page=full_page)


def shoot(page: Page, name: str) -> None:
    """Save a screenshot if that is enabled; each takes about 50 ms of CPU time."""
    if "TEST_PICTURES" in os.environ:
        picture(page, name)
