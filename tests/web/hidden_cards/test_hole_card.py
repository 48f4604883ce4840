"""The hole card and the cards left in the shoe are in no response before they are turned."""

from pathlib import Path
from random import Random

import pytest
from flask import Flask

from tests.support.answer_forms import FORMS
from tests.support.cookies import cookie_of, layers
from tests.support.moves import finished_json, sealed
from tests.support.player import Answer, Json, Player
from tests.support.secret_scan import cards_in, tells_the_seed
from webapp.engine.games import GAMES

GAME = "blackjack"
PAGES = (Path(__file__).parents[3] / "templates" / "games" / GAME / "_table.html").exists()
KINDS = {name: form for name, form in FORMS.items() if PAGES or name == "json"}
TABLES = (
    *GAMES[GAME].spec.variants,
    "vegas,hole_card=no_peek,surrender=late",
    "classic,hole_card=no_peek,double_on=any",
)
ROUNDS = 2


def heard_now(player: Player) -> list[str]:
    """Return everything that can be requested about the open round, and responses to invalid requests."""
    here = f"/play/{GAME}/{player.hand}"
    answers: list[Answer] = [player.answer]
    for form in KINDS.values():
        for path in (f"/play/{GAME}", f"/play/{GAME}?hand={player.hand}", "/", "/me", "/me/hands"):
            answers.append(player.get(path, **form))
        for step, verb in ((player.step, "nonsense"), (player.step, "collect"), (player.step + 1, "hit"), (0, "deal")):
            answers.append(player.post(f"{here}/{step}", [("verb", verb), ("stake", "10")], **form))
    for end in ("", ".json", ".txt", ".png"):
        answers.append(player.get(f"/h/{player.hand}{end}", Accept="*/*"))
        assert answers[-1].status == 404
    return [f"{answer.headers}\n{answer.text}" for answer in answers]


def shown(hand: Json, counts: list[int], step: int) -> set[str]:
    """Return the open cards of a finished round after this many moves: all dealt ones except the hole card."""
    cards = hand["cards"][0][: counts[step]]
    hole = 2 * max(1, len(hand["stakes"])) + 1
    is_hidden = hand["rules"]["hole_card"] == "peek" and step < len(hand["moves"])
    return set(cards[:hole] + cards[hole + is_hidden :])


@pytest.mark.parametrize("table", TABLES)
def test_no_answer_shows_a_card_that_is_not_turned_nor_ever_the_seed(app: Flask, table: str) -> None:
    chance, newcomer = Random(table), Player(app.test_client())
    # on the lobby's tiles and on the page of an error there are always the same cards, whoever looks
    decoration = {card for path in ("/", "/nothing") for card in cards_in(newcomer.get(path, Accept="text/html").text)}
    hidden = 0
    while hidden < ROUNDS:  # a round may be over with its deal
        player = Player(app.test_client())
        sealed(player, GAME, table)
        stakes = [10] * chance.choice([1, 2]) if player.board["rules"]["bets"] else []
        before = [player.answer.text, *(player.get(f"/play/{GAME}", **form).text for form in KINDS.values())]
        assert not set().union(*map(cards_in, before)) - decoration
        player.deal("a-cut", stakes)
        counts, heard, cookies = [], [], []
        while True:
            dealt = player.board["shoe"]["dealt"] if player.board["shoe"] else open_and_hidden(player.board)
            counts.append(dealt)
            if player.over:
                break
            board = player.board
            heard.append(heard_now(player))
            cookies.append(cookie_of(player))
            player.board = board
            player.do(chance.choices(player.actions, [{"split": 9.0}.get(verb, 1.0) for verb in player.actions])[0])
            assert player.status == 200
        key = player.hand
        told_at_once = [f"{player.get(f'/h/{key}', **form).text}" for form in KINDS.values()]
        sealed(player, GAME, "classic" if table != "classic" else "vegas")
        if table not in ("classic", TABLES[-1]):
            sealed(player, GAME, "vegas,decks=7")  # the shoe is left, and so it opens
        hand = finished_json(newcomer, key)
        seed = bytes.fromhex(hand["proof"]["seed"])
        for step, texts in enumerate(heard):
            for text in texts:
                extra = cards_in(text) - decoration - shown(hand, counts, step)
                assert not extra, f"{extra} at step {step} of {hand['notation']}: {text[:1500]}"
        hidden += bool(heard)
        everything = [text for texts in heard for text in texts] + before
        opened = [layer for cookie in cookies for layer in layers(cookie.encode())]
        if hand["proof"]["id"] != key:
            everything += told_at_once
            assert set().union(*map(cards_in, told_at_once)) - decoration <= set(hand["cards"][0])
        assert not tells_the_seed([*everything, *opened], seed)
        assert not cards_in(b"\n".join(layer for layer in opened if layer.isascii()).decode())


def open_and_hidden(board: Json) -> int:
    """Return the number of cards on the table, with face-down ones."""
    view = board["view"]
    return len(view["dealer"]) + sum(len(hand["cards"]) for box in view["boxes"] for hand in box["hands"])


def test_the_check_above_can_fail() -> None:
    hand = {
        "cards": [["Th", "6c", "8d", "9s", "5h"]],
        "stakes": [10],
        "moves": ["hit", "stand"],
        "rules": {"hole_card": "peek"},
    }
    assert shown(hand, [4, 5, 5], 0) == {"Th", "6c", "8d"}
    assert shown(hand, [4, 5, 5], 1) == {"Th", "6c", "8d", "5h"}
    assert shown(hand, [4, 5, 5], 2) == {"Th", "6c", "8d", "9s", "5h"}
    assert cards_in('{"dealer": ["6c", "9s"]}') - shown(hand, [4, 5, 5], 1) == {"9s"}
