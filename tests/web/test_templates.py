"""Templates and style sheets, read and not rendered."""

import re
from pathlib import Path

import pytest
from flask import Flask
from jinja2 import nodes
from jinja2.meta import find_undeclared_variables

TEMPLATES = Path(__file__).parents[2] / "templates"
STYLES = Path(__file__).parents[2] / "static" / "css"
IMPORT = re.compile(r'{% import "([^"]+)" as \w+ %}')
APART = sorted({name for path in TEMPLATES.rglob("*.html") for name in IMPORT.findall(path.read_text("utf-8"))})


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("name", APART)
def test_what_is_imported_without_context_asks_for_none(app: Flask, name: str) -> None:
    """It would be empty there, and the page would lack a sentence without anybody's noticing."""
    tree = app.jinja_env.parse((TEMPLATES / name).read_text("utf-8"))
    own = {each.name for each in tree.find_all(nodes.Name) if each.ctx == "store"}
    own |= {each.name for each in tree.find_all(nodes.Macro)} | {"caller"}
    assert find_undeclared_variables(tree) - own - set(app.jinja_env.globals) == set()


def test_a_grid_of_named_places_does_not_repeat_its_columns() -> None:
    """A browser throws such a rule away without a word: on a phone held sideways two of four buttons were gone."""
    wrong = re.compile(r'grid-template:[^;}]*"[^;}]*repeat\(')
    assert [path.name for path in STYLES.rglob("*.css") if wrong.search(path.read_text("utf-8"))] == []
