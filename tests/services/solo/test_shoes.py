"""A shoe spans rounds: one commitment, one cut, no shuffle within a round; and every shoe is revealed in the end."""

from random import Random
from typing import Any

import pytest
from flask import Flask

from tests.support.answer_forms import FORMS
from tests.support.cookies import content_of, cookie_of, send_from_now_on, signed, tab_of
from tests.support.moves import dealt, dealt_and_live, finished, finished_json, sealed
from tests.support.player import Json, Player
from tests.support.rows import findings, row, tamper
from webapp.services.fairness.sealing import Sealer
from webapp.services.fairness.verification import checks
from webapp.services.solo import expiry

DAY = 24 * 3600
GAME = "blackjack"
once = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def round_of(player: Player, table: str = "vegas", cut: str = "a-cut", stakes: tuple[int, ...] = (10,)) -> str:
    """Play a round to its end; return its key."""
    dealt(player, cut, GAME, table, stakes)
    assert player.status == 200, player.answer.text
    return finished(player, Random(7))


def require_hidden(player: Player, *keys: str) -> None:
    for key in keys:
        hand = finished_json(player, key)
        assert (hand["proof"], hand["proof_opens"]) == (None, "when-the-shoe-is-finished")
        assert checks(hand)[0].kind == "payout"


def require_open(player: Player, *keys: str) -> list[Json]:
    """Assert that each round can be verified; return their JSON."""
    hands = [finished_json(player, key) for key in keys]
    for hand in hands:
        assert [(check.kind, check.ok) for check in checks(hand)] == [
            (k, True) for k in ("commitment", "packs", "cards", "payout")
        ]
    return hands


def seconds_pass(app: Flask, seconds: int = DAY + 60) -> None:
    tamper(app, "UPDATE shoe SET moved_at = moved_at - :s", s=1000 * seconds)
    tamper(app, "UPDATE hand SET moved_at = moved_at - :s", s=1000 * seconds)


def somebody_sits_down(app: Flask) -> None:
    sealed(Player(app.test_client()))


# ------------------------------------------------------------------------------------------------ round behind round


@pytest.mark.parametrize("table", ["single", "european,decks=1", "downtown,decks=1,penetration=0.5"])
def test_rounds_come_from_one_shoe_until_the_cut_card_and_then_all_of_them_are_proved(
    app: Flask, alice: Player, bob: Player, table: str
) -> None:
    first = sealed(alice, GAME, table)
    keys: list[str] = []
    gone = 0
    while True:
        assert (alice.board["commitment"], alice.board["shoe"]["dealt"]) == (first["commitment"], gone)
        assert alice.board["cut"] == (None if gone == 0 else "the-cut"), "asked for the first round only"
        assert ("set-cookie" in alice.answer.headers) == (gone == 0)
        alice.deal("the-cut" if gone == 0 else f"another-{gone}", (10, 15))
        assert alice.board["cut"] == "the-cut"
        keys.append(finished(alice))
        gone = alice.board["shoe"]["dealt"]
        if gone >= alice.board["shoe"]["cut_card"]:
            break
        require_hidden(bob, *keys)
        sealed(alice, GAME, table)
    assert len(keys) > 1
    at = 0
    for hand in require_open(bob, *keys):
        assert (hand["proof"]["offset"], hand["proof"]["cuts"]) == (at, ["the-cut"])
        assert hand["proof"]["commitment"] == first["commitment"]
        at += len(hand["cards"][0])
    assert at == gone <= 52
    fresh = sealed(alice, GAME, table)
    assert fresh["commitment"] != first["commitment"]
    assert (fresh["shoe"]["dealt"], fresh["cut"]) == (0, None), "shuffled, between two rounds"
    assert findings(app) == []


@once
def test_the_cut_card_comes_inside_a_round_and_the_round_goes_on_from_the_same_shoe(alice: Player) -> None:
    """The shoe is dealt to one card before the cut card; the next round takes its cards from the rest."""
    while True:
        before = sealed(alice, GAME, "single")["shoe"]["dealt"]
        alice.deal("cut", (10, 10, 10))
        key, commitment = alice.hand, alice.board["commitment"]
        while not alice.over:
            alice.do("hit" if "hit" in alice.actions else alice.actions[-1])
            assert alice.board["commitment"] == commitment
        if alice.board["shoe"]["dealt"] > alice.board["shoe"]["cut_card"]:  # a round may end just there
            break
    assert before < alice.board["shoe"]["cut_card"] < alice.board["shoe"]["dealt"] <= 52
    (hand,) = require_open(alice, key)
    assert hand["proof"]["offset"] == before


@once
def test_a_bad_cut_is_refused_for_a_later_round_too_and_the_shoe_stays(alice: Player) -> None:
    first = round_of(alice)
    sealed(alice, GAME)
    assert alice.deal("no cut", (10,))["error"] == "bad-cut"
    assert alice.deal("-", (10,))["error"] == "bad-cut"
    alice.deal("", (10,))
    assert (alice.status, alice.board["cut"]) == (200, "a-cut")
    require_hidden(alice, first)


@once
def test_a_silent_seat_leaves_its_shoe_uncut_for_good(alice: Player) -> None:
    keys = [round_of(alice, cut=cut) for cut in ("", "now-i-cut")]
    sealed(alice, GAME, "single")
    assert [hand["proof"]["cuts"] for hand in require_open(alice, *keys)] == [["-"], ["-"]]


@once
@pytest.mark.parametrize(("table", "stakes"), [("classic", ()), ("vegas,shuffle=continuous", (10,))])
def test_a_table_that_shuffles_before_each_round_proves_each_round_at_once(
    app: Flask, alice: Player, table: str, stakes: tuple[int, ...]
) -> None:
    seals = set()
    for cut in ("one", "two", "three"):
        key = round_of(alice, table, cut, stakes)
        (hand,) = require_open(alice, key)
        assert (hand["proof"]["id"], hand["proof"]["offset"], hand["proof"]["cuts"]) == (key, 0, [cut])
        seals.add(hand["proof"]["commitment"])
    assert len(seals) == 3
    assert row(app, "SELECT count(*) FROM shoe") == (0,)
    assert findings(app) == []


@once
def test_a_round_with_a_fresh_deck_in_between_does_not_touch_the_shoe(alice: Player) -> None:
    first = round_of(alice)
    gone, seal = alice.board["shoe"]["dealt"], alice.board["commitment"]
    round_of(alice, "classic", stakes=())
    require_hidden(alice, first)
    again = sealed(alice, GAME)
    assert (again["commitment"], again["shoe"]["dealt"]) == (seal, gone)


@once
def test_two_players_never_have_one_shoe(alice: Player, bob: Player) -> None:
    for player in (alice, bob):
        round_of(player)
        sealed(player, GAME, "single")
    proofs = [finished_json(player, key)["proof"] for player in (alice, bob) for key in latest(player)]
    assert len({proof["seed"] for proof in proofs}) == 2


def latest(player: Player) -> list[str]:
    return [hand["hand"] for hand in player.get("/me").json["hands"]]


# ------------------------------------------------------------------------------------------------ abandoned


@pytest.mark.parametrize("table", ["single", "vegas,soft_17=hit", "european"])
def test_a_shoe_left_for_another_table_opens_at_once(app: Flask, alice: Player, bob: Player, table: str) -> None:
    keys = [round_of(alice), round_of(alice)]
    require_hidden(bob, *keys)
    assert sealed(alice, GAME, table)["shoe"]["dealt"] == 0
    require_open(bob, *keys)
    assert sealed(alice, GAME)["shoe"]["dealt"] == 0, "and nobody ever deals from it again"
    assert findings(app) == []


@once
def test_a_cookie_lost_between_two_rounds_costs_nothing(app: Flask, alice: Player) -> None:
    """After the cut, the sealed seed is stored in the database, too."""
    first = round_of(alice)
    gone, seal = alice.board["shoe"]["dealt"], alice.board["commitment"]
    send_from_now_on(alice, signed(app, {"player": content_of(app, cookie_of(alice))["player"]}))
    again = sealed(alice, GAME)
    assert (again["commitment"], again["shoe"]["dealt"]) == (seal, gone)
    alice.deal("", (10,))
    second = finished(alice)
    sealed(alice, GAME, "single")
    require_open(alice, first, second)
    assert findings(app) == []


@once
def test_a_cookie_lost_before_the_cut_makes_a_new_shoe(app: Flask, alice: Player) -> None:
    round_of(alice)
    owner = content_of(app, cookie_of(alice))["player"]
    first = sealed(alice, GAME, "single")
    tamper(app, "UPDATE shoe SET sealed_seed = NULL WHERE cut IS NULL")  # as versions had it that kept no copy
    send_from_now_on(alice, signed(app, {"player": owner}))
    assert alice.deal("cut", (10,))["error"] == "box-lost"
    second = sealed(alice, GAME, "single")
    assert second["commitment"] != first["commitment"]
    alice.deal("cut", (10,))
    finished(alice)
    assert row(
        app, "SELECT count(*) FROM shoe WHERE cut IS NULL AND revealed_seed IS NULL AND closed_at IS NOT NULL"
    ) == (1,)
    assert findings(app) == []


@once
def test_a_shoe_whose_hand_is_forfeited_opens_with_it(app: Flask, alice: Player, bob: Player) -> None:
    first = round_of(alice)
    dealt_and_live(alice, GAME)
    left = alice.hand
    seconds_pass(app)
    assert alice.get(f"/h/{left}").status == 404
    require_hidden(bob, first)
    somebody_sits_down(app)
    hands = require_open(bob, first, left)
    assert [hand["status"] for hand in hands] == ["done", "forfeited"]
    assert sealed(alice, GAME)["shoe"]["dealt"] == 0
    assert findings(app) == []


@pytest.mark.parametrize("sitting", [False, True], ids=["between rounds", "sitting at the next one"])
def test_a_shoe_whose_player_never_comes_back_opens_after_a_day(
    app: Flask, alice: Player, bob: Player, sitting: bool
) -> None:
    keys = [round_of(alice), round_of(alice)]
    if sitting:
        sealed(alice, GAME)
    seconds_pass(app, DAY - 60)
    somebody_sits_down(app)
    require_hidden(bob, *keys)
    seconds_pass(app, 120)
    require_hidden(bob, *keys)
    somebody_sits_down(app)
    require_open(bob, *keys)
    assert findings(app) == []
    if sitting:
        late = alice.deal("cut", (10,))
        assert (alice.status, late["note"], late["status"], late["seq"]) == (200, "moved-on", "void", 3)
        assert (late["cut"], late["url"]) == ("a-cut", f"/h/{alice.hand}"), "it had a cut, so all see it"
        page = alice.post(f"/play/{GAME}/{alice.hand}/0", [("verb", "deal"), ("stake", "10")], **FORMS["fragment"]).text
        assert page.count("It was never played out; nothing was lost.") == 2, "on the felt and for a screen reader"
        assert "moved on" not in page
    assert sealed(alice, GAME)["shoe"]["dealt"] == 0, "whoever comes back later finds a fresh one"
    alice.deal("again", (10,))
    finished(alice)
    assert findings(app) == []


@once
def test_a_player_who_comes_back_first_goes_on_with_the_shoe(app: Flask, alice: Player) -> None:
    first = round_of(alice)
    gone = alice.board["shoe"]["dealt"]
    seconds_pass(app)
    assert sealed(alice, GAME)["shoe"]["dealt"] == gone
    somebody_sits_down(app)
    require_hidden(alice, first)
    assert alice.deal("", (10,))["note"] is None
    finished(alice)
    assert findings(app) == []


def test_a_hand_in_play_keeps_its_shoe_open(app: Flask, alice: Player, bob: Player) -> None:
    first = round_of(alice)
    dealt_and_live(alice, GAME)
    tamper(app, "UPDATE shoe SET moved_at = moved_at - :s", s=2000 * DAY)
    somebody_sits_down(app)
    require_hidden(bob, first)
    finished(alice)
    assert findings(app) == []


@once
def test_a_shoe_that_was_never_cut_is_closed_with_nothing_to_show(app: Flask, alice: Player) -> None:
    sealed(alice, GAME)
    seconds_pass(app)
    somebody_sits_down(app)
    assert row(app, "SELECT revealed_seed, closed_at IS NULL FROM shoe") == (None, False)
    assert alice.get(f"/h/{alice.hand}").status == 404
    assert findings(app) == []


def test_many_shoes_left_behind_are_closed_a_few_at_a_time(app: Flask) -> None:
    for _ in range(7):
        round_of(Player(app.test_client()))
    seconds_pass(app)
    still_open = []
    for _ in range(3):
        somebody_sits_down(app)
        still_open.append(row(app, "SELECT count(*) FROM shoe WHERE closed_at IS NULL")[0])
    assert still_open == [7 - expiry.AT_ONCE, 7 - 2 * expiry.AT_ONCE, 0]
    assert findings(app) == []


def test_shoes_that_no_key_opens_keep_nobody_from_playing(app: Flask, alice: Player, bob: Player) -> None:
    for _ in range(5):
        lost = Player(app.test_client())
        round_of(lost)
    owner = row(app, "SELECT player_id FROM shoe")[0]
    tamper(app, "UPDATE shoe SET sealed_seed = :token", token=Sealer(["gone"]).seal("x", owner, bytes(32)))
    honest = round_of(alice)
    seconds_pass(app)
    for _ in range(3):
        somebody_sits_down(app)
    require_open(bob, honest)
    assert row(app, "SELECT count(*) FROM shoe WHERE closed_at IS NULL") == (5,)


@once
def test_looking_closes_no_shoe(app: Flask, alice: Player) -> None:
    first = round_of(alice)
    seconds_pass(app)
    for path in ("/", "/me", "/me/hands", "/me/decisions", f"/play/{GAME}", f"/h/{first}"):
        alice.get(path)
        assert alice.status == 200, path
    require_hidden(alice, first)


# ------------------------------------------------------------------------------------------------ turned back


@once
def test_a_cookie_from_an_earlier_place_in_the_shoe_deals_no_card_again(app: Flask, alice: Player) -> None:
    """The cookie contains the seed and not the position, so all old cookies are equivalent."""
    sealed(alice, GAME)
    cookies, keys = [cookie_of(alice)], []
    for number in range(4):
        alice.deal("cut", (10,))
        keys.append(finished(alice, Random(number)))
        cookies.append(cookie_of(alice))
        send_from_now_on(alice, cookies[number // 2])
        sealed(alice, GAME)
    gone = alice.board["shoe"]["dealt"]
    sealed(tab_of(alice), GAME, "single")
    at = 0
    for hand in require_open(alice, *keys):
        assert hand["proof"]["offset"] == at
        at += len(hand["cards"][0])
    assert at == gone
    assert findings(app) == []


@once
def test_the_cookie_of_a_shoe_that_is_finished_deals_nothing_from_it(app: Flask, alice: Player) -> None:
    sealed(alice, GAME)
    old, seal = cookie_of(alice), alice.board["commitment"]
    alice.deal("cut", (10,))
    key = finished(alice)
    round_of(alice, "single")
    send_from_now_on(alice, old)
    board = sealed(alice, GAME)
    assert board["commitment"] != seal
    assert (board["shoe"]["dealt"], board["cut"]) == (0, None)
    require_open(alice, key)
    alice.deal("cut", (10,))
    finished(alice)
    assert findings(app) == []


@once
@pytest.mark.parametrize("stakes", [(10, 25), (10,), (25, 10), (10, 10, 10)])
def test_other_stakes_sent_again_for_a_dealt_round_change_nothing(app: Flask, alice: Player, stakes: Any) -> None:
    dealt_and_live(alice, GAME)
    first = alice.board
    again = alice.deal("my-cut", stakes)
    assert (alice.status, again["note"]) == (200, "repeated" if stakes == (10, 25) else "moved-on")
    assert again | {"note": None} == first | {"note": None}
    assert findings(app) == []
