"""The recap of a hand with a double-up: how often it was doubled, unless all was lost again."""

from webapp.engine.action import Action
from webapp.engine.cards import parse_cards
from webapp.engine.game import Setup
from webapp.engine.games import GAMES

POKER = GAMES["poker"]
HAND = parse_cards("Ah Kh Qh Jh Th 2c 3c 4c 5c 6c")
ROUNDS = tuple(map(parse_cards, ("2d 3d 4d 5d 6d", "5d Td Jd Qd Kd", "9d 3d Jd Qd Kd")))


def codes(*actions: str) -> list[str]:
    state = POKER.start(Setup("quest", (), (HAND, *ROUNDS)))
    for action in ("hold-1-2-3-4-5", *actions):
        state = POKER.apply(state, Action.parse(action))
    return [label.code for label in POKER.recap(state).remarks]


def test_a_recap_says_how_often_a_hand_was_doubled() -> None:
    assert codes("double", "pick-1", "collect") == ["DOUBLED_ONCE"]
    assert codes("double", "pick-1", "double", "pick-1", "collect") == ["DOUBLED_TWICE"]


def test_a_recap_of_a_hand_whose_score_was_lost_names_the_last_round() -> None:
    assert codes("double", "pick-1", "double", "pick-1", "double", "pick-1") == ["DOUBLE_LOSE"]
