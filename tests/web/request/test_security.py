"""Permissions: another player's hand does not exist, and requests from other sites do nothing."""

import pytest
from flask import Flask
from werkzeug.datastructures import Headers
from werkzeug.test import EnvironBuilder

from tests.support.answer_forms import FORMS
from tests.support.answer_forms import headers as headers_of
from tests.support.cookies import COOKIE
from tests.support.moves import dealt, sealed
from tests.support.player import Player
from tests.support.rows import rows
from webapp.web.request import security

# ------------------------------------------------------------------------------------------------ other sites


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "sent",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": ""},
        {"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Origin": "http://localhost.evil.example"},
        {"Origin": "http://localhost:81"},
        {"Origin": "https://evil.example"},
        {"Origin": "localhost"},
        {"Origin": "http://"},
        {"Origin": "http://["},
        {"Origin": "://"},
    ],
    ids=str,
)
def test_a_page_of_another_site_cannot_act(site: Flask, visitor: Player, sent: dict[str, str], form: str) -> None:
    dealt(visitor)
    before = rows(site)
    for path in (f"/play/poker/{visitor.hand}/0", "/play/poker", "/settings", "/afresh"):
        answer = visitor.line.client.post(
            path, data={"verb": "hold", "name": "evil"}, headers={"Accept": headers_of(form)["Accept"], **sent}
        )
        assert answer.status_code == 403, path
        assert "Set-Cookie" not in answer.headers
        assert "another site" in answer.get_data(as_text=True)
    assert rows(site) == before
    assert visitor.act("hold")["step"] == 1


@pytest.mark.parametrize(
    "headers",
    [{"Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "none"}, {"Origin": "http://localhost"}, {}],
    ids=str,
)
def test_our_own_pages_and_programs_can_act(visitor: Player, headers: dict[str, str]) -> None:
    dealt(visitor)
    path = f"/play/poker/{visitor.hand}/0"
    assert visitor.line.client.post(path, data={"verb": "hold"}, headers=headers).status_code == 303


def test_behind_a_proxy_the_public_address_is_our_own(database_url: str, tmp_path) -> None:
    from tests.support.app import close, make_app

    app = make_app(database_url, tmp_path, TEFUDA_PUBLIC_URL="https://cards.example")
    client = app.test_client()
    for origin, status in (("https://cards.example", 303), ("null", 403), ("https://cards.example.evil", 403)):
        answer = client.post("/play/poker", base_url="http://127.0.0.1:8000", headers={"Origin": origin})
        assert answer.status_code == status, origin
    close(app)


def test_the_cookie_is_for_browsers_alone_and_not_for_scripts(alice: Player) -> None:
    sealed(alice)
    cookie = alice.answer.headers["set-cookie"]
    assert cookie.startswith(f"{COOKIE}=")
    assert {"HttpOnly", "Path=/", "SameSite=Lax"} <= {part.strip() for part in cookie.split(";")}


def test_with_https_the_cookie_is_bound_to_the_host(database_url: str, tmp_path) -> None:
    from tests.support.app import close, make_app

    app = make_app(database_url, tmp_path, TEFUDA_PUBLIC_URL="https://cards.example")
    answer = app.test_client().post("/play/poker", headers={"X-Forwarded-Proto": "https"})
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("__Host-tefuda=")
    assert {"Secure", "HttpOnly", "Path=/"} <= {part.strip() for part in cookie.split(";")}
    assert "Domain" not in cookie
    close(app)


@pytest.mark.parametrize("accept", ["text/html", "application/json"])
def test_a_host_that_is_not_ours_is_refused(database_url: str, tmp_path, accept: str) -> None:
    from tests.support.app import close, make_app

    app = make_app(database_url, tmp_path, TEFUDA_TRUSTED_HOSTS="cards.example, localhost")
    client = app.test_client()
    assert client.get("/", base_url="http://cards.example").status_code == 200
    for path in ("/", "/play/poker", "/nothing"):
        answer = client.get(path, base_url="http://evil.example", headers={"Accept": accept})
        assert answer.status_code == 400, path
        assert b"evil.example" not in answer.data
    close(app)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("host", ["a..b", "..", ".a", "x" * 300, "xn--", "xn--a..b"], ids=lambda host: host[:8])
def test_a_name_that_is_none_is_refused_with_all_headers(site: Flask, host: str, form: str) -> None:
    """No URL can be built for such a host name, and the error page contains many."""
    before = rows(site)
    for method, more in (("GET", {}), ("POST", {}), ("POST", {"Origin": "https://evil.example"})):
        names = {name: value for name, value in headers_of(form).items() if not (more and name.startswith("Sec-"))}
        asked = EnvironBuilder("/play/poker", method=method, headers=Headers({**names, **more})).get_environ()
        # the test client itself cannot read such names
        answer = site.response_class.from_app(site.wsgi_app, {**asked, "HTTP_HOST": host})
        text = answer.get_data(as_text=True)
        assert answer.status_code == (403 if more and not host.startswith("xn--") else 400), method
        assert set(security.HEADERS) <= set(answer.headers.keys())
        assert ("<html" in text, answer.is_json) == (form == "page", form == "json")
        assert more or "We did not understand this request." in text
        assert host not in text or len(host) < 3
        assert "Set-Cookie" not in answer.headers
    assert rows(site) == before
