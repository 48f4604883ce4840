"""The number of watchers of a table, as everybody at it sees it."""

import pytest
from flask import Flask

from tests.support.streams import OpenStream
from tests.support.table_players import TablePlayer, seated

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def test_a_client_without_a_cookie_is_one_watcher_however_many_streams_it_opens(app: Flask) -> None:
    visitors = seated(app, 2)
    code, client = visitors[0].code, app.test_client(use_cookies=False)
    streams = [
        OpenStream(client, code, page=str(number), headers={"User-Agent": f"browser {number}"}) for number in range(12)
    ]
    assert visitors[0].see()["watching"] == 1
    client.get(f"/t/{code}?still=1")
    assert visitors[0].see()["watching"] == 1, "nor does asking beside them count"
    for stream in streams[:-1]:
        stream.close()
    assert visitors[0].see()["watching"] == 1, "one is still open"
    streams[-1].close()


def test_who_asks_for_lack_of_a_stream_counts_though_nothing_has_moved_and_never_with_a_seat(app: Flask) -> None:
    visitors = seated(app, 2)
    code, version = visitors[0].code, visitors[0].see()["version"]
    asking = f"/t/{code}?since={version}&still=1"
    assert visitors[0].get(asking).status == 204
    assert visitors[1].see()["watching"] == 0
    watcher = TablePlayer(app.test_client())
    assert watcher.get(asking).status == 204
    assert visitors[1].see()["watching"] == 1


def test_each_player_who_watches_counts_once(app: Flask) -> None:
    visitors = seated(app, 2)
    code = visitors[0].code
    watchers = [TablePlayer(app.test_client()) for _ in range(3)]
    streams = []
    for watcher in watchers:
        watcher.sit("poker")
        for page in ("one", "two"):  # different pages: a stream ends the earlier one of the same page
            streams.append(OpenStream(watcher.line.client, code, page=f"{page}-{watcher.hand}"))  # type: ignore[union-attr]
    assert visitors[0].see()["watching"] == 3
    for stream in streams:
        stream.close()
    assert visitors[0].see()["watching"] == 0


def test_who_sits_at_the_table_does_not_watch_it(app: Flask) -> None:
    visitors = seated(app, 2)
    stream = OpenStream(visitors[0].line.client, visitors[0].code)  # type: ignore[union-attr]
    assert visitors[1].see()["watching"] == 0
    stream.close()
