"""A session cookie stays valid when the site changes from http to https."""

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


def test_an_answer_that_proxies_may_keep_carries_no_cookie(site: Makes) -> None:
    alice = Player(site().test_client())
    dealt(alice)
    asking = {"Cookie": f"tefuda={cookie_of(alice)}", **BY_HTTPS}
    key, client = finished(alice), site(**HTTPS).test_client(use_cookies=False)
    for path in (f"/h/{key}.json", f"/h/{key}.png", f"/h/{key}/0.png"):
        kept = client.get(path, headers=asking)
        assert (kept.cache_control.public, kept.headers.getlist("Set-Cookie")) == (True, []), path
    assert "__Host-tefuda" in cookies_of(client.get(f"/h/{key}", headers=asking))


def test_a_cookie_of_this_very_host_is_stronger_than_one_of_the_old_name(site: Makes) -> None:
    """Others can set a cookie of the old name: from another port, or on an open network."""
    app = site(**HTTPS)
    json = {"Accept": "application/json", **BY_HTTPS}
    mine = app.test_client().post("/play/poker", headers=json)
    theirs = site().test_client().post("/play/poker", headers=json)
    both = f"tefuda={cookies_of(theirs)['tefuda']}; __Host-tefuda={cookies_of(mine)['__Host-tefuda']}"
    answer = app.test_client(use_cookies=False).get("/play/poker", headers={**json, "Cookie": both})
    assert answer.json["hand"] == mine.json["hand"] != theirs.json["hand"]
    assert "tefuda" not in cookies_of(answer)


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


def test_the_cookie_with_the_number_of_a_session_is_of_this_very_host_too(site: Makes) -> None:
    app, json = site(**HTTPS), {"Accept": "application/json", **BY_HTTPS}
    theirs = site().test_client()
    theirs.post("/play/poker", headers=json)
    theirs_given = cookies_of(theirs.post("/me/end-other-sessions"))
    before = app.test_client().post("/play/poker", headers=json)
    old = f"__Host-tefuda={cookies_of(before)['__Host-tefuda']}"
    client = app.test_client(use_cookies=False)
    ended = client.post("/me/end-other-sessions", headers={**BY_HTTPS, "Cookie": old})
    (line,) = [line for line in ended.headers.getlist("Set-Cookie") if line.startswith("__Host-tefuda-")]
    assert {"Secure", "HttpOnly", "Path=/", "SameSite=Lax"} <= set(line.split("; "))
    assert "Domain" not in line
    for other in ("", *(f"; {name}={value}" for name, value in theirs_given.items())):
        asking = {**json, "Cookie": f"{old}; {line.split(';')[0]}{other}"}
        assert client.get("/play/poker", headers=asking).json["hand"] == before.json["hand"]
    assert client.get("/play/poker", headers={**json, "Cookie": old}).json["hand"] is None


def test_a_session_that_was_begun_before_the_site_turned_to_https_goes_on(site: Makes) -> None:
    """Even if a late response has replaced the cookie to be renamed by an earlier one."""
    http = site().test_client()
    before = http.post("/play/poker", headers={"Accept": "application/json"})
    old = cookies_of(before)["tefuda"]
    given = cookies_of(http.post("/me/end-other-sessions"))
    (number,) = given.keys() - {"tefuda"}
    client, json = site(**HTTPS).test_client(use_cookies=False), {"Accept": "application/json", **BY_HTTPS}
    both = f"tefuda={old}; {number}={given[number]}"
    answer = client.get("/play/poker", headers={**json, "Cookie": both})
    assert answer.json["hand"] == before.json["hand"]
    renamed = f"__Host-tefuda={cookies_of(answer)['__Host-tefuda']}"
    assert client.get("/play/poker", headers={**json, "Cookie": renamed}).json["hand"] == before.json["hand"]
