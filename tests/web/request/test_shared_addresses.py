"""Many players behind one address: guessing or flooding from there does not stop the others from playing."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from tests.support.app import close, make_app
from tests.support.clock import Clock
from tests.support.cookies import COOKIE, cookie_of, send_from_now_on
from tests.support.moves import dealt, finished
from tests.support.player import ACCEPT, SAME_ORIGIN, Player
from tests.support.streams import OpenStream
from tests.support.table_players import TablePlayer, people, seated
from webapp.web.request.limits import limiter

GUESSES, LOOKS, POSTS, REQUESTS = 30, 1200, 600, 3000
"""What one may do in a minute."""


@pytest.fixture
def strict(tmp_path: Path, blank_sqlite: Path, clock: Clock) -> Iterator[Flask]:
    """An app with rate limits at zero.

    Its clock stands still, so that a slow machine does not get more requests per minute.
    """
    shutil.copy(blank_sqlite, tmp_path / "room.sqlite3")
    app = make_app(f"sqlite:///{tmp_path / 'room.sqlite3'}", tmp_path, TEFUDA_RATE_LIMITS="on")
    limiter.reset()
    yield app
    limiter.reset()
    close(app)


def known(app: Flask) -> TablePlayer:
    """Return a player who has played before."""
    visitor = TablePlayer(app.test_client())
    assert visitor.post("/play/poker").status == 201
    return visitor


def guess(visitor: TablePlayer, times: int = 60) -> list[int]:
    return [visitor.get(f"/t/AAAA{number:02}").status for number in range(times)]


# ------------------------------------------------------------------------------------------------ guesses


def test_wrong_codes_are_held_back_and_right_ones_never_are(strict: Flask) -> None:
    alice, bob = seated(strict, 2)
    (stranger,) = people(strict, 1)
    assert guess(stranger) == [404] * GUESSES + [429] * 30
    assert 0 < int(stranger.answer.headers["retry-after"]) <= 60
    assert stranger.answer.json["error"] == "too-many-guesses"
    assert stranger.post("/t/BBBB22/0", [("verb", "sit"), ("arg", "0")]).status == 429
    assert "set-cookie" not in stranger.answer.headers, "nobody is made for a table that is none"
    assert stranger.get("/t/BBBB22/events").status == 429
    assert stranger.get("/t/@@@@@@").status == 429, "nor is one that cannot be a code"
    for visitor in (alice, bob):
        visitor.now("ready")
        assert visitor.status == 200
    (newcomer,) = people(strict, 1)
    newcomer.come(alice.code)
    assert newcomer.status == 200
    newcomer.do("sit", 4)
    assert newcomer.status == 200
    line = OpenStream(newcomer.line.client, alice.code)  # type: ignore[union-attr]
    assert line.status_code == 200
    line.close()


def test_guesses_of_one_player_are_not_counted_as_anothers(strict: Flask) -> None:
    alice, bob = known(strict), known(strict)
    assert guess(alice) == [404] * GUESSES + [429] * 30
    assert bob.get("/t/AAAA99").status == 404, "bob has mistyped a code for the first time"
    assert people(strict, 1)[0].get("/t/AAAA99").status == 404


def test_links_to_seats_are_guessed_no_more_often(strict: Flask) -> None:
    alice, bob = seated(strict, 2)
    thief = known(strict)
    thief.come(alice.code)
    statuses = []
    for number in range(GUESSES + 2):
        thief.post(f"/t/{alice.code}/{thief.version}", [("verb", "take"), ("arg", f"{number:022}")])
        statuses.append(thief.status)
    assert statuses == [404] * GUESSES + [429] * 2
    assert thief.get(f"/t/{alice.code}").status == bob.get(f"/t/{alice.code}").status == 200


def test_links_that_sign_in_are_guessed_no_more_often(strict: Flask) -> None:
    stranger = known(strict)
    statuses = [stranger.get(f"/me/link/{number:022}").status for number in range(GUESSES + 2)]
    assert statuses == [404] * GUESSES + [429] * 2


def test_codes_of_circles_are_guessed_no_more_often(strict: Flask) -> None:
    stranger, friend = known(strict), known(strict)
    friend.post("/circles", [("name", "Friends"), ("member", "Ada")])
    statuses = [stranger.get(f"/c/AAAAAA{number:02}").status for number in range(GUESSES + 2)]
    assert statuses == [404] * GUESSES + [429] * 2
    assert stranger.post("/c/BBBBBBBB/join", [("name", "Eve")]).status == 429
    assert stranger.get(friend.answer.json["url"]).status == 200, "a right one is answered"


# ------------------------------------------------------------------------------------------------ floods


def flood(visitor: TablePlayer, code: str) -> None:
    """Send requests of all kinds until all are refused."""
    seen = visitor.come(code)["version"]
    ways = {
        f"/t/{code}?since={seen}": (visitor.get, "GET", LOOKS),
        f"/t/{code}/0": (visitor.post, "POST", POSTS),
        "/tables?code=x": (visitor.get, "GET", REQUESTS),
    }
    for path, (ask, method, limit) in ways.items():
        for _ in range(limit):  # as ask() does, but for reading the answer
            visitor.line.client.open(path, method=method, headers={**ACCEPT, **SAME_ORIGIN})  # type: ignore[union-attr]
        assert ask(path).status == 429, path


def test_a_flood_without_a_cookie_stops_no_player_at_the_same_address(strict: Flask) -> None:
    alice, bob = seated(strict, 2)
    (stranger,) = people(strict, 1)
    flood(stranger, alice.code)
    for visitor in (alice, bob):
        visitor.now("ready")
        assert visitor.status == 200
        assert visitor.get("/tables?code=x").status == 303
    made_up = TablePlayer(strict.test_client())
    made_up.line.client.set_cookie(COOKIE, "eyJwbGF5ZXIiOiJhIn0.aaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaa")  # type: ignore[union-attr]
    for path in (f"/t/{alice.code}", "/tables?code=x"):
        assert made_up.get(path).status == 429, "a name that we have not signed is nobody's"


def test_a_flood_of_one_player_stops_nobody_else_at_the_same_address(strict: Flask) -> None:
    alice, bob = seated(strict, 2)
    flood(known(strict), alice.code)
    (newcomer,) = people(strict, 1)
    for visitor in (alice, bob, newcomer):
        visitor.come(alice.code)
        assert visitor.status == 200
        assert visitor.get("/tables?code=x").status == 303
    alice.do("ready")
    assert alice.status == 200
    newcomer.now("sit", 4)
    assert newcomer.status == 200


def test_many_players_of_one_address_may_do_much_but_not_everything(strict: Flask) -> None:
    """Otherwise somebody with a hundred players could send a hundred times as many requests."""
    players = [known(strict) for _ in range(11)]
    statuses = [player.post("/tables", [("table", "none")]).status for player in players for _ in range(30)]
    assert statuses == [422] * 300 + [429] * 30
    assert people(strict, 1)[0].post("/tables", [("table", "none")]).status == 422


def test_a_picture_is_still_one_and_the_same_for_all(strict: Flask) -> None:
    """Caches store it, so it must not set or vary by a cookie although limits count players."""
    alice = Player(strict.test_client())
    dealt(alice)
    headers = alice.line.client.get(f"/h/{finished(alice)}.png").headers  # type: ignore[union-attr]
    assert headers["Cache-Control"].startswith("public")
    assert "Cookie" not in headers.get("Vary", "")


# ------------------------------------------------------------------------------------------------ seats


def test_a_player_who_is_refused_is_there_all_the_same(strict: Flask, clock: Clock) -> None:
    alice, bob = seated(strict, 2)
    for _ in range(240):
        assert bob.line.client.head(f"/t/{bob.code}/events").status_code == 200  # type: ignore[union-attr]
    waited = 0
    while waited < 50:
        clock.move(5)
        waited += 5
        assert bob.line.client.head(f"/t/{bob.code}/events").status_code == 429  # type: ignore[union-attr]
        alice.see()
    assert [seat["auto"] for seat in alice.table["seats"]] == [False, False]


def test_who_is_refused_at_a_table_of_others_is_not_there(strict: Flask, clock: Clock) -> None:
    """Nor does such a request leave anything in memory."""
    from webapp.services.tables import presence

    alice, bob = seated(strict, 2)
    stranger = known(strict)
    for _ in range(240):
        stranger.line.client.head(f"/t/{bob.code}/events")  # type: ignore[union-attr]
    clock.move(50)
    with strict.app_context():
        heartbeats = presence.heartbeats()
    before = dict(heartbeats._unwritten)
    for code in (alice.code, "AAAA22"):
        assert stranger.line.client.head(f"/t/{code}/events").status_code == 429  # type: ignore[union-attr]
    assert heartbeats._unwritten == before
    alice.see()
    assert [seat["auto"] for seat in alice.table["seats"]] == [False, True]


def test_whoever_was_signed_out_uses_nothing_up_of_what_the_player_may_do(strict: Flask) -> None:
    alice = known(strict)
    thief = TablePlayer(strict.test_client())
    send_from_now_on(thief, cookie_of(alice))
    assert alice.post("/me/end-other-sessions").status == 303
    for _ in range(REQUESTS):
        thief.line.client.get("/tables?code=x")  # type: ignore[union-attr]
    assert thief.get("/tables?code=x").status == 429
    assert alice.get("/tables?code=x").status == 303


def test_a_class_behind_one_address_joins_a_circle_within_a_minute(strict: Flask) -> None:
    teacher = known(strict)
    teacher.post("/circles", [("name", "Class 4b"), ("member", "Ada")])
    circle = teacher.answer.json["url"]
    pupils = people(strict, 49)
    assert {pupil.post(f"{circle}/join", [("name", "Bo")]).status for pupil in pupils} == {200}
    assert len(teacher.get(circle).json["members"]) == 50
