"""Every state fits on the screen: a sample, or all of them with ``-m soak``, with screenshots (pictures.py).

Those of a small phone in English are taken by test_access.py.
"""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.e2e.conftest import DESKTOP, PHONE, Console, Visit
from tests.e2e.dealer import EVERYWHERE, TABLE, Dealer
from tests.e2e.geometry import still, too_large
from tests.e2e.pictures import picture, shoot
from tests.support.languages import CODES

SIZES: dict[str, dict[str, Any]] = {
    "360x640": PHONE,
    "390x844": {**PHONE, "viewport": {"width": 390, "height": 844}},
    "768x1024": {**PHONE, "viewport": {"width": 768, "height": 1024}, "device_scale_factor": 1},
    "1280x800": DESKTOP,
}
LIGHTS = ("light", "dark")


def take(
    page: Page,
    dealer: Dealer,
    where: str,
    size: str,
    light: str,
    language: str,
    keep: Callable[[Page, str], None] = shoot,
) -> list[str]:
    """Return what does not fit. On a desktop the last hands are below the table."""
    dealer.prefer(page, language=language, theme=light, deal="cut")
    dealer.show(page, where)
    still(page)
    keep(page, f"{where}-{size}-{light}-{language}")
    return too_large(page, tall=where not in TABLE or size == "1280x800")


def test_a_sample_and_all_fits(visit: Visit, dealer: Dealer, console: Console) -> None:
    """Every state once, with alternating sizes, themes and languages."""
    console.expect("status of 404")
    sizes = list(SIZES)[1:]
    pages = [visit(SIZES[size]) for size in sizes]
    found = {}
    for number, where in enumerate(EVERYWHERE):
        light, language = LIGHTS[number % 2], CODES[number // 3 % len(CODES)]
        found[where] = take(pages[number % 3], dealer, where, sizes[number % 3], light, language)
    assert {where: wrong for where, wrong in found.items() if wrong} == {}


@pytest.mark.soak
@pytest.mark.parametrize("language", CODES)
@pytest.mark.parametrize("light", LIGHTS)
@pytest.mark.parametrize("size", SIZES)
def test_all(visit: Visit, dealer: Dealer, console: Console, size: str, light: str, language: str) -> None:
    console.expect("status of 404")
    page = visit(SIZES[size])
    assert {
        where: wrong for where in EVERYWHERE if (wrong := take(page, dealer, where, size, light, language, picture))
    } == {}
