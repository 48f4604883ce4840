"""The session's cookie: who has one keeps it when the site changes from http to https."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask

from tests.support.app import close, make_app
from tests.support.cookies import cookie_of
from tests.support.moves import dealt, finished
from tests.support.player import Player

Makes = Callable[..., Flask]
HTTPS = {"TEFUDA_PUBLIC_URL": "https://cards.example"}
BY_HTTPS = {"X-Forwarded-Proto": "https"}


@pytest.fixture
def site(database_url: str, tmp_path: Path) -> Iterator[Makes]:
    apps: list[Flask] = []

    def site(**environ: str) -> Flask:
        apps.append(make_app(database_url, tmp_path / "instance", **environ))
        return apps[-1]

    yield site
    for app in apps:
        close(app)


def cookies_of(answer) -> dict[str, str]:
    set_by = [line.split(";")[0].partition("=") for line in answer.headers.getlist("Set-Cookie")]
    return {name: value for name, _, value in set_by}


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_players_are_known_when_the_site_turns_to_https(site: Makes) -> None:
    before = site().test_client().post("/play/poker", headers={"Accept": "application/json"})
    old = cookies_of(before)["tefuda"]
    hand = before.json["hand"]
    asking = {"Cookie": f"tefuda={old}", "Accept": "application/json", **BY_HTTPS}
    answer = site(**HTTPS).test_client(use_cookies=False).get("/play/poker", headers=asking)
    assert answer.json["hand"] == hand
    given = cookies_of(answer)
    assert given["tefuda"] == "", "the old one goes"
    assert site(**HTTPS).test_client(use_cookies=False).get(
        "/play/poker", headers={**asking, "Cookie": f"__Host-tefuda={given['__Host-tefuda']}"}
    ).json["hand"] == hand  # fmt: skip


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_an_answer_that_proxies_may_keep_carries_no_cookie(site: Makes) -> None:
    alice = Player(site().test_client())
    dealt(alice)
    asking = {"Cookie": f"tefuda={cookie_of(alice)}", **BY_HTTPS}
    key, client = finished(alice), site(**HTTPS).test_client(use_cookies=False)
    for path in (f"/h/{key}.json", f"/h/{key}.png", f"/h/{key}/0.png"):
        kept = client.get(path, headers=asking)
        assert (kept.cache_control.public, kept.headers.getlist("Set-Cookie")) == (True, []), path
    assert "__Host-tefuda" in cookies_of(client.get(f"/h/{key}", headers=asking))


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_cookie_of_this_very_host_is_stronger_than_one_of_the_old_name(site: Makes) -> None:
    """Others may set a cookie of the old name: from another port, or on an open network."""
    app = site(**HTTPS)
    json = {"Accept": "application/json", **BY_HTTPS}
    mine = app.test_client().post("/play/poker", headers=json)
    theirs = site().test_client().post("/play/poker", headers=json)
    both = f"tefuda={cookies_of(theirs)['tefuda']}; __Host-tefuda={cookies_of(mine)['__Host-tefuda']}"
    answer = app.test_client(use_cookies=False).get("/play/poker", headers={**json, "Cookie": both})
    assert answer.json["hand"] == mine.json["hand"] != theirs.json["hand"]
    assert "tefuda" not in cookies_of(answer)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("path", ["/", "/healthz", "/static/css/table.css", "/nothing"])
def test_browsers_are_told_to_stay_with_https_where_there_is_https(site: Makes, path: str) -> None:
    with closing(site(**HTTPS).test_client().get(path, headers=BY_HTTPS)) as answer:
        said = answer.headers
    assert said.getlist("Strict-Transport-Security") == ["max-age=31536000"]
    assert said.getlist("X-Content-Type-Options") == ["nosniff"]
    with closing(site().test_client().get(path)) as answer:
        plain = answer.headers
    assert "Strict-Transport-Security" not in plain
    assert plain.getlist("X-Content-Type-Options") == ["nosniff"]
