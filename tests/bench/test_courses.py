"""Each course that the benchmarks play reaches the end of its hand on a real server."""

import pytest

from tests.bench.processes import Running
from tests.bench.server import COURSES, Course, Evening
from tests.support.server import Server

VISITORS = 6
HANDS = 2


@pytest.mark.parametrize("course", COURSES, ids=lambda course: course.game)
def test_a_course_leads_from_sitting_down_to_the_finished_hand(server: Server, course: Course) -> None:
    evening = Evening(Running(server.url, server.process.pid), VISITORS, course)
    for _ in range(HANDS):
        evening.play()
    counted = {kind: len(figures.taken) for kind, figures in evening.figures.items()}
    for kind in ("sit", "deal", "table, whole page", "finished hand"):
        assert counted[kind] == VISITORS * HANDS
    first, verb, _ = course.moves[0]
    assert verb == "decline" or counted[first] == VISITORS * HANDS
    assert set(counted) <= {"sit", "deal", "table, whole page", "finished hand", *(kind for kind, *_ in course.moves)}
    assert all(visitor.hand in visitor.answer for visitor in evening.visitors)
