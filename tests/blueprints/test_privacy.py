"""Personal data: the privacy page, export, and deletion, which changes no balance and reveals no secret."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask

from tests.support.app import close, make_app
from tests.support.clock import Clock, run_timer_for
from tests.support.command_line import CommandResult
from tests.support.concurrency import at_once, tabs_of
from tests.support.cookies import cookie_of, send_from_now_on
from tests.support.databases import on_both
from tests.support.moves import TABLES, dealt, dealt_and_live, finished, finished_json, sealed
from tests.support.player import Player
from tests.support.rows import findings, row, rows
from tests.support.table_players import TablePlayer, play_out, playing, seated
from webapp.config import Config
from webapp.services.operations import personal_data

HTML = {"Accept": "text/html"}


def forget(player: Player) -> int:
    player.post("/me/forget", [("sure", "1")])
    return player.status


def purses(app: Flask) -> list[tuple[object, ...]]:
    return [(balance, best, hands) for _, _, balance, best, hands, *_ in rows(app)["purse"]]


@on_both
def test_who_is_forgotten_leaves_nameless_hands_and_every_chip_in_the_books(app: Flask, alice: Player) -> None:
    alice.post("/settings", [("name", "Grace")])
    dealt(alice)
    key = finished(alice)
    for game in TABLES:
        dealt_and_live(alice, game)
    sealed(alice, "poker", "quest")
    alice.post(f"/h/{key}/again")
    assert row(app, "SELECT status FROM hand WHERE kind <> 'play'") == ("live",)
    assert "Grace" in alice.get(f"/h/{key}", **HTML).text
    alice.post("/me/end-other-sessions")
    assert alice.status == 303
    cookie, before = cookie_of(alice), purses(app)
    (player,) = row(app, "SELECT id FROM player")
    with app.app_context():
        assert not personal_data.is_forgotten(player), "other sessions have ended, and that is all"
    assert forget(alice) == 303
    with app.app_context():
        assert personal_data.is_forgotten(player)
    page = alice.get("/me/forget?done=1", **HTML).text
    assert "You are forgotten here." in page
    found = finished_json(alice, key)
    assert (found["player"], "Grace" in alice.get(f"/h/{key}", **HTML).text) in (("", False), (None, False))
    assert row(app, "SELECT count(*) FROM hand WHERE status IN ('ready', 'live')") == (0,)
    assert row(app, "SELECT count(*) FROM shoe WHERE closed_at IS NULL") == (0,)
    assert row(app, "SELECT count(*) FROM hand WHERE kind <> 'play'") == (0,)
    assert purses(app) == before
    assert findings(app) == []
    everything = rows(app)
    send_from_now_on(alice, cookie)
    assert forget(alice) == 303, "the old cookie is nobody's"
    assert alice.get("/me/export").status == 403
    assert rows(app) == everything
    dealt(alice)
    finished(alice)
    assert row(app, "SELECT count(*) FROM player") == (2,)
    assert findings(app) == []


def test_without_the_tick_nothing_is_forgotten(app: Flask, alice: Player, bob: Player) -> None:
    dealt(alice)
    before = rows(app)
    alice.post("/me/forget", [])
    assert (alice.status, alice.answer.json["error"]) == (422, "unconfirmed")
    bob.post("/me/forget", [("sure", "1")])
    assert bob.status == 303, "nobody has nothing to forget"
    assert rows(app) == before
    assert 'name="sure"' in alice.get("/me/forget", **HTML).text
    assert 'name="sure"' not in bob.get("/me/forget", **HTML).text


def test_who_sits_in_a_round_is_played_for_to_its_end(app: Flask, clock: Clock) -> None:
    visitors = playing(app, 2)
    leaver = next(visitor for visitor in visitors if visitor.you == visitor.table["acting"])
    other = next(visitor for visitor in visitors if visitor is not leaver)
    leaver.post("/settings", [("name", "Grace")])
    assert forget(leaver) == 303
    run_timer_for(app, clock, 30)
    other.see()
    assert other.table["last"] is not None
    found = finished_json(other, other.table["last"].removeprefix("/h/"))
    assert "Grace" not in json.dumps(found)
    assert "Grace" not in json.dumps(other.table)
    assert findings(app) == []


def test_the_export_has_everything_but_what_opens_cards(app: Flask, alice: Player, bob: Player) -> None:
    alice.post("/settings", [("name", "Grace")])
    for player in (alice, bob):
        dealt(player)
        finished(player)
        dealt_and_live(player, "blackjack")
    answer = alice.line.ask("GET", "/me/export", [], {})
    assert (answer.status, answer.headers["content-type"]) == (200, "application/json")
    assert "attachment" in answer.headers["content-disposition"]
    found = answer.json
    assert [each["name"] for each in found["player"]] == ["Grace"]
    own = row(app, "SELECT id FROM player WHERE name = 'Grace'")[0]
    for table, count in (("hand", 3), ("purse", 2), ("shoe", 1)):
        stored = row(app, f"SELECT count(*) FROM {table} WHERE player_id = :own", own=own)[0]  # noqa: S608
        assert len(found[table]) == stored >= min(count, stored)
    assert {each["player_id"] for table in ("hand", "purse", "ledger_entry") for each in found[table]} == {own}
    sealed_seeds = [seed for (seed,) in _column(app, "SELECT sealed_seed FROM shoe WHERE sealed_seed IS NOT NULL")]
    assert sealed_seeds and not [seed for seed in sealed_seeds if seed in answer.text]
    assert "sealed_seed" not in answer.text


def _column(app: Flask, statement: str) -> list[tuple[str]]:
    from sqlalchemy import text

    from webapp.extensions import db

    with app.app_context():
        found = [tuple(each) for each in db.session.execute(text(statement))]
        db.session.remove()
    return found  # type: ignore[return-value]


def test_a_name_is_reported_once_and_the_operator_settles_it(
    app: Flask, database_url: str, tefuda: Callable[..., CommandResult]
) -> None:
    visitors = playing(app, 3)
    rude, *others = visitors
    rude.post("/settings", [("name", "Rude Word")])
    for other in (*others, others[0]):
        other.post(f"/t/{rude.code}/reports", [("seat", str(rude.you))])
        assert other.status == 204
    page = others[0].get(f"/t/{rude.code}/reports", **HTML).text
    assert "Report “Rude Word”" in page
    rude.post(f"/t/{rude.code}/reports", [("seat", str(rude.you))])
    assert (rude.status, rude.answer.json["error"]) == (422, "no-name-there")
    rude.post(f"/t/{rude.code}/reports", [("seat", str(others[0].you))])
    assert rude.status == 422, "who has no name has none to be reported"
    close(app)
    settings = {"TEFUDA_DATABASE_URL": database_url}
    player, count, code, name = tefuda("players", "reports", **settings).out.strip().split(" ", 3)
    assert (count, code, name) == ("2", rude.code, "Rude Word")
    assert tefuda("players", "rename", player, "Polite", **settings).status == 0
    assert tefuda("players", "reports", **settings).out == ""
    assert "Polite" in {seat["name"] for seat in others[0].see()["seats"]}
    refused = tefuda("players", "rename", player, "Ann\nBob", **settings)
    assert refused.status == 2
    assert "A name has at most 24 characters, and no invisible ones." in refused.errors
    assert "Polite" in {seat["name"] for seat in others[0].see()["seats"]}
    removed = tefuda("players", "remove", player, "--yes", **settings)
    assert (removed.status, removed.out) == (0, f"player {player} is forgotten\n")
    again = tefuda("players", "remove", player, "--yes", **settings)
    assert (again.status, again.out) == (0, f"player {player} was forgotten already: nothing was left\n")
    assert "Polite" not in {seat["name"] for seat in others[0].see()["seats"]}
    assert findings(app) == []


def test_a_reported_name_stays_in_the_list_and_on_finished_rounds_until_it_is_settled(
    app: Flask, database_url: str, tefuda: Callable[..., CommandResult]
) -> None:
    """Its owner cannot make it vanish from the list by taking another name."""
    settings = {"TEFUDA_DATABASE_URL": database_url}
    rude, other = visitors = playing(app, 2)
    rude.post("/settings", [("name", "Slur word")])
    other.post("/settings", [("name", "Slur word 2nd")])
    other.post(f"/t/{rude.code}/reports", [("seat", str(rude.you))])
    play_out(visitors)
    key = rude.see()["last"].removeprefix("/h/")
    rude.post("/settings", [("name", "Ann")])
    close(app)

    player, count, code, name = tefuda("players", "reports", **settings).out.strip().split(" ", 3)
    assert (count, code, name) == ("1", rude.code, "Slur word (now Ann)")
    assert {seat["name"] for seat in other.get(f"/h/{key}").json["seats"]} == {"Slur word", "Slur word 2nd"}
    cleared = tefuda("players", "clear-name", player, "Slur word", **settings)
    assert (cleared.status, cleared.out) == (0, f"player {player} is nameless in 1 finished rounds\n")
    assert {seat["name"] for seat in other.get(f"/h/{key}").json["seats"]} == {"", "Slur word 2nd"}
    assert "Ann" in {seat["name"] for seat in other.see()["seats"]}, "the present name is another"
    assert tefuda("players", "reports", **settings).out == ""
    assert tefuda("players", "clear-name", player, **settings).status == 0
    assert "Ann" not in {seat["name"] for seat in other.see()["seats"]}
    assert findings(app) == []


def test_refused_words_are_refused_however_they_are_spelled(app: Flask, alice: Player) -> None:
    file = Path(app.extensions["config"].instance) / "refused-words.txt"
    try:
        file.write_text("# of this house\ndarn\nüble  # with a remark\n", "utf-8")
        for name in ("Darn", "d4rn the Darned", "DÄRN", "Ubler"):
            alice.post("/settings", [("name", name)])
            expected = 303 if "d4rn" in name and "Darned" not in name else 422
            assert (alice.status, name) == (expected, name)
        alice.post("/settings", [("name", "Grace")])
        assert alice.status == 303
    finally:
        file.unlink()


def test_what_the_operator_writes_into_the_file_refuses_what_it_says_and_nothing_else(
    app: Flask, alice: Player
) -> None:
    file = Path(app.extensions["config"].instance) / "refused-words.txt"

    def refused(words: bytes) -> list[str]:
        file.write_bytes(words)
        answered = {}
        for name in ("Grace", "h8r", "Ana1", "Ana", "Joe 1488", "Hal 88", "--- x ---", "\U0001f346", "Hugo"):
            alice.post("/settings", [("name", name)])
            assert alice.status in (303, 422)
            answered[name] = alice.status
        return [name for name, status in answered.items() if status == 422]

    try:
        assert refused("﻿grace\r\n".encode()) == ["Grace"], "with a mark of the byte order, from another system"
        assert refused(b"---\n\n#\n  \n") == ["--- x ---"], "a line of signs refuses itself"
        assert refused(b"88\n") == ["Joe 1488", "Hal 88"]
        assert refused(b"h8\n") == ["h8r"], "and not each name with an h"
        assert refused(b"anal\n") == [], "a number behind a name is no letter"
        assert refused("\U0001f346".encode()) == ["\U0001f346"]
        assert refused(b"caf\xe9\nhugo\n") == ["Hugo"], "a letter that is no UTF-8 spoils its own line alone"
        file.unlink()
        file.mkdir()
        alice.post("/settings", [("name", "Hugo")])
        assert alice.status == 422, "what held before holds while the file cannot be read"
        alice.post("/settings", [("name", "Grace")])
        assert alice.status == 303
        file.rmdir()
        alice.post("/settings", [("name", "Hugo")])
        assert alice.status == 303
    finally:
        file.unlink(missing_ok=True)


def test_a_hidden_table_is_not_listed_and_goes_on(app: Flask, tefuda: Callable[..., CommandResult]) -> None:
    visitor = TablePlayer(app.test_client())
    code = visitor.open(public="1", bot="1")
    assert code in visitor.get("/tables").text
    close(app)
    assert tefuda("tables", "list").out == f"{code} 2\n"
    assert tefuda("tables", "hide", code.lower()).status == 0
    assert (tefuda("tables", "list").out, tefuda("tables", "hide", "NOSUCH").status) == ("", 2)
    from tests.support.player import Json

    listed: Json = Player(app.test_client()).get("/tables").json
    assert code not in [each["code"] for each in listed["tables"]]
    assert visitor.see()["public"] is False


def test_the_page_names_all_that_is_kept_for_a_number_of_days(database_url: str, tmp_path: Path) -> None:
    """Covers each retention setting, also those added later."""
    kept = {
        name: 301 + number
        for number, name in enumerate(field for field in Config.model_fields if field.startswith("keep_"))
    }
    assert kept
    settings = {f"TEFUDA_{name.upper()}": str(days) for name, days in kept.items()}
    app = make_app(database_url, tmp_path / "kept", **settings)
    page = Player(app.test_client()).get("/privacy", **HTML).text
    assert [name for name, days in kept.items() if f"{days} days" not in page] == []
    close(app)


def test_the_page_says_what_the_settings_say(app: Flask, alice: Player) -> None:
    page = alice.get("/privacy", **HTML).text
    assert "For ever: a link that you gave away goes on working." in page
    assert "90 days" in page
    assert "from which network" in page
    assert 'href="/me/forget"' not in page.split("<footer")[0]
    dealt(alice)
    assert 'href="/me/forget"' in alice.get("/privacy", **HTML).text


def test_a_report_from_an_old_page_reports_nobody_who_has_come_since(app: Flask) -> None:
    rude, other, third = seated(app, 3)
    for visitor, name in ((rude, "Rude Word"), (third, "Polite")):
        visitor.post("/settings", [("name", name)])
    page = other.get(f"/t/{rude.code}/reports", **HTML).text
    shown = re.findall(r'name="seat" value="(\d)">\s*<input type="hidden" name="name" value="([^"]*)"', page)
    assert shown == [("0", "Rude Word"), ("2", "Polite")]
    rude.now("leave")
    third.now("leave")
    third.now("sit", 0)
    other.post(f"/t/{rude.code}/reports", [("seat", "0"), ("name", "Rude Word")])
    assert (other.status, other.answer.json["error"]) == (409, "another-name")
    assert row(app, "SELECT count(*) FROM name_report") == (0,)
    for _ in range(2):
        other.post(f"/t/{rude.code}/reports", [("seat", "0"), ("name", "Polite")])
        assert other.status == 204
    assert row(app, "SELECT count(*) FROM name_report") == (1,)


def test_a_name_with_a_number_is_reported_as_it_is_shown(app: Flask) -> None:
    visitors = seated(app, 3)
    for visitor in visitors[:2]:
        visitor.post("/settings", [("name", "Rude Word")])
    code, other = visitors[0].code, visitors[2]
    names = {seat["seat"]: seat["name"] for seat in other.see()["seats"]}
    assert names[0] != names[1]
    for number in (0, 1):
        other.post(f"/t/{code}/reports", [("seat", str(number)), ("name", names[number])])
        assert other.status == 204


@on_both
def test_many_reports_at_once_are_one(app: Flask) -> None:
    rude, other = seated(app, 2)
    rude.post("/settings", [("name", "Rude Word")])

    def reports(tab: Player) -> dict[str, object]:
        tab.post(f"/t/{rude.code}/reports", [("seat", "0"), ("name", "Rude Word")])
        return {}

    assert [status for status, _ in at_once(tabs_of(other, 8), reports)] == [204] * 8
    assert row(app, "SELECT count(*) FROM name_report") == (1,)


@on_both
def test_what_another_tab_begins_meanwhile_is_forgotten_too(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other request passes the session check just before the sessions are ended."""
    (alice,) = seated(app, 1)
    tab, leave = TablePlayer(app.test_client()), personal_data._leave_tables
    send_from_now_on(tab, cookie_of(alice))
    tab.come(alice.code)
    begun: list[int] = []

    def left_and_come_again(player: str) -> None:
        leave(player)
        if not begun:
            tab.now("sit", 3)
            begun.append(tab.status)
            tab.post("/settings", [("name", "Grace")])

    monkeypatch.setattr(personal_data, "_leave_tables", left_and_come_again)
    assert forget(alice) == 303
    assert begun == [200]
    assert row(app, "SELECT count(*) FROM table_seat") == (0,)
    assert row(app, "SELECT count(*) FROM player WHERE name != ''") == (0,)
    assert findings(app) == []
