"""Unusual addresses, queries, forms and headers: every route responds, and none of them fails."""

from collections.abc import Iterator
from itertools import cycle

import pytest
from flask import Flask
from werkzeug.routing import Rule

from tests.support.answer_forms import FORMS
from tests.support.moves import dealt, finished
from tests.support.player import SAME_ORIGIN, Player
from tests.support.rows import findings, rows

ON_POSTGRESQL = pytest.param("postgresql", marks=(pytest.mark.pg, pytest.mark.soak))
pytestmark = pytest.mark.parametrize("database_url", ["sqlite", ON_POSTGRESQL], indirect=True)

STRANGE = (
    "..%2f..%2fetc%2fpasswd",
    "%00",
    "-1",
    "99999999999999999999",
    "9" * 5000,  # more digits than int() reads
    "9223372036854775808",
    "2147483648",
    "%C2%B2",  # a digit by its kind, and no number
    "%ED%A0%80",
    "1e999",
    "nan",
    "%D9%A3",  # an Arabic digit three, which int() reads
    "%ff%fe",
    "<script>alert(1)</script>",
    "a" * 3000,
    "%F0%9F%82%A1",
    "' OR 1=1 --",
)
FIELDS = ("verb", "arg", "cut", "stake", "table", "name", "seat", "rounds", "reaction", "next", "seed", "nonce")
FORM = "application/x-www-form-urlencoded"
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


def pairs(app: Flask, method: str, values: int) -> Iterator[tuple[Rule, str]]:
    """Yield every rule, without streams and files, with this many values, going on from where the last one ended."""
    found = [rule for rule in rules(app, method) if not rule.endpoint.endswith(("events", "static"))]
    strange = cycle(STRANGE)
    return ((rule, next(strange)) for rule in found for _ in range(values))


def is_here(address: str) -> bool:
    """Return True if a redirect stays on this site."""
    return address.startswith("/") and not address.startswith("//")


def filled(rule: Rule, value: str) -> str:
    """Return the address of a rule with a value in all its places, quoted as by a browser."""
    address = rule.rule
    for name in rule.arguments:
        head, _, rest = address.partition("<")
        _, _, tail = rest.partition(">")
        address = f"{head}{value}{tail}"
        assert name
    return address


@pytest.mark.parametrize(
    "values",
    [2, pytest.param(len(STRANGE), marks=pytest.mark.soak)],
    ids=["some", "all"],
)
def test_no_address_fails_whatever_stands_in_it(app: Flask, alice: Player, values: int) -> None:
    """Each route gets some of the values, and each value some route; with ``make soak`` all combinations."""
    dealt(alice)
    finished(alice)
    before = rows(app)
    forms = cycle(FORMS.values())
    for rule, value in pairs(app, "GET", values):
        query = "&".join(f"{name}={value}" for name in ("table", "step", "seed", "cards", "ask", "before", "rounds"))
        for path in {filled(rule, value), f"{filled(rule, 'poker')}?{query}"}:
            answer = alice.line.client.get(path, headers=next(forms))  # type: ignore[union-attr]
            assert answer.status_code < 500 or answer.status_code == 503, (path[:200], answer.status_code)
            assert b"<script>alert(1)" not in answer.get_data(), path
            assert is_here(answer.headers.get("Location", "/")), path
            answer.close()
    changed = {name for name, found in rows(app).items() if found != before[name]}
    assert changed <= {"daily_deal"}, "looking changes nothing"


@pytest.mark.parametrize("values", [1, pytest.param(len(STRANGE), marks=pytest.mark.soak)], ids=["some", "all"])
def test_no_form_fails_whatever_stands_in_it(app: Flask, alice: Player, values: int) -> None:
    dealt(alice, game="blackjack")
    for rule, value in pairs(app, "POST", values):
        fields = "&".join(f"{name}={value}" for name in FIELDS)
        for path in {filled(rule, value), filled(rule, "poker"), filled(rule, alice.hand), filled(rule, "0")}:
            answer = alice.line.client.post(path, data=fields, content_type=FORM, headers=SAME_ORIGIN)  # type: ignore[union-attr]
            assert answer.status_code < 500 or answer.status_code == 503, (path[:200], answer.status_code)
            assert "<script>alert(1)" not in answer.get_data(as_text=True), path
            assert is_here(answer.headers.get("Location", "/")), path
    assert findings(app) == []


@pytest.mark.parametrize("headers", HEADERS, ids=range(len(HEADERS)))
def test_no_header_makes_a_page_fail_or_leads_elsewhere(app: Flask, alice: Player, headers: dict[str, str]) -> None:
    for path in ("/", "/play/poker", "/tables", "/me", "/daily", "/static/css/base.css", "/h/nothing.json", "/lab"):
        answer = app.test_client().get(path, headers=headers)
        assert answer.status_code < 500, (path, answer.status_code)
        text = answer.get_data(as_text=True)
        assert "evil.example" not in text and "javascript:alert" not in text
        answer.close()
    posted = app.test_client().post("/settings", headers={**SAME_ORIGIN, **headers})
    assert posted.status_code < 500
    assert is_here(posted.headers.get("Location", "/"))
