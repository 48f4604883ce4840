"""Costly decisions are asked again on a schedule, each answer counts once, and a question gives nothing away."""

import re

import pytest
from flask import Flask

from tests.support.answer_forms import FORMS
from tests.support.clock import be_later, run_timer
from tests.support.concurrency import at_once, tabs_of
from tests.support.moves import asked, dealt, dealt_and_live, finished
from tests.support.player import Json, Player
from tests.support.reviews import reviewed
from tests.support.rows import all_rows, findings, row, tamper
from webapp.extensions import db
from webapp.models import Recall
from webapp.services.operations import personal_data, retention
from webapp.services.review import recalls

DAY = 86_400
AGAIN = "/drill/again"
GRADES_THAT_COST = {"slip", "mistake", "blunder"}


@pytest.fixture(autouse=True)
def _reviews_are_wanted(reviews: None) -> None:
    """Have finished hands reviewed."""


def verdict_on(player: Player, key: str, step: int, action: str) -> Json:
    """Return the verdict on an answer to a decision of a hand, as the hand's own puzzle gives it."""
    for _ in range(200):
        answer = player.get(f"/h/{key}?ask={step}&answer={action}")
        assert answer.status == 200, answer.text
        if not answer.json["pending"]:
            found: Json = answer.json["verdict"]
            return found
    raise AssertionError("no verdict")


def played_badly(player: Player, helped: bool = False) -> str:
    """Finish a hand of quest poker whose first decision was a blunder; return its key."""
    while True:
        dealt(player)
        if helped:
            player.post(f"/play/poker/{player.hand}/0/hint")
        best, *_ = (option["action"] for option in odds(player))
        player.do("hold-1-2-3-4-5" if best != "hold-1-2-3-4-5" else "hold")
        finished(player)
        key = player.hand
        if reviewed(player, key)["decisions"][0]["grade"] in GRADES_THAT_COST:
            return key


def odds(player: Player) -> list[Json]:
    """Return the options of the hand on the table, best first."""
    cards = "".join(player.board["view"]["hand"])
    for _ in range(200):
        answer = player.get(f"/odds/poker?table=quest&cards={cards}")
        if answer.status == 200:
            found: list[Json] = answer.json["options"]
            return found
    raise AssertionError("no odds")


def answered(player: Player, word: str, right: bool, key: str) -> Json:
    """Answer a question well or badly; return it."""
    asked = player.get(f"{AGAIN}/{word}").json
    assert asked["due"], asked
    options = [option["action"] for option in verdict_on(player, key, 0, asked["puzzle"]["actions"][0])["options"]]
    for _ in range(200):
        fields = [("asked", str(asked["asked"])), ("answer", options[0] if right else options[-1])]
        answer = player.post(f"{AGAIN}/{word}", fields)
        if answer.status == 200:
            found: Json = answer.json
            return found
        assert answer.status == 202, answer.text
    raise AssertionError("no verdict")


def words(player: Player) -> list[str]:
    """Return the words of all recalls of a site that has one player with any."""
    return [found.word for found in all_rows(player.line.client.application, "SELECT word FROM recall ORDER BY word")]  # type: ignore[union-attr]


def test_a_costly_decision_comes_back_until_it_was_solved_twice_in_a_row(
    app: Flask, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = played_badly(alice)
    began = alice.post(f"{AGAIN}/start").json
    assert (alice.status, began["on"], began["due"]) == (200, True, 0)
    key, word = row(app, "SELECT hand_key, word FROM recall WHERE slipped")
    assert key == played
    days = 0
    for wait, right, state, following in (
        (1, False, "open", 3),
        (3, True, "open", 9),
        (9, False, "open", 27),
        (27, True, "open", 27),
        (27, True, "solved", None),
    ):
        be_later(monkeypatch, (days + wait - 1) * DAY)
        assert not alice.get(AGAIN).json["due"], wait
        days += wait
        be_later(monkeypatch, days * DAY)
        assert alice.get(AGAIN).json["next"] == f"{AGAIN}/{word}"
        told = answered(alice, word, right, key)
        assert (told["state"], told["due"]) == (state, False)
        assert (told["puzzle"]["verdict"]["grade"] == "best") == right
        assert told["hand"] == f"/h/{key}?step=0"
        left = (
            told["next_at"] and row(app, "SELECT (due_at - moved_at) AS left_ FROM recall WHERE word = :w", w=word)[0]
        )
        assert left == (following and (following * DAY - DAY // 4) * 1000)
    assert alice.get(AGAIN).json["solved"] == 1
    assert findings(app) == []


def test_it_is_parked_after_five_wrong_answers_with_the_reason_and_can_be_asked_once_more(
    app: Flask, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = played_badly(alice)
    alice.post(AGAIN, [("hand", key), ("step", "0")])
    (word,) = words(alice)
    for time in range(1, 6):
        be_later(monkeypatch, time * 27 * DAY)
        told = answered(alice, word, False, key)
    assert told["state"] == "parked"
    (parked,) = alice.get(AGAIN).json["parked"]
    assert parked["url"] == f"{AGAIN}/{word}"
    page = alice.get(parked["url"], **FORMS["page"]).text
    assert "Parked: it is not asked again." in page
    assert parked["odds"].replace("&", "&amp;") in page
    assert alice.get(parked["odds"]).status == 200
    alice.post(AGAIN, [("hand", key), ("step", "0")])
    be_later(monkeypatch, 6 * 27 * DAY)
    assert (alice.get(AGAIN).json["due"], alice.get(AGAIN).json["parked"]) == (1, [])
    assert findings(app) == []


def test_a_question_gives_nothing_away(app: Flask, alice: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not its hand, not what was done or is best, and not whether it was played well."""
    bad = played_badly(alice)
    dealt(alice)
    alice.do(odds(alice)[0]["action"])
    good = finished(alice)
    for key in (bad, good):
        alice.post(AGAIN, [("hand", key), ("step", "0")])
        assert alice.status == 200
    tamper(app, "UPDATE recall SET slipped = :no WHERE hand_key = :good", no=False, good=good)
    be_later(monkeypatch, DAY)
    shapes = []
    for found in all_rows(app, "SELECT word, hand_key FROM recall ORDER BY slipped"):
        moves = alice.get(f"/h/{found.hand_key}.json").json["moves"]
        asked = alice.get(f"{AGAIN}/{found.word}")
        page = alice.get(f"{AGAIN}/{found.word}", **FORMS["page"]).text
        assert found.hand_key not in asked.text + page
        assert moves[0] == "hold" or f'"{moves[0]}"' not in page
        assert (asked.json["puzzle"]["verdict"], asked.json["hand"]) == (None, None)
        for secret in (found.word, *asked.json["puzzle"]["view"]["hand"]):
            page = page.replace(secret, "?")
        shapes.append(re.sub(r"(?:Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten|Jack|Queen|King|Ace) of \w+", "?", page))
        peeked = alice.get(f"{AGAIN}/{found.word}?answer={moves[0]}&verb=hold")
        assert peeked.json == asked.json
    lengths = [len(shape) for shape in shapes]
    assert max(lengths) - min(lengths) < 100, "marks on cards of the same rank apart, the pages are alike"


def test_an_answer_counts_once_whatever_is_sent_again(
    app: Flask, alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = played_badly(alice)
    alice.post(AGAIN, [("hand", key), ("step", "0")])
    (word,) = words(alice)
    form = [("asked", "0"), ("answer", "hold")]
    alice.post(f"{AGAIN}/{word}", form)
    assert (alice.status, alice.answer.json["error"]) == (422, "recall-not-due")
    be_later(monkeypatch, DAY)
    best = verdict_on(alice, key, 0, "hold")["best"]
    for wrong in ([("asked", "0"), ("answer", "hit")], [("asked", "0")], [("asked", "x"), ("answer", "hold")]):
        alice.post(f"{AGAIN}/{word}", wrong)
        assert alice.status == 422
    assert alice.post(f"{AGAIN}/{word}", [("asked", "7"), ("answer", best)]).json["due"], "of a page that never was"
    bob.post(f"{AGAIN}/{word}", [("asked", "0"), ("answer", best)])
    assert (bob.status, bob.answer.json["error"]) == (404, "recall-not-found")
    bob.post(f"{AGAIN}/{word}/drop")
    path, form = f"{AGAIN}/{word}", [("asked", "0"), ("answer", best)]
    told = at_once(tabs_of(alice, 3), lambda tab: dict(tab.post(path, form).json))
    assert [status for status, _ in told] == [200] * 3
    assert row(app, "SELECT asked, streak, failures FROM recall") == (1, 1, 0)
    again = alice.post(path, [("asked", "0"), ("answer", "hold")]).json
    assert again["puzzle"]["verdict"]["answer"] == best, "what was recorded"
    assert row(app, "SELECT asked, streak, failures FROM recall") == (1, 1, 0)
    for _ in range(2):
        alice.post(f"{AGAIN}/{word}/drop")
        assert alice.status == 200
    assert words(alice) == []


def test_new_hands_are_taken_in_once_wanted_but_none_that_was_played_with_help(app: Flask, alice: Player) -> None:
    alice.post(f"{AGAIN}/start")
    helped, alone = played_badly(alice, helped=True), played_badly(alice)
    keys = {found.hand_key for found in all_rows(app, "SELECT hand_key FROM recall WHERE slipped")}
    assert helped not in keys
    assert alone in keys
    alice.post("/daily/poker")
    alice._board()
    alice.game = "poker"
    alice.do("hold-1-2-3-4-5")
    finished(alice)
    daily = reviewed(alice, alice.hand)["decisions"][0]["grade"] in GRADES_THAT_COST
    keys = {found.hand_key for found in all_rows(app, "SELECT hand_key FROM recall WHERE slipped")}
    assert (alice.hand in keys) == daily
    assert findings(app) == []


def test_decisions_that_were_played_well_are_mixed_in_and_asked_once(
    app: Flask, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice.post(f"{AGAIN}/start")
    for _ in range(2):
        played_badly(alice)
    for _ in range(200):
        dealt(alice)
        alice.do(odds(alice)[0]["action"])
        reviewed(alice, finished(alice))
        if row(app, "SELECT count(*) FROM recall WHERE NOT slipped")[0]:
            break
    word, key, step = row(app, "SELECT word, hand_key, step FROM recall WHERE NOT slipped")
    assert step == 0
    be_later(monkeypatch, DAY)
    assert answered(alice, word, True, key)["state"] == "solved"
    tamper(app, "UPDATE recall SET due_at = 0, asked = 0, streak = 0 WHERE word = :word", word=word)
    assert answered(alice, word, False, key)["state"] == "open", "from now on it is a mistake like others"


def test_they_are_bounded_and_make_room_for_those_that_are_not_solved(
    app: Flask, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recalls, "MOST", 2)
    first, second, third = (played_badly(alice) for _ in range(3))
    for key in (first, second, second):
        alice.post(AGAIN, [("hand", key), ("step", "0")])
        assert alice.status == 200
    alice.post(AGAIN, [("hand", third), ("step", "0")])
    assert (alice.status, alice.answer.json["error"]) == (422, "recalls-full")
    tamper(app, "UPDATE recall SET due_at = NULL, asked = 2, streak = 2 WHERE hand_key = :key", key=first)
    alice.post(AGAIN, [("hand", third), ("step", "0")])
    assert {found.hand_key for found in all_rows(app, "SELECT hand_key FROM recall")} == {second, third}
    assert findings(app) == []


def test_what_is_no_decision_is_not_asked(app: Flask, alice: Player, bob: Player) -> None:
    dealt_and_live(alice, "poker")
    live = alice.hand
    key = finished(alice)
    for hand, step in ((key, "99"), (key, "x"), (key, ""), ("nothing", "0"), ("", "0")):
        bob.post(AGAIN, [("hand", hand), ("step", step)])
        assert bob.status == 404, (hand, step)
    assert row(app, "SELECT count(*) FROM player") == (1,), "and no player is made for it"
    bob.post(AGAIN, [("hand", key), ("step", "0")])
    assert bob.status == 200, "of a hand that somebody has shown"
    dealt_and_live(alice, "poker")
    assert alice.hand != live
    bob.post(AGAIN, [("hand", alice.hand), ("step", "0")])
    assert bob.status == 404


def test_a_hand_that_was_not_played_out_is_not_asked_about(
    app: Flask, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked(alice)
    key = alice.hand
    be_later(monkeypatch, 2 * DAY)
    run_timer(app, "overdue hands")
    assert alice.get(f"/h/{key}").json["status"] == "forfeited"
    alice.post(AGAIN, [("hand", key), ("step", "0")])
    assert alice.status == 404
    assert findings(app) == []


def test_who_stops_or_is_forgotten_has_none_and_they_are_in_the_file(app: Flask, alice: Player) -> None:
    key = played_badly(alice)
    alice.post(f"{AGAIN}/start")
    (exported,) = alice.line.ask("GET", "/me/export", [], {}).json["recall"]
    assert (exported["hand_key"], exported["step"]) == (key, 0)
    alice.post(f"{AGAIN}/stop")
    assert (alice.answer.json["on"], words(alice)) == (False, [])
    alice.post(f"{AGAIN}/start")
    assert len(words(alice)) == 1, "what was costly still is"
    (player,) = row(app, "SELECT id FROM player")
    alice.post("/me/forget", [("sure", "1")])
    assert words(alice) == []
    with app.app_context():
        assert personal_data.is_forgotten(player)


def test_prune_takes_those_of_hands_and_players_that_go(
    app: Flask, alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    dealt_and_live(alice, "poker")
    key = finished(alice)
    alice.post(f"/h/{key}/again")
    alice._board()
    alice.game = "poker"
    practised = finished(alice)
    for player, hand in ((alice, practised), (bob, key)):
        player.post(AGAIN, [("hand", hand), ("step", "0")])
        assert player.status == 200, player.answer.text
    be_later(monkeypatch, 100 * DAY)
    with app.app_context():
        pruned = retention.prune(app.extensions["config"], recalls.now_ms())
        db.session.remove()
    assert (pruned.practice_hands, pruned.newcomers) == (1, 1)
    assert words(alice) == []
    assert findings(app) == []


def test_the_audit_sees_counters_that_cannot_be(app: Flask, alice: Player) -> None:
    key = played_badly(alice)
    alice.post(AGAIN, [("hand", key), ("step", "0")])
    assert findings(app) == []
    tamper(app, "UPDATE recall SET step = 77, streak = 2")
    assert len(findings(app)) == 3
    with app.app_context():
        assert db.session.query(Recall).count() == 1
        db.session.remove()


def test_a_newcomer_is_sent_to_the_games(alice: Player) -> None:
    for address in ("/me/decisions", AGAIN):
        page = alice.get(address, **FORMS["page"]).text
        assert f'action="{AGAIN}/start"' not in page
        assert "There is nothing to ask yet" in page


def test_everything_works_by_plain_forms(app: Flask, alice: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    key = played_badly(alice)
    page = alice.get(f"/h/{key}?step=0", **FORMS["page"]).text
    assert re.search(r'form="ask-again" name="step" value="0"', page)
    assert "Ask me my mistakes again" in alice.get("/me/decisions", **FORMS["page"]).text
    alice.post(f"{AGAIN}/start", [], **FORMS["page"])
    assert (alice.status, alice.answer.headers["location"]) == (303, AGAIN)
    be_later(monkeypatch, DAY)
    assert re.search(r"<dt>To answer now</dt><dd>[12]</dd>", alice.get("/me/decisions", **FORMS["page"]).text)
    (word,) = re.findall(rf'href="{AGAIN}/(\w+)"', alice.get(AGAIN, **FORMS["page"]).text)
    verdict_on(alice, row(app, "SELECT hand_key FROM recall WHERE word = :w", w=word)[0], 0, "hold")
    alice.post(f"{AGAIN}/{word}", [("asked", "0"), ("verb", "hold"), ("arg", "1")], **FORMS["page"])
    assert (alice.status, alice.answer.headers["location"]) == (303, f"{AGAIN}/{word}")
    told = alice.get(f"{AGAIN}/{word}", **FORMS["page"]).text
    assert "To the hand" in told
    assert re.search("Asked again in 3 days|Solved", told)
