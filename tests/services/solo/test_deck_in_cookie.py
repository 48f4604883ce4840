"""The cookie holds the deck, always: that of the open hand, or of the one that is prepared; the rows keep copies."""

from random import Random

import pytest
from flask import Flask

from tests.support.concurrency import at_once, require_played_once, tabs_of
from tests.support.cookies import content_of, cookie_of, send_from_now_on, tab_of
from tests.support.moves import (
    ELSEWHERE,
    TABLES,
    dealt,
    dealt_and_live,
    every_game,
    finished,
    finished_json,
    sealed,
    sealed_by_an_older_version,
    stakes_of,
)
from tests.support.player import Json, Player
from tests.support.rows import findings, row, tamper
from webapp.engine.shuffling import commitment
from webapp.services.fairness.sealing import sealer
from webapp.services.fairness.verification import checks

CROWD = 8
fresh_decks = pytest.mark.parametrize("game", ["poker", "joker"])


def ended(player: Player, game: str, seed: int = 3) -> Json:
    """Play a hand to its end; return the prepared one."""
    dealt(player, game=game)
    finished(player, Random(seed))
    following: Json = player.board["next"]
    return following


def deal(player: Player, hand: str, cut: str = "next-cut", **fields: str) -> Json:
    stakes = [("stake", str(chips)) for chips in stakes_of(player)]
    path = f"/play/{player.game}/{hand}/0"
    said: Json = player.post(path, [("verb", "deal"), ("cut", cut), *fields.items(), *stakes]).json
    if player.status == 200:
        player.board = said
    return said


def box_of(app: Flask, player: Player) -> dict[str, str]:
    box: dict[str, str] = content_of(app, cookie_of(player))["box"]
    return box


def require_deck(app: Flask, player: Player, board: Json) -> None:
    """Assert that the cookie has the sealed seed that opens the commitment of a board."""
    owner = content_of(app, cookie_of(player))["player"]
    with app.app_context():
        opened = [commitment(sealer().unseal(seed, key, owner), key) for key, seed in box_of(app, player).items()]
    assert board["commitment"] in opened


@every_game
def test_the_cookie_holds_the_deck_at_every_moment(app: Flask, alice: Player, game: str) -> None:
    require_deck(app, alice, sealed(alice, game))
    alice.deal("cut", stakes_of(alice))
    for number in range(4):
        if not alice.over:
            require_deck(app, alice, alice.board)
        finished(alice, Random(number))
        require_deck(app, alice, alice.board["next"])
        assert len(box_of(app, alice)) == 1, "what is over is dropped"
        deal(alice, alice.board["next"]["hand"])
    assert findings(app) == []


@every_game
def test_copies_of_the_request_that_ends_a_hand_bring_the_same_deck_whichever_answer_arrives(
    app: Flask, alice: Player, game: str
) -> None:
    board = dealt_and_live(alice, game)
    while not alice.over:
        before, verb = cookie_of(alice), board["actions"][-1]
        tabs = tabs_of(alice, CROWD)
        board = alice.do(verb)
    for tab in tabs:
        tab.do(verb)
        assert tab.board["next"] == alice.board["next"]
        assert box_of(app, tab) == box_of(app, alice)
    send_from_now_on(alice, before)  # no answer came
    assert deal(alice, alice.board["next"]["hand"])["note"] is None
    assert findings(app) == []


@every_game
def test_many_copies_at_once_of_a_deal_and_of_a_last_move_have_one_answer(app: Flask, alice: Player, game: str) -> None:
    hand = ended(alice, game)["hand"]
    tabs = tabs_of(alice, CROWD)
    first = require_played_once(at_once(tabs, lambda tab: deal(tab, hand)), CROWD)
    alice.board = first
    while not alice.over:
        action = alice.actions[-1]
        tabs = tabs_of(alice, CROWD)
        alice.board = require_played_once(at_once(tabs, lambda tab, action=action: tab.do(action)), CROWD)  # type: ignore[misc]
        send_from_now_on(alice, cookie_of(tabs[0]))
    assert len({str(box_of(app, tab)) for tab in tabs}) == 1
    require_deck(app, alice, alice.board["next"])
    assert findings(app) == []


@pytest.mark.parametrize("later", ["poker", "joker"])
def test_of_two_games_that_end_at_once_either_answer_may_come_last(app: Flask, alice: Player, later: str) -> None:
    """The later one overwrites the cookie of the other; both next hands are dealt."""
    games = ("poker", "joker")
    dealt(alice, game="joker")
    while alice.over:
        dealt(alice, game="joker")
    dealt(alice, game="poker")
    tabs = {game: tab_of(alice) for game in games}
    for game, tab in tabs.items():
        tab.look(game)
        finished(tab, Random(1))
    send_from_now_on(alice, cookie_of(tabs[later]))
    for tab in tabs.values():
        send_from_now_on(tab, cookie_of(alice))
        following = tab.board["next"]
        board = deal(tab, following["hand"])
        assert (board["note"], board["commitment"]) == (None, following["commitment"])
        finished(tab, Random(2))
    send_from_now_on(alice, cookie_of(tabs["joker"]))
    assert len(box_of(app, alice)) == 2, "and the next answer holds both again"
    assert findings(app) == []


def test_of_two_first_hands_sat_down_to_at_once_either_answer_may_come_last(app: Flask, alice: Player) -> None:
    dealt(alice)
    finished(alice)
    tabs = {game: tab_of(alice) for game in ("joker", "blackjack")}
    boards = {game: sealed(tab, game) for game, tab in tabs.items()}
    for lost, other in (("joker", "blackjack"), ("blackjack", "joker")):
        send_from_now_on(tabs[lost], cookie_of(tabs[other]))
        board = tabs[lost].deal("cut", stakes_of(tabs[lost]))
        assert (board["note"], board["hand"]) == (None, boards[lost]["hand"])
    assert findings(app) == []


# ------------------------------------------------------------------------------------------------ a row that was lost


@fresh_decks
def test_a_prepared_hand_whose_row_was_lost_is_dealt_from_the_cookie(app: Flask, alice: Player, game: str) -> None:
    following = ended(alice, game)
    tamper(app, "DELETE FROM hand WHERE seq = 0")
    tabs = tabs_of(alice, CROWD)
    board = require_played_once(at_once(tabs, lambda tab: deal(tab, following["hand"])), CROWD)
    assert (board["hand"], board["commitment"], board["seq"]) == (following["hand"], following["commitment"], 2)
    assert board["cut"] == "next-cut"
    alice.board = board
    hand = finished_json(alice, finished(alice, Random(1)))
    assert all(check.ok for check in checks(hand))
    assert findings(app) == []


@fresh_decks
def test_nothing_is_dealt_from_an_old_cookie_that_was_ever_dealt_or_replaced(
    app: Flask, alice: Player, bob: Player, game: str
) -> None:
    """Its seed may be known, so whoever has kept a cookie could choose the cut by what it deals."""
    following, old = ended(alice, game), cookie_of(alice)
    deal(alice, following["hand"])
    finished(alice, Random(1))
    for statement in (
        "UPDATE hand SET marks = '' WHERE key = :key",  # it is there
        "DELETE FROM hand WHERE key = :key",  # it was pruned
        "DELETE FROM hand WHERE seq = 0 AND key != :key",  # and nothing else is open
    ):
        if row(app, "SELECT 1 FROM ledger_entry"):
            tamper(app, "UPDATE ledger_entry SET hand_key = NULL")
        tamper(app, statement, key=following["hand"])
        send_from_now_on(alice, old)
        said = deal(alice, following["hand"], "another")
        assert said.get("note") == "moved-on" or said["error"] == "hand-not-found"
        assert row(app, "SELECT count(*) FROM hand WHERE status = 'live'") == (0,)


@fresh_decks
def test_a_replaced_hand_is_not_dealt_and_its_page_is_told(app: Flask, alice: Player, game: str) -> None:
    following, old = ended(alice, game), cookie_of(alice)
    sealed(alice, game, ELSEWHERE[game])
    for _ in range(2):
        send_from_now_on(alice, old)
        board = deal(alice, following["hand"], table=TABLES[game])
        assert (board["note"], board["status"], board["seq"]) == ("gone", "ready", 3)
        assert board["commitment"] != following["commitment"]
    page = alice.post(
        f"/play/{game}/{following['hand']}/0",
        [("verb", "deal"), ("cut", "x"), ("table", TABLES[game])],
        Accept="text/html",
        HX_Request="true",
    ).text
    assert page.count("The sealed deck that the page showed is gone.") == 2, "on the felt and for a screen reader"
    assert findings(app) == []


@fresh_decks
def test_a_lost_row_is_not_stored_again_for_another_player_or_an_ended_session(
    app: Flask, alice: Player, bob: Player, game: str
) -> None:
    following = ended(alice, game)
    thief = tab_of(alice)
    alice.post("/me/end-other-sessions", [])
    tamper(app, "DELETE FROM hand WHERE seq = 0")
    sealed(bob, game)
    for player in (thief, bob):
        player.game, player.board = game, alice.board
        assert deal(player, following["hand"])["error"] == "hand-not-found"
    assert row(app, "SELECT count(*) FROM hand WHERE key = :key", key=following["hand"]) == (0,)


# ------------------------------------------------------------------------------------------------ a visible void hand


@every_game
def test_a_cut_for_a_hand_that_was_put_away_meanwhile_reveals_it(app: Flask, alice: Player, game: str) -> None:
    first = sealed(alice, game)
    sealed(tab_of(alice), game, ELSEWHERE[game])
    answers = [alice.deal("my-cut", stakes_of(alice)) for _ in range(2)]
    assert answers[0] == answers[1]
    assert (answers[0]["status"], answers[0]["seq"], answers[0]["note"]) == ("void", 1, "moved-on")
    hand = finished_json(alice, first["hand"])
    assert (hand["proof"]["commitment"], hand["proof"]["cuts"]) == (first["commitment"], ["my-cut"])
    assert [check.kind for check in checks(hand) if not check.ok] == []
    assert alice.get(f"/h/{first['hand']}", Accept="text/html").status == 200
    assert alice.get(f"/h/{first['hand']}.txt").status == 200
    assert alice.get(f"/play/{game}?hand={first['hand']}", Accept="text/html").status == 200
    assert alice.get("/me/hands", Accept="text/html").status == 200
    assert findings(app) == []


def test_it_reveals_no_shoe_that_is_still_dealt_from(app: Flask, alice: Player) -> None:
    """A table with a fresh deck for every hand lets the shoe of another table lie."""
    sealed(alice, "blackjack", "vegas")
    first, tab = alice.board, tab_of(alice)
    dealt(tab, game="blackjack", table="classic", stakes=())
    finished(tab)
    sealed(tab, "blackjack", "vegas")
    tab.deal("tabs-cut", (10,))
    late = alice.deal("my-cut", (10,))
    assert (late["status"], late["note"], late["cut"]) == ("void", "moved-on", "tabs-cut")
    assert alice.get(f"/h/{first['hand']}").status == 404
    assert row(app, "SELECT count(*) FROM shoe WHERE revealed_seed IS NOT NULL") == (0,)
    finished(tab)
    assert findings(app) == []


def test_a_refused_bet_reveals_nothing(app: Flask, alice: Player) -> None:
    first = sealed(alice, "joker")
    sealed(tab_of(alice), "joker", ELSEWHERE["joker"])
    assert alice.deal("my-cut", (0,))["error"] == "bad-stake"
    assert alice.get(f"/h/{first['hand']}").status == 404


# ------------------------------------------------------------------------------------------------ an older version


@fresh_decks
def test_a_hand_that_an_older_version_has_prepared_is_dealt_from_its_row(app: Flask, alice: Player, game: str) -> None:
    dealt(alice, game=game)
    before = cookie_of(alice)
    finished(alice, Random(3))
    following = alice.board["next"]
    send_from_now_on(alice, before)
    owner = content_of(app, before)["player"]
    with app.app_context():
        (new,) = row(app, "SELECT sealed_seed FROM hand WHERE seq = 0")
        old = sealer().seal(following["hand"], owner, sealer().unseal(new, following["hand"], owner))
    tamper(app, "UPDATE hand SET sealed_seed = :old WHERE seq = 0", old=old)
    board = deal(alice, following["hand"])
    assert (board["note"], board["commitment"]) == (None, following["commitment"])
    finished(alice, Random(1))
    require_deck(app, alice, alice.board["next"])
    assert findings(app) == []


def test_a_deck_that_an_older_version_has_put_into_the_cookie_alone_stays_there(app: Flask, alice: Player) -> None:
    """Another hand ends meanwhile, and sets the cookie."""
    dealt_and_live(alice, "poker")
    tab = tab_of(alice)
    sealed_by_an_older_version(app, alice, "joker")
    send_from_now_on(tab, cookie_of(alice))
    finished(tab, Random(1))
    send_from_now_on(alice, cookie_of(tab))
    assert len(box_of(app, alice)) == 2
    assert alice.deal("cut", (5,))["note"] is None
    assert findings(app) == []
