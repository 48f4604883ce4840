"""Attempts to cheat: for another seat, with another's link, twice, late, as a watcher, by guessing, by flooding."""

import gc
import re
from collections import Counter
from pathlib import Path

import pytest
from flask import Flask

from tests.support.app import close, make_app
from tests.support.concurrency import at_once
from tests.support.cookies import cookie_of, layers, tab_of
from tests.support.moves import finished_json
from tests.support.rows import findings, row, rows
from tests.support.secret_scan import tells_the_seed
from tests.support.streams import OpenStream
from tests.support.table_players import (
    Line,
    TablePlayer,
    banker_of,
    bet_all,
    betting,
    people,
    play_out,
    players,
    seated,
    see_all,
)
from webapp.services.tables.follower import Follower

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def in_play(app: Flask, count: int = 3) -> list[TablePlayer]:
    while True:
        visitors = betting(app, count)
        bet_all(visitors, 10)
        if visitors[0].phase == "playing":
            return visitors


def test_a_command_sent_twice_is_done_once(app: Flask) -> None:
    visitors = betting(app, 2)
    (player,) = players(visitors)
    version = player.version
    heard = at_once([tab_of(player) for _ in range(6)], lambda tab: _bet(tab, player.code, version))
    assert sorted(status for status, _ in heard) == [200, 409, 409, 409, 409, 409]
    assert row(app, "SELECT count(*) FROM ledger_entry WHERE reason = 'stake' AND amount = -40") == (1,)
    assert findings(app) == []


def _bet(tab: TablePlayer, code: str, version: int) -> dict:
    tab.post(f"/t/{code}/{version}", [("verb", "bet"), ("arg", "40"), ("cut", "x")])
    return dict(tab.answer.json)


def test_an_old_version_costs_nothing_and_shows_the_true_table(app: Flask) -> None:
    visitors = seated(app, 3)
    for visitor in visitors:
        visitor.now("ready")
    see_all(visitors)
    bet_all(visitors)
    play_out(visitors)
    for visitor in visitors:
        visitor.now("ready")  # the second round is all three's
    see_all(visitors)
    one, other = players(visitors)
    version, chips = one.version, one.chips
    other.do("bet", 20)
    said = one.do("bet", 10, version=version)
    assert (one.status, said["error"]) == (409, "stale")
    assert (said["version"], one.chips) == (version + 1, chips)


def test_nobody_keeps_the_seat_in_turn_from_playing_by_moving_the_table(app: Flask) -> None:
    """Others sit down, get up and change policies: no bet and no move is refused as late because of that."""
    visitors, (passer,) = betting(app, 3), people(app, 1)
    passer.come(visitors[0].code)

    def move_the_table() -> None:
        for verb, arg in (("sit", 4), ("leave", None)):
            passer.now(verb, arg)
            assert passer.status == 200
        banker_of(visitors).now("policy", "basic")

    for player in players(visitors):
        version = player.see()["version"]
        if "bet" not in player.table["actions"]:
            continue  # the last player who became ready plays the next round
        move_the_table()
        player.do("bet", 10, version=version)
        assert player.status == 200
        assert player.version > version + 3
        assert player.do("bet", 10, version=version)["error"] == "stale", "once"
    while visitors[0].see()["phase"] == "playing":
        see_all(visitors)
        acting = next(visitor for visitor in visitors if visitor.you == visitor.table["acting"])
        version = acting.version
        move_the_table()
        acting.do("double", version=version - 1)
        assert acting.status == 409, "at that version it was not this seat's turn, or had other cards"
        see_all(visitors)
        acting.do("stand" if "stand" in acting.table["actions"] else "hit", version=version)
        assert acting.status == 200
        acting.do("hit", version=version)
        assert acting.status == 409, "once"
    assert findings(app) == []


def test_a_cut_that_was_given_before_the_commitment_stood_is_none(app: Flask) -> None:
    """Otherwise the site would know the cut when it draws the seed: the next deck is not committed to yet."""
    visitors, (late,) = in_play(app, 2), people(app, 1)
    late.come(visitors[0].code)
    late.now("sit", 4)
    assert 'name="cut"' not in late.get(f"/t/{late.code}", Accept="text/html").text, "nor is it asked for"
    late.now("ready", cut="too-early")
    assert late.status == 200
    play_out(visitors)
    see_all([*visitors, late])
    committed = late.table["commitment"]
    away = visitors[0]
    away.now("ready", cut="for-this-one")
    for visitor in (visitors[1], late):
        visitor.now("ready")
    see_all([*visitors, late])
    assert late.phase == "betting"
    for visitor in (*visitors, late):
        visitor.see()
        if "bet" in visitor.table["actions"]:
            visitor.do("bet", 10)
    play_out([*visitors, late])
    proof = finished_json(late, late.see()["last"].removeprefix("/h/"))["proof"]
    assert proof["commitment"] == committed
    assert sorted(proof["cuts"]) == ["-", "-", "for-this-one"]


@pytest.mark.parametrize("chips", ["0", "9", "201", "-10", "1e2", "", "10.5", "９", "9" * 30])
def test_a_bet_that_cannot_be_is_refused(app: Flask, chips: str) -> None:
    visitors = betting(app, 2)
    (player,) = players(visitors)
    player.do("bet", chips)
    assert player.status == 422
    assert player.see()["phase"] == "betting"


def test_bets_are_capped_so_that_the_bank_can_always_pay(app: Flask) -> None:
    visitors = betting(app, 5, max_bet=1000)
    bet_all(visitors)  # only one player was ready in time; from the second round on all five play
    play_out(visitors)
    for visitor in visitors:
        visitor.now("ready")
    see_all(visitors)
    assert len(players(visitors)) == 4
    for player in players(visitors):
        assert "bet" in player.see()["actions"], "for each the lowest bet is kept free"
        _, most = player.table["limits"]
        player.do("bet", most + 1)
        assert player.status == 422
        player.do("bet", most)
        assert player.status == 200
    assert findings(app) == []


def test_a_private_link_takes_a_seat_over_once_and_nobody_elses(app: Flask) -> None:
    visitors = seated(app, 2)
    alice, bob = visitors
    (phone,) = people(app, 1)
    phone.come(alice.code)
    link = alice.see()["seat_link"].partition("seat=")[2]
    assert link not in str(bob.see())
    for headers in ({"Accept": "text/html"}, {"Accept": "text/html", "HX_Request": "true"}):
        assert f'value="{link}"' in phone.get(f"/t/{phone.code}?seat={link}&since=0", **headers).text
    late = phone.post(f"/t/{phone.code}/0", [("verb", "take"), ("arg", link)], Accept="text/html", HX_Request="true")
    assert (late.status, f'value="{link}"' in late.text) == (409, True), "the offer stands"
    phone.now("take", "x" * 22)
    assert (phone.status, phone.answer.json["error"]) == (404, "seat-link")
    phone.now("take", link)
    assert (phone.status, phone.you) == (200, 0)
    shown = phone.get(f"/t/{phone.code}?seat={link}", Accept="text/html").text
    assert link not in shown, "what was used is not offered again"
    alice.now("ready")
    assert (alice.status, alice.you) == (422, None)
    (thief,) = people(app, 1)
    thief.come(alice.code)
    thief.now("take", link)
    assert thief.status == 404, "it was used"
    alice.now("sit", 0)
    assert (alice.status, alice.you) == (200, 0), "its owner may always come back"


def test_a_seat_cannot_be_taken_twice_and_nobody_has_two(app: Flask) -> None:
    visitors = seated(app, 2)
    visitors[1].now("sit", 0)
    assert visitors[1].status == 422
    visitors[1].now("sit", 3)
    assert (visitors[1].status, visitors[1].answer.json["error"]) == (422, "seated-already")
    for seat in ("5", "-1", "99", "x", ""):
        (late,) = people(app, 1)
        late.come(visitors[0].code)
        late.do("sit", seat)
        assert late.status == 422


def test_a_name_of_markup_is_only_a_name(app: Flask) -> None:
    (alice,) = people(app, 1)
    code = alice.open()
    name = "<b onload=x>&\"'"
    alice.do("sit", 0, name=name)
    assert alice.seat()["name"] == name
    page = alice.get(f"/t/{code}", Accept="text/html").text
    assert "<b onload" not in page
    assert "&lt;b onload" in page


def test_the_seed_is_in_nobodys_cookie_and_sealed_in_the_site(app: Flask) -> None:
    visitors = in_play(app, 2)
    from webapp.extensions import db
    from webapp.models import TableRound
    from webapp.services.records import stored_round

    with app.app_context():
        live = db.session.query(TableRound).filter_by(status="live").one()
        seed, box = stored_round.round_seed(live), live.sealed_seed
        assert live.revealed_seed is None
        db.session.remove()
    cookies = [layer for visitor in visitors for layer in layers(cookie_of(visitor).encode())]
    assert not tells_the_seed([*cookies, *layers(str(box).encode())], seed)


def test_the_commitment_stands_before_any_cut_and_each_has_its_own(app: Flask) -> None:
    visitors = betting(app, 2)
    promised = visitors[0].table["commitment"]
    assert re.fullmatch(r"[0-9a-f]{64}", promised)
    (player,) = players(visitors)
    player.do("bet", 10, cut="-")
    assert (player.status, player.answer.json["error"]) == (422, "bad-cut")
    bet_all(visitors)
    distinct, count = row(app, "SELECT count(DISTINCT commitment), count(*) FROM table_round")
    assert distinct == count


def test_a_thousand_tables_of_one_visitor_are_thirty_and_six_of_them_stay(app: Flask, tmp_path: Path) -> None:
    limited = make_app(app.config["SQLALCHEMY_DATABASE_URI"], tmp_path, TEFUDA_RATE_LIMITS="on")
    alice = TablePlayer(limited.test_client())
    statuses = Counter(alice.post("/tables").status for _ in range(1000))
    assert statuses == {201: 31, 429: 969}, "30 of the player's, and the one that made the player"
    assert row(app, "SELECT count(*), count(DISTINCT opened_by) FROM shared_table") == (6, 1)
    assert row(app, "SELECT count(*) FROM table_round") == (6,), "those that went left nothing"
    close(limited)


def test_a_table_looked_at_a_thousand_times_leaves_nothing_behind(app: Flask) -> None:
    visitors = in_play(app, 2)
    hub, code = app.extensions["tables"], visitors[0].code
    client = app.test_client()
    before = rows(app)

    def look(times: int) -> None:
        for number in range(times):
            path = f"/t/{code}?{'still=1' if number % 2 else f'since={visitors[0].version}'}"
            answer = client.get(path, headers={"HX-Request": "true"} if number % 50 else {})
            assert answer.status_code in (200, 204)
            assert "Set-Cookie" not in answer.headers
            if number % 50 == 0:
                OpenStream(client, code).close()

    look(100)
    gc.collect()
    objects = len(gc.get_objects())
    look(900)
    gc.collect()
    assert len(gc.get_objects()) - objects < 500
    assert rows(app) == before
    assert (hub.streams, hub.watching(code)) == (0, 1)


def test_who_sits_down_gets_up_from_another_table(app: Flask) -> None:
    visitors = seated(app, 2)
    alice, first = visitors[0], visitors[0].code
    alice.open()
    alice.do("sit", 3)
    assert alice.status == 200
    assert alice.you == 3
    assert [seat["seat"] for seat in visitors[1].see()["seats"]] == [1]
    assert visitors[1].code == first
    assert alice.get("/tables").json["mine"] == f"/t/{alice.code}"
    alice.post("/tables", [("bot", "1")])
    assert alice.status == 201
    assert row(app, "SELECT count(*) FROM table_seat WHERE table_code = :code", code=alice.code) == (0,)


def test_chips_that_lie_at_one_table_are_not_played_for_at_another(app: Flask) -> None:
    """A banker has staked everything: the empty purse must not be refilled at another table."""
    visitors = betting(app, 2, max_bet=1000)
    banker, code = banker_of(visitors), visitors[0].code
    assert row(app, "SELECT min(balance) FROM purse") == (0,)
    banker.open()
    banker.do("sit", 0)
    assert (banker.status, banker.answer.json["error"]) == (422, "seated-elsewhere")
    banker.post("/tables", [("bot", "1")])
    assert (banker.status, banker.answer.json["code"]) == (200, code), "the round that is open is played first"
    assert row(app, "SELECT count(*) FROM ledger_entry WHERE reason = 'run'") == (2,)
    banker.come(code)
    assert banker.you is not None
    assert banker.phase == "betting"


def test_bots_leave_the_last_seat_to_people(app: Flask) -> None:
    (alice,) = seated(app, 1)
    for number in (1, 2, 3):
        alice.now("bot", number)
        assert alice.status == 200
    assert "bot-4" not in alice.table["actions"], "nor is it offered"
    alice.now("bot", 4)
    assert (alice.status, alice.answer.json["error"]) == (422, "seat-kept")
    bob = TablePlayer(app.test_client())
    bob.come(alice.code)
    bob.now("sit", 4)
    assert bob.status == 200


def test_many_empty_tables_do_not_hide_one_where_somebody_waits(app: Flask) -> None:
    waiting = TablePlayer(app.test_client())
    code = waiting.open(public=1)
    waiting.come(code)
    waiting.now("sit", 0)
    for _ in range(100):
        flood = TablePlayer(app.test_client())
        flood.post("/tables", [("public", "1")])
        assert flood.status == 201
    assert [table["code"] for table in waiting.get("/tables").json["tables"]] == [code]


def test_codes_cannot_be_guessed_for_long(app: Flask, tmp_path) -> None:  # type: ignore[no-untyped-def]
    limited = make_app(app.config["SQLALCHEMY_DATABASE_URI"], tmp_path, TEFUDA_RATE_LIMITS="on")
    visitor = TablePlayer(limited.test_client())
    known = visitor.open()
    statuses = [visitor.get(f"/t/AAAA{number:02}").status for number in range(60)]
    assert statuses[0] == 404
    assert statuses[-1] == 429
    assert visitor.get(f"/t/{known}").status == 200, "and whoever names a table is answered"
    close(limited)


def test_a_hundred_streams_of_one_visitor_are_capped_and_the_page_still_works(app: Flask, tmp_path) -> None:  # type: ignore[no-untyped-def]
    limited = make_app(app.config["SQLALCHEMY_DATABASE_URI"], tmp_path, TEFUDA_RATE_LIMITS="on")
    visitor = TablePlayer(limited.test_client())
    code = visitor.open()
    client = limited.test_client()
    open_streams = []
    statuses = []
    for _ in range(100):
        answer = OpenStream(client, code)
        statuses.append(answer.status_code)
        open_streams.append(answer)
    assert statuses.count(200) == 4
    assert set(statuses) == {200, 429}
    assert client.get(f"/t/{code}", headers={"HX-Request": "true"}).status_code == 200
    for answer in open_streams:
        answer.close()
    assert limited.extensions["tables"].streams == 0, "and they end with their readers"
    close(limited)


def test_a_line_that_is_refused_leaves_no_trace(app: Flask) -> None:
    """Pages choose the words their streams are counted under."""
    hub = app.extensions["tables"]

    def join(*limits: tuple[str, int]) -> Follower | None:
        follower = Follower("AAAAAA", watcher="192.0.2.1", limits=limits)
        return follower if hub.join(follower) else None

    assert join(("v:somebody", 0), ("a:somewhere", 1)) is None
    assert join(("a:somewhere", 1), ("v:somebody", 0)) is None
    assert (hub._counts, hub._followers, hub.streams) == ({}, {}, 0)
    first = join(("v:somebody", 1))
    assert first is not None
    assert join(("v:nobody", 1), ("v:somebody", 1)) is None
    assert hub._counts == {"v:somebody": 1}
    hub.leave(first)
    assert (hub._counts, hub._followers, hub.streams) == ({}, {}, 0)


def test_the_stream_says_only_where_the_table_is(app: Flask) -> None:
    visitors = betting(app, 2)
    line = Line(app, visitors[0].code)
    assert f"event: moved\ndata: {visitors[0].version}\n\n" in line.news()
    (player,) = players(visitors)
    player.do("bet", 10, cut="word")
    assert f"data: {player.version}" in line.news()
    line.close()


def test_polling_answers_204_when_nothing_has_moved(app: Flask) -> None:
    visitors = seated(app, 2)
    see_all(visitors)
    for headers in ({"Accept": "application/json"}, {"Accept": "text/html", "HX_Request": "true"}):
        answer = visitors[0].get(f"/t/{visitors[0].code}?since={visitors[0].version}", **headers)
        assert (answer.status, answer.text) == (204, "")
    visitors[1].now("ready")
    assert visitors[0].get(f"/t/{visitors[0].code}?since={visitors[0].version}").status == 200
