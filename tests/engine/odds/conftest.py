"""Fixture of the tests of odds: one store of tables, since building them takes a while."""

import pytest

from webapp.engine.odds.value import MemoryStore


@pytest.fixture(scope="session")
def store() -> MemoryStore:
    return MemoryStore()
