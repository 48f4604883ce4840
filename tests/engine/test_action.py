"""The notation of actions: what is written is read back, and nothing else is accepted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.engine.action import ALONE, Action, Seat
from webapp.engine.errors import NotationError

verbs = st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=20)
positions = st.sets(st.integers(0, 999_999_999), max_size=60).map(lambda found: tuple(sorted(found)))
actions = st.builds(Action, st.integers(0, 9).map(Seat), verbs, positions)


@given(actions)
def test_what_is_written_is_read_back(action):
    assert Action.parse(str(action)) == action


@given(st.one_of(st.text(max_size=12), st.text(alphabet="holdpick-0123@ ", max_size=12)))
def test_a_text_is_an_action_or_is_refused_and_nothing_else_happens(text):
    try:
        action = Action.parse(text)
    except NotationError:
        return
    assert str(action) == text


@pytest.mark.parametrize(
    "action, text",
    [
        (Action(ALONE, "hold"), "hold"),
        (Action(ALONE, "hold", (1, 3)), "hold-1-3"),
        (Action(ALONE, "pick", (0,)), "pick-0"),
        (Action(Seat(2), "hit"), "hit@2"),
        (Action(Seat(5), "bet", (200,)), "bet-200@5"),
    ],
)
def test_an_action_is_spelled_verb_numbers_seat(action, text):
    assert str(action) == text
    assert Action.parse(text) == action


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "-",
        "-1",
        "hold-",
        "hold--1",
        "hold-01",
        "hold-00",
        "hold-1-",
        "hold 1",
        "hold-1 ",
        " hold",
        "hold\n",
        "hold-1\n",
        "Hold",
        "HOLD-1",
        "hold1",
        "hold-x",
        "hold-1,2",
        "hold-+1",
        "hold-1.0",
        "hold-1e3",
        "hold-1_0",
        "hold-0x1",
        "hold-１",
        "hold-١",
        "hold-²",
        "hōld",
        "hold–1",
        "hold-1000000000",
        "hit@",
        "hit@0",
        "hit@10",
        "hit@01",
        "hit@２",
        "hit@1-2",
        "hit@-1",
        "a" * 21,
        "hold" + "-1" * 61,
        "hold-" + "9" * 5000,
    ],
)
def test_a_text_that_is_no_action_is_refused_in_few_words(text):
    with pytest.raises(NotationError, match="^not an action: ") as refused:
        Action.parse(text)
    assert refused.value.code == "bad-notation"
    assert len(str(refused.value)) < 120


@pytest.mark.parametrize("text", ["hold-1-1", "hold-3-1", "hold-1-2-2", "hold-0-0"])
def test_positions_that_repeat_or_are_out_of_order_are_refused(text):
    with pytest.raises(NotationError, match="repeat or are out of order"):
        Action.parse(text)


def test_such_an_action_cannot_be_made_in_another_way_either():
    with pytest.raises(NotationError):
        Action(ALONE, "hold", (2, 2))
    with pytest.raises(NotationError):
        Action(ALONE, "hold", (5, 1))


def test_the_same_word_of_another_seat_is_another_action():
    assert Action(Seat(1), "hit") != Action(Seat(2), "hit") != Action(ALONE, "hit")
