"""The prepared next hand, committed to at the end of a hand: one request deals it; unused it leaves no trace."""

from random import Random

import pytest
from flask import Flask

from tests.support.cookies import content_of, cookie_of, send_from_now_on, signed, tab_of
from tests.support.moves import ELSEWHERE, TABLES, dealt, every_game, finished, finished_json, sealed, stakes_of
from tests.support.player import Json, Player
from tests.support.rows import findings, row, rows, tamper
from webapp.services.fairness.verification import checks

DAY = 24 * 3600 * 1000
PREPARED = "SELECT key, status, cut, commitment FROM hand WHERE seq = 0"


def ended(player: Player, game: str) -> Json:
    """Play a hand to its end; return the prepared one."""
    dealt(player, game=game)
    finished(player, Random(3))
    following: Json = player.board["next"]
    return following


def deal_next(player: Player, cut: str = "next-cut", hand: str = "", **fields: str) -> Json:
    path = f"/play/{player.game}/{hand or player.board['next']['hand']}/0"
    sent = [("verb", "deal"), ("cut", cut), *fields.items(), *(("stake", str(chips)) for chips in stakes_of(player))]
    said: Json = player.post(path, sent).json
    if player.status == 200:
        player.board = said
    return said


@every_game
def test_an_answer_that_ends_a_hand_names_the_next_one_and_one_request_deals_it(
    app: Flask, alice: Player, game: str
) -> None:
    following = ended(alice, game)
    assert row(app, PREPARED) == (following["hand"], "ready", None, following["commitment"]), "stored before any cut"
    for number in range(2, 6):
        following = alice.board["next"]
        assert alice.board["seq"] == number - 1
        board = deal_next(alice)
        assert (alice.status, board["note"], board["seq"]) == (200, None, number)
        assert (board["hand"], board["commitment"]) == (following["hand"], following["commitment"])
        assert board["cut"] == (following["cut"] or "next-cut")
        assert "set-cookie" not in alice.answer.headers or alice.over
        finished(alice, Random(number))
        assert findings(app) == []


@every_game
def test_a_hand_that_was_prepared_proves_itself_like_any_other(app: Flask, alice: Player, game: str) -> None:
    ended(alice, game)
    deal_next(alice)
    finished(alice, Random(1))
    key = alice.hand
    sealed(alice, game, ELSEWHERE[game])  # closes the shoe
    hand = finished_json(alice, key)
    assert all(check.ok for check in checks(hand))
    assert {check.kind for check in checks(hand)} >= {"commitment", "cards", "payout"}


@every_game
def test_a_hand_that_is_not_over_names_no_next_one(alice: Player, game: str) -> None:
    board = dealt(alice, game=game)
    while board["result"] is not None:
        board = dealt(alice, game=game)
    assert board["next"] is None
    assert sealed(alice, game)["next"] is None


@every_game
def test_the_empty_table_and_the_finished_hand_name_it_too_and_the_answer_to_a_copy(
    app: Flask, alice: Player, game: str
) -> None:
    following = ended(alice, game)
    step, key, before = alice.step, alice.hand, rows(app)
    empty = alice.get(f"/play/{game}?table={TABLES[game]}").json
    assert (empty["hand"], empty["status"], empty["seq"], empty["next"]) == (None, None, None, following)
    assert alice.get(f"/play/{game}?hand={key}").json["next"] == following
    assert alice.get(f"/play/{game}?table={ELSEWHERE[game]}").json["next"] is None
    assert step > 0 or game == "blackjack"
    copy = alice.act("stand" if game == "blackjack" else "hold", step=0, hand=key)
    assert (alice.status, copy["next"]) == (200, following)
    assert rows(app) == before


@every_game
def test_sitting_down_takes_the_hand_that_is_prepared(app: Flask, alice: Player, game: str) -> None:
    following = ended(alice, game)
    board = sealed(alice, game)
    assert (alice.status, board["seq"], board["status"]) == (201, 2, "ready")
    assert (board["hand"], board["commitment"]) == (following["hand"], following["commitment"])
    assert "set-cookie" not in alice.answer.headers
    assert alice.deal("cut", stakes_of(alice))["seq"] == 2
    assert findings(app) == []


@every_game
def test_a_prepared_hand_that_is_never_dealt_leaves_no_row_and_no_gap(app: Flask, alice: Player, game: str) -> None:
    """The player changes the table after each hand."""
    gone = []
    for number in range(1, 6):
        dealt(alice, game=game, table=(TABLES[game], ELSEWHERE[game])[number % 2])
        assert alice.board["seq"] == number
        finished(alice, Random(number))
        gone.append(alice.board["next"]["hand"])
    assert row(app, "SELECT count(*), max(seq) FROM hand WHERE seq > 0") == (5, 5)
    assert row(app, "SELECT count(*) FROM hand WHERE seq = 0") == (1,)
    assert row(app, "SELECT count(*) FROM hand WHERE status = 'void'") == (0,)
    unused = "SELECT count(*) FROM shoe WHERE key NOT IN (SELECT shoe_key FROM hand WHERE shoe_key IS NOT NULL)"
    assert row(app, unused) == (0,)
    for key in gone[:-1]:
        assert row(app, "SELECT 1 FROM hand WHERE key = :key", key=key) is None
    assert findings(app) == []


@every_game
def test_it_is_dealt_once_however_often_and_from_however_many_tabs_it_is_asked_for(
    app: Flask, alice: Player, game: str
) -> None:
    hand = ended(alice, game)["hand"]
    tab = tab_of(alice)
    first = deal_next(alice)
    purse = first["purse"]
    for late in (deal_next(tab, "next-cut", hand), deal_next(tab_of(tab), "another", hand)):
        assert (late["hand"], late["seq"], late["purse"]) == (first["hand"], 2, purse)
        assert late["note"] in ("repeated", "moved-on")
        assert late["cut"] == first["cut"]
    assert findings(app) == []


@every_game
def test_an_old_cookie_or_none_of_the_seeds_changes_nothing(app: Flask, alice: Player, game: str) -> None:
    sealed(alice, game)
    old = cookie_of(alice)
    alice.deal("cut", stakes_of(alice))
    finished(alice, Random(2))
    send_from_now_on(alice, old)
    board = deal_next(alice)
    assert (alice.status, board["note"], board["seq"]) == (200, None, 2)
    finished(alice, Random(2))
    assert findings(app) == []


@every_game
def test_nobody_else_deals_it_sees_it_or_learns_that_it_is_there(
    app: Flask, alice: Player, bob: Player, game: str
) -> None:
    following = ended(alice, game)
    sealed(bob, game)
    before = rows(app)
    for said in (
        bob.post(f"/play/{game}/{following['hand']}/0", [("verb", "deal"), ("cut", "mine"), ("stake", "10")]),
        bob.get(f"/play/{game}?hand={following['hand']}"),
        bob.get(f"/h/{following['hand']}"),
        alice.get(f"/h/{following['hand']}"),
    ):
        assert said.status == 404
    assert rows(app) == before


@every_game
def test_a_page_that_asks_for_one_that_is_gone_sits_down_instead(app: Flask, alice: Player, game: str) -> None:
    """Another tab has sat down at another table meanwhile; the old page's button still leads to a hand."""
    ended(alice, game)
    tab = tab_of(alice)
    sealed(tab, game, ELSEWHERE[game])
    assert deal_next(alice)["error"] == "hand-not-found", "a program that names no table is told so"
    board = deal_next(alice, table=TABLES[game])
    assert (alice.status, board["status"], board["seq"]) == (201, "ready", 3)
    assert alice.deal("cut", stakes_of(alice))["status"] in ("live", "done")
    assert findings(app) == []


@every_game
def test_one_whose_key_was_dropped_is_replaced(app: Flask, alice: Player, game: str) -> None:
    following = ended(alice, game)
    send_from_now_on(alice, signed(app, {"player": content_of(app, cookie_of(alice))["player"]}))
    owner = "shoe" if game == "blackjack" else "hand"
    where = "closed_at IS NULL" if game == "blackjack" else "seq = 0"
    tamper(app, f"UPDATE {owner} SET sealed_seed = 'gone' WHERE {where}")  # noqa: S608  # words of ours
    assert deal_next(alice)["error"] == "box-lost"
    void = row(app, "SELECT seq, status, cut, commitment FROM hand WHERE key = :key", key=following["hand"])
    assert void == (2, "void", following["cut"] or "next-cut", following["commitment"]), "it had a cut: all may see it"
    for _ in range(2):
        board = deal_next(alice, hand=following["hand"], table=TABLES[game])
        assert (board["status"], board["seq"], board["note"]) == ("ready", 3, "gone")
        assert board["hand"] != following["hand"]


def test_a_refused_bet_deals_nothing_and_numbers_nothing(app: Flask, alice: Player) -> None:
    ended(alice, "joker")
    following, before = alice.board["next"], rows(app)
    for stake, code in (("0", "bad-stake"), ("999999", "purse-too-small"), ("x", "bad-stake")):
        said = alice.post(f"/play/joker/{following['hand']}/0", [("verb", "deal"), ("stake", stake)])
        assert (said.status, said.json["error"]) == (422, code)
        assert (said.json["hand"]["status"], said.json["hand"]["seq"]) == ("ready", None)
    assert rows(app) == before
    assert deal_next(alice)["seq"] == 2


def test_a_move_before_its_deal_is_refused(app: Flask, alice: Player) -> None:
    ended(alice, "poker")
    before = rows(app)
    assert alice.act("hold", 1, step=0, hand=alice.board["next"]["hand"])["error"] == "not-dealt"
    assert rows(app) == before


def test_a_shoe_that_nobody_came_to_for_a_day_is_closed_and_its_next_hand_forgotten(
    app: Flask, alice: Player, bob: Player
) -> None:
    following = ended(alice, "blackjack")
    tamper(app, "UPDATE shoe SET moved_at = moved_at - :s", s=DAY + 60_000)
    sealed(bob)
    assert row(app, "SELECT 1 FROM hand WHERE key = :key", key=following["hand"]) is None
    assert row(app, "SELECT count(*) FROM shoe WHERE closed_at IS NULL") == (0,)
    board = deal_next(alice, table=TABLES["blackjack"])
    assert (alice.status, board["seq"]) == (201, 2)
    assert findings(app) == []


def test_the_last_round_of_a_shoe_prepares_the_first_of_a_new_one(app: Flask, alice: Player) -> None:
    sealed(alice, "blackjack", "single")
    alice.deal("first", (10,))
    shoes = set()
    for number in range(2, 60):
        finished(alice, Random(number))
        following, shoe = alice.board["next"], alice.board["commitment"]
        shoes.add(shoe)
        new = following["commitment"] != shoe
        assert (following["cut"] is None) == new
        if new:
            break
        deal_next(alice)
        assert alice.board["cut"] == "first", "a shoe is cut once"
    else:
        raise AssertionError("the cut card never came")
    assert deal_next(alice, "second")["cut"] == "second"
    assert (alice.board["seq"], alice.board["commitment"]) == (number, following["commitment"])
    assert findings(app) == []


@every_game
def test_a_restored_site_forgets_prepared_hands(app: Flask, alice: Player, game: str) -> None:
    from webapp.services.operations.restore import void_open_hands

    following, old = ended(alice, game), cookie_of(alice)
    with app.app_context():
        assert void_open_hands().in_play == 0
    assert findings(app) == []
    send_from_now_on(alice, old)
    assert deal_next(alice, hand=following["hand"], table=TABLES[game])["status"] != "live", "it may be known by now"
    assert dealt(alice, game=game)["hand"] != following["hand"]
    assert findings(app) == []


def test_the_audit_names_a_hand_that_is_played_without_a_number(app: Flask, alice: Player) -> None:
    dealt(alice)
    tamper(app, "UPDATE hand SET seq = 0")
    assert any("is live and has no number" in line for line in findings(app))


@pytest.mark.parametrize("game", ["joker", "blackjack"])
def test_a_purse_that_pays_no_bet_is_filled_by_the_next_deal_as_by_sitting_down(
    app: Flask, alice: Player, game: str
) -> None:
    ended(alice, game)
    balance = row(app, "SELECT balance FROM purse")[0]
    tamper(app, "UPDATE purse SET balance = 0")
    tamper(
        app,
        "UPDATE ledger_entry SET amount = amount - :b, balance_after = 0 WHERE id = (SELECT max(id) FROM ledger_entry)",
        b=balance,
    )
    board = sealed(alice, game)
    assert (board["purse"], board["seq"]) == (board["rules"]["bets"]["start"], 2)
    assert row(app, "SELECT runs FROM purse") == (2,)
