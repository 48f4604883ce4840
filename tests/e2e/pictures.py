"""Pictures of pages under ``artifacts/``, which git does not keep: to be looked at, no test reads them.

``TEST_PICTURES=1 make test`` makes those of the states that tests come by. The long tests make theirs in any case.
"""

import os
import re
from pathlib import Path

from playwright.sync_api import Page

ARTIFACTS = Path(__file__).parent / "artifacts"


def picture(page: Page, name: str, full_page: bool = False) -> None:
    """Keep a picture of the page."""
    ARTIFACTS.mkdir(exist_ok=True)
    page.screenshot(path=ARTIFACTS / f"{re.sub(r'[^A-Za-z0-9_.-]+', '-', name)}.png", full_page=full_page)


def shoot(page: Page, name: str) -> None:
    """Keep a picture of the page if pictures are asked for: to draw one again and pack it takes the processor about 50 ms."""
    if "TEST_PICTURES" in os.environ:
        picture(page, name)
