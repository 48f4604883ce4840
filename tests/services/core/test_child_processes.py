import pytest

from webapp.services.core import child_processes
from webapp.services.core.child_processes import inherited_environment


def test_secrets_are_not_inherited(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*child_processes.KEYS, *child_processes.DATABASE, "TEFUDA_OTHER"):
        monkeypatch.setenv(name, "secret")
    assert not (child_processes.KEYS | child_processes.DATABASE) & inherited_environment().keys()
    with_database = inherited_environment(reads_database=True)
    assert not child_processes.KEYS & with_database.keys()
    assert (child_processes.DATABASE | {"TEFUDA_OTHER"}) <= with_database.keys()
