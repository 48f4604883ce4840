"""A backup during play, and its restore: what was in play is void."""

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask

from tests.support.app import close, make_app
from tests.support.command_line import CommandResult
from tests.support.moves import asked, dealt, dealt_and_live, every_game, finished, finished_json, sealed
from tests.support.player import Player
from tests.support.rows import findings, row, rows
from tests.support.table_players import TablePlayer, banker_of, bet_all, betting, play_out, players, see_all
from webapp.services.fairness.verification import checks

on_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@on_sqlite
def test_a_restored_site_has_all_finished_hands_and_its_open_ones_are_void(
    app: Flask, alice: Player, bob: Player, charlie: Player, tmp_path: Path, tefuda: Callable[..., CommandResult]
) -> None:
    asked(alice)
    alice.act("collect")
    over, purse = alice.hand, alice.board["purse"]
    live = asked(bob)
    bob.act("double")
    ready = sealed(charlie)["hand"]
    copy = tmp_path / "a copy.sqlite3"
    made = tefuda("db", "backup", str(copy))
    assert (made.status, copy.exists()) == (0, True)
    bob.act("pick", 1)
    dealt(alice)
    close(app)
    back = tefuda("db", "restore", str(copy))
    assert (back.status, "2 open hands are void" in back.out) == (0, True), back
    assert finished_json(alice, over)["payouts"] == [purse] or finished_json(alice, over)["hand"] == over
    assert alice.look("poker")["purse"] == purse
    void = finished_json(bob, live["hand"])
    assert (void["status"], void["moves"][-1], void["payouts"]) == ("void", "double", [0])
    assert bob.get(f"/h/{ready}").status == 404
    assert row(app, "SELECT status FROM hand WHERE key = :key", key=ready) == ("void",)
    assert findings(app) == []
    for player in (alice, bob, charlie):
        dealt(player)
        assert player.status == 200
        finished(player)
    assert findings(app) == []
    assert tefuda("audit").status == 0


@on_sqlite
def test_the_stake_of_a_hand_that_is_void_goes_back(
    app: Flask, alice: Player, tmp_path: Path, tefuda: Callable[..., CommandResult]
) -> None:
    purse = alice.sit("joker")["purse"]
    assert alice.deal("a-cut", [30])["purse"] == purse - 30
    assert tefuda("db", "backup", str(tmp_path / "copy")).status == 0
    alice.act("hold")
    key = alice.hand
    close(app)
    assert tefuda("db", "restore", str(tmp_path / "copy")).status == 0
    assert alice.look()["purse"] == purse
    assert alice.act("hold", step=0, hand=key)["status"] == "void", "and nobody plays it on"
    assert findings(app) == []
    page = alice.get(f"/h/{key}", Accept="text/html").text
    assert "It was never played out. 30 chips went back to the purse." in page
    assert "<dt>Went back</dt><dd>30</dd>" in page and "<dt>Paid</dt>" not in page
    assert "Went back: 30\n" in alice.get(f"/h/{key}.txt").text
    told = "It was never played out. 30 chips went back to your purse."
    here = alice.get(f"/play/joker?hand={key}", Accept="text/html").text
    assert here.count(told) == 2, "on the felt and for a screen reader"
    empty = alice.get("/play/joker", Accept="text/html").text
    assert empty.count(told) == 2 and empty.count("Your last hand is void") == 2, "where the player comes next"
    for path in ("/play/joker", "/", "/me/hands"):
        assert "<b>Void · 30 went back</b>" in alice.get(path, Accept="text/html").text
    assert finished_json(alice, key)["payouts"] == [0], "programs are told what they were"
    dealt(alice, game="joker")
    assert "went back to your purse" not in alice.get("/play/joker", Accept="text/html").text
    finished(alice)
    assert "went back to your purse" not in alice.get("/play/joker", Accept="text/html").text


@on_sqlite
def test_one_chip_that_went_back_is_one_chip(app: Flask, alice: Player, tefuda: Callable[..., CommandResult]) -> None:
    alice.sit("joker")
    alice.deal("a-cut", [1])
    close(app)
    assert tefuda("db", "void").status == 0
    said = {
        "en": "It was never played out. 1 chip went back to your purse.",
        "ja": "最後まで遊ばれませんでした。1チップが手持ちに戻りました。",
        "zh": "这一局没有打完，1枚筹码已退回你的余额。",
        "zh-Hant": "這一局沒有打完，1枚籌碼已退回你的餘額。",
    }
    for language, sentence in said.items():
        assert sentence in alice.get("/play/joker", Accept="text/html", Accept_Language=language).text, language


def test_rounds_in_play_at_shared_tables_are_void_and_the_stakes_are_back(
    app: Flask, database_url: str, tmp_path: Path, tefuda: Callable[..., CommandResult]
) -> None:
    """Players may have seen more cards since the backup was made."""
    bets_open = betting(app, 2)
    in_play = betting(app, 3)
    bet_all(in_play, 50)
    while in_play[0].phase != "playing":  # naturals all round
        in_play = betting(app, 3)
        bet_all(in_play, 50)
    see_all(in_play)
    banker, player, other_banker = banker_of(in_play), players(in_play)[0], banker_of(bets_open)
    copy = tmp_path / "copy"
    if database_url.startswith("sqlite"):
        assert tefuda("db", "backup", str(copy)).status == 0
        play_out(in_play)  # actions after the copy are lost by the restore
        close(app)
        said = tefuda("db", "restore", str(copy))
    else:
        close(app)
        said = tefuda("db", "void", TEFUDA_DATABASE_URL=database_url)
    assert (said.status, "2 open hands are void" in said.out) == (0, True), said
    assert findings(app) == []
    for visitor in (*bets_open, *in_play):
        seen = visitor.version
        assert visitor.see()["phase"] == "closed"
        assert visitor.version > seen, "a page that is still open notices"
        assert {career["purse"] for career in visitor.get("/me").json["games"]} <= {1000}
    assert bets_open[0].table["last"] is None, "where nothing was dealt there is nothing to show"
    void = finished_json(in_play[0], in_play[0].table["last"].removeprefix("/h/"))
    assert (void["status"], {seat["net"] for seat in void["seats"]}) == ("void", {0})
    assert all(check.ok for check in checks(void))
    page = in_play[0].get(f"/h/{void['hand']}", Accept="text/html").text
    assert "It was never played out; all stakes went back." in page
    assert [f"<b>{chips} went back</b>" in page for chips in (50, 100)] == [True, True], "to the player, and the banker"
    assert "±0" not in page
    for visitor, chips in ((banker, 100), (player, 50)):
        told = f"The last round is void. {chips} chips went back to your purse."
        assert told in visitor.get(f"/t/{visitor.code}", Accept="text/html").text
        assert f"<b>Void · {chips} went back</b>" in visitor.get("/me/hands", Accept="text/html").text
    told = re.search(
        r"This table is closed. The last round is void. (\d+) chips went back to your purse.",
        other_banker.get(f"/t/{bets_open[0].code}", Accept="text/html").text,
    )
    assert told and int(told[1]) > 0, "what the banker had put up, though no card was dealt"
    again = TablePlayer(app.test_client())
    assert again.open()
    assert tefuda("audit", TEFUDA_DATABASE_URL=database_url).status == 0


@on_sqlite
def test_a_backup_never_writes_over_a_file(app: Flask, tmp_path: Path, tefuda: Callable[..., CommandResult]) -> None:
    (tmp_path / "mine").write_text("dear")
    refused = tefuda("db", "backup", str(tmp_path / "mine"))
    assert (refused.status, (tmp_path / "mine").read_text()) == (2, "dear")


@on_sqlite
def test_what_is_no_backup_is_not_restored(app: Flask, alice: Player, tmp_path: Path, tefuda: Callable[..., CommandResult]) -> None:  # fmt: skip
    dealt(alice)
    before = rows(app)
    (tmp_path / "text").write_text("not a database" * 100)
    with closing(sqlite3.connect(tmp_path / "another")) as database:
        database.execute("CREATE TABLE something (x)")
        database.commit()
    for name in ("text", "another"):
        refused = tefuda("db", "restore", str(tmp_path / name))
        assert refused.status == 2
        assert "is not a backup of a card room" in refused.errors
    assert tefuda("db", "restore", str(tmp_path / "nowhere")).status == 2
    assert rows(app) == before


@on_sqlite
@every_game
def test_a_site_restored_without_its_key_says_so_and_opens_what_was_sealed_once_it_is_there(
    app: Flask, database_url: str, alice: Player, tmp_path: Path, tefuda: Callable[..., CommandResult], game: str
) -> None:
    dealt_and_live(alice, game)
    copy = tmp_path / "copy"
    assert tefuda("db", "backup", str(copy)).status == 0
    close(app)
    back = tefuda("db", "restore", str(copy), TEFUDA_SECRET_KEY="another key of 32 characters or more")
    assert (back.status, back.out) == (1, "restored; 1 open hands are void\n")
    assert "sealed with another key" in back.errors
    site = make_app(database_url, tmp_path / "instance", TEFUDA_SECRET_KEY="another key of 32 characters or more")
    named = {line for line in findings(site) if alice.hand in line}
    assert named == {f"hand {alice.hand} has a sealed seed that no key here opens"}
    assert row(site, "SELECT coalesce(sum(amount), 0) FROM ledger_entry WHERE hand_key = :key", key=alice.hand) == (0,)
    bob = Player(site.test_client())
    dealt(bob, game=game)
    finished(bob)
    close(site)
    again = tefuda("db", "void", TEFUDA_SECRET_KEY_FALLBACKS="another key of 32 characters or more")
    assert (again.status, again.out, again.errors) == (0, "0 open hands are void\n", "")
    assert tefuda("audit", TEFUDA_SECRET_KEY="another key of 32 characters or more").status == 0, (
        "nothing is sealed any more"
    )
    assert all(check.ok for check in checks(finished_json(alice, alice.hand)))


def test_a_backup_of_a_site_that_does_not_exist_is_refused(
    tmp_path: Path, tefuda: Callable[..., CommandResult]
) -> None:
    refused = tefuda("db", "backup", str(tmp_path / "copy"), TEFUDA_DATABASE_URL=f"sqlite:///{tmp_path / 'nothing'}")
    assert refused.status == 2
    assert not (tmp_path / "copy").exists()


def test_upgrade_makes_an_empty_site(tmp_path: Path, tefuda: Callable[..., CommandResult]) -> None:
    url = f"sqlite:///{tmp_path / 'new.sqlite3'}"
    for _ in range(2):
        assert tefuda("db", "upgrade", TEFUDA_DATABASE_URL=url).status == 0
    assert tefuda("audit", TEFUDA_DATABASE_URL=url).status == 0
    assert tefuda("db", "void", TEFUDA_DATABASE_URL=url).out == "0 open hands are void\n"
