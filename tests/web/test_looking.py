"""Looking changes nothing: no row, no cookie, whoever looks and at whatever."""

import re

import pytest
from flask import Flask

from tests.support.answer_forms import FORMS, headers
from tests.support.cookies import content_of, cookie_of, send_from_now_on, signed
from tests.support.moves import dealt, finished, picking, sealed
from tests.support.player import Player
from tests.support.rows import rows, tamper

DAY = 24 * 3600 * 1000


def addresses(app: Flask, hand: str, over: str) -> list[str]:
    """Every address that can be got, with every kind of argument."""
    found = []
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and rule.endpoint != "static":
            for key in (hand, over, "nothing"):
                path = rule.rule.replace("<key>", key).replace("<code>", "poker")
                path = path.replace("<hand>", key).replace("<step>", "0").replace("<day>", "2026-11-22")
                path = path.replace("<int:step>", "1")
                path = re.sub(r"<any\((\w+)[^>]*>", r"\1", path)  # the first of several words
                assert "<" not in path, f"a new kind of address: {rule.rule}"
                found.append(path)
    found += [
        f"/play/poker?hand={hand}", f"/play/poker?hand={over}", "/play/poker?table=quest-ties-win", "/play/poker?table=no",
        f"/me?before={over}", f"/h/{over}?step=0", f"/h/{over}?step=x", "/?verb=hold", "/settings?name=x", "/nothing",
        f"/play/poker/{hand}/0", f"/play/poker/{hand}/0?verb=hold", "/static/css/base.css",
    ]  # fmt: skip
    return sorted(set(found))


STATES = ("nobody", "ready", "exchange", "pick", "over", "overdue", "box lost", "unreadable", "stranger")
POSTGRESQL = pytest.param("postgresql", "overdue", marks=pytest.mark.pg)


@pytest.mark.parametrize(
    "database_url, state", [*(("sqlite", state) for state in STATES), POSTGRESQL], indirect=["database_url"]
)
def test_no_get_changes_the_database_or_sets_a_cookie(app: Flask, alice: Player, bob: Player, state: str) -> None:
    dealt(bob)
    over, hand = finished(bob), bob.hand
    match state:
        case "ready":
            sealed(alice)
        case "exchange" | "overdue" | "box lost":
            dealt(alice)
        case "pick":
            picking(alice)
        case "over":
            dealt(alice)
            finished(alice)
        case "unreadable":
            send_from_now_on(alice, "no.cookie.of_ours")
        case "stranger":
            send_from_now_on(alice, signed(app, {"player": "gone", "box": {"x": "y"}}))
    if alice.board:
        hand = alice.hand
    if state == "overdue":
        tamper(app, "UPDATE hand SET moved_at = moved_at - :s", s=3 * DAY)
    if state == "box lost":
        send_from_now_on(alice, signed(app, {"player": content_of(app, cookie_of(alice))["player"]}))
    bob.get("/daily")  # who looks first commits to the days to come, once a day
    before = rows(app)
    for path in addresses(app, hand, over):
        for form in FORMS if not path.endswith(".png") else ["json"]:
            answer = alice.line.client.get(path, headers=headers(form), buffered=True)
            assert answer.status_code < 500, path
            assert "Set-Cookie" not in answer.headers, path
        for method in ("HEAD", "OPTIONS") if state == "overdue" else ():
            assert alice.line.client.open(path, method=method, buffered=True).status_code < 500, path
    assert rows(app) == before


def test_a_visitor_becomes_a_player_with_the_first_action(app: Flask, alice: Player) -> None:
    for path in ("/", "/play/poker", "/me", "/rules/poker", "/fair", "/about"):
        alice.get(path, Accept="text/html")
    assert not any(rows(app).values())
    assert cookie_of(alice) == ""
    sealed(alice)
    assert len(rows(app)["player"]) == 1
    assert cookie_of(alice)
