"""axe-core, run inside a page. Injected by evaluate(), so that the page's own policy need not be loosened."""

from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

GRAVE = ("serious", "critical")


@cache
def _source() -> str:
    return (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")


def axe(page: Page, context: str | None = None, impacts: tuple[str, ...] = GRAVE) -> list[str]:
    """Violations as sentences, ``[]`` when all is well. ``context`` is a selector to look inside of."""
    page.evaluate(_source())
    found: dict[str, Any] = page.evaluate(
        "context => axe.run(context || document, {resultTypes: ['violations']})", context
    )
    return [
        f"{each['impact']}: {each['id']}: {each['help']} at {' '.join(map(str, node['target']))}"
        for each in found["violations"]
        if each["impact"] in impacts
        for node in each["nodes"]
    ]
