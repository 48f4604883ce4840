"""A browser is started only where a test asks for one."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.e2e import browser as browsers
from tests.fairness import engines


@pytest.fixture(scope="session")
def chromium(request: pytest.FixtureRequest) -> Iterator[Browser]:
    playwright = request.getfixturevalue("playwright")
    path = browsers.find(playwright.chromium.executable_path)
    if path is None:
        pytest.fail(browsers.MISSING, pytrace=False)
    with playwright.chromium.launch(executable_path=path, args=list(browsers.FLAGS)) as browser:
        yield browser


@pytest.fixture(scope="session")
def javascript(request: pytest.FixtureRequest) -> engines.Node | engines.Chromium:
    """Node if there is one, a Chromium if not; without either the tests fail."""
    return engines.node() or engines.Chromium(request.getfixturevalue("chromium"))
