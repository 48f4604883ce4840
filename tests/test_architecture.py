"""Boundaries between modules that import-linter cannot express, and the map of modules in the documentation."""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WEBAPP = ROOT / "webapp"
DOCUMENT = (ROOT / "docs" / "architecture.md").read_text("utf-8")
TREE = tuple(DOCUMENT.split("```")[1].splitlines())


@cache
def nodes() -> tuple[tuple[str, ast.Import | ast.ImportFrom | ast.Call], ...]:
    """Return all imports and calls under ``webapp`` with their files."""
    kinds = ast.Import | ast.ImportFrom | ast.Call
    return tuple(
        (path.relative_to(WEBAPP).as_posix(), node)
        for path in sorted(WEBAPP.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, kinds)
    )


def imports() -> Iterator[tuple[str, str]]:
    """Yield the file and the full imported name of every import under ``webapp``."""
    for file, node in nodes():
        if isinstance(node, ast.Import):
            yield from ((file, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((file, f"{node.module}.{alias.name}") for alias in node.names)


def calls(*functions: str) -> Iterator[tuple[str, str]]:
    """Yield file and name of every call of these functions under ``webapp``, as spelled in the source."""
    for file, node in nodes():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            name = ast.unparse(node.func)
            if name in functions:
                yield file, name


def test_randomness_has_one_source() -> None:
    """``config`` is an exception: it creates the key file before there are services."""
    sources = ("secrets", "random", "uuid")
    found = {(file, name) for file, name in imports() if name.split(".")[0] in sources or name == "os.urandom"}
    assert found == {("services/core/randomness.py", "secrets"), ("config.py", "secrets")}
    assert list(calls("os.urandom", "os.getrandom", "uuid.uuid4", "uuid4")) == []


def test_one_script_calls_fetch() -> None:
    """Everything else is sent by htmx, through ``ask`` of this module, which repeats it. The service worker is no page."""
    scripts = sorted((ROOT / "static" / "js").glob("*.js"))
    assert [path.name for path in scripts if re.search(r"\bfetch\(", path.read_text("utf-8"))] == ["line.js"]


def test_the_time_of_day_has_one_source() -> None:
    """Durations may be measured with a monotonic clock anywhere."""
    asking = ("time.time", "time.time_ns", "datetime.now", "datetime.utcnow", "date.today")
    assert set(calls(*asking)) == {("services/core/clock.py", "time.time")}
    assert [file for file, name in imports() if name in ("time.time", "time.time_ns")] == []


def test_no_line_of_the_log_is_given_the_code_of_a_table() -> None:
    """Whoever knows the code may watch the table."""
    facts = [
        (file, fact.arg, ast.unparse(fact.value))
        for file, node in nodes()
        if isinstance(node, ast.Call) and re.match(r"log\.\w+$", ast.unparse(node.func))
        for fact in node.keywords
    ]
    assert len(facts) > 20
    assert [fact for fact in facts if fact[1] == "table" or re.search(r"\bcode\b", fact[2])] == []


def test_services_know_flask_only_by_the_current_app() -> None:
    """It has what they keep in memory. Requests, sessions and answers belong to the web."""
    taken = {name for file, name in imports() if file.startswith("services/") and name.split(".")[0] == "flask"}
    assert taken == {"flask.current_app"}


def test_blueprints_and_pages_have_no_database_session() -> None:
    outside = [file for file, name in imports() if name == "webapp.extensions.db"]
    assert [file for file in outside if file.startswith(("blueprints/", "web/"))] == []


# ------------------------------------------------------------------------------------------------ docs/architecture.md

PACKAGES = sorted(
    path.parent.relative_to(ROOT)
    for path in WEBAPP.rglob("__init__.py")
    if path.parents[1] != WEBAPP / "engine" / "games"  # one a game; the map names none of them
)


def indent_of(line: str) -> int:
    """Return the number of spaces before a line."""
    return len(line) - len(line.lstrip())


def section(lines: tuple[str, ...], folder: str) -> tuple[str, ...]:
    """Return the lines of the map about a folder: its own line, and the more indented ones below it.

    ``lines`` are those of its parent folder; the folder is named in the first of them or one level below.
    """
    step = min(map(indent_of, lines[1:]), default=0)
    for number, line in enumerate(lines):
        if (not number or indent_of(line) == step) and re.search(rf"(?<![\w/]){folder}/", line):
            below = lines[number + 1 :]
            ends = (place for place, other in enumerate(below) if indent_of(other) <= indent_of(line))
            return (line, *below[: next(ends, None)])
    return ()


@pytest.mark.parametrize("package", PACKAGES, ids=str)
def test_the_map_names_every_package_at_its_place(package: Path) -> None:
    lines = TREE
    for folder in package.parts:
        lines = section(lines, folder)
        assert lines, f"docs/architecture.md says nothing of {package}"


def test_the_map_names_no_folder_that_is_not_there() -> None:
    tops = ("webapp", "templates", "static", "tests")
    named = {folder for line in TREE for folder in re.findall(r"(?<![\w/<>])(\w+)/(?= |$)", line)}
    assert named >= set(tops)
    assert named <= {*tops, *(path.name for top in tops for path in (ROOT / top).rglob("*") if path.is_dir())}


@pytest.mark.parametrize("ladder", ["layers", "services-ladder", "engine-ladder"])
def test_the_document_has_the_ladders_that_import_linter_holds(ladder: str) -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    (layers,) = [contract["layers"] for contract in contracts if contract["id"] == ladder]
    assert f"`{' > '.join(layers)}`" in re.sub(r"\s+", " ", DOCUMENT)
