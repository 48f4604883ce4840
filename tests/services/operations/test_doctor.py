"""The doctor finds nothing wrong with a correct installation, and has a sentence for each fault."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask

from tests.support.app import close
from tests.support.command_line import CommandResult
from tests.support.moves import dealt
from tests.support.player import Player
from tests.support.project_files import ROOT
from tests.support.rows import rows, tamper
from webapp.config import NAMES
from webapp.services.operations import doctor, readiness

on_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
OTHER_KEY = "another key of 32 characters or more"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "instance").mkdir()
    return tmp_path / "instance"


def test_nothing_is_wrong_with_a_site_in_which_people_play_and_nothing_is_changed(
    app: Flask, database_url: str, alice: Player, folder: Path, tefuda: Callable[..., CommandResult]
) -> None:
    dealt(alice)
    before = rows(app)
    said = tefuda("doctor", TEFUDA_DATABASE_URL=database_url)
    assert (said.status, said.out) == (0, "all is as it should be\n")
    assert tefuda("doctor", "--json", TEFUDA_DATABASE_URL=database_url).json == {"troubles": []}
    assert rows(app) == before


TROUBLES = {
    "a setting that is none": ({"TEFUDA_PROT": "80"}, "settings: TEFUDA_PROT is no setting"),
    "a setting that is none, and no text": ({"TEFUDA_\udcff": "80"}, "settings: TEFUDA_\\udcff is no setting"),
    "a setting that makes no sense": (
        {"TEFUDA_PORT": "http"},
        "settings: TEFUDA_PORT: Input should be a valid integer",
    ),
    "a key that is too short": ({"TEFUDA_SECRET_KEY": "short"}, "settings: TEFUDA_SECRET_KEY has 5 characters"),
    "no limits": ({"TEFUDA_RATE_LIMITS": "off"}, "limits: TEFUDA_RATE_LIMITS is off"),
    "a setting of an earlier version": (
        {"TEFUDA_STREAMS": "99999"},
        "settings: TEFUDA_STREAMS is no setting any more: ",
    ),
    "anybody is believed": (
        {"TEFUDA_PUBLIC_URL": "https://cards.example", "TEFUDA_HOST": "0.0.0.0"},  # noqa: S104
        "proxy: whoever reaches port 8000 directly can claim any address",
    ),
    "proxies without an address": ({"TEFUDA_TRUSTED_PROXIES": "10.0.0.1"}, "proxy: TEFUDA_TRUSTED_PROXIES is not used"),
    "a host that is not trusted": (
        {"TEFUDA_PUBLIC_URL": "https://cards.example", "TEFUDA_TRUSTED_HOSTS": "other.example"},
        "proxy: TEFUDA_TRUSTED_HOSTS lacks cards.example",
    ),
    "no https": ({"TEFUDA_PUBLIC_URL": "http://cards.example"}, "proxy: TEFUDA_PUBLIC_URL is http"),
    "a host without an address": ({"TEFUDA_HOST": "nowhere.invalid"}, "settings: TEFUDA_HOST names no address"),
    "a host of another machine": ({"TEFUDA_HOST": "192.0.2.1"}, "settings: TEFUDA_HOST is no address of this machine"),
    "a public URL with a path": (
        {"TEFUDA_PUBLIC_URL": "https://cards.example/room"},
        "settings: TEFUDA_PUBLIC_URL is not an address like https://example.org, without a path",
    ),
    "limits that are neither on nor off": (
        {"TEFUDA_RATE_LIMITS": "maybe"},
        "settings: TEFUDA_RATE_LIMITS: Input should be a valid boolean",
    ),
    "bytes that are no text": (
        {"TEFUDA_TRUSTED_HOSTS": "\udcff\udcfe"},
        "settings: TEFUDA_TRUSTED_HOSTS is no text in UTF-8",
    ),
    "everybody is a proxy": (
        {"TEFUDA_PUBLIC_URL": "https://cards.example", "TEFUDA_TRUSTED_PROXIES": "10.0.0.1,0.0.0.0/0"},
        "proxy: TEFUDA_TRUSTED_PROXIES holds 0.0.0.0/0: whoever comes from there can claim any address",
    ),
    "everybody is a proxy, and can connect": (
        {
            "TEFUDA_PUBLIC_URL": "https://cards.example",
            "TEFUDA_TRUSTED_PROXIES": "::/0",
            "TEFUDA_HOST": "0.0.0.0",  # noqa: S104
        },
        "proxy: TEFUDA_TRUSTED_PROXIES holds ::/0",
    ),
    "a database in memory": ({"TEFUDA_DATABASE_URL": "sqlite://"}, "settings: TEFUDA_DATABASE_URL names no file"),
    "a driver that is none of ours": (
        {"TEFUDA_DATABASE_URL": "postgresql+asyncpg://u:secret@h/d"},
        "settings: TEFUDA_DATABASE_URL is not an address",
    ),
    "no game": ({"TEFUDA_GAMES": "json"}, "settings: TEFUDA_GAMES names 'json', which has no game"),
    "no database": (
        {"TEFUDA_DATABASE_URL": "sqlite:////nowhere/at/all.sqlite3"},
        "database: the folder /nowhere/at is not there: make it",
    ),
    "another key": ({"TEFUDA_SECRET_KEY": OTHER_KEY}, "key: 1 of 1 hands, shoes and rounds in play are sealed"),
}


@on_sqlite
@pytest.mark.parametrize("what", TROUBLES)
def test_each_trouble_has_one_line(
    app: Flask,
    alice: Player,
    folder: Path,
    tefuda: Callable[..., CommandResult],
    monkeypatch: pytest.MonkeyPatch,
    what: str,
) -> None:
    monkeypatch.setattr(doctor.resource, "getrlimit", lambda _: (1024, 4096))
    dealt(alice)
    close(app)
    environ, line = TROUBLES[what]
    said = tefuda("doctor", **environ)
    trouble, count = said.out.splitlines()
    assert (said.status, count) == (1, "troubles: 1")
    assert line in trouble


@on_sqlite
@pytest.mark.parametrize("there", [True, False])
def test_all_settings_that_make_no_sense_are_named(
    app: Flask, tmp_path: Path, tefuda: Callable[..., CommandResult], there: bool
) -> None:
    """Also if the instance folder does not exist, which the doctor does not create."""
    close(app)
    if there:
        (tmp_path / "instance").mkdir()
    wrong = {"TEFUDA_PORT": "x", "TEFUDA_PUBLIC_URL": "x", "TEFUDA_LAB_WORKERS": "x", "TEFUDA_PROT": "1"}
    said = tefuda("doctor", **wrong)
    assert said.status == 1
    assert [name for name in wrong if f"settings: {name}" in said.out] == [*wrong]
    assert said.out.splitlines()[-1] == f"troubles: {len(wrong) + (not there)}"
    assert (tmp_path / "instance").exists() == there


@on_sqlite
def test_refused_words_that_cannot_be_read_are_named(
    app: Flask, folder: Path, tefuda: Callable[..., CommandResult]
) -> None:
    close(app)
    words = folder / "refused-words.txt"
    words.write_text("darn  # a remark\nüble\n", "utf-8-sig")
    assert tefuda("doctor").out == "all is as it should be\n"
    words.write_bytes("darn\nheck\nüble\n".encode("latin-1"))
    assert f"names: line 3 of {words} is no text in UTF-8" in tefuda("doctor").out
    words.unlink()
    words.mkdir()
    assert f"names: {words} cannot be read" in tefuda("doctor").out


@on_sqlite
def test_a_host_below_a_trusted_one_is_trusted(app: Flask, folder: Path, tefuda: Callable[..., CommandResult]) -> None:
    close(app)
    public = {"TEFUDA_PUBLIC_URL": "https://room.cards.example:444", "TEFUDA_TRUSTED_HOSTS": ".Cards.example"}
    assert tefuda("doctor", **public).out == "all is as it should be\n"


@on_sqlite
def test_a_database_that_everybody_can_read_is_named(
    app: Flask, folder: Path, room_sqlite: Path, tefuda: Callable[..., CommandResult]
) -> None:
    close(app)
    before = room_sqlite.parent.stat().st_mode
    try:
        room_sqlite.chmod(0o644)
        assert tefuda("doctor").status == 0, "nobody else comes as far as its folder"
        room_sqlite.parent.chmod(0o755)
        assert f"database: {room_sqlite} can be read by everybody on this machine" in tefuda("doctor").out
    finally:
        room_sqlite.chmod(0o600)
        room_sqlite.parent.chmod(before)


@on_sqlite
def test_a_database_of_another_revision_leads_to_the_command_that_mends_it(
    app: Flask, folder: Path, tefuda: Callable[..., CommandResult]
) -> None:
    tamper(app, "UPDATE alembic_version SET version_num = '0001'")
    close(app)
    said = tefuda("doctor")
    assert said.status == 1
    assert "database: the database has revision 0001" in said.out
    assert "tefuda db upgrade" in said.out


@on_sqlite
def test_a_clock_that_was_set_back_is_noticed(
    app: Flask, alice: Player, folder: Path, tefuda: Callable[..., CommandResult]
) -> None:
    alice.sit("joker")
    alice.deal("a-cut", [10])
    tamper(app, "UPDATE ledger_entry SET at = at + 3600000")
    close(app)
    said = tefuda("doctor")
    assert said.status == 1
    assert re.search(r"^clock: the latest entry is 3\d{3} seconds ahead", said.out, re.MULTILINE)


@on_sqlite
def test_a_disk_that_is_nearly_full_and_a_key_that_others_can_read_are_named(
    app: Flask, folder: Path, tefuda: Callable[..., CommandResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "secret_key").write_text("k" * 40)
    (folder / "secret_key").chmod(0o644)
    monkeypatch.setattr(doctor, "ENOUGH_DISK", 2**60)
    close(app)
    said = tefuda("doctor")
    assert said.status == 1
    assert f"chmod 600 {folder / 'secret_key'}" in said.out
    assert re.search(
        rf"^disk: {folder} has \d+ MB left; the site stops at {readiness.FREE // 10**6}$", said.out, re.MULTILINE
    )


def test_a_folder_that_is_not_there_is_not_made_by_asking(tmp_path: Path, tefuda: Callable[..., CommandResult]) -> None:
    said = tefuda("doctor")
    assert (said.status, "is not there: tefuda serve makes it" in said.out) == (1, True)
    assert not (tmp_path / "instance").exists()


def test_the_settings_that_it_knows_are_those_of_the_documents() -> None:
    rows_of_table = re.findall(
        r"^\| (`TEFUDA_.*?) \|", (ROOT / "docs" / "operations.md").read_text("utf-8"), re.MULTILINE
    )
    assert {name for row in rows_of_table for name in re.findall(r"TEFUDA_[A-Z_]+", row)} == NAMES
