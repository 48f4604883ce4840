"""A minified style sheet gives the browser the same rules as its source."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page

from webapp.web.templating.static_files import minified

STATIC = Path(__file__).parents[2] / "static"
RULES = """css => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return Array.from(sheet.cssRules, rule => rule.cssText);
}"""


def rules(page: Page, css: str) -> list[str]:
    """Return the rules as the browser serialises them, but for white space, which it keeps in values with ``var()``."""
    return [re.sub(r"([,:]) ", r"\1", re.sub(r"\s+", " ", rule)) for rule in page.evaluate(RULES, css)]


@pytest.mark.parametrize("path", sorted((STATIC / "css").rglob("*.css")), ids=lambda path: path.name)
def test_a_minified_stylesheet_has_the_rules_of_its_source(phone: Page, path: Path) -> None:
    assert rules(phone, minified(path.name, path.read_bytes()).decode()) == rules(phone, path.read_text("utf-8"))
