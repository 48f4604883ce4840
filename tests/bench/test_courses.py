"""Each course that the benchmarks play reaches the end of its hand on a real server."""

import pytest

from tests.bench.processes import Running
from tests.bench.server import COURSES, Course, Evening, Figures
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


def test_figures_of_several_kinds_are_added_up() -> None:
    deal, draw = Figures(seconds=1, cpu=0.2, taken=[0.1, 0.2]), Figures(seconds=3, cpu=0.4, taken=[0.3, 0.3, 0.1, 0.2])
    both = Figures.together([deal, draw])
    assert both.each == pytest.approx(4 / 6)
    assert both.cpu_ms == pytest.approx(100)


def test_cpu_times_are_those_of_the_cheapest_round() -> None:
    deal = Figures(cpu=0.9, taken=[0.1] * 300, storms=[(100, 0.2), (100, 0.5), (100, 0.2)])
    assert deal.cpu_ms == pytest.approx(2)
    few = Figures(cpu=0.3, taken=[0.1] * 20, storms=[(10, 0.1), (10, 0.2)])
    assert few.cpu_ms == pytest.approx(15), "too few to be read exactly: the mean"
    assert Figures.together([deal, few]).cpu_ms == pytest.approx((300 * 2 + 20 * 15) / 320)


def test_all_but_the_sitting_down_are_actions() -> None:
    assert COURSES[0].actions == ("deal", "draw", "collect")
