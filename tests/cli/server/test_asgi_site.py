"""The lane of each request: which requests wait for each other, and for the rendering of views."""

import asyncio
from dataclasses import replace

import pytest
from flask import Flask

from tests.event_loop.test_serial_executor import SECONDS, Crowd, run
from webapp.cli.server.asgi_site import asgi_app, lanes
from webapp.event_loop import serial_executor
from webapp.event_loop.threads import OTHERS_AT_ONCE


@pytest.mark.parametrize(
    "path, place",
    [
        ("/lab/spot/blackjack", 0),
        ("/lab/strategy.csv", 0),
        ("/lab/chart", 0),
        ("/odds/blackjack/price", 1),
        ("/odds/joker", 2),
        ("/odds/joker.json", 2),
    ],
)
def test_questions_to_the_odds_desk_have_lanes_and_those_that_wait_for_tables_their_own(path: str, place: int) -> None:
    assert [lane.matches(path) for lane in lanes()].index(True) == place


@pytest.mark.parametrize("path", ["/", "/play/poker/abc/1", "/t/abc/1", "/h/abc/review", "/lab", "/static/js/sound.js"])
def test_nobody_who_plays_or_reads_waits_in_a_lane(path: str) -> None:
    assert not any(lane.matches(path) for lane in lanes())


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize(("url", "at_once"), [("sqlite:///x.db", 1), ("postgresql://db.example/x", OTHERS_AT_ONCE)])
def test_views_are_rendered_in_threads_of_the_server_and_few_at_a_time(
    app: Flask, monkeypatch: pytest.MonkeyPatch, url: str, at_once: int
) -> None:
    monkeypatch.setattr(serial_executor, "SLOW_SECONDS", SECONDS)  # of a slow machine as well
    monkeypatch.setitem(app.extensions, "config", replace(app.extensions["config"], database_url=url))
    monkeypatch.setattr(app.extensions["pushed_views"], "in_thread", None)
    site, crowd = asgi_app(app), Crowd()

    async def evening() -> None:
        in_thread = app.extensions["pushed_views"].in_thread
        await asyncio.gather(*(asyncio.wrap_future(in_thread(crowd.task(number))) for number in range(100)))

    run(evening)
    site.threads.close()
    assert crowd.most == at_once
