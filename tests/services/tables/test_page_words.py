"""The random word of a page, which ends its earlier stream; the same word from another visitor is another page."""

from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.support.app import client_at
from tests.support.cookies import cookie_of
from tests.support.streams import OpenStream
from tests.support.table_players import TablePlayer, seated
from webapp.services.tables.hub import Hub

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
WORD = "a-word-that-got-away"


class Streams:
    """Streams of one table, all opened with the same word."""

    def __init__(self, app: Flask, code: str) -> None:
        self.hub: Hub = app.extensions["tables"]
        self.code, self.all = code, list[OpenStream]()

    def open(self, client: FlaskClient, browser: str = "a browser") -> None:
        self.all.append(OpenStream(client, self.code, page=WORD, headers={"User-Agent": browser}))
        assert self.all[-1].status_code == 200

    @property
    def count(self) -> int:
        return self.hub.streams


@pytest.fixture
def table(app: Flask) -> list[TablePlayer]:
    return seated(app, 2)


@pytest.fixture
def streams(app: Flask, table: list[TablePlayer]) -> Iterator[Streams]:
    opened = Streams(app, table[0].code)
    yield opened
    for stream in opened.all:
        stream.close()
    assert opened.count == 0


def test_a_player_who_learns_the_word_of_another_ends_nothing(table: list[TablePlayer], streams: Streams) -> None:
    alice, bob = (visitor.line.client for visitor in table)  # type: ignore[union-attr]
    streams.open(alice)
    streams.open(bob)
    assert streams.count == 2
    streams.open(alice)
    assert streams.count == 2, "her own page has come back"
    assert "event: moved" in streams.all[1].until("moved"), "his goes on"


def test_watchers_who_are_no_players_end_nothing_of_each_other(
    app: Flask, table: list[TablePlayer], streams: Streams
) -> None:
    here, there = client_at(app, "192.0.2.7"), client_at(app, "192.0.2.8")
    streams.open(here)
    streams.open(there)
    assert (streams.count, table[0].see()["watching"]) == (2, 2)
    streams.open(here, "another browser")
    assert (streams.count, table[0].see()["watching"]) == (3, 2), "an address counts once"
    streams.open(there)
    assert (streams.count, table[0].see()["watching"]) == (3, 2), "its own page has come back"


def test_a_watcher_ends_nothing_of_a_player(app: Flask, table: list[TablePlayer], streams: Streams) -> None:
    streams.open(table[0].line.client)  # type: ignore[union-attr]
    streams.open(app.test_client())
    assert streams.count == 2
    assert table[1].see()["watching"] == 1


def test_whoever_was_signed_out_ends_nothing_of_the_player(
    app: Flask, table: list[TablePlayer], streams: Streams
) -> None:
    thief = app.test_client()
    thief.set_cookie("tefuda", cookie_of(table[0]))
    table[0].post("/me/end-other-sessions")
    streams.open(table[0].line.client)  # type: ignore[union-attr]
    streams.open(thief)
    assert streams.count == 2
