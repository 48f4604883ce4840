"""Several hands from one hold: one stake and one payout in the purse, remembered for the next deal."""

import gzip
import re

import pytest
from flask import Flask

from tests.bench.weights import PARTIAL
from tests.support.moves import CUT, dealt, finished, finished_json, sealed
from tests.support.player import SAME_ORIGIN, Json, Player
from tests.support.rows import all_rows, findings, tamper
from webapp.engine.bets import MOST_OF_SEVERAL
from webapp.engine.cards import parse_cards
from webapp.services.review.ratings import _shares
from webapp.web.i18n.vocabulary import card_name

LEDGER = "SELECT reason, amount FROM ledger_entry WHERE hand_key = :key ORDER BY id"
once = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def deal(player: Player, bet: int, lines: int | str) -> Json:
    """Deal hands as the page asks for them: the bet once, and how many hands."""
    sealed(player, "video", "jacks-9-6")
    fields = [("verb", "deal"), ("cut", CUT), ("stake", str(bet)), ("lines", str(lines))]
    player.post(f"/play/video/{player.hand}/0", fields)
    if player.status == 200:
        player.board = player.answer.json
    return player.answer.json


def page_of(player: Player) -> str:
    return player.get("/play/video", Accept="text/html").text


@pytest.mark.parametrize("lines", [1, 3, 5, 10])
def test_the_stake_is_charged_once_and_the_sum_is_paid_once(app: Flask, alice: Player, lines: int) -> None:
    assert deal(alice, 4, lines)["stakes"] == [4] * lines
    assert alice.board["purse"] == 100 - 4 * lines
    paid = sum(alice.do("hold-1-2")["result"]["payouts"])
    assert alice.board["purse"] == 100 - 4 * lines + paid
    entries = [tuple(row) for row in all_rows(app, LEDGER, key=alice.hand)]
    assert entries == [("stake", -4 * lines), *([("payout", paid)] if paid else [])]
    told = finished_json(alice, alice.hand)
    assert (told["staked"], told["net"]) == (4 * lines, paid - 4 * lines)
    assert findings(app) == []


def test_the_highest_bets_on_ten_hands_fit_into_the_books(app: Flask, alice: Player) -> None:
    deal(alice, 1, 1)
    alice.do("hold")
    tamper(app, "UPDATE purse SET balance = 1000000000")
    assert deal(alice, MOST_OF_SEVERAL + 1, 10)["error"] == "bad-stake"
    assert deal(alice, MOST_OF_SEVERAL, 10)["stakes"] == [MOST_OF_SEVERAL] * 10
    assert alice.do("hold-1-2-3")["purse"] >= 1000000000 - 10 * MOST_OF_SEVERAL
    assert finished_json(alice, alice.hand)["staked"] == 10 * MOST_OF_SEVERAL


@once
@pytest.mark.parametrize(("bet", "lines"), [(5, 2), (5, 4), (5, 11), (5, 99), (0, 3), (5, 0), (5, "x"), (5, "-3")])
def test_another_number_of_hands_is_refused_and_nothing_is_charged(alice: Player, bet: int, lines: int | str) -> None:
    assert deal(alice, bet, lines)["error"] == "bad-stake"
    assert alice.look("video")["purse"] == 100


@once
def test_more_hands_than_the_purse_pays_for_are_refused_and_the_same_hand_is_dealt_with_fewer(alice: Player) -> None:
    assert deal(alice, 20, 10)["error"] == "purse-too-small"
    hand = alice.hand
    assert deal(alice, 20, 5)["hand"] == hand
    assert alice.board["purse"] == 0


@once
def test_the_number_of_hands_is_remembered_and_follows_the_purse(app: Flask, alice: Player) -> None:
    assert 'value="1" data-most="100" selected' in page_of(alice)
    deal(alice, 2, 5)
    alice.do("hold-1-2-3-4-5")
    assert re.search(r'value="5" data-most="\d+" selected', page_of(alice))
    tamper(app, "UPDATE purse SET balance = 4")
    page = page_of(alice)
    assert 'value="3" data-most="1" selected' in page
    assert 'value="5"' not in page
    assert "Your purse pays for 3 hands at most" in page
    assert re.search(r'id="stake"[^>]* value="1"', page)


@once
def test_the_same_deal_is_played_again_with_as_many_hands(alice: Player, bob: Player) -> None:
    deal(alice, 2, 3)
    alice.do("hold-1-2")
    board = bob.post(f"/h/{alice.hand}/again").json
    assert board["stakes"] == [2, 2, 2]
    bob.game, bob.board = "video", board
    assert bob.do("hold-1-2")["view"]["lines"] == alice.board["view"]["lines"]
    assert bob.look("video")["purse"] == 100


@once
def test_the_text_names_the_cards_of_every_hand_and_what_each_has_brought(alice: Player) -> None:
    deal(alice, 2, 3)
    alice.do("hold-1-2")
    view = alice.board["view"]
    text = alice.get(f"/h/{alice.hand}.txt").text
    rows = [line for line in text.splitlines() if re.match(r"Hand \d of 3: ", line)]
    assert [row[5] for row in rows] == ["1", "2", "3"]
    for row, cards in zip(rows, (line["hand"] for line in view["lines"]), strict=True):
        assert all(card_name(card) in row for card in parse_cards(" ".join(cards))), (row, cards)
    paid = sum(alice.board["result"]["payouts"])
    assert sum(int(row.rpartition(" ")[2].replace("−", "-")) for row in rows) == paid - 6
    deal(alice, 2, 1)
    alice.do("hold-1-2")
    assert "Hand 1 of" not in alice.get(f"/h/{alice.hand}.txt").text


@once
def test_ones_own_page_says_that_of_several_hands_the_best_one_counts(alice: Player) -> None:
    deal(alice, 2, 5)
    alice.do("hold-1-2")
    told = alice.get("/me").json["games"][0]
    assert (told["hands"], told["staked"]) == (1, 10)
    assert [outcome["code"] for outcome in told["outcomes"]] == [alice.board["result"]["labels"][0]["code"]]
    said = "Of several hands from one hold the best one counts."
    assert said in alice.get("/me", Accept="text/html").text
    dealt(alice)
    finished(alice)
    assert alice.get("/me", Accept="text/html").text.count(said) == 1


@once
def test_ten_hands_are_one_light_answer(alice: Player) -> None:
    deal(alice, 1, 10)
    headers = {**SAME_ORIGIN, "Accept": "text/html", "HX-Request": "true"}
    fields = {"verb": "hold", "arg": ["1"]}
    answer = alice.line.client.post(f"/play/video/{alice.hand}/0", data=fields, headers=headers)
    assert answer.get_data(as_text=True).count('data-cards="line-') == 9
    assert len(gzip.compress(answer.get_data())) <= PARTIAL


def test_a_mistake_with_ten_hands_is_as_bad_as_with_one() -> None:
    one, ten = ({"costs": [0.3 * count], "measure": 5 * count} for count in (1, 10))
    assert _shares(ten, ",".join(["5"] * 10), "coins") == pytest.approx(_shares(one, "5", "coins"))
