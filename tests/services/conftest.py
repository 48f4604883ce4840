"""These tests run on SQLite and on PostgreSQL, unless they say otherwise."""

import pytest

from tests.support.databases import BOTH
from tests.support.fixtures.databases import emptied


@pytest.fixture(params=BOTH)
def database_url(request: pytest.FixtureRequest) -> str:
    """URL of a migrated database without rows."""
    return emptied(request, request.param)
