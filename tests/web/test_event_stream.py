"""Event streams over the wire: in gzip for clients that accept it, with the same events in both forms."""

import gzip
import re
import socket
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from http.client import HTTPConnection, HTTPResponse
from urllib.parse import urlsplit

import pytest
from flask import Flask
from structlog.testing import capture_logs

from tests.support.event_text import GZIP
from tests.support.server import Server, start_serving
from tests.support.streams import OpenStream
from tests.support.table_players import TablePlayer, betting, people, players
from webapp.services.tables.table_events import TableEvents

NO_CLOCK = {"turn_clock": "300", "bet_clock": "300", "absent_after": "120"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = start_serving(tmp_path_factory.mktemp("site"), TEFUDA_LAB_WORKERS="0")
    yield running
    running.stop()


class Watcher:
    """A watcher of a table on a server. ``coding``: its Accept-Encoding; None: no such header."""

    def __init__(self, server: Server, code: str, since: int, accepts: str | None) -> None:
        self._line = HTTPConnection(urlsplit(server.url).netloc, timeout=30)
        self._line.putrequest("GET", f"/t/{code}/events?since={since}", skip_accept_encoding=True)
        if accepts is not None:
            self._line.putheader("Accept-Encoding", accepts)
        self._line.endheaders()
        self.answer: HTTPResponse = self._line.getresponse()
        self.sent = b""

    @property
    def said(self) -> str:
        """Return the text received so far."""
        if self.answer.getheader("Content-Encoding") != "gzip":
            return self.sent.decode()
        return zlib.decompressobj(31).decompress(self.sent).decode()

    def until(self, word: str) -> str:
        while word not in self.said:
            piece = self.answer.read1(65536)
            assert piece, self.said
            self.sent += piece
        return self.said

    def rest(self) -> str:
        """Read until the server ends the stream."""
        self.sent += self.answer.read()
        return self.said

    def close(self) -> None:
        self.answer.close()
        self._line.close()


Watch = Callable[..., Watcher]


@pytest.fixture
def watch() -> Iterator[Watch]:
    with ExitStack() as stack:
        yield lambda *words: stack.enter_context(closing(Watcher(*words)))


def _without_counts(said: str) -> list[str]:
    """Return the events without numbers of watchers, which change while watchers come."""
    return [event for event in said.split("\n\n") if "event: watching" not in event and "event: beat" not in event]


def _two_who_bet(server: Server) -> list[TablePlayer]:
    visitors = [TablePlayer(server.url) for _ in range(2)]
    code = visitors[0].open(**NO_CLOCK)
    for number, visitor in enumerate(visitors):
        visitor.come(code)
        visitor.now("sit", number)
    for visitor in visitors:
        visitor.now("ready")
    for visitor in visitors:
        visitor.see()
    return visitors


def test_a_watcher_is_told_the_same_in_gzip_and_without(site: Server, watch: Watch) -> None:
    visitors = _two_who_bet(site)
    code, version = visitors[0].code, visitors[0].version
    accepted = ("gzip, deflate, br, zstd", None, "gzip;q=0", "br, gzip;q=0.000", "identity", "gzip;q=0, *;q=0.5")
    watchers = [watch(site, code, version, accepts) for accepts in accepted]
    for watcher in watchers:
        watcher.until("event: moved")
    (player,) = players(visitors)
    player.now("bet", 10, "word")
    while player.phase == "playing":
        moved = next((each for each in visitors if each.see()["acting"] == each.you), None)
        if moved is None:
            break
        moved.do("stand")
        player.see()
    told = [_without_counts(watcher.until(f"event: moved\ndata: {player.version}\n")) for watcher in watchers]
    assert "event: parts" in "".join(told[0])
    assert all(events == told[0] for events in told)
    heads = [dict(watcher.answer.getheaders()) for watcher in watchers]
    assert [head.get("content-encoding") for head in heads] == ["gzip", None, None, None, None, None]
    assert {re.search("Accept-Encoding", head["vary"]) is not None for head in heads} == {True}
    assert {head["content-type"] for head in heads} == {"text/event-stream; charset=utf-8"}
    assert len(watchers[0].sent) < len(watchers[1].sent) / 2


def test_a_stream_that_the_server_ends_is_whole(serving: Callable[..., Server], watch: Watch) -> None:
    """Checksum and length are right, so that clients do not report a truncated stream."""
    site = serving(TEFUDA_LAB_WORKERS="0")
    visitors = _two_who_bet(site)
    watchers = [watch(site, visitors[0].code, visitors[0].version, coding) for coding in ("gzip", "identity")]
    (player,) = players(visitors)
    player.now("bet", 10, "word")
    for watcher in watchers:
        watcher.until(f"event: moved\ndata: {player.version}\n")
    site.process.terminate()
    packed, plain = (watcher.rest() for watcher in watchers)
    assert gzip.decompress(watchers[0].sent).decode() == packed
    again = re.compile(r"retry: \d+\n\n\Z")
    assert again.search(packed) and again.search(plain)
    assert _without_counts(again.sub("", packed)) == _without_counts(again.sub("", plain))


def test_what_a_watcher_is_sent_comes_at_once_and_not_with_the_next_message(site: Server) -> None:
    visitors = _two_who_bet(site)
    place = urlsplit(site.url)
    with socket.create_connection((place.hostname, place.port), timeout=10) as line:
        line.sendall(f"GET /t/{visitors[0].code}/events HTTP/1.1\r\nHost: room\r\n{GZIP}\r\n".encode())
        sent = b""
        while b"\x00\x00\xff\xff\r\n" not in sent:
            sent += line.recv(65536)
    head, _, body = sent.partition(b"\r\n\r\n")
    assert b"content-encoding: gzip" in head
    size, _, first = body.partition(b"\r\n")
    assert zlib.decompressobj(31).decompress(first[: int(size, 16)]) == b"retry: 2000\n\n"


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("gzip", "gzip"),
        ("br;q=1.0, gzip;q=0.8, *;q=0.1", "gzip"),
        ("identity;q=0.5, gzip", "gzip"),
        ("*", "gzip"),
        ("", None),
        ("br, zstd", None),
        ("gzip;q=0", None),
        ("gzip;q=0, *", None),
        ("*, gzip;q=0.0", None),
        ("GZIP;Q=0.5", "gzip"),
        ("*;q=0", None),
        ("identity, gzip;q=0.5", None),
    ],
)
def test_gzip_is_for_who_takes_it_as_readily(app: Flask, accepted: str, coding: str | None) -> None:
    (visitor,) = people(app, 1)
    code = visitor.open()
    answer = app.test_client().head(f"/t/{code}/events", headers={"Accept-Encoding": accepted})
    assert (answer.status_code, answer.content_encoding) == (200, coding)
    assert "Accept-Encoding" in answer.vary
    stream = OpenStream(app.test_client(), code, coding=accepted)
    assert stream.answer.content_encoding == coding
    assert stream.until("event: watching").startswith("retry: 2000\n\nevent: moved\n")
    stream.close()


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_view_is_compressed_once_for_all_who_are_sent_it(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    visitors = betting(app, 2)
    code, version = visitors[0].code, visitors[0].version
    streams = [OpenStream(app.test_client(), code, since=version, coding="gzip") for _ in range(5)]
    for stream in streams:
        stream.until("event: moved")
    made, pack = [], zlib.compressobj

    def counted(*args: int, **options: int) -> object:
        made.append(args)
        return pack(*args, **options)

    monkeypatch.setattr("webapp.event_loop.stream_encoding.zlib.compressobj", counted)
    players(visitors)[0].now("bet", 10, "word")
    said = [stream.until("event: moved") for stream in streams]
    assert all("event: parts" in text for text in said)
    assert len(made) <= 3, "the view, its version, and how many look on"
    for stream in streams:
        stream.close()


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_stream_that_fails_is_logged_and_ended_and_holds_up_no_other(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitors = betting(app, 2)
    streams = [OpenStream(app.test_client(), visitors[0].code) for _ in range(2)]
    for stream in streams:
        stream.until("event: watching")
    take, failed = TableEvents.take, list[TableEvents]()

    def fail_once(events: TableEvents, version: int) -> tuple[list[tuple[str, str]], float]:
        if not failed:
            failed.append(events)
        if events is failed[0]:
            raise LookupError
        return take(events, version)

    monkeypatch.setattr(TableEvents, "take", fail_once)
    with capture_logs() as logs:
        players(visitors)[0].now("bet", 10, "word")
        said = []
        for stream in streams:
            try:
                said.append(stream.until("event: moved"))
            except StopAsyncIteration:
                said.append("")
    assert sorted("event: moved" in text for text in said) == [False, True]
    assert [entry["event"] for entry in logs if entry["log_level"] == "error"] == ["event stream failed"]
    for stream in streams:
        stream.close()
