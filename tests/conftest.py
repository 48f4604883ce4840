"""Settings of all tests, and the fixtures that they share.

A test with ``app`` (and so with ``client``, ``alice``, ``bob``, ``charlie``) runs on SQLite; in ``services``, ``models``
and ``migrations`` on PostgreSQL, too, and elsewhere if it is marked ``on_both`` (support/databases.py). Every test starts
with a migrated database without rows. Database and app are created once a session, since that takes longer than most
tests: a test that changes the app itself has to change it back.
"""

import asyncio
import atexit
import gc
import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp

import pytest
from hypothesis import Phase, settings

from tests.support.app import stop_workers
from tests.support.chance import drawn_for
from webapp.services.core.errors import Refusal
from webapp.services.review.worker import ReviewWorker

pytest_plugins = [
    "tests.support.fixtures.databases",
    "tests.support.fixtures.apps",
    "tests.support.fixtures.clusters",
    "tests.support.fixtures.servers",
    "tests.support.fixtures.tools",
]

settings.register_profile("default", deadline=None, max_examples=40)
# Before Python 3.12 explaining a failure traces every line: it would take longer than a test may.
EXPLAINED_ELSEWHERE = [phase for phase in Phase if phase is not Phase.explain]
settings.register_profile(
    "ci",
    parent=settings.get_profile("default"),
    max_examples=20,
    derandomize=True,
    print_blob=True,
    phases=EXPLAINED_ELSEWHERE,
)
settings.register_profile("check", parent=settings.get_profile("ci"), max_examples=5)
settings.register_profile("soak", parent=settings.get_profile("default"), max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "default"))

# Settings of the developer's environment must not change the tests.
for name in [name for name in os.environ if name.startswith("TEFUDA_") and name != "TEFUDA_REQUIRE_PG"]:
    del os.environ[name]

MEMORY = Path("/dev/shm")  # noqa: S108
"""A disk in memory: every commit of the site waits until the disk has it, which is most of what its tests wait for."""
ENOUGH = 4 * 2**30
if (
    os.access(MEMORY, os.W_OK)
    and shutil.disk_usage(MEMORY).free > ENOUGH
    and not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC
):
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


if "TEST_TABLES" not in os.environ:  # else this is a worker of the process that has made the folder
    os.environ["TEST_TABLES"] = mkdtemp(prefix="tf-odds-", dir=os.environ.get("PYTEST_DEBUG_TEMPROOT"))
    atexit.register(shutil.rmtree, os.environ["TEST_TABLES"], ignore_errors=True)


FIRST = (
    "tests/web/test_odds_desk.py",  # builds tables that others ask for
    "tests/engine/simulation/test_published_win_rates.py",
    "tests/services/operations/test_kills_of_every_process.py",
    "tests/deploy/test_upgrade.py",
    "tests/services/solo/test_kills.py",
    "tests/services/lab/test_dask_pool.py",
    "tests/services/lab/test_supervisor.py",
    "tests/web/request/test_shared_addresses.py",
    "tests/test_wheel.py",
    "tests/e2e/test_tables.py",
    "tests/e2e/test_evening.py",
    "tests/e2e/test_lab.py",
    "tests/e2e/test_odds.py",
)
"""What takes longest begins first: at the end no worker is left alone with it."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    known = {config.rootpath / name: place for place, name in enumerate(FIRST)}
    items.sort(key=lambda item: known.get(item.path, len(FIRST)))


def pytest_collection_finish() -> None:
    """Freeze all imported objects and collect garbage less often, as the server does."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 10)


@pytest.fixture(autouse=True)
def _chance_of_its_own(request: pytest.FixtureRequest) -> Iterator[None]:
    with drawn_for(request.node.nodeid):
        yield


@pytest.fixture(autouse=True)
def _no_loop_of_a_browser(request: pytest.FixtureRequest) -> Iterator[None]:
    """Run tests without a browser outside of Playwright's event loop, which counts as running between its calls.

    A process that has started a browser keeps it until its last test, and some tests run loops of their own.
    """
    loop = asyncio._get_running_loop()
    has_browser = request.node.get_closest_marker("e2e") or {"chromium", "javascript"} & set(request.fixturenames)
    if not has_browser:
        asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(loop)


@pytest.fixture
def reviews() -> None:
    """Request this fixture to have finished hands reviewed."""


@pytest.fixture(autouse=True)
def _no_review_unless_it_is_wanted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable reviews: one would appear in a response whenever another process has computed it."""
    if "reviews" not in request.fixturenames:
        monkeypatch.setattr(ReviewWorker, "ask", _not_here)


def _not_here(*_: object) -> None:
    raise Refusal("odds-not-here")


@pytest.fixture(autouse=True)
def _no_thread_stays_behind() -> Iterator[None]:
    """Assert that no thread is left over. A busy one once slowed down all later tests by a factor of ten."""
    before = set(threading.enumerate())
    yield
    # the browser's driver keeps its own for the session
    if any(each.name == "pool" for each in threading.enumerate() if each not in before):
        stop_workers()
    left = [each for each in threading.enumerate() if each not in before and not each.name.startswith("asyncio")]
    for each in left:
        each.join(timeout=30)
    assert not [each.name for each in left if each.is_alive()]
