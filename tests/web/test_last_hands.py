"""The last hands beside a table: sent with a page and at the end of a hand, and kept by the page in between."""

import re
from random import Random

from flask import Flask

from tests.support.moves import every_game, finished, next_move, sealed, stakes_of
from tests.support.player import Fields, Player

PAGE = {"Accept": "text/html"}
PART = {**PAGE, "HX-Request": "true"}
KEPT = '<section class="history" id="history" hx-preserve></section>'


def sent(player: Player, fields: Fields) -> str:
    """Send an action as the page does; return the part that replaces the room. The board is then that after it."""
    part = player.post(f"/play/{player.game}/{player.hand}/{player.step}", fields, **PART)
    assert part.status == 200
    player.look(hand=player.hand)
    return part.text


def played(player: Player, game: str) -> list[tuple[bool, str]]:
    """Play a hand as the page does; return for each action if the hand was over with it, and its answer."""
    sealed(player, game)
    fields = [("verb", "deal"), ("cut", "my-cut"), *(("stake", str(chips)) for chips in stakes_of(player))]
    answers = []
    while True:
        part = sent(player, fields)
        answers.append((player.over, part))
        if player.over:
            return answers
        verb, *args = next_move(player.board, Random(1)).split("-")
        fields = [("verb", verb), *(("arg", arg) for arg in args)]


def listed(part: str) -> list[str]:
    """Return the keys of the hands in the strip."""
    return re.findall(r'history__item" href="/h/(\w+)"', part)


@every_game
def test_the_last_hands_are_sent_when_a_hand_is_over_and_not_before(app: Flask, game: str) -> None:
    player = Player(app.test_client())
    keys: list[str] = []
    goes_on = False
    for _ in range(4):
        for is_over, part in played(player, game):
            goes_on = goes_on or not is_over
            if is_over:
                keys.insert(0, player.hand)
                assert KEPT not in part
                assert listed(part) == keys
            else:
                assert KEPT in part
                assert listed(part) == []
        assert listed(player.get(f"/play/{game}", **PAGE).text) == keys
    assert goes_on


@every_game
def test_a_page_of_a_hand_in_play_has_the_last_hands(app: Flask, game: str) -> None:
    player = Player(app.test_client())
    first = played(player, game) and player.hand
    sealed(player, game)
    while player.deal("my-cut", stakes_of(player)) and player.over:
        sealed(player, game)
    for kind in (PAGE, PART):
        page = player.get(f"/play/{game}", **kind).text
        assert first in listed(page)
        assert KEPT not in page


@every_game
def test_a_won_hand_has_another_mark_than_a_lost_one(alice: Player, game: str) -> None:
    for seed in range(6):
        sealed(alice, game)
        alice.deal("my-cut", stakes_of(alice))
        finished(alice, Random(seed))
    rows = re.findall(
        r"<b(?: class=history__(\w+))?>.*?<span>([^<]*)</span></span>", alice.get("/me/hands", **PAGE).text
    )
    assert len(rows) == 6
    for mark, shown in rows:
        wins = "won" if game == "poker" else ""
        assert mark == ("lost" if shown[0] in "−0" else "won" if shown[0] == "+" else wins)
