"""Chores: each runs once, soon, and not in the thread of a request."""

import threading

import pytest
from flask import Flask
from structlog.testing import capture_logs

from webapp.services.core import context
from webapp.services.core.chores import THREADS, Chores
from webapp.services.core.errors import Refusal

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
def chores(app: Flask) -> Chores:
    return Chores(app.app_context)


def test_a_chore_is_done_in_another_thread_with_the_app_around_it(app: Flask, chores: Chores) -> None:
    done = []
    with app.app_context():
        here = context.current()
        chores.ask("key", lambda: done.append((threading.get_ident(), context.current())))
    assert done[0][0] != threading.get_ident()
    assert done[0][1] is here


def test_one_that_waits_under_the_same_key_is_enough(chores: Chores) -> None:
    free, done = threading.Event(), []
    busy = [chores.add(number, free.wait) for number in range(THREADS)]
    over = [chores.add("key", lambda: done.append("once")) for _ in range(3)]
    free.set()
    for event in (*busy, *over):
        assert event.wait(30)
    assert done == ["once"]


def test_what_goes_wrong_is_logged_without_its_words_and_hinders_no_other(chores: Chores) -> None:
    def fail() -> None:
        raise ValueError("a secret")

    def refuse() -> None:
        raise Refusal("round-sealed")

    done: list[str] = []
    with capture_logs() as logged:
        for key, job in ((("table", "CODE"), fail), ("refused", refuse), ("fine", lambda: done.append("done"))):
            assert chores.add(key, job).wait(30)
    assert done == ["done"]
    assert [(line["event"], line["chore"], line["error"]) for line in logged] == [
        ("chore not done", "table", "ValueError")
    ]


def test_no_thread_stays_when_there_is_nothing_to_do(chores: Chores) -> None:
    assert chores.add("key", lambda: None).wait(30)
    for thread in threading.enumerate():
        if thread.name == "chores":
            thread.join(30)
    assert "chores" not in [thread.name for thread in threading.enumerate()]
    assert chores.add("key", lambda: None).wait(30), "and the next chore gets one"
