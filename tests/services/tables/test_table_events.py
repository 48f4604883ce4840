"""The events of one stream of a shared table."""

import asyncio
from contextlib import suppress

import pytest
from flask import Flask

from tests.support.clock import set_forward
from tests.support.streams import OpenStream
from tests.support.table_players import betting
from webapp.services.tables.live.pubsub import Hub

HOUR = 3_600


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_stream_waits_for_the_deadline_by_the_clock_of_the_app(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine's time of day may have been set, or may differ from that of the database.

    By that, each stream of the table would wake twenty times a second until the deadline has passed.
    """
    code = betting(app, 2, bet_clock=60)[0].code
    hub: Hub = app.extensions["tables"]
    asked: list[float] = []
    monkeypatch.setattr(hub, "may_tick", lambda _code, every: asked.append(every))

    async def wait_for_the_next_event() -> None:
        assert stream._handover.lines is not None
        with suppress(TimeoutError):
            async with asyncio.timeout(0.5):
                await anext(stream._handover.lines)

    with set_forward(app, monkeypatch, HOUR):
        stream = OpenStream(app.test_client(), code)
        stream.until("event: watching")
        stream._runner.run(wait_for_the_next_event())
        stream.close()
    assert asked == []
