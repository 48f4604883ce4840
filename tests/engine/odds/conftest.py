"""What these tests share: one store, since tables take a while."""

import pytest

from webapp.engine.odds.value import MemoryStore


@pytest.fixture(scope="session")
def store() -> MemoryStore:
    return MemoryStore()
