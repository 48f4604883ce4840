from pathlib import Path

import pytest

from webapp.services.core import child_processes
from webapp.services.core.child_processes import MAX_LOG, inherited_environment, open_log, python_path


def test_secrets_are_not_inherited(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*child_processes.KEYS, *child_processes.DATABASE, "TEFUDA_OTHER"):
        monkeypatch.setenv(name, "secret")
    assert not (child_processes.KEYS | child_processes.DATABASE) & inherited_environment().keys()
    with_database = inherited_environment(reads_database=True)
    assert not child_processes.KEYS & with_database.keys()
    assert (child_processes.DATABASE | {"TEFUDA_OTHER"}) <= with_database.keys()


def test_this_code_comes_first_in_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "/somewhere/else")
    assert python_path().split(":") == [str(Path(child_processes.__file__).parents[3]), "/somewhere/else"]


@pytest.mark.parametrize(("size", "left"), [(10, 10), (MAX_LOG, MAX_LOG), (MAX_LOG + 1, 0)])
def test_a_log_is_continued_until_it_is_too_large(tmp_path: Path, size: int, left: int) -> None:
    path = tmp_path / "lab.log"
    open_log(path).close()
    path.write_bytes(b"." * size)
    with open_log(path) as log:
        log.write(b"new")
    assert path.read_bytes() == b"." * left + b"new"
