"""Rounds of a drill, as the addresses of its pages carry them along."""

import pytest

from webapp.services.deals.drill_round import ROUND, Answered, DrillRound

ANSWERS = (Answered("hard-16-weak", 0.0, 3), Answered("", 1.25, 0), Answered("two-pair", 46.0682, 999))


def test_a_round_is_read_as_it_was_written() -> None:
    so_far = DrillRound(ANSWERS)
    assert DrillRound.read(str(so_far)) == so_far
    assert (len(so_far), so_far.right) == (3, 1)
    assert so_far.cost == pytest.approx(47.3182)
    assert so_far.slowest == ("two-pair", 999.0)


def test_a_mistake_is_noted_with_what_it_takes_to_look_at_it_again() -> None:
    wrong = Answered("two-pair", 0.5, 3, "x8Kd02zQ", "hold-1-2", ("two-pair-low", "two-pair"))
    so_far = DrillRound((*ANSWERS, wrong, Answered("", 2.0, 1, "aaaa", "stop")))
    assert DrillRound.read(str(so_far)) == so_far


@pytest.mark.parametrize(
    "text",
    [
        "",
        "_",
        "x",
        "a.b.c",
        "a.1",
        "<b>.1.1",
        "a.-1.1",
        "a.1.1.1",
        "a.1.1.spot.hold",
        "a.1.1.spot.<b>.",
        "a.1.1..hold.",
        "a.\u0661.1",
        "a." + "9" * 30 + ".1",
    ],
)
def test_what_is_no_answer_is_left_out(text: str) -> None:
    assert DrillRound.read(text) == DrillRound()
    assert len(DrillRound.read(f"{text}_pair.0.1")) <= 1


def test_a_round_has_ten_answers_at_most() -> None:
    assert len(DrillRound.read("_".join(["a.0.1"] * 50))) == ROUND
    assert DrillRound.read("_".join(["a.0.1"] * ROUND)).is_over


def test_no_kind_is_the_slowest_of_one() -> None:
    assert DrillRound.read("a.0.1_a.0.9").slowest is None
