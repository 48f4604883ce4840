"""GET requests change nothing: no row and no cookie, whoever sends them to whichever address."""

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from flask import Flask
from sqlalchemy import event

from tests.support.answer_forms import FORMS, headers
from tests.support.clock import Clock, run_timer, run_timer_for, start_again
from tests.support.cookies import content_of, cookie_of, send_from_now_on, signed
from tests.support.moves import dealt, finished, picking, sealed
from tests.support.player import Player
from tests.support.rows import rows, tamper
from tests.support.table_players import TablePlayer, bet_all, betting, people
from webapp.extensions import db
from webapp.services.records.lookup import finished_hand
from webapp.services.review import reviews
from webapp.services.review.worker import ReviewWorker

DAY = 24 * 3600 * 1000


def addresses(app: Flask, hand: str, over: str, table: str = "NOSUCH") -> list[str]:
    """Return every address that accepts GET, with every kind of argument. ``table``: the code of a shared table."""
    found = []
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and rule.endpoint != "static":
            for key in (hand, over, "nothing"):
                code = table if rule.rule.startswith("/t/") else "poker"
                path = rule.rule.replace("<key>", key).replace("<code>", code)
                path = (
                    path.replace("<hand>", key)
                    .replace("<step>", "0")
                    .replace("<day>", "2026-11-22")
                    .replace("<word>", "no-such-word")
                    .replace("<game>", "poker")
                    .replace("<member>", "1")
                    .replace("<drill>", "deck")
                )
                path = path.replace("<int:step>", "1")
                path = re.sub(r"<any\((\w+)[^>]*>", r"\1", path)  # the first of several words
                assert "<" not in path, f"a new kind of address: {rule.rule}"
                found.append(path)
    found += [
        f"/play/poker?hand={hand}", f"/play/poker?hand={over}", "/play/poker?table=quest-ties-win", "/play/poker?table=no",
        f"/me?before={over}", f"/h/{over}?step=0", f"/h/{over}?step=x", "/?verb=hold", "/settings?name=x", "/nothing",
        f"/play/poker/{hand}/0", f"/play/poker/{hand}/0?verb=hold", f"{app.extensions['static'].address}/css/base.css",
    ]  # fmt: skip
    return sorted(set(found))


def asked(paths: list[str], turn: int, in_each: bool = False) -> Iterator[tuple[str, str]]:
    """Yield each address with a form to ask for, another one in the next ``turn``, or with each form."""
    for number, path in enumerate(paths):
        forms = [*FORMS] if in_each else [[*FORMS][(number + turn) % len(FORMS)]]
        for form in forms if not path.endswith(".png") else ["json"]:
            yield path, form


STATES = ("nobody", "ready", "exchange", "pick", "over", "overdue", "box lost", "unreadable", "stranger")
WHOLE = ("exchange", "overdue")
"""States in which each address is asked for in each form; in the others in one of them, in turn."""
POSTGRESQL = pytest.param("postgresql", "overdue", marks=pytest.mark.pg)


@pytest.mark.usefixtures("same_picture")
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
    run_timer(app, "daily deals")
    before = rows(app)
    for path, form in asked(addresses(app, hand, over), STATES.index(state), state in WHOLE):
        answer = alice.line.client.get(path, headers=headers(form), buffered=True)
        assert answer.status_code < 500, path
        assert "Set-Cookie" not in answer.headers, path
        for method in ("HEAD", "OPTIONS") if state == "overdue" else ():
            assert alice.line.client.open(path, method=method, buffered=True).status_code < 500, path
    assert rows(app) == before


def test_what_proxies_may_keep_is_the_same_for_all_to_whom_they_may_give_it(app: Flask, bob: Player) -> None:
    """Responses of one address differ only by headers named in Vary."""
    dealt(bob)
    over = finished(bob)
    dealt(bob)
    code = TablePlayer(app.test_client()).open(public="1", bot="1")
    bob.post("/settings", [("language", "zh")])
    clients = {
        "Accept-Language": ((app.test_client(), "en"), (app.test_client(), "ja")),
        "Cookie": ((app.test_client(), "en"), (bob.line.client, "en")),
        "Accept": ((app.test_client(), "en"), (app.test_client(), "en")),
    }
    kept = set()
    for path in addresses(app, bob.hand, over, code):
        for what, pair in clients.items():
            accepted = ("*/*", "application/json" if what == "Accept" else "*/*")
            first, second = (
                client.get(path, headers={"Accept": form, "Accept-Language": language}, buffered=True)
                for (client, language), form in zip(pair, accepted, strict=True)
            )
            cached = first.cache_control
            if cached.no_store or cached.private or cached.no_cache or not (cached.public or cached.max_age):
                continue
            kept.add(path)
            varies = {name.strip() for name in first.headers.get("Vary", "").split(",")}
            assert what in varies or first.data == second.data, (path, what)
    style = f"{app.extensions['static'].address}/css/base.css"
    assert {f"/h/{over}.json", f"/h/{over}.png", f"/t/{code}.png", style} <= kept


def _overdue_bets(app: Flask, visitors: list[TablePlayer], clock: Clock) -> TablePlayer:
    clock.move(25)
    return people(app, 1)[0]


def _overdue_turn(app: Flask, visitors: list[TablePlayer], clock: Clock) -> TablePlayer:
    bet_all(visitors)
    assert visitors[0].see()["phase"] == "playing"
    clock.move(40)
    return people(app, 1)[0]


def _everybody_away(app: Flask, visitors: list[TablePlayer], clock: Clock) -> TablePlayer:
    """Make everybody absent; return one of them, who is there again with the next GET."""
    run_timer_for(app, clock, 200)
    return visitors[0]


def _heard_again(app: Flask, visitors: list[TablePlayer], clock: Clock) -> TablePlayer:
    clock.move(9)  # a heartbeat is news by now
    return visitors[0]


def _after_a_stop(app: Flask, visitors: list[TablePlayer], clock: Clock) -> TablePlayer:
    clock.move(3600)
    return visitors[0]


def _new_day(app: Flask, visitors: list[TablePlayer], clock: Clock) -> TablePlayer:
    run_timer(app, "daily deals")
    clock.move(3 * 24 * 3600)
    return people(app, 1)[0]


@contextmanager
def read_only(app: Flask) -> Iterator[list[str]]:
    """Collect writes of the test's thread, and prevent them."""
    refused: list[str] = []
    mine = threading.get_ident()

    def look_over(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        words = statement.upper().split()
        writes = words[0] not in READS or "UPDATE" in words[-4:] or "PG_NOTIFY" in statement.upper()
        if writes and threading.get_ident() == mine:
            refused.append(statement)
            raise AssertionError(f"a request that only looks would write: {statement}")

    with app.app_context():
        engine = db.engine
    event.listen(engine, "before_cursor_execute", look_over)
    try:
        yield refused
    finally:
        event.remove(engine, "before_cursor_execute", look_over)


READS = ("SELECT", "WITH", "BEGIN", "PRAGMA", "SET", "SHOW", "ROLLBACK", "SAVEPOINT", "RELEASE")
PREPARED = (_overdue_bets, _overdue_turn, _everybody_away, _heard_again, _after_a_stop, _new_day)


@pytest.mark.usefixtures("same_picture")
@pytest.mark.parametrize("prepared", PREPARED)
def test_no_get_writes_whatever_is_overdue(app: Flask, clock: Clock, prepared: Callable[..., TablePlayer]) -> None:
    """Overdue work is left to the timer, which does not run here, so all rows stay as they are."""
    visitors = betting(app, 2, turn_clock=20)
    looks = prepared(app, visitors, clock)
    before = rows(app)
    with read_only(app) as refused:
        for path, form in asked(addresses(app, "nothing", "nothing", visitors[0].code), PREPARED.index(prepared)):
            method = "HEAD" if path.endswith("/events") else "GET"
            answer = looks.line.client.open(path, method=method, headers=headers(form), buffered=True)
            assert answer.status_code < 500, path
            assert "Set-Cookie" not in answer.headers, path
    assert refused == []
    assert rows(app) == before
    start_again(app)
    run_timer(app, "clocks", "heartbeats", "absent players", "daily deals")
    assert rows(app) != before, "and the timer does it"


def test_a_review_that_was_worked_out_is_stored_by_the_timer_and_by_no_get(
    app: Flask, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    dealt(alice)
    key, asked = finished(alice), []
    worked_out = {"decisions": [], "start": 0, "luck": 0, "cost": 0, "payout": 0, "exact": True, "method": "x"}
    worked_out["seats"] = [{"seat": 0, "start": 0, "luck": 0, "cost": 0, "payout": 0, "steps": []}]

    def ask(*_: object) -> object:
        asked.append(None)
        return worked_out

    monkeypatch.setattr(ReviewWorker, "ask", ask)
    before = rows(app)
    with read_only(app) as refused, app.app_context():
        for _ in range(2):
            assert reviews.review_or_none(finished_hand(key)) == worked_out
    assert (refused, len(asked)) == ([], 1), "who asks meanwhile gets the same"
    assert rows(app) == before
    run_timer(app, "reviews that were worked out")
    assert [review[0] for review in rows(app)["review"]] == [key]


def test_who_only_looks_sees_what_was_due_all_the_same(app: Flask, clock: Clock) -> None:
    """A program that polls now and then, at a site without streams, waits no longer than others."""
    visitors = betting(app, 2, turn_clock=20)
    watcher = people(app, 1)[0]
    assert watcher.come(visitors[0].code)["phase"] == "betting"
    clock.move(25)
    run_timer(app)
    with read_only(app) as refused:
        watcher.get(f"/t/{watcher.code}")
    assert refused == []
    assert watcher.answer.json["phase"] in ("playing", "settled")
    assert [seat["auto"] for seat in watcher.answer.json["seats"]] == [False, False]


def test_a_visitor_becomes_a_player_with_the_first_action(app: Flask, alice: Player) -> None:
    for path in (
        "/",
        "/play/poker",
        "/me",
        "/me/hands",
        "/me/decisions",
        "/me/settings",
        "/rules/poker",
        "/fair",
        "/about",
    ):
        alice.get(path, Accept="text/html")
    assert not any(rows(app).values())
    assert cookie_of(alice) == ""
    sealed(alice)
    assert len(rows(app)["player"]) == 1
    assert cookie_of(alice)
