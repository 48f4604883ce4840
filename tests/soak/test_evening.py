"""An hour of a hundred shared tables on two processes and PostgreSQL: nothing is lost, and memory does not grow.

``TEST_SOAK_MINUTES`` and ``TEST_SOAK_TABLES`` make it shorter or smaller.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.app import close, make_app, migrate
from tests.support.evening import Evening, resident
from tests.support.rows import findings, row
from tests.support.server import Server, free_port

RESTARTS = 12
"""Restarts in the time that it lasts: in an hour one every five minutes."""
GROWTH = 0.05
"""Share by which the process that is never restarted may grow after the first sixth of the time, ten minutes of an hour:
what it remembers has a limit each, and is not full by then."""

pytestmark = [pytest.mark.soak, pytest.mark.pg, pytest.mark.timeout(3 * 3600)]


def test_an_evening_of_many_tables_with_restarts(
    pg_database: str, serving: Callable[..., Server], tmp_path: Path
) -> None:
    minutes = float(os.environ.get("TEST_SOAK_MINUTES", "60"))
    tables = int(os.environ.get("TEST_SOAK_TABLES", "100"))
    app = make_app(pg_database, tmp_path / "instance")
    migrate(app)
    port, settings = free_port(), {"TEFUDA_DATABASE_URL": pg_database, "TEFUDA_LAB_WORKERS": "0"}
    staying = serving(tmp_path / "staying", **settings)
    restarted = serving(tmp_path / "restarted", port, **settings)
    period, sizes, streams = 60 * minutes / RESTARTS, [], []
    with Evening([staying.url, restarted.url], tables) as evening:
        for number in range(RESTARTS):
            ends = time.monotonic() + period
            while time.monotonic() < ends:
                assert not evening.failures
                time.sleep(min(1.0, max(0.0, ends - time.monotonic())))
            sizes.append(resident(staying.process.pid))
            streams.append(evening.pages.open)
            print(f"restart {number}: {sizes[-1]} MB, {streams[-1]} streams, {dict(evening.told)}", flush=True)
            restarted.kill() if number % 2 else restarted.stop()
            restarted = serving(tmp_path / "restarted", port, **settings)
    assert not evening.failures
    rounds = row(app, "SELECT count(*) FROM table_round WHERE status = 'done'")[0]
    print(f"{rounds} rounds, answers {dict(evening.told)}, memory in MB {sizes}")
    print(f"streams open {streams}, answers {dict(evening.pages.told)}, MB read {evening.pages.bytes_read >> 20}")
    assert rounds >= tables, "people have played"
    assert set(evening.pages.told) <= {0, 200, 503}
    assert min(streams) >= tables, "people have had their pages open"
    assert staying.process.poll() is None
    for server in (staying, restarted):
        server.stop()
    assert findings(app) == []
    settled = max(sizes[: RESTARTS // 6 + 1])
    assert max(sizes[RESTARTS // 6 + 1 :]) <= (1 + GROWTH) * settled, sizes
    close(app)
