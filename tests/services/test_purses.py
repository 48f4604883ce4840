"""Chips: charged with the deal and not before, never twice, never below zero, and always adding up."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask

from tests.support.player import Player
from tests.support.rows import findings, tamper
from tests.support.server import Server
from tests.support.table_players import play_out, playing, see_all
from webapp.extensions import db
from webapp.models import LedgerEntry, Purse
from webapp.services.fairness.verification import checks
from webapp.services.operations.audit import audit
from webapp.services.purses import CEILING

START = 100
TOO_MUCH = "1" + "0" * 30


def ledger(app: Flask) -> list[tuple[str, int, int]]:
    with app.app_context():
        entries = db.session.query(LedgerEntry).order_by(LedgerEntry.id)
        return [(entry.reason, entry.amount, entry.balance_after) for entry in entries]


def books_are_right(app: Flask) -> bool:
    with app.app_context():
        return list(audit()) == []


def play_to_the_end(player: Player) -> None:
    while not player.over:
        player.act("stop") if "stop" in player.actions else player.do(player.actions[-1])
        assert player.status == 200


def lose_everything(player: Player) -> None:
    """Bet everything and throw away all cards that could pay."""
    while player.board["purse"]:
        player.sit("joker", "kings-or-better")
        player.deal("cut", [player.board["purse"]])
        while not player.over:
            player.act("hold")


def test_a_run_starts_with_a_hundred_coins_before_and_after_sitting_down(alice: Player) -> None:
    assert alice.look("joker")["purse"] == START
    assert alice.sit("joker")["purse"] == START


def test_the_bet_is_charged_with_the_deal_and_not_before(app: Flask, alice: Player) -> None:
    alice.sit("joker")
    assert ledger(app) == [("run", START, START)]
    assert alice.deal("cut", [30])["purse"] == START - 30
    assert ledger(app)[1:] == [("stake", -30, START - 30)]


def test_a_deal_sent_again_is_charged_once(app: Flask, alice: Player) -> None:
    alice.sit("joker")
    alice.deal("cut", [30])
    for _ in range(3):
        again = alice.post(f"/play/joker/{alice.hand}/0", [("verb", "deal"), ("cut", "cut"), ("stake", "30")]).json
        assert (again["note"], again["purse"]) == ("repeated", START - 30)
    assert len(ledger(app)) == 2


def test_another_bet_after_the_deal_comes_too_late(alice: Player) -> None:
    alice.sit("joker")
    alice.deal("cut", [30])
    late = alice.deal("cut", [1])
    assert (late["note"], late["stakes"], late["purse"]) == ("moved-on", [30], START - 30)


@pytest.mark.parametrize(
    "stake", ["0", "-5", "1.5", "1e3", "１０１", TOO_MUCH, "NaN", "inf", "", " 5", "+5", "05", "101"]
)
def test_a_bet_that_cannot_be_is_refused_and_nothing_is_charged_or_dealt(app: Flask, alice: Player, stake: str) -> None:
    alice.sit("joker")
    said = alice.post(f"/play/joker/{alice.hand}/0", [("verb", "deal"), ("cut", "cut"), ("stake", stake)]).json
    assert alice.status == 422
    assert said["error"] in ("bad-stake", "purse-too-small")
    assert (said["hand"]["status"], said["hand"]["purse"]) == ("ready", START)
    assert ledger(app) == [("run", START, START)]
    assert alice.deal("cut", [100])["status"] == "live"


def test_two_bets_at_a_table_for_one_are_refused(alice: Player) -> None:
    alice.sit("joker")
    assert alice.deal("cut", [5, 5])["error"] == "bad-stake"


def test_the_payout_is_the_bet_times_the_line_and_the_books_add_up(app: Flask, alice: Player) -> None:
    for bet in (1, 7, 20):
        before = alice.sit("joker", "arcade")["purse"]
        alice.deal("cut", [bet])
        play_to_the_end(alice)
        lines = {line["code"]: line["pays"] for line in alice.board["rules"]["pay_table"]["lines"]}
        (payout,) = alice.board["result"]["payouts"]
        assert payout == bet * lines.get(alice.board["view"]["line"], 0)
        assert alice.board["purse"] == before - bet + payout
    assert books_are_right(app)


def test_at_zero_the_run_is_over_and_the_next_one_starts_with_a_hundred(app: Flask, alice: Player) -> None:
    alice.sit("joker", "kings-or-better")
    lose_everything(alice)
    assert (alice.look()["purse"], alice.board["runs"]) == (0, 1)
    again = alice.sit("joker")
    assert (again["purse"], again["runs"]) == (START, 2)
    assert again["peak"] >= START
    assert books_are_right(app)


def test_a_hand_in_play_is_not_disturbed_by_asking_for_a_new_run(app: Flask, alice: Player) -> None:
    alice.sit("joker")
    alice.deal("cut", [40])
    said = alice.post("/play/joker", [("run", "new")]).json
    assert (alice.status, said["hand"], said["status"]) == (200, alice.hand, "live")
    assert (said["purse"], said["runs"]) == (START - 40, 1)
    assert books_are_right(app)


def test_a_new_run_may_be_begun_between_hands(app: Flask, alice: Player) -> None:
    alice.sit("joker")
    alice.deal("cut", [40])
    play_to_the_end(alice)
    said = alice.post("/play/joker", [("run", "new")]).json
    assert (said["purse"], said["runs"]) == (START, 2)
    assert books_are_right(app)


def fill_up(app: Flask, room: int = 0) -> None:
    """Give the only player the maximal purse, but for some room, with matching ledger entries."""
    with app.app_context():
        purse = db.session.query(Purse).one()
        gift = {"player_id": purse.player_id, "game": purse.game, "reason": f"luck-{purse.hands}", "at": 0}
        full = CEILING - room
        if purse.balance != full:
            db.session.add(LedgerEntry(amount=full - purse.balance, balance_after=full, **gift))
        purse.balance, purse.peak = full, max(purse.peak, full)
        db.session.commit()


def test_a_purse_is_filled_up_to_its_ceiling_and_no_further(app: Flask, alice: Player) -> None:
    alice.sit("joker")
    for _ in range(200):
        fill_up(app)
        alice.sit("joker")
        alice.deal("cut", [10])
        play_to_the_end(alice)
        assert alice.board["purse"] <= CEILING
        if alice.board["result"]["payouts"][0] > 10:
            break
    assert alice.board["purse"] == CEILING
    assert books_are_right(app)


@pytest.mark.parametrize("room", [0, 3])
def test_what_a_full_purse_has_no_room_for_is_said_to_be_paid_nowhere(app: Flask, alice: Player, room: int) -> None:
    """The board, the page of the hand, its text and JSON, the list of hands and the ledger all say the same."""
    payout = 0
    alice.sit("joker")
    while payout <= 10 + room:
        fill_up(app, room)
        alice.sit("joker")
        before = alice.board["purse"]
        alice.deal("cut", [10])
        play_to_the_end(alice)
        (payout,) = alice.board["result"]["payouts"]
    unpaid = payout - 10 - room
    assert (alice.board["purse"], alice.board["purse"] - before) == (CEILING, room)
    assert alice.board["unpaid"] == unpaid
    assert ledger(app)[-1] == ("payout", 10 + room, CEILING)
    page = f"/h/{alice.hand}"
    finished = alice.get(f"{page}.json").json
    assert (finished["net"], finished["unpaid"], finished["payouts"]) == (room, unpaid, [payout])
    assert all(check.ok for check in checks(finished))
    (listed,) = (hand for hand in alice.get("/me").json["hands"] if hand["hand"] == alice.hand)
    assert (listed["net"], listed["payout"]) == (room, 10 + room)
    net = f"+{room}" if room else "±0"
    assert f"{net}\n" in alice.get(f"{page}.txt").text
    for path in (page, "/play/joker?hand=" + alice.hand):
        shown = alice.get(path, Accept="text/html").text
        assert f"{unpaid} not paid" in shown
        assert f"+{payout - 10}" not in shown
    assert books_are_right(app)


def test_hands_that_are_played_for_no_chips_know_of_no_full_purse(app: Flask, alice: Player) -> None:
    payout = 0
    alice.sit("joker")
    while payout <= 10:
        fill_up(app)
        alice.sit("joker")
        alice.deal("cut", [10])
        play_to_the_end(alice)
        (payout,) = alice.board["result"]["payouts"]
    moves = alice.get(f"/h/{alice.hand}.json").json["moves"]
    alice.board = alice.post(f"/h/{alice.hand}/again").json
    for move in moves:
        alice.do(move)
    assert alice.board["unpaid"] == 0
    finished = alice.get(f"/h/{alice.hand}.json").json
    assert (finished["net"], finished["unpaid"]) == (payout - 10, 0)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_round_of_a_shared_table_is_paid_into_the_fullest_purses(app: Flask) -> None:
    at = playing(app, 2)
    with app.app_context():
        for purse in db.session.query(Purse):
            gift = {"player_id": purse.player_id, "game": purse.game, "reason": f"luck-{purse.hands}", "at": 0}
            db.session.add(LedgerEntry(amount=CEILING - purse.balance, balance_after=CEILING, **gift))
            purse.balance = purse.peak = CEILING
        db.session.commit()
    play_out(at)
    see_all(at)
    assert at[0].phase == "settled"
    nets = [seat["net"] for seat in at[0].table["seats"]]
    assert sum(nets) == 0
    assert books_are_right(app)


def test_the_last_bet_is_offered_again_as_far_as_the_purse_goes(alice: Player) -> None:
    alice.sit("joker", "kings-or-better")
    alice.deal("cut", [60])
    while not alice.over:
        alice.act("hold")
    page = alice.get("/play/joker", Accept="text/html").text
    usual = min(60, alice.board["purse"]) or START
    assert f'value="{usual}"' in page


def test_of_eight_deals_at_once_with_a_purse_for_one_exactly_one_is_dealt(server: Server) -> None:
    alice = Player(server.url)
    alice.sit("joker")
    fields = [("verb", "deal"), ("cut", "cut"), ("stake", str(START))]
    twins = [Player(server.url) for _ in range(8)]
    for twin in twins:
        twin.line.cookies = dict(alice.line.cookies)
    with ThreadPoolExecutor(8) as pool:
        path = f"/play/joker/{alice.hand}/0"
        answers = list(pool.map(lambda twin: twin.post(path, fields), twins))
    assert [answer.status for answer in answers] == [200] * 8
    assert sorted(str(answer.json["note"]) for answer in answers) == ["None", *["repeated"] * 7]
    assert {answer.json["purse"] for answer in answers} == {0}


@pytest.mark.parametrize(("game", "stakes"), [("joker", [10]), ("blackjack", [100])])
def test_the_list_of_hands_says_what_each_has_brought(alice: Player, game: str, stakes: list[int]) -> None:
    """It shows the gain, not the payout: a hand that returns its stake has won nothing."""
    before, brought = {}, {}
    for _ in range(8):
        sat = alice.sit(game)
        before[sat["hand"]] = sat["purse"]
        alice.deal("cut", stakes)
        while not alice.over:
            verb = next(verb for verb in ("decline", "stand", "stop", "collect") if verb in alice.actions)
            alice.act(verb)
        brought[alice.hand] = alice.board["purse"] - before[alice.hand]
    listed = {hand["hand"]: hand["net"] for hand in alice.get("/me").json["hands"]}
    assert listed == brought
    page = alice.get("/me/hands", Accept="text/html").text
    for net in brought.values():
        assert (f"<span>+{net}</span>" if net > 0 else f"<span>−{-net}</span>" if net else "<span>±0</span>") in page


def test_the_audit_forgives_what_the_ceiling_cut_and_no_more(app: Flask, alice: Player) -> None:
    """An overcharged stake is found even if the payout of the same hand was reduced by the ceiling."""
    alice.sit("joker")
    while True:
        fill_up(app)
        alice.sit("joker")
        alice.deal("cut", [10])
        play_to_the_end(alice)
        if alice.board["result"]["payouts"][0] > 10:
            break
    assert findings(app) == []
    change = "UPDATE ledger_entry SET amount = amount - 7 WHERE hand_key = :key AND reason = 'stake'"
    tamper(app, change, key=alice.hand)
    found = [line for line in findings(app) if line.startswith("hand ")]
    assert found == [f"hand {alice.hand} has ledger entries of -7 where 0 is due"]


def test_a_new_run_begins_with_the_bet_of_the_table_and_not_with_all_of_its_chips(alice: Player) -> None:
    alice.sit("joker", "kings-or-better")
    lose_everything(alice)
    alice.sit("joker", "kings-or-better")
    assert alice.board["purse"] == START
    page = alice.line.ask("GET", "/play/joker", [], {"Accept": "text/html"})
    assert re.findall(r'name="stake"[^>]* value="(\d*)"', page.text) == [str(START // 10)]
