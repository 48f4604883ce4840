"""Words that ``docs/glossary.md`` has retired do not occur in code, templates, styles, scripts and documentation."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.project_files import name_of, project_files

RETIRED = (
    *(
        "deed",
        "sight",
        "foreman",
        "foremen",
        "crew",
        "labour",
        "laboratory",
        "wish",
        "onlooker",
        "spectator",
        "trustee",
        "emblem",
    ),
    *("spare", "wallet", "forfeits", "card_table", "lab_run", "player_made"),
)
SEARCHED = re.compile(
    r"(webapp/(?!translations/|migrations/)|templates/|static/(js|css)/|docs/|README\.md|tests/(?!test_glossary|e2e/vendor/|migrations/test_upgrades)).*"
)
TEXT = {".py", ".html", ".js", ".css", ".md"}
WORD = re.compile(rf"(?<![a-z])({'|'.join(RETIRED)})(s|es)?(?![a-z])", re.IGNORECASE)

RETIRED_NAMES = re.compile(r"(?<![a-z])(guest|(?<!full.)house)s?(?![a-z])|^offered$", re.IGNORECASE)
"""Words of prose (a full house, the house bot) that no name in the tests has: a site, a visitor."""


def texts() -> Iterator[tuple[str, Path]]:
    """Yield name and path of every file that the glossary applies to."""
    for path in project_files():
        name = name_of(path)
        if SEARCHED.fullmatch(name) and path.suffix in TEXT and name != "docs/glossary.md":
            yield name, path


def apart(line: str) -> str:
    """Split joined names into words."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", line)


def uses() -> list[str]:
    """Return every place where a retired word occurs."""
    return [
        f"{name}:{number}: {found[0]}"
        for name, path in texts()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if (found := WORD.search(apart(line)))
    ]


def defined_names(source: str) -> Iterator[str]:
    """Yield the names of functions, classes, parameters and variables that a Python file defines."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def test_no_retired_word_stands_in_code_templates_or_documents() -> None:
    assert uses() == []


def test_the_search_reads_the_whole_project() -> None:
    folders = {name.split("/")[0] for name, _ in texts()}
    assert folders == {"webapp", "templates", "static", "docs", "README.md", "tests"}


@pytest.mark.parametrize("line", ["class Deed:", "the foreman's turn", "table_deeds = ()", "SpareBox", "## Emblems"])
def test_a_retired_word_is_found_in_prose_and_in_names(line: str) -> None:
    assert WORD.search(apart(line))


def test_no_name_in_the_tests_is_a_retired_one() -> None:
    assert [
        f"{name}: {defined}"
        for name, path in texts()
        if name.startswith("tests/") and path.suffix == ".py"
        for defined in defined_names(path.read_text(encoding="utf-8"))
        if RETIRED_NAMES.search(apart(defined))
    ] == []


@pytest.mark.parametrize("line", ["def f(guest): ...", "houses = 1", "class HouseOfCards: ...", "offered = 2"])
def test_a_retired_name_is_found(line: str) -> None:
    assert any(RETIRED_NAMES.search(apart(defined)) for defined in defined_names(line))
    assert not any(RETIRED_NAMES.search(apart(defined)) for defined in defined_names("FULL_HOUSE = full_house = 1"))
