"""Games from other folders are played, stored and verified like the site's, without a file of the site naming them."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from flask import Flask

from tests.games.conftest import OTHER_GAMES, SETTING
from tests.games.trio import PLACES
from tests.support.player import Player
from tests.support.project_files import name_of, project_files
from webapp.engine.action import Action
from webapp.engine.bets import Bets, stakes_from
from webapp.engine.cards import STANDARD_DECK
from webapp.engine.errors import SetupError
from webapp.engine.game import Setup, replay
from webapp.engine.games import GAMES, register
from webapp.engine.notation import dumps, loads, record
from webapp.services.fairness.verification import checks

ROOT = Path(__file__).parents[2]
Played = Callable[..., str]
HANDS = [
    ("highcard", (10,), ("keep",)),
    ("highcard", (2,), ("swap",)),
    ("trio", ("", 25, ""), ()),
    ("trio", (5, "", 50), ()),
]
hands = pytest.mark.parametrize("code, stakes, verbs", HANDS, ids=["keep", "swap", "tie", "both sides"])


def html(player: Player, path: str) -> str:
    answer = player.get(path, Accept="text/html")
    assert answer.status == 200, (path, answer.text)
    return answer.text


# ------------------------------------------------------------------------------------------ where they stand


@pytest.mark.parametrize("code", OTHER_GAMES)
def test_no_file_of_the_site_names_them(code: str) -> None:
    site = [path for path in project_files() if name_of(path).startswith(("webapp/", "templates/", "static/"))]
    word = re.compile(rf"\b{code}\b", re.IGNORECASE)
    named = [name_of(path) for path in site if word.search(path.read_text(encoding="utf-8", errors="replace"))]
    assert site
    assert named == []


def test_they_are_in_the_lobby_and_in_its_json(player: Player) -> None:
    page = html(player, "/")
    for text in ("High card", "Keep your card or swap it", "Trio", "Red, black, or neither"):
        assert text in page
    player.get("/")
    assert {"highcard", "trio"} <= {game["game"] for game in player.answer.json["games"]}


def test_their_rules_are_printed_and_sent(player: Player) -> None:
    assert "the higher card wins 2 to 20 chips" in html(player, "/rules/highcard")
    assert "a tie pays 8 to 1" in html(player, "/rules/trio")
    assert player.get("/rules/trio").json["rules"]["bets"]["places"] == list(PLACES)


# ------------------------------------------------------------------------------------------ a hand


@hands
def test_a_hand_has_its_page_picture_json_text_and_proof(
    player: Player, played: Played, code: str, stakes: tuple[int | str, ...], verbs: tuple[str, ...]
) -> None:
    address = played(code, stakes, *verbs)
    page = html(player, address)
    assert GAMES[code].words.title in page
    picture = player.line.client.get(f"{address}.png")
    assert (picture.status_code, picture.mimetype) == (200, "image/png")
    assert player.get(f"{address}.txt").text.splitlines()[0].startswith(f"{code}/")
    hand = player.get(f"{address}.json").json
    assert hand["stakes"] == [stake or 0 for stake in stakes]
    assert len(hand["payouts"]) == len(stakes)
    assert [(check.kind, check.ok) for check in checks(hand)] == [
        ("commitment", True),
        ("packs", True),
        ("cards", True),
        ("payout", True),
    ]
    assert dumps(loads(hand["notation"])) == hand["notation"]


@hands
def test_a_hand_is_verified_by_the_command(
    player: Player, played: Played, tmp_path: Path, code: str, stakes: tuple[int | str, ...], verbs: tuple[str, ...]
) -> None:
    file = tmp_path / "hand.json"
    file.write_text(json.dumps(player.get(f"{played(code, stakes, *verbs)}.json").json))
    command = [sys.executable, "-c", "from webapp.cli import main; main()", "hand", "verify", str(file)]
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "TEFUDA_GAMES": SETTING}
    done = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@hands
def test_a_hand_is_in_the_history_and_the_purse_has_what_it_paid(
    player: Player, played: Played, code: str, stakes: tuple[int | str, ...], verbs: tuple[str, ...]
) -> None:
    address = played(code, stakes, *verbs)
    start = GAMES[code].rules(GAMES[code].spec.default).bets.start
    staked, paid = sum(int(stake or 0) for stake in stakes), sum(player.board["result"]["payouts"])
    assert player.board["purse"] == start - staked + paid
    history = player.get("/me", Accept="application/json").json
    assert [hand["url"] for hand in history["hands"]] == [address]
    assert [game["game"] for game in history["games"]] == [code]
    assert GAMES[code].words.title in html(player, "/me")


@pytest.mark.parametrize("code", OTHER_GAMES)
def test_the_page_is_played_without_a_script(player: Player, code: str) -> None:
    """Sitting down, dealing and acting are forms; each is answered by a page."""
    assert 'name="stake"' in html(player, f"/play/{code}")
    fields = [("stake", "10")] if code == "highcard" else [("stake", ""), ("stake", "10"), ("stake", "")]
    assert player.post(f"/play/{code}", [], Accept="text/html").status == 303
    player.look(code)
    assert player.post(f"/play/{code}/{player.hand}/0", [("verb", "deal"), *fields], Accept="text/html").status == 303
    if code == "highcard":
        assert 'value="swap"' in html(player, f"/play/{code}")
        player.look(code)
        done = player.post(f"/play/{code}/{player.hand}/0", [("verb", "swap")], Accept="text/html")
        assert done.status == 303
    page = html(player, f"/play/{code}?hand={player.hand}")
    assert f"/h/{player.hand}" in page


def test_a_hidden_card_is_hidden_until_the_end(player: Player) -> None:
    player.sit("highcard")
    board = player.deal("cut", (10,))
    assert board["view"]["other"] is None
    assert player.act("keep")["view"]["other"] is not None


def test_an_open_hand_is_resumed_from_the_lobby(player: Player) -> None:
    player.sit("highcard")
    player.deal("cut", (10,))
    assert "You hold the" in html(player, "/")


# ------------------------------------------------------------------------------------------ what a game declares


def test_a_refused_action_is_said_in_the_words_of_the_game(player: Player) -> None:
    player.sit("highcard")
    player.deal("cut", (10,))
    said = player.act("swap", 3)
    assert (player.status, said["message"]) == (422, "A card is swapped once.")


def test_what_a_player_has_settled_is_played_unasked(player: Player) -> None:
    assert "Swap" in html(player, "/me/settings")
    assert player.post("/settings", [("swaps", "never")]).status == 303
    player.sit("highcard")
    player.deal("cut", (10,))
    assert (player.over, player.step) == (True, 1)
    assert player.board["result"] is not None


@pytest.mark.parametrize("stakes", [(10, "", 30), ("", 50, ""), ("", "", 5)])
def test_stakes_lie_where_they_were_put(player: Player, stakes: tuple[int | str, ...]) -> None:
    player.sit("trio")
    board = player.deal("cut", stakes)
    placed = {place: stake for place, stake in zip(PLACES, stakes, strict=True) if stake}
    assert board["stakes"] == [stake or 0 for stake in stakes]
    assert board["view"]["stakes"] == placed


def test_the_same_again_lies_where_it_lay(player: Player) -> None:
    player.sit("trio")
    player.deal("cut", ("", "", 5))
    page = html(player, "/play/trio")
    fields = {place: page.partition(f'id="stake-{place}"')[2].partition(">")[0] for place in PLACES}
    assert ['value="5"' in fields[place] for place in PLACES] == [False, False, True]


@pytest.mark.parametrize("stakes", [(), (5,), (5, 5), ("", "", ""), (0, 0, 0), (4, "", ""), (51, "", ""), (5, 5, 5, 5)])
def test_stakes_that_fit_no_places_are_refused_and_nothing_is_charged(
    player: Player, stakes: tuple[int | str, ...]
) -> None:
    player.sit("trio")
    said = player.deal("cut", stakes)
    assert (player.status, said["error"]) == (422, "bad-stake")
    assert player.look()["purse"] == 100


# ------------------------------------------------------------------------------------------ the engine's part


@pytest.mark.parametrize("seed", range(40))
def test_hands_dealt_by_chance_are_read_back_from_their_line(site: Flask, seed: int) -> None:
    chance = Random(seed)
    cards = (tuple(chance.sample(STANDARD_DECK, 3)),)
    for code, stakes, moves in (("highcard", (7,), (chance.choice(["keep", "swap"]),)), ("trio", (0, 9, 9), ())):
        game = GAMES[code]
        setup = Setup(game.spec.default, stakes, cards)
        line = dumps(record(game, setup, tuple(map(Action.parse, moves))))
        read = loads(line)
        assert game.result(replay(game, read.setup, read.moves)).payouts == read.payouts
        assert dumps(read) == line


def test_a_tie_pays_the_tie_and_gives_the_sides_back(site: Flask) -> None:
    same = next(card for card in STANDARD_DECK[1:] if card.rank == STANDARD_DECK[0].rank)
    state = GAMES["trio"].start(Setup("parlour", (10, 5, 0), ((STANDARD_DECK[0], same),)))
    assert GAMES["trio"].result(state).payouts == (10, 45, 0)


def test_two_games_of_one_code_do_not_stand_side_by_side(site: Flask) -> None:
    with pytest.raises(ValueError, match="there is a game 'trio' already"):
        register(GAMES["trio"])


def test_a_package_without_a_game_is_named(tmp_path: Path) -> None:
    from webapp.services.core.other_games import load_games

    with pytest.raises(ValueError, match=r"TEFUDA_GAMES names 'tests\.games\.nowhere'"):
        load_games(["tests.games.nowhere"])


def test_places_that_are_alike_are_filled_from_the_first() -> None:
    bets = Bets(least=5, places=("a", "b", "c"))
    assert stakes_from((None, 10, None), bets) == (10,)
    assert stakes_from((0,), bets) == ()
    assert bets.allow((5, 5)) and not bets.allow((5, 0)) and not bets.allow(())


def test_every_place_of_its_own_keeps_what_lies_there() -> None:
    bets = Bets(least=5, most=9, places=("a", "b"), positional=True)
    assert stakes_from((None, 6), bets) == (0, 6)
    assert bets.allow((0, 6)) and not bets.allow((6,)) and not bets.allow((0, 0)) and not bets.allow((4, 6))


def test_words_that_contradict_anothers_are_refused(site: Flask) -> None:
    from dataclasses import replace

    from tests.games.trio import Trio

    class Quartet(Trio):
        spec = replace(Trio.spec, code="quartet")
        words = replace(Trio.words, messages={"PUSH": "Something else"})

    with pytest.raises(ValueError, match="PUSH"):
        register(Quartet())
    assert "quartet" not in GAMES
    with pytest.raises(SetupError):
        GAMES["trio"].rules("nowhere")
