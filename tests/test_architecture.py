"""Boundaries between modules that import-linter cannot express, and the map of modules in the documentation."""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

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


def test_nothing_is_taken_from_c_or_from_the_private_parts_of_a_package() -> None:
    """What a package does not document may be gone with its next version. Attributes are ruff's rule SLF001."""
    foreign = [
        (file, name) for file, name in imports() if name.split(".")[0] not in ("webapp", "__future__", "_typeshed")
    ]
    assert [taken for taken in foreign if re.search(r"(^|\.)_|^ctypes\b", taken[1])] == []


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


def folders_of_the_map() -> set[str]:
    return {folder for line in TREE for folder in re.findall(r"(?<![\w/<>])(\w+)/(?= |$)", line)}


def test_the_map_names_every_package() -> None:
    assert {name for package in PACKAGES for name in package.parts} <= folders_of_the_map()


def test_the_map_names_no_folder_that_is_not_there() -> None:
    tops = ("webapp", "templates", "static", "tests")
    assert folders_of_the_map() <= {
        *tops,
        *(path.name for top in tops for path in (ROOT / top).rglob("*") if path.is_dir()),
    }


def test_the_document_has_the_ladders_that_import_linter_holds() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    ladders = [each["layers"] for each in contracts if each["id"] in ("layers", "services-ladder", "engine-ladder")]
    assert len(ladders) == 3
    told = re.sub(r"\s+", " ", DOCUMENT)
    assert [layers for layers in ladders if f"`{' > '.join(layers)}`" not in told] == []
