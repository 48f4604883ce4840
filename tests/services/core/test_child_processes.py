import pytest

from webapp.services.core import worker_process
from webapp.services.core.worker_process import inherited_environment


def test_secrets_are_not_inherited(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*worker_process.KEYS, *worker_process.DATABASE, "TEFUDA_OTHER"):
        monkeypatch.setenv(name, "secret")
    assert not (worker_process.KEYS | worker_process.DATABASE) & inherited_environment().keys()
    with_database = inherited_environment(reads_database=True)
    assert not worker_process.KEYS & with_database.keys()
    assert (worker_process.DATABASE | {"TEFUDA_OTHER"}) <= with_database.keys()
