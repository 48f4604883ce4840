"""Boundaries between modules that import-linter cannot express: names, and the standard library."""

import ast
from collections.abc import Iterator
from pathlib import Path

WEBAPP = Path(__file__).parents[1] / "webapp"


def imports() -> Iterator[tuple[str, str]]:
    """Every import under ``webapp``: the file, and the full name of what it imports."""
    for path in sorted(WEBAPP.rglob("*.py")):
        file = path.relative_to(WEBAPP).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from ((file, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                yield from ((file, f"{node.module}.{alias.name}") for alias in node.names)


def calls(*functions: str) -> Iterator[tuple[str, str]]:
    """Every call of these functions under ``webapp``, where they are spelled so."""
    for path in sorted(WEBAPP.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in functions:
                yield path.relative_to(WEBAPP).as_posix(), ast.unparse(node.func)


def test_randomness_has_one_source() -> None:
    """``config`` makes the key file before there is any service, so it asks the operating system itself."""
    sources = ("secrets", "random", "uuid")
    found = {(file, name) for file, name in imports() if name.split(".")[0] in sources or name == "os.urandom"}
    assert found == {("services/core/randomness.py", "secrets"), ("config.py", "secrets")}
    assert list(calls("os.urandom", "os.getrandom", "uuid.uuid4", "uuid4")) == []


def test_the_time_of_day_has_one_source() -> None:
    """How long something takes is measured with a monotonic clock, anywhere."""
    asking = ("time.time", "time.time_ns", "datetime.now", "datetime.utcnow", "date.today")
    assert set(calls(*asking)) == {("services/core/clock.py", "time.time")}
    assert [file for file, name in imports() if name in ("time.time", "time.time_ns")] == []


def test_blueprints_and_pages_have_no_database_session() -> None:
    outside = [file for file, name in imports() if name == "webapp.extensions.db"]
    assert [file for file in outside if file.startswith(("blueprints/", "web/"))] == []
