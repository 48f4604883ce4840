"""A key that was removed for good: decks it sealed cannot be opened, and their player plays on all the same."""

from collections.abc import Callable
from random import Random

import pytest
from flask import Flask

from tests.support.answer_forms import FORMS
from tests.support.clock import be_later
from tests.support.cookies import tab_of
from tests.support.moves import dealt, dealt_and_live, finished, finished_json, on_the_table, sealed
from tests.support.player import Player
from tests.support.rows import findings, row, rows, tamper
from webapp.services.fairness.verification import checks

HOUR = 3600
DAY = 24 * HOUR
Deploy = Callable[..., Flask]
PAGES = ("/", "/me", "/me/hands", "/me/decisions", "/play/poker", "/play/joker", "/play/video", "/play/blackjack")
OTHERS = {"poker": "joker", "joker": "poker", "video": "joker", "blackjack": "joker"}
every_game = pytest.mark.parametrize("game", OTHERS)


def left_lying(deploy: Deploy, game: str, key: str = "old") -> Player:
    """Return a player with a live hand sealed by this key, in a cookie signed by the next key."""
    alice = Player(deploy(key).test_client())
    dealt_and_live(alice, game)
    board = alice.board
    alice = tab_of(alice, deploy("new", key))
    dealt(alice, game=OTHERS[game])
    finished(alice)
    alice.board, alice.game = board, game
    return alice


def resumed(player: Player, app: Flask) -> Player:
    """Return the player at an app that has the key again, where the hand is as it was."""
    tab = tab_of(player, app)
    assert tab.look()["view"] == player.board["view"]
    return tab


def between_rounds(deploy: Deploy, key: str = "old") -> tuple[Player, list[str]]:
    """The same with an open shoe and no hand; also return the keys of the rounds played from it."""
    alice = Player(deploy(key).test_client())
    keys = []
    for _ in range(2):
        dealt(alice, game="blackjack", stakes=(10,))
        keys.append(finished(alice, Random(7)))
    alice = tab_of(alice, deploy("new", key))
    dealt(alice, game="poker")
    finished(alice)
    return alice, keys


def purse_of(player: Player, game: str) -> int:
    games = {career["game"]: career for career in player.get("/me").json["games"]}
    return int(games[game]["purse"])


def somebody_sits_down(app: Flask) -> None:
    sealed(Player(app.test_client()))


def notice_and_wait(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a day pass, the site notice that no key opens an overdue hand, and two more days pass."""
    be_later(monkeypatch, 25 * HOUR)
    for _ in range(3):
        somebody_sits_down(app)
    be_later(monkeypatch, 73 * HOUR + 60)


# ------------------------------------------------------------------------------------------------ meanwhile


def test_lists_are_shown_without_the_cards_of_what_no_key_opens(deployed: Deploy) -> None:
    alice, (first, second) = between_rounds(deployed)
    for path in PAGES:
        assert alice.get(path).status == 200  # what one site has shown is no help to another
    alice = tab_of(alice, deployed("new"))
    for path in PAGES:
        for form in FORMS.values():
            assert alice.get(path, **form).status == 200, path
    listed = {hand["hand"]: hand for hand in alice.get("/me").json["hands"]}
    assert len(listed) == 3
    for key in (first, second):
        assert (listed[key]["cards"], listed[key]["label"]["text"], listed[key]["payout"]) == ([], "Still sealed", None)
    assert alice.get("/", Accept="text/html").text.count("<b>Still sealed</b>") == 2
    assert alice.get("/me/hands", Accept="text/html").text.count("history__cards") == 1, "where there are cards"


@pytest.mark.parametrize("suffix", ["", ".json", ".txt", ".png"])
def test_the_page_of_a_hand_that_no_key_opens_says_so(deployed: Deploy, suffix: str) -> None:
    alice, keys = between_rounds(deployed)
    site = deployed("new")
    for player in (tab_of(alice, site), Player(site.test_client())):
        said = player.get(f"/h/{keys[0]}{suffix}")
        assert (said.status, said.json["error"]) == (409, "hand-sealed")
        assert "a key that this house does not have" in said.json["message"]
        assert "seed" not in said.text


def test_the_count_of_a_shoe_that_no_key_opens_is_not_told(deployed: Deploy) -> None:
    alice, _ = between_rounds(deployed)
    alice = tab_of(alice, deployed("new"))
    assert alice.post("/settings", [("count", "1")]).status == 303
    assert alice.get("/play/blackjack", Accept="text/html").status == 200


@every_game
@pytest.mark.parametrize("form", FORMS)
def test_at_the_table_of_a_hand_that_no_key_opens_it_is_said_what_will_happen(
    deployed: Deploy, game: str, form: str
) -> None:
    alice = tab_of(left_lying(deployed, game), deployed("new"))
    assert alice.get("/", **FORMS[form]).status == 200
    before = rows(alice.line.client.application)
    for said in (
        alice.get(f"/play/{game}", **FORMS[form]),
        alice.get(f"/play/{game}?hand={alice.hand}", **FORMS[form]),
        alice.post(f"/play/{game}", **FORMS[form]),
        alice.post(f"/play/{game}/{alice.hand}/0", [("verb", "hit" if game == "blackjack" else "hold")], **FORMS[form]),
    ):
        assert said.status == 409
        assert "Nothing is lost" in said.text
        assert "two days" in said.text
    assert alice.get(f"/play/{game}").json["error"] == "deck-sealed"
    assert rows(alice.line.client.application) == before


def test_whoever_sits_down_at_a_shoe_that_no_key_opens_gets_another_one(deployed: Deploy) -> None:
    """Between two rounds nothing is at stake, so nobody waits for the key."""
    alice, keys = between_rounds(deployed)
    site = deployed("new")
    alice = tab_of(alice, site)
    board = sealed(alice, "blackjack")
    assert (alice.status, board["shoe"]["dealt"], board["cut"]) == (201, 0, None)
    assert alice.deal("cut", (10,))["note"] is None
    keys.append(finished(alice))
    assert row(
        site, "SELECT count(*) FROM shoe WHERE closed_at > 0 AND revealed_seed IS NULL AND sealed_seed > ''"
    ) == (1,)
    back = deployed("newer", "new", "old")
    alice = tab_of(alice, back)
    for key in keys[:2]:
        assert [check.kind for check in checks(finished_json(alice, key)) if check.ok] == [
            "commitment",
            "packs",
            "cards",
            "payout",
        ]
    assert finished_json(alice, keys[2])["proof"] is None, "its shoe is in use"
    assert findings(back) == []


@pytest.mark.parametrize("table", ["vegas", "single", "classic"])
def test_a_hand_that_was_only_sat_down_at_makes_way_if_no_key_opens_its_shoe(deployed: Deploy, table: str) -> None:
    alice, _ = between_rounds(deployed)
    ready = sealed(alice, "blackjack")
    assert ready["shoe"]["dealt"] > 0
    alice = tab_of(alice, deployed("new"))
    for _ in range(2):
        assert alice.deal("", (10,))["error"] == "box-lost"
        assert (alice.board["status"], alice.board["cut"]) == ("void", ready["cut"])
    assert (
        "Deal again"
        in alice.post(f"/play/blackjack/{alice.hand}/0", [("verb", "deal"), ("stake", "10")], **FORMS["page"]).text
    )
    fresh = sealed(alice, "blackjack", table)
    assert (alice.status, fresh["seq"]) == (201, ready["seq"] + 1)
    alice.deal("cut", () if table == "classic" else (10,))
    assert alice.status == 200
    finished(alice)


# ------------------------------------------------------------------------------------------------ the key comes back


@every_game
def test_if_the_key_comes_back_within_a_day_all_goes_on(
    deployed: Deploy, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = left_lying(deployed, game)
    site = deployed("new")
    alice = tab_of(alice, site)
    for path in PAGES:
        alice.get(path)
    alice.post(f"/play/{game}")
    be_later(monkeypatch, 20 * HOUR)
    somebody_sits_down(site)
    back = deployed("new", "old")
    alice = resumed(alice, back)
    key = finished(alice)
    assert (alice.status, alice.board["status"]) == (200, "done")
    sealed(alice, game)
    assert finished_json(alice, key)["status"] == "done"
    assert findings(back) == []


@every_game
def test_a_hand_that_no_key_opens_is_not_forfeited_but_waits_for_its_key(
    deployed: Deploy, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has been overdue for most of a day, and is still continued."""
    alice = left_lying(deployed, game)
    site = deployed("new")
    for hours in (25, 30, 47):
        be_later(monkeypatch, hours * HOUR)
        somebody_sits_down(site)
    back = deployed("new", "old")
    somebody_sits_down(back)
    finished(resumed(alice, back))
    assert findings(back) == []


@every_game
def test_a_hand_whose_key_comes_back_late_is_forfeited_like_any_other(
    deployed: Deploy, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = left_lying(deployed, game)
    site = deployed("new")
    be_later(monkeypatch, 25 * HOUR)
    somebody_sits_down(site)
    back = deployed("new", "old")
    be_later(monkeypatch, 2 * DAY + 60)
    somebody_sits_down(back)
    hand = finished_json(alice, alice.hand)
    assert hand["status"] == "forfeited"
    assert all(check.ok for check in checks(hand))
    assert findings(back) == []


# ------------------------------------------------------------------------------------------------ given up


@every_game
@pytest.mark.parametrize("by", ["its player", "somebody"])
def test_after_two_days_a_hand_that_no_key_opens_is_void_and_its_stakes_are_back(
    deployed: Deploy, game: str, by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = left_lying(deployed, game)
    old, site = alice.hand, deployed("new")
    alice = tab_of(alice, site)
    be_later(monkeypatch, 25 * HOUR)
    somebody_sits_down(site)
    assert alice.get(f"/play/{game}").status == 409, "not before its time"
    be_later(monkeypatch, 73 * HOUR + 60)
    if by == "somebody":
        somebody_sits_down(site)
        for path in PAGES:
            for form in FORMS.values():
                assert alice.get(path, **form).status == 200, path
    fresh = sealed(alice, game)
    assert (alice.status, fresh["seq"]) == (201, alice.board["seq"])
    (staked,) = row(site, "SELECT sum(amount) FROM ledger_entry WHERE hand_key = :key", key=old) or (0,)
    assert not staked, "all that was charged is back"
    listed = {hand["hand"]: hand for hand in alice.get("/me").json["hands"]}
    assert (listed[old]["status"], listed[old]["label"]["text"], listed[old]["cards"]) == ("void", "Void", [])
    for form in FORMS.values():
        assert alice.get(f"/h/{old}", **form).status == 409
    late = alice.act("hit", step=0, hand=old)
    assert (alice.status, late["status"], late["view"]) == (200, "void", None)
    assert alice.get(f"/play/{game}?hand={old}", **FORMS["page"]).status == 200
    assert row(site, "SELECT status, revealed_seed FROM hand WHERE key = :key", key=old) == ("void", None)
    dealt(alice, game=game)
    assert alice.status == 200
    finished(alice)
    assert f"hand {old} has a sealed seed that no key here opens" in findings(site)
    # an earlier hand from the same shoe was over with the deal
    assert {line.split(" ", 2)[2] for line in findings(site)} == {"has a sealed seed that no key here opens"}


@every_game
def test_the_page_of_a_hand_that_was_given_up_opens_when_the_key_comes_back(
    deployed: Deploy, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = left_lying(deployed, game)
    site = deployed("new")
    notice_and_wait(site, monkeypatch)
    somebody_sits_down(site)
    back = deployed("newer", "new", "old")
    be_later(monkeypatch, 9 * DAY)
    alice = tab_of(alice, back)
    hand = finished_json(alice, alice.hand)
    assert hand["status"] == "void"
    assert set(hand["payouts"]) == {0}
    assert [check.ok for check in checks(hand)] == [True, True, True, True]
    for suffix in ("", ".txt", ".png", "?step=0"):
        assert alice.line.client.get(f"/h/{alice.hand}{suffix}").status_code == 200
    chips = on_the_table(alice.board)
    said = f"{chips} chips went back to the purse." if chips else "nothing was lost."
    assert (
        f"It was never played out{'.' if chips else ';'} {said}"
        in alice.get(f"/h/{alice.hand}", Accept="text/html").text
    )
    listed = {each["hand"]: each for each in alice.get("/me").json["hands"]}[alice.hand]
    assert listed["label"]["text"] == "Void"
    assert listed["cards"]
    assert findings(back) == []


def test_a_hand_that_is_old_already_has_two_days_from_when_the_missing_key_was_noticed(
    deployed: Deploy, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = left_lying(deployed, "poker")
    be_later(monkeypatch, 60)
    tamper(
        deployed("new"), "UPDATE hand SET created_at = created_at - :s WHERE key = :key", s=9000 * DAY, key=alice.hand
    )
    site = deployed("new")
    be_later(monkeypatch, 23 * HOUR)
    somebody_sits_down(site)
    assert row(site, "SELECT status FROM hand WHERE key = :key", key=alice.hand) == ("live",)
    for hours, status in ((25, "live"), (72, "live"), (74, "void")):
        be_later(monkeypatch, hours * HOUR)
        somebody_sits_down(site)
        assert row(site, "SELECT status FROM hand WHERE key = :key", key=alice.hand) == (status,)


def test_a_shoe_that_no_key_opens_is_closed_after_two_days_and_keeps_its_seal(
    deployed: Deploy, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, keys = between_rounds(deployed)
    site = deployed("new")
    for hours, still_open in ((25, 1), (72, 1), (74, 0), (124, 0)):
        be_later(monkeypatch, hours * HOUR)
        somebody_sits_down(site)
        assert row(site, "SELECT count(*) FROM shoe WHERE closed_at IS NULL") == (still_open,)
        for key in keys:
            assert alice.get(f"/h/{key}").status in (200, 409)
    assert row(site, "SELECT revealed_seed, sealed_seed > '' FROM shoe") in ((None, 1), (None, True))
    assert {line.split(" ", 2)[2] for line in findings(site)} == {"has a sealed seed that no key here opens"}
    back = deployed("newer", "new", "old")
    alice = tab_of(alice, back)
    for key in keys:
        assert [check.ok for check in checks(finished_json(alice, key))] == [True, True, True, True]
        page = alice.get(f"/h/{key}", Accept="text/html").text
        assert "The proof opens when the shoe is finished" not in page
    assert findings(back) == []


def test_players_who_never_come_back_do_not_keep_the_others_hands_from_being_given_up(
    deployed: Deploy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few hands are closed at a time; that of the visitor who sits down comes first."""
    first = deployed("old")
    others = [Player(first.test_client()) for _ in range(5)]
    for other in others:
        dealt_and_live(other, "joker")
    alice = left_lying(deployed, "poker")
    site = deployed("new")
    notice_and_wait(site, monkeypatch)
    sealed(tab_of(alice, site), "poker")
    assert row(site, "SELECT status FROM hand WHERE key = :key", key=alice.hand) == ("void",)
