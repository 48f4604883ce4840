"""A key that is dropped for good: decks that it sealed cannot be opened, and their player plays on all the same."""

from collections.abc import Callable
from random import Random

from flask import Flask

from tests.web.cookies import tab_of
from tests.web.forms import FORMS
from tests.web.moves import dealt, finished
from tests.web.player import Player

HOUR = 3600
DAY = 24 * HOUR
Deploy = Callable[..., Flask]
PAGES = ("/", "/me", "/play/poker", "/play/joker", "/play/blackjack")


def between_rounds(deploy: Deploy, key: str = "old") -> tuple[Player, list[str]]:
    """The same, with an open shoe and no hand: the keys of the rounds that were played from it."""
    alice = Player(deploy(key).test_client())
    keys = []
    for _ in range(2):
        dealt(alice, game="blackjack", stakes=(10,))
        keys.append(finished(alice, Random(7)))
    alice = tab_of(alice, deploy("new", key))
    dealt(alice, game="poker")
    finished(alice)
    return alice, keys


# ------------------------------------------------------------------------------------------------ meanwhile


def test_lists_are_shown_without_the_cards_of_what_no_key_opens(deployed: Deploy) -> None:
    alice, (first, second) = between_rounds(deployed)
    for path in PAGES:
        assert alice.get(path).status == 200  # what one house has shown is no help to another
    alice = tab_of(alice, deployed("new"))
    for path in PAGES:
        for form in FORMS.values():
            assert alice.get(path, **form).status == 200, path
    listed = {hand["hand"]: hand for hand in alice.get("/me").json["hands"]}
    assert len(listed) == 3
    for key in (first, second):
        assert (listed[key]["cards"], listed[key]["label"]["text"], listed[key]["payout"]) == ([], "Still sealed", None)
    assert alice.get("/", Accept="text/html").text.count("<b>Still sealed</b>") == 2
    assert alice.get("/me", Accept="text/html").text.count("history__cards") == 1, "where there are cards"


def test_the_count_of_a_shoe_that_no_key_opens_is_not_told(deployed: Deploy) -> None:
    alice, _ = between_rounds(deployed)
    alice = tab_of(alice, deployed("new"))
    assert alice.post("/settings", [("count", "1")]).status == 303
    assert alice.get("/play/blackjack", Accept="text/html").status == 200
