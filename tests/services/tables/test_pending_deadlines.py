"""The next deadline for which the timer of a process waits."""

import threading
import time

from webapp.services.tables import pending_deadlines as module
from webapp.services.tables.pending_deadlines import Deadlines


def test_deadlines_are_met_in_their_order_and_once() -> None:
    known = Deadlines()
    for code, at in (("B", 20), ("A", 10), ("C", 30)):
        known.expect(code, at)
    assert known.first() == 10
    assert known.take_due(9) == ()
    assert known.take_due(20) == ("A", "B")
    assert known.take_due(20) == ()
    assert known.first() == 30


def test_a_table_has_one_deadline_the_latest_that_was_set() -> None:
    known = Deadlines()
    known.expect("A", 10)
    known.expect("A", 50)
    known.expect("B", 5)
    known.expect("B", None)
    assert known.first() == 50
    assert known.take_due(49) == ()
    assert known.take_due(50) == ("A",)
    assert known.first() is None


def test_who_has_set_a_deadline_meets_it_and_the_others_come_a_moment_later() -> None:
    known = Deadlines()
    known.expect("own", 10)
    known.expect("own", 10, later=100)
    known.expect("other", 10, later=100)
    assert known.take_due(10) == ("own",)
    assert known.take_due(110) == ("other",)


def test_what_is_furthest_away_is_dropped_when_there_are_too_many() -> None:
    known = Deadlines()
    for number in range(2 * module.MOST + 1):
        known.expect(str(number), number)
    assert len(known.take_due(10 * module.MOST)) == module.MOST


def test_an_earlier_deadline_ends_the_wait() -> None:
    known, woken = Deadlines(), threading.Event()
    known.expect("late", 10**9)

    def wait() -> None:
        while known.first() == 10**9:
            known.wait(known.first(), 0, 60.0)
        woken.set()

    thread = threading.Thread(target=wait)
    began = time.monotonic()
    thread.start()
    known.expect("soon", 5)
    thread.join(30)
    assert woken.is_set()
    assert time.monotonic() - began < 30
    assert known.take_due(5) == ("soon",)


def test_a_timer_that_is_stopped_waits_no_more() -> None:
    known = Deadlines()
    known.stop(True)
    began = time.monotonic()
    known.wait(None, 0, 60.0)
    assert time.monotonic() - began < 30
