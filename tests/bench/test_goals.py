"""The verdicts on goals, from made-up figures."""

from tests.bench.__main__ import GOALS
from tests.bench.goals import Goal, goals_of, judged, missed

PAGES = Goal("pages", "ms", "20 tables", "p99 ms", 150, before="290", beside="20 tables, fetched")
INFORMATION = Goal("an action", "ms", "20 tables", "cpu ms", None)


def rows(p99: float) -> list[dict[str, float | str]]:
    return [
        {"tables": "20 tables", "p99 ms": p99, "cpu ms": 22.5},
        {"tables": "20 tables, fetched", "p99 ms": 300.0, "cpu ms": 40.0},
    ]


def test_a_figure_at_the_limit_meets_its_goal() -> None:
    (row,) = judged([PAGES], rows(150))
    assert row == {
        "goal": "pages",
        "unit": "ms",
        "figure": 150,
        "at most": 150,
        "fetched, this run": 300,
        "before": "290",
        "verdict": "met",
    }


def test_a_figure_above_the_limit_misses_its_goal() -> None:
    verdicts = judged([PAGES, INFORMATION], rows(150.1))
    assert [row["verdict"] for row in verdicts] == ["missed", "no goal"]
    assert missed(verdicts) == ["pages"]


def test_what_has_no_goal_is_shown_and_never_missed() -> None:
    (row,) = judged([INFORMATION], rows(1))
    assert (row["figure"], row["at most"], row["fetched, this run"]) == (22.5, "-", "-")
    assert missed([row]) == []


def test_a_goal_that_was_not_measured_has_no_verdict() -> None:
    assert judged([PAGES], []) == []
    assert judged([PAGES], [{"tables": "2 tables", "p99 ms": 1}]) == []
    assert judged([PAGES], [{"tables": "20 tables", "p99 ms": "not measured"}]) == []


def test_verdicts_stand_in_the_order_of_the_parts() -> None:
    parts = {"tables": [PAGES], "server": [INFORMATION]}
    assert [row["goal"] for row in goals_of(parts, {"server": rows(1), "tables": rows(1)})] == ["pages", "an action"]
    assert [row["goal"] for row in goals_of(parts, {"server": rows(1)})] == ["an action"]


def test_no_two_goals_have_the_same_name() -> None:
    names = [goal.name for goals in GOALS.values() for goal in goals]
    assert len(names) == len(set(names))
