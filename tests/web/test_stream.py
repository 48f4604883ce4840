"""Event streams over the wire: uncompressed, at once, and whole to their end."""

import asyncio
import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from http.client import HTTPConnection, HTTPResponse
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask import Flask
from structlog.testing import capture_logs

from tests.support.server import Server, start_serving
from tests.support.streams import OpenStream
from tests.support.table_players import betting, players, two_who_bet
from webapp.adapter import offer_streams
from webapp.services.tables.follower import Follower
from webapp.web import stream as stream_module
from webapp.web.stream import TableStream


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = start_serving(tmp_path_factory.mktemp("site"), TEFUDA_LAB_WORKERS="0")
    yield running
    running.stop()


class Watcher:
    """A watcher of a table on a server. ``said``: the text received so far."""

    def __init__(self, server: Server, code: str, since: int) -> None:
        self._line = HTTPConnection(urlsplit(server.url).netloc, timeout=30)
        self._line.request("GET", f"/t/{code}/events?since={since}", headers={"Accept-Encoding": "gzip, br, zstd"})
        self.answer: HTTPResponse = self._line.getresponse()
        self.said = ""

    def until(self, word: str) -> str:
        while word not in self.said:
            piece = self.answer.read1(65536)
            assert piece, self.said
            self.said += piece.decode()
        return self.said

    def rest(self) -> str:
        """Read until the server ends the stream."""
        self.said += self.answer.read().decode()
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


def test_all_watchers_are_told_the_same_and_no_stream_is_compressed(site: Server, watch: Watch) -> None:
    """A compressor for each stream costs memory and time, and compressed streams stall in some proxies."""
    visitors = two_who_bet(site.url)
    watchers = [watch(site, visitors[0].code, visitors[0].version) for _ in range(3)]
    for watcher in watchers:
        watcher.until("event: moved")
    (player,) = players(visitors)
    player.now("bet", 10, "word")
    told = [_without_counts(watcher.until(f"event: moved\ndata: {player.version}\n")) for watcher in watchers]
    assert "hx-partial" in "".join(told[0])
    assert all(events == told[0] for events in told)
    for watcher in watchers:
        assert watcher.answer.getheader("content-encoding") is None
        assert watcher.answer.getheader("content-type") == "text/event-stream; charset=utf-8"


def test_a_stream_that_the_server_ends_is_whole_and_says_when_to_come_back(
    serving: Callable[..., Server], watch: Watch
) -> None:
    site = serving(TEFUDA_LAB_WORKERS="0")
    visitors = two_who_bet(site.url)
    watchers = [watch(site, visitors[0].code, visitors[0].version) for _ in range(2)]
    for watcher in watchers:
        watcher.until("event: moved")
    site.process.terminate()
    for watcher in watchers:
        assert re.search(r"retry: \d+\nevent: end\ndata: again\n\n\Z", watcher.rest()), (
            "read to its end, without an error"
        )


def test_a_stream_that_fails_is_logged_and_ended_and_holds_up_no_other(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitors = betting(app, 2)
    streams = [OpenStream(app.test_client(), visitors[0].code) for _ in range(2)]
    for stream in streams:
        stream.until("event: watching")
    news, failed = TableStream._news, list[TableStream]()

    async def fail_once(stream: TableStream) -> bytes:
        if not failed:
            failed.append(stream)
        if stream is failed[0]:
            raise LookupError
        return await news(stream)

    monkeypatch.setattr(TableStream, "_news", fail_once)
    with capture_logs() as logs:
        players(visitors)[0].now("bet", 10, "word")
        said = []
        for stream in streams:
            try:
                said.append(stream.until("event: moved"))
            except AssertionError:
                said.append("")
    assert sorted("event: moved" in text for text in said) == [False, True]
    assert [entry["event"] for entry in logs if entry["log_level"] == "error"] == ["event stream failed"]
    for stream in streams:
        stream.close()


def test_of_seven_tabs_of_a_player_the_two_newest_have_a_stream_and_the_others_are_told_to_poll(app: Flask) -> None:
    """A browser opens six connections over HTTP/1.1: with a stream each, none would be left for anything else."""
    visitors = betting(app, 2)
    client, code = visitors[0].line.client, visitors[0].code  # type: ignore[union-attr]
    tabs = [OpenStream(client, code, page=f"tab-{number}", since=visitors[0].version) for number in range(7)]
    assert [tab.status_code for tab in tabs] == [200] * 7
    for tab in tabs[:5]:
        assert tab.rest().endswith("event: full\ndata: poll\n\n")
    players(visitors)[0].now("bet", 10, "word")
    for tab in tabs[5:]:
        assert "hx-partial" in tab.until(f"event: moved\ndata: {players(visitors)[0].version}\n")
    for tab in tabs:
        tab.close()


def test_a_page_hears_first_what_has_changed_and_then_the_version_that_it_is_at(app: Flask) -> None:
    """A version that comes without parts means that the page has to ask."""
    visitors = betting(app, 2)
    stream = OpenStream(app.test_client(), visitors[0].code, since=visitors[0].version)
    assert stream.until("event: moved").startswith("retry: 2000\nevent: moved\n")
    players(visitors)[0].now("bet", 10, "word")
    said = stream.until(f"event: moved\ndata: {players(visitors)[0].version}\n")
    assert said.index("hx-partial") < said.index("event: moved")
    assert said.lstrip().startswith(("id: ", "event: watching"))
    stream.close()


def test_a_stream_ends_whose_client_reads_nothing_and_beats_for_one_that_does(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream_module, "BEAT_SECONDS", 0.02)
    monkeypatch.setattr(stream_module, "UNREAD_SECONDS", 0.1)
    hub, code = app.extensions["tables"], betting(app, 2)[0].code

    async def read_a_little(seconds: float) -> str:
        follower = Follower(code)
        assert hub.join(follower)
        hub.loaded(code, 3)
        stream = TableStream(hub, follower, None)
        said, pieces, ends = b"", stream.pieces(), time.monotonic() + seconds
        said += await anext(pieces)
        while time.monotonic() < ends:
            said += await anext(pieces)
        await asyncio.sleep(0.3)  # it reads no more
        return said.decode()

    said = asyncio.run(asyncio.wait_for(read_a_little(0.3), 30))
    assert said.count("event: beat") > 2
    assert hub.streams == 0


@pytest.mark.parametrize("leaves", ["nobody", "the first", "most"])
def test_a_crowd_is_sent_a_change_whoever_of_it_leaves_at_that_moment(app: Flask, leaves: str) -> None:
    """One of those with the same view is woken first, and the others when it has been rendered."""
    visitors = betting(app, 2)
    hub, code, version = app.extensions["tables"], visitors[0].code, visitors[0].version
    heard = dict[int, list[bytes]]()

    async def listen(number: int, stream: TableStream) -> None:
        heard[number] = []
        async for piece in stream.pieces():
            heard[number].append(piece)

    async def evening() -> None:
        streams = [opened(app, code, version) for _ in range(30)]
        listening = [asyncio.create_task(listen(number, stream)) for number, stream in enumerate(streams)]
        while not all(each._follower.is_waiting for each in streams):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        await asyncio.to_thread(visitors[0].now, "policy", "timid")
        gone = {"nobody": 0, "the first": 1, "most": 29}[leaves]
        for stream in streams[:gone]:
            stream.close()
        while not all(b"hx-partial" in b"".join(heard[number]) for number in range(gone, 30)):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        for stream in streams:
            stream.close()
        await asyncio.gather(*listening)

    asyncio.run(asyncio.wait_for(evening(), 8))  # sooner than the next beat
    assert hub.streams == 0


def opened(app: Flask, code: str, version: int) -> TableStream:
    """Open the stream of a watcher."""
    environ: dict[str, Any] = {}
    streams = offer_streams(environ)
    answer = app.test_client().get(f"/t/{code}/events?since={version}", environ_overrides=environ)
    assert answer.status_code == 200
    (stream,) = streams
    assert isinstance(stream, TableStream)
    return stream
