"""Playing the deal of a finished hand: the same cards, no chips, and no information before the end."""

import json
from random import Random

import pytest
from flask import Flask

from tests.support.answer_forms import FORMS
from tests.support.concurrency import at_once, tabs_of
from tests.support.moves import ELSEWHERE, dealt, every_game, finished, finished_json, next_move, sealed
from tests.support.player import Json, Player
from tests.support.rows import Rows, findings, rows
from tests.support.secret_scan import cards_in
from webapp.web.hand_page.picture_store import Pictures


def original(alice: Player, game: str) -> Json:
    """Return the JSON of a finished hand whose seed is revealed."""
    dealt(alice, game=game)
    key = finished(alice)
    sealed(alice, game, ELSEWHERE[game])  # a shoe that is left is opened
    return finished_json(alice, key)


def again(player: Player, key: str) -> Json:
    player.post(f"/h/{key}/again")
    assert player.status in (200, 201), player.answer.text
    player.board = player.answer.json
    player.game = player.board["game"]
    return player.board


def played(player: Player, random: Random | None = None) -> str:
    """Play the practice hand to its end; return its key."""
    random = random or Random(1)
    while not player.over:
        player.do(next_move(player.board, random) if player.game != "blackjack" else random.choice(player.actions))
        assert player.status == 200, player.answer.text
    return player.hand


def books(app: Flask) -> Rows:
    """Return all that practice may not write to: it may only to its own rows, and a visitor becomes a player."""
    found = rows(app)
    del found["player"]
    return {**found, "hand": [row for row in found["hand"] if row[2] == "play"]}


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@every_game
def test_practice_deals_the_same_cards_and_moves_no_chips(app: Flask, alice: Player, bob: Player, game: str) -> None:
    first = original(alice, game)
    before = books(app)
    board = again(bob, first["hand"])
    assert (bob.status, board["practice"], board["of"], board["seq"]) == (201, True, first["hand"], None)
    assert board["stakes"] == first["stakes"]
    key = played(bob)
    for path in (f"/h/{key}", f"/h/{key}.png", "/me", "/me/hands", "/me/decisions"):
        bob.line.client.get(path)  # type: ignore[union-attr]
    assert books(app) == before
    assert (bob.get("/me").json["hands"], bob.get("/me").json["decisions"]) == ([], [])
    hand = finished_json(bob, key)
    assert (hand["practice"], hand["of"], hand["seq"]) == (True, first["hand"], None)
    for mine, theirs in zip(hand["cards"], first["cards"], strict=False):
        shorter = min(len(mine), len(theirs))
        assert mine[:shorter] == theirs[:shorter]
    assert findings(app) == []


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@every_game
def test_the_same_moves_lead_to_the_same_end_and_the_proof_holds(alice: Player, bob: Player, game: str) -> None:
    first = original(alice, game)
    again(bob, first["hand"])
    for move in first["moves"]:
        bob.do(move)
        assert bob.status == 200
    hand = finished_json(bob, bob.hand)
    assert (hand["cards"], hand["payouts"], hand["net"]) == (first["cards"], first["payouts"], first["net"])
    page = bob.get(f"/h/{bob.hand}", Accept="text/html").text
    assert "The house could not cheat" in page
    assert "Practice" in page


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@every_game
def test_nothing_of_the_original_is_in_any_answer_before_the_end(
    app: Flask, alice: Player, bob: Player, game: str
) -> None:
    first = original(alice, game)
    newcomer = Player(app.test_client())
    decoration = {card for path in ("/", "/nothing") for card in cards_in(newcomer.get(path, Accept="text/html").text)}
    random, heard = Random(3), []
    again(bob, first["hand"])
    while not bob.over:
        board, texts = bob.board, []
        for form in FORMS.values():
            for path in (f"/play/{game}?hand={bob.hand}", "/", "/me", "/me/hands"):
                texts.append(bob.get(path, **form).text)
            texts.append(bob.post(f"/h/{first['hand']}/again", **form).text)
            texts.append(bob.post(f"/play/{game}/{board['hand']}/{board['step']}", [("verb", "nonsense")], **form).text)
            for end in ("", ".json", ".txt", ".png", "/review", "/0.png", "?ask=0"):
                answer = bob.get(f"/h/{board['hand']}{end}", **form)
                assert answer.status == 404
                texts.append(answer.text)
            texts += [bob.get(path, **form).text for path in ("/daily", f"/drill/{game}?hand={board['hand']}&step=0")]
            texts.append(bob.get(f"/odds/{game}?hand={board['hand']}&step=0", **form).text)
            texts.append(bob.post(f"/play/{game}/{board['hand']}/{board['step']}/hint", **form).text)
            texts.append(bob.get(f"/play/{game}/{board['hand']}/{board['step']}/verdict", **form).text)
        heard.append((cards_in(json.dumps(board["view"])), texts, board["step"]))
        bob.board = board
        bob.do(random.choice(bob.actions))
        assert bob.status == 200, bob.answer.text
    seed = first["proof"]["seed"]
    for shown, texts, step in heard:
        for text in texts:
            assert seed not in text
            extra = cards_in(text) - shown - decoration
            assert not extra, f"{extra} at step {step}: {text[:800]}"
    assert heard or first["moves"] == []


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@every_game
def test_a_practice_hand_is_nobody_elses_before_it_is_over(
    app: Flask, alice: Player, bob: Player, charlie: Player, game: str
) -> None:
    first = original(alice, game)
    again(bob, first["hand"])
    dealt(charlie, game=game)
    if_open = [] if bob.over else ["", ".json", ".txt", ".png"]
    before = rows(app)
    for end in if_open:
        assert charlie.get(f"/h/{bob.hand}{end}").status == 404
        assert alice.get(f"/h/{bob.hand}{end}").status == 404
    for action in bob.board["actions"]:
        verb, *args = action.split("-")
        fields = [("verb", verb), *(("arg", arg) for arg in args)]
        assert charlie.post(f"/play/{game}/{bob.hand}/0", fields).status == 404
    assert charlie.get(f"/play/{game}?hand={bob.hand}").status == 404
    assert rows(app) == before
    key = played(bob)
    assert charlie.get(f"/h/{key}").status == 200


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@every_game
def test_a_practice_hand_says_what_it_is_wherever_it_is_shown(
    alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    first = original(alice, game)
    again(bob, first["hand"])
    assert (bob.board["practice"], first["practice"]) == (True, False)
    table = f"/play/{game}?hand={bob.hand}"
    assert "Practice: no chips move" in bob.get(table, **FORMS["page"]).text
    monkeypatch.setattr(Pictures, "picture", lambda _self, _key, subject: repr(subject).encode())
    said = {}
    for key in (played(bob), first["hand"]):
        page = alice.get(f"/h/{key}", **FORMS["page"]).text
        title = page.partition('property="og:title" content="')[2].partition('"')[0]
        texts = (title, alice.get(f"/h/{key}.png").text, alice.get(f"/h/{key}.txt").text)
        said[key] = [page.count("Practice ·"), *("Practice" in text for text in texts)]
        assert alice.get(f"/h/{key}.json").json["practice"] is (key == bob.hand)
    assert (said[first["hand"]], said[bob.hand][1:]) == ([0, False, False, False], [True, True, True])
    assert said[bob.hand][0]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_shoe_in_use_cannot_be_looked_into_by_practice(alice: Player, bob: Player) -> None:
    dealt(alice, game="blackjack")
    key = finished(alice)
    for player in (alice, bob):
        answer = player.post(f"/h/{key}/again")
        assert (answer.status, answer.json["error"]) == (409, "practice-sealed")
    page = bob.get(f"/h/{key}", Accept="text/html").text
    assert "The same deal can be played once this shoe is finished." in page
    assert f"/h/{key}/again" not in page
    sealed(alice, "blackjack", ELSEWHERE["blackjack"])
    page = bob.get(f"/h/{key}", Accept="text/html").text
    assert "once this shoe is finished" not in page
    assert f"/h/{key}/again" in page


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_hand_that_is_not_over_cannot_be_practised(alice: Player, bob: Player) -> None:
    dealt(alice)
    for player in (alice, bob):
        assert player.post(f"/h/{alice.hand}/again").status == 404
    assert bob.post("/h/nonsense/again").status == 404
    assert bob.post("/h/P-nonsense/again").status == 404


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_request_sent_twice_begins_one_hand_and_plays_one_move(app: Flask, alice: Player, bob: Player) -> None:
    first = original(alice, "poker")
    key = again(bob, first["hand"])["hand"]
    assert again(bob, first["hand"])["hand"] == key
    assert bob.status == 200
    bob.act("hold", 1, 2)
    once = bob.board
    assert bob.act("hold", 1, 2, step=0)["note"] == "repeated"
    assert bob.act("hold", 3, step=0)["note"] == "moved-on"
    assert bob.board["view"] == once["view"]


def test_requests_at_the_same_moment_begin_one_hand_and_play_one_move(app: Flask, alice: Player, bob: Player) -> None:
    key = original(alice, "poker")["hand"]
    dealt(bob)
    finished(bob)
    heard = at_once(tabs_of(bob, 4), lambda tab: tab.post(f"/h/{key}/again").json)
    assert sorted(status for status, _ in heard) == [200, 200, 200, 201]
    assert len({board["hand"] for _, board in heard}) == 1
    bob.board = heard[0][1]
    heard = at_once(tabs_of(bob, 4), lambda tab: tab.post(f"/play/poker/{bob.hand}/0", [("verb", "hold")]).json)
    assert sorted(str(board["note"]) for _, board in heard) == ["None", "repeated", "repeated", "repeated"]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_what_is_held_stays_held_while_there_is_another_exchange(alice: Player, bob: Player) -> None:
    alice.sit("joker", "arcade")
    alice.deal("cut", [10])
    again(bob, finished(alice))
    assert bob.act("hold", 2, 5)["marks"] == [2, 5]
    assert bob.act("mark", 5)["marks"] == [2]
    assert bob.act("hold", 2)["marks"] == [2]
    assert bob.act("hold", 2)["marks"] == [], "that was the last"


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_the_first_try_counts_and_no_other(app: Flask, alice: Player, bob: Player) -> None:
    key = original(alice, "poker")["hand"]
    for _ in range(2):
        again(bob, key)
        played(bob)
    again(alice, key)
    played(alice)
    kinds = sorted(row[2] for row in rows(app)["hand"] if row[2] != "play")
    assert kinds == ["again", "again", "first"]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_another_deal_ends_the_open_practice_hand(alice: Player, bob: Player) -> None:
    one, other = original(alice, "poker")["hand"], original(alice, "poker")["hand"]
    left = again(bob, one)["hand"]
    again(bob, other)
    assert bob.get(f"/play/poker?hand={left}").json["status"] == "forfeited"
    assert bob.get(f"/h/{left}").status == 404


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_practice_leaves_the_open_hand_alone(app: Flask, alice: Player, bob: Player) -> None:
    key = original(alice, "poker")["hand"]
    live = dealt(bob)["hand"]
    before = books(app)
    again(bob, key)
    played(bob)
    assert books(app) == before
    assert bob.look("poker")["hand"] == live
