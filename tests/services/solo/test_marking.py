"""*Hold what pays*: cards that pay are marked automatically in pages, and a tap unmarks them."""

from random import Random

import pytest
from flask import Flask

from tests.support.answer_forms import FORMS
from tests.support.moves import dealt, finished, sealed
from tests.support.player import Player

PAGE = FORMS["fragment"]
MANY = 30
"""Hands; at most one in 10**8 evenings has none of them that pays as it is dealt."""


def deal_in_page(player: Player, game: str = "poker", table: str | None = None) -> tuple[list[int], list[int]]:
    """Deal a hand from a page. Return the marked cards, and those that pay."""
    sealed(player, game, table)
    stakes = [("stake", "1")] if game == "joker" else []
    player.post(f"/play/{game}/{player.hand}/0", [("verb", "deal"), ("cut", "c"), *stakes], **PAGE)
    assert player.status == 200
    board = player.get(f"/play/{game}?hand={player.hand}").json
    player.board = board
    return board["marks"], board["view"]["making"]


def evening(player: Player, hands: int) -> list[tuple[list[int], list[int]]]:
    seen = []
    for _ in range(hands):
        seen.append(deal_in_page(player))
        finished(player, Random(1))
    return seen


def test_the_cards_that_pay_are_marked_in_the_first_twenty_hands_of_a_player(app: Flask, alice: Player) -> None:
    hands = evening(alice, 24)
    assert all(marks == paying for marks, paying in hands[:20])
    assert all(marks == [] for marks, _ in hands[20:])


@pytest.mark.parametrize(("chosen", "marked"), [("always", True), ("never", False)])
def test_who_has_chosen_is_not_asked_and_it_holds_for_all_hands(
    app: Flask, alice: Player, chosen: str, marked: bool
) -> None:
    alice.post("/settings", [("hold_paying", chosen)])
    hands = evening(alice, MANY)
    paying = [(marks, making) for marks, making in hands if making]
    assert paying
    assert all((marks == making) is marked for marks, making in paying)
    assert "Go on holding what pays" not in alice.get(f"/play/poker?hand={alice.hand}", **PAGE).text


def test_a_program_marks_for_itself(alice: Player) -> None:
    for _ in range(20):
        assert dealt(alice)["marks"] == []
        finished(alice, Random(1))


def test_a_mark_that_the_site_made_is_taken_away_like_any_other(alice: Player) -> None:
    for _ in range(MANY):
        alice.post("/settings", [("hold_paying", "always")])
        marks, _ = deal_in_page(alice)
        if marks:
            break
        finished(alice, Random(1))
    path = f"/play/poker/{alice.hand}/0"
    left = alice.post(path, [("verb", "mark"), ("arg", str(marks[0])), ("held", "0")]).json["marks"]
    assert left == marks[1:]


def test_after_an_exchange_that_brings_something_it_is_marked_too(alice: Player) -> None:
    """At a table with several exchanges; if the new cards bring nothing, held cards stay marked."""
    seen = []
    alice.post("/settings", [("hold_paying", "always")])
    for _ in range(MANY):
        deal_in_page(alice, "joker", "arcade")
        while not alice.over:
            alice.post(f"/play/joker/{alice.hand}/{alice.step}", [("verb", "hold"), ("arg", "1")], **PAGE)
            board = alice.board = alice.get(f"/play/joker?hand={alice.hand}").json
            if board["view"]["phase"] == "exchange":
                seen.append((board["marks"], board["view"]["making"]))
            elif not alice.over:
                alice.act("collect")
    assert [each for each in seen if each[0] != (each[1] or [1])] == []
    assert {bool(making) for _, making in seen} == {True, False}


def test_the_question_comes_once_after_the_twentieth_hand(alice: Player) -> None:
    asked = []
    for number in range(1, 23):
        deal_in_page(alice)
        finished(alice, Random(1))
        assert alice.board["seq"] == number
        page = alice.get(f"/play/poker?hand={alice.hand}", Accept="text/html").text
        asked += [number] * ("Go on holding what pays" in page)
    assert asked == [20]


def test_sounds_are_offered_after_a_lost_hand_from_the_fifth_on_until_somebody_has_chosen(
    alice: Player, bob: Player
) -> None:
    bob.post("/settings", [("sound", "0")])
    for player, has_chosen in ((alice, False), (bob, True)):
        asked = []
        for number in range(1, 12):
            deal_in_page(player)
            finished(player, Random(number))
            board = player.get(f"/play/poker?hand={player.hand}").json
            page = player.get(f"/play/poker?hand={player.hand}", Accept="text/html").text
            asked += [number] * ("Would you like soft sounds" in page)
            is_due = not has_chosen and 5 <= number < 10 and not sum(board["result"]["payouts"])
            assert (number in asked) == is_due
        assert bool(asked) != has_chosen
