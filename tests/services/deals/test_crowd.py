"""Other players' decisions with the same cards, and two hands side by side."""

import pytest
from flask import Flask

from tests.services.deals.test_practice import again, original, played
from tests.support.player import Player
from webapp.engine.action import Action
from webapp.services.deals.crowd import LEAST, Played, crowd_of

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)

HOLD, ALL = Action.parse("hold"), Action.parse("hold-1-2-3-4-5")


def test_a_crowd_of_four_is_none_and_of_five_says_what_each_chose(database_url: str) -> None:
    four = [Played((HOLD,), 0), Played((HOLD,), 50), Played((ALL,), 10), Played((HOLD,), 10)]
    assert crowd_of(four, (HOLD,)) is None
    crowd = crowd_of([*four, Played((ALL,), 20)], (HOLD,))
    assert crowd is not None
    assert (crowd.count, crowd.average) == (LEAST, 18.0)
    (decision,) = crowd.decisions
    assert [(str(choice.action), choice.count, choice.average) for choice in decision.choices] == [
        ("hold", 3, 20.0),
        ("hold-1-2-3-4-5", 2, 15.0),
    ]


def test_only_decisions_that_five_came_to_with_the_same_moves_are_told(database_url: str) -> None:
    many = [Played((HOLD, ALL), 1)] * 4 + [Played((ALL, ALL), 1)]
    crowd = crowd_of(many, (HOLD, ALL))
    assert crowd is not None
    assert [decision.count for decision in crowd.decisions] == [5]


def test_both_hands_lie_side_by_side_and_the_crowd_comes_with_the_fifth(app: Flask, alice: Player) -> None:
    first = original(alice, "poker")
    pages = []
    for _ in range(LEAST - 1):
        visitor = Player(app.test_client())
        again(visitor, first["hand"])
        pages.append(visitor.get(f"/h/{played(visitor)}", Accept="text/html").text)
    assert all("The same deal, side by side" in page for page in pages)
    assert all(f"/h/{first['hand']}" in page for page in pages)
    assert ["5 players have had these cards" in page for page in pages] == [False] * (LEAST - 2) + [True]
    assert "Others with the same deal" in alice.get(f"/h/{first['hand']}", Accept="text/html").text


def test_a_step_of_several_boxes_that_says_nothing_has_the_name_of_its_action(app: Flask, alice: Player) -> None:
    """A stand with several boxes once made the page fail."""
    for _ in range(3):
        alice.sit("blackjack", "vegas")
        alice.deal("cut", (10, 10))
        while not alice.over:
            alice.act("decline" if "decline" in alice.actions else "stand")
        for step in range(alice.step + 1):
            assert alice.get(f"/h/{alice.hand}?step={step}", Accept="text/html").status == 200
