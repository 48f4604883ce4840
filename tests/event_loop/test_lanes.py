"""Expensive requests: only a few run at a time, and no other request waits for them."""

import asyncio
import json
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import pytest

from webapp.event_loop import lanes
from webapp.event_loop.lanes import Lane
from webapp.event_loop.threads import WholeAnswer, WsgiThreads

SECONDS = 30


class Site:
    """A site whose answers to expensive requests wait until the test releases them."""

    def __init__(self) -> None:
        self.goes_on, self.slow_goes_on, self.begun = threading.Event(), threading.Event(), threading.Semaphore(0)
        self.working = self.most = 0
        self._lock = threading.Lock()

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        if environ["PATH_INFO"] == "/slow":
            assert self.slow_goes_on.wait(SECONDS)
        if environ["PATH_INFO"].startswith("/dear/"):
            with self._lock:
                self.working += 1
                self.most = max(self.most, self.working)
            self.begun.release()
            assert self.goes_on.wait(SECONDS)
            with self._lock:
                self.working -= 1
        start_response("200 OK", [])
        return [environ["PATH_INFO"].encode()]


def environ(path: str, address: str = "192.0.2.1") -> dict[str, Any]:
    return {"PATH_INFO": path, "REMOTE_ADDR": address}


def run(
    site: Site,
    evening: Callable[[WsgiThreads], Coroutine[Any, Any, None]],
    counts: bool = True,
    lanes: Sequence[Lane] = (),
) -> None:
    threads = WsgiThreads(site, 8, counts, lanes or (Lane(("/dear/",), 2),))
    try:
        asyncio.run(asyncio.wait_for(evening(threads), SECONDS))
    finally:
        site.goes_on.set()
        site.slow_goes_on.set()
        threads.close()


async def _until_begun(site: Site, count: int) -> None:
    for _ in range(count):
        assert await asyncio.to_thread(site.begun.acquire, True, SECONDS)


def test_a_flood_of_dear_requests_takes_two_threads_and_others_are_answered_meanwhile() -> None:
    site = Site()

    async def evening(threads: WsgiThreads) -> None:
        flood = [asyncio.create_task(threads.ask(environ(f"/dear/{number}"))) for number in range(20)]
        await _until_begun(site, 2)
        card = await threads.ask(environ("/play/poker"))
        assert (card.status, card.body, site.working) == (200, b"/play/poker", 2)
        site.goes_on.set()
        answers = await asyncio.gather(*flood)
        assert [answer.body.decode() for answer in answers] == [f"/dear/{number}" for number in range(20)]
        assert {answer.status for answer in answers} == {200}

    run(site, evening)
    assert site.most == 2
    assert site.working == 0


def test_a_thousand_urgent_requests_are_all_answered_and_nobody_waits_behind_them() -> None:
    """Streams that reconnect after a restart: without a lane they would occupy all threads and delay card actions."""
    site = Site()

    async def evening(threads: WsgiThreads) -> None:
        back = [asyncio.create_task(threads.ask(environ(f"/dear/{number}/events"))) for number in range(1000)]
        await _until_begun(site, 4)
        slow = asyncio.create_task(threads.ask(environ("/slow")))
        card = await threads.ask(environ("/play/poker"))
        assert (card.status, card.body, site.working) == (200, b"/play/poker", 4)
        site.goes_on.set()
        assert {answer.status for answer in await asyncio.gather(*back)} == {200}, "nobody is sent away"
        assert not slow.done(), "nor do they let others go first"
        site.slow_goes_on.set()
        await slow

    run(site, evening, counts=False, lanes=(Lane(("/dear/",), 4, "/events", is_urgent=True),))
    assert site.most == 4


def _refused(answer: WholeAnswer) -> bool:
    return answer.status == 503 and (b"retry-after", b"2") in answer.headers and b"Ask again" in answer.body


def test_whoever_comes_when_too_many_wait_is_asked_to_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "MOST_WAITING", 6)
    monkeypatch.setattr(lanes, "MOST_WAITING_PER_ADDRESS", 4)
    site = Site()

    async def evening(threads: WsgiThreads) -> None:
        async def begin(address: str, count: int) -> list[asyncio.Task[WholeAnswer]]:
            tasks = [asyncio.create_task(threads.ask(environ("/dear/", address))) for _ in range(count)]
            await asyncio.sleep(0)  # let each task run until it waits for a slot
            return tasks

        flood = await begin("192.0.2.1", 2 + 4)
        await _until_begun(site, 2)
        assert _refused(await threads.ask(environ("/dear/", "192.0.2.1")))
        flood += await begin("192.0.2.2", 2)
        assert _refused(await threads.ask(environ("/dear/", "192.0.2.3")))
        program = await threads.ask({**environ("/dear/", "192.0.2.3"), "HTTP_ACCEPT": "application/json"})
        assert (program.status, json.loads(program.body)["error"]) == (503, "unavailable")
        assert (b"content-type", b"application/json") in program.headers
        site.goes_on.set()
        assert {answer.status for answer in await asyncio.gather(*flood)} == {200}
        assert (await threads.ask(environ("/dear/", "192.0.2.1"))).status == 200
        assert threads.busy == 0

    run(site, evening)


def test_where_addresses_are_not_counted_only_all_of_them_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "MOST_WAITING_PER_ADDRESS", 1)
    site = Site()

    async def evening(threads: WsgiThreads) -> None:
        flood = [asyncio.create_task(threads.ask(environ("/dear/"))) for _ in range(9)]
        await _until_begun(site, 2)
        site.goes_on.set()
        assert {answer.status for answer in await asyncio.gather(*flood)} == {200}

    run(site, evening, counts=False)


def test_a_dear_request_lets_others_go_first_after_one_that_took_long_but_waits_for_nobody_when_there_are_none() -> (
    None
):
    site = Site()
    site.goes_on.set()

    async def evening(threads: WsgiThreads) -> None:
        threads._throttle.used(1_000)
        assert (await threads.ask(environ("/dear/alone"))).status == 200
        assert site.begun.acquire(blocking=False)
        card = asyncio.create_task(threads.ask(environ("/slow")))
        await asyncio.sleep(0)
        dear = asyncio.create_task(threads.ask(environ("/dear/")))
        for _ in range(5):
            assert (await threads.ask(environ("/play/poker"))).status == 200
        assert not site.begun.acquire(blocking=False)
        site.slow_goes_on.set()
        assert (await card).status == (await dear).status == 200

    run(site, evening)


def test_the_lanes_rest_for_nineteen_times_as_long_as_they_worked(monkeypatch: pytest.MonkeyPatch) -> None:
    now, throttle = [100.0], lanes.LaneThrottle()
    monkeypatch.setattr(lanes.time, "monotonic", lambda: now[0])
    throttle.used(0.5)
    throttle.used(0.25)
    throttle.others = 1
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    monkeypatch.setattr(lanes.asyncio, "sleep", sleep)
    asyncio.run(throttle.wait())
    assert sum(slept) == pytest.approx(19 * 0.75)
    assert max(slept) <= lanes.POLL_SECONDS
    asyncio.run(throttle.wait())
    assert sum(slept) == pytest.approx(19 * 0.75)


def test_an_answer_says_what_processor_time_it_took() -> None:
    def site(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        began = time.thread_time()
        while time.thread_time() < began + 0.01:
            pass
        start_response("200 OK", [])
        return [b""]

    async def ask() -> None:
        assert 0.01 <= (await threads.ask(environ("/dear/"))).seconds < 1

    threads = WsgiThreads(site, 1, False)
    asyncio.run(ask())
    threads.close()
