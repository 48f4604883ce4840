"""Addresses, queries, forms and headers that nobody sends by mistake: every route answers, and none of them fails."""

from collections.abc import Iterator

import pytest
from flask import Flask
from werkzeug.routing import Rule

from tests.support.answer_forms import FORMS
from tests.support.moves import dealt, finished
from tests.support.player import Player
from tests.support.rows import findings, rows

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)

STRANGE = (
    "..%2f..%2fetc%2fpasswd",
    "%00",
    "-1",
    "99999999999999999999",
    "%D9%A3",  # an Arabic digit three, which int() reads
    "%ff%fe",
    "<script>alert(1)</script>",
    "a" * 3000,
    "%F0%9F%82%A1",
    "' OR 1=1 --",
)
HEADERS = (
    {"Accept-Language": "x" * 4000 + ",en;q=abc"},
    {"Cookie": "tefuda=" + "A" * 8000},
    {"Cookie": "tefuda=.eJw; tefuda=\x01"},
    {"Range": "bytes=0-99999999999999,5-1"},
    {"If-None-Match": '"' + "x" * 5000 + '"', "If-Modified-Since": "the day before"},
    {"HX-Request": "true", "HX-Target": "<b>", "HX-Current-URL": "javascript:alert(1)"},
    {"X-HTTP-Method-Override": "DELETE", "X-Forwarded-Host": "evil.example", "X-Original-URL": "/metrics"},
    {"Content-Type": "multipart/form-data; boundary=" + "-" * 3000},
)


def rules(app: Flask, method: str) -> Iterator[Rule]:
    return (rule for rule in app.url_map.iter_rules() if rule.methods and method in rule.methods)


def filled(rule: Rule, value: str) -> str:
    """The address of a rule with a value in all its places, as somebody would type it."""
    address = rule.rule
    for name in rule.arguments:
        head, _, rest = address.partition("<")
        _, _, tail = rest.partition(">")
        address = f"{head}{value}{tail}"
        assert name
    return address


@pytest.mark.parametrize("value", STRANGE, ids=range(len(STRANGE)))
def test_no_address_fails_whatever_stands_in_it(app: Flask, alice: Player, value: str) -> None:
    dealt(alice)
    finished(alice)
    before = rows(app)
    for rule in rules(app, "GET"):
        if rule.endpoint.endswith(("events", "static")):
            continue
        for path in {
            filled(rule, value),
            f"{filled(rule, 'poker')}?table={value}&step={value}&seed={value}&cards={value}",
        }:
            for form in FORMS.values():
                answer = alice.line.client.get(path, headers=form)  # type: ignore[union-attr]
                assert answer.status_code < 500 or answer.status_code == 503, (path[:200], answer.status_code)
                text = answer.get_data(as_text=True)
                assert "<script>alert(1)" not in text and "etc/passwd:" not in text, path
                assert answer.headers.get("Location", "/").startswith("/"), path
                answer.close()
    changed = {name for name, found in rows(app).items() if found != before[name]}
    assert changed <= {"daily_deal", "site_beat", "review", "decision_statistics"}, "looking changes nothing"


@pytest.mark.parametrize("value", STRANGE, ids=range(len(STRANGE)))
def test_no_form_fails_whatever_stands_in_it(app: Flask, alice: Player, value: str) -> None:
    dealt(alice, game="blackjack")
    for rule in rules(app, "POST"):
        for path in {filled(rule, value), filled(rule, "poker"), filled(rule, alice.hand), filled(rule, "0")}:
            names = (
                "verb",
                "arg",
                "cut",
                "stake",
                "table",
                "name",
                "seat",
                "rounds",
                "reaction",
                "next",
                "seed",
                "nonce",
            )
            fields = "&".join(f"{name}={value}" for name in names)
            answer = alice.line.client.post(  # type: ignore[union-attr]
                path,
                data=fields,
                content_type="application/x-www-form-urlencoded",
                headers={"Sec-Fetch-Site": "same-origin"},
            )
            assert answer.status_code < 500 or answer.status_code == 503, (path[:200], answer.status_code)
            assert "<script>alert(1)" not in answer.get_data(as_text=True)
            assert answer.headers.get("Location", "/").startswith("/") and not answer.headers.get(
                "Location", "/"
            ).startswith("//")
    assert findings(app) == []


@pytest.mark.parametrize("headers", HEADERS, ids=range(len(HEADERS)))
def test_no_header_makes_a_page_fail_or_leads_elsewhere(app: Flask, alice: Player, headers: dict[str, str]) -> None:
    for path in ("/", "/play/poker", "/tables", "/me", "/daily", "/static/css/base.css", "/h/nothing.json", "/lab"):
        answer = app.test_client().get(path, headers=headers)
        assert answer.status_code < 500, (path, answer.status_code)
        text = answer.get_data(as_text=True)
        assert "evil.example" not in text and "javascript:alert" not in text
        answer.close()
    posted = app.test_client().post("/settings", headers={"Sec-Fetch-Site": "same-origin", **headers})
    assert posted.status_code < 500
    assert posted.headers.get("Location", "/").startswith("/")
