"""Trusted proxies: which of them may state the client's address."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask

from tests.support.app import close, make_app
from webapp.web.request.limits import remote_key

CLAIMED = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"}
NAMED = {"TEFUDA_PUBLIC_URL": "https://cards.example", "TEFUDA_TRUSTED_PROXIES": "10.0.0.2, 192.168.0.0/16, fd00::/8"}


@pytest.fixture
def address_seen(database_url: str, tmp_path: Path) -> Iterator[Callable[..., str]]:
    """Return the address that a request counts for."""
    apps: list[Flask] = []

    def seen(peer: str, **environ: str) -> str:
        app = make_app(database_url, tmp_path, **environ)
        apps.append(app)
        counted: list[str] = []
        app.before_request(lambda: counted.append(remote_key()))
        app.test_client().get("/about", headers=CLAIMED, environ_base={"REMOTE_ADDR": peer})
        return counted[0]

    yield seen
    for app in apps:
        close(app)


@pytest.mark.parametrize("peer", ["10.0.0.2", "192.168.7.7", "::ffff:10.0.0.2", "fd00::7"])
def test_the_proxies_that_are_named_are_believed(address_seen: Callable[..., str], peer: str) -> None:
    assert address_seen(peer, **NAMED) == "203.0.113.9"


@pytest.mark.parametrize("peer", ["10.0.0.3", "127.0.0.1", "192.169.0.1"])
def test_nobody_else_is_believed(address_seen: Callable[..., str], peer: str) -> None:
    assert address_seen(peer, **NAMED) == peer


def test_without_a_public_url_no_header_counts(address_seen: Callable[..., str]) -> None:
    assert address_seen("10.0.0.2", TEFUDA_TRUSTED_PROXIES="10.0.0.2") == "10.0.0.2"
