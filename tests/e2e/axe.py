"""axe-core, run inside a page by ``evaluate()``, which the page's content security policy does not restrict."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tests.e2e.geometry import still

GRAVE = ("moderate", "serious", "critical")
COLOURS = ("color-contrast", "link-in-text-block")
"""What a page in another light may break, and nothing else."""


@cache
def _source() -> str:
    return (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")


def axe(
    page: Page, context: str | None = None, impacts: tuple[str, ...] = GRAVE, only: tuple[str, ...] = ()
) -> list[str]:
    """Return violations as sentences. ``context`` is the selector of the part to check."""
    if not page.evaluate("() => 'axe' in globalThis"):
        page.evaluate(_source())
    found: dict[str, Any] = page.evaluate(
        """([context, only]) => axe.run(context || document,
          {resultTypes: ['violations'], ...(only.length && {runOnly: only})})""",
        [context, only],
    )
    return [
        f"{each['impact']}: {each['id']}: {each['help']} at {' '.join(map(str, node['target']))}"
        for each in found["violations"]
        if each["impact"] in impacts
        for node in each["nodes"]
    ]


def in_both_lights(page: Page, look: Callable[[str], object] = lambda light: None) -> list[str]:
    """Return violations in the light and the dark theme; ``look`` is called in each, once the page stands still."""
    found = []
    for light, only in (("light", ()), ("dark", COLOURS)):
        page.emulate_media(color_scheme=light)  # type: ignore[arg-type]
        still(page)
        look(light)
        found += [f"{light}: {each}" for each in axe(page, only=only)]
    return found
