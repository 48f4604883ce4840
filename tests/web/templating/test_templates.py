"""Checks of the source of templates, style sheets and scripts."""

import re
from pathlib import Path

import pytest
from flask import Flask
from jinja2 import nodes
from jinja2.meta import find_undeclared_variables

TEMPLATES = Path(__file__).parents[3] / "templates"
STYLES = Path(__file__).parents[3] / "static" / "css"
SCRIPTS = Path(__file__).parents[3] / "static" / "js"
IMPORT = re.compile(r'{%-? import "([^"]+)" as \w+ -?%}')
APART = sorted({name for path in TEMPLATES.rglob("*.html") for name in IMPORT.findall(path.read_text("utf-8"))})


@pytest.mark.parametrize("name", APART)
def test_what_is_imported_without_context_asks_for_none(app: Flask, name: str) -> None:
    """Such a macro would find the context empty, and the page would silently lack a sentence."""
    tree = app.jinja_env.parse((TEMPLATES / name).read_text("utf-8"))
    own = {each.name for each in tree.find_all(nodes.Name) if each.ctx == "store"}
    own |= {each.name for each in tree.find_all(nodes.Macro)} | {"caller"}
    assert find_undeclared_variables(tree) - own - set(app.jinja_env.globals) == set()


def test_a_grid_of_named_places_does_not_repeat_its_columns() -> None:
    """Browsers silently ignore such a rule: on a phone in landscape two of four buttons were missing."""
    wrong = re.compile(r'grid-template:[^;}]*"[^;}]*repeat\(')
    assert [path.name for path in STYLES.rglob("*.css") if wrong.search(path.read_text("utf-8"))] == []


def test_every_custom_property_that_styles_use_is_defined() -> None:
    """Browsers silently fall back for an undefined one: a line in a chart was black."""
    styles = "\n".join(path.read_text("utf-8") for path in STYLES.rglob("*.css"))
    written = styles + "\n".join(
        path.read_text("utf-8") for path in (*SCRIPTS.rglob("*.js"), *TEMPLATES.rglob("*.html"))
    )
    used = set(re.findall(r"var\((--[\w-]+)\)", styles))
    defined = set(re.findall(r"""(--[\w-]+)["']?\s*[:,]""", written))
    assert len(used) > 50
    assert used - defined == set()


def test_every_media_query_is_one_of_the_breakpoints_that_are_named() -> None:
    """Two that differ by a pixel, or mean the same, were once made with every new page."""
    head = (STYLES / "tokens.css").read_text("utf-8").partition("*/")[0]
    rows = [re.split(r" {2,}", line.strip()) for line in head.splitlines()]
    named = {row[1] for row in rows if len(row) > 1}
    used = {query for path in STYLES.rglob("*.css") for query in re.findall(r"@media (.*) \{", path.read_text("utf-8"))}
    assert used == named


def test_no_line_of_a_template_is_longer_than_120_characters() -> None:
    """Lines can be broken inside a tag, or at a block whose ``{%-`` removes the white space again."""
    long = [
        f"{path.relative_to(TEMPLATES)}:{number}"
        for path in sorted(TEMPLATES.rglob("*.html"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if len(line) > 120
    ]
    assert long == []


OF_GAMES = re.compile(
    r"""view\.(rounds|made|boxes|hand|dealer)\b"""
    r"""|\b(in|not in) (board|table)\.actions"""
    r"""|["'](hold|pick|collect|stop|hit|stand|split|surrender|insure|decline)["']"""
    r"""|games/(?!["'])"""
)


def test_what_is_there_for_all_games_knows_the_cards_and_the_verbs_of_none() -> None:
    generic = [
        path for path in TEMPLATES.rglob("*.html") if path.relative_to(TEMPLATES).parts[0] not in ("games", "lab")
    ]
    offenders = [
        f"{path.relative_to(TEMPLATES)}:{number}: {line.strip()}"
        for path in generic
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if OF_GAMES.search(line)
    ]
    assert offenders == []


def test_a_script_imports_another_by_its_name_alone() -> None:
    """Pages load scripts from a folder that is named by a digest: what they import comes from the same one."""
    imports = [
        (path.name, name)
        for path in SCRIPTS.rglob("*.js")
        for name in re.findall(r'(?:from |import |import\()"([^"]+)"', path.read_text("utf-8"))
    ]
    assert len(imports) > 50
    assert [each for each in imports if not re.fullmatch(r"\.\.?/[\w./-]+", each[1])] == []
    assert [path.name for path in SCRIPTS.rglob("*.js") if "?v=" in path.read_text("utf-8")] == []


def test_what_templates_name_is_there() -> None:
    named = {
        name
        for path in TEMPLATES.rglob("*.html")
        for name in re.findall(r"""(?:static_url|plug)\(["']([\w./-]+)["']\)""", path.read_text("utf-8"))
    }
    assert len(named) > 20
    assert {name for name in named if not (SCRIPTS.parent / name).is_file()} == set()
