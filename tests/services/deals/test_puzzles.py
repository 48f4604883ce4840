"""A decision of a finished hand as a puzzle, by link or as a drill.

Nothing that came later is shown before the answer.
"""

import json
import re
import time
from random import Random
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from flask import Flask

from tests.support.answer_forms import FORMS
from tests.support.moves import dealt, every_game, finished, finished_json, next_move
from tests.support.player import Json, Player
from tests.support.secret_scan import cards_in
from webapp.engine.game import states
from webapp.engine.notation import loads
from webapp.engine.odds import kinds_of
from webapp.engine.odds.review import VERSION
from webapp.extensions import db
from webapp.models import DecisionStatistics, Hand
from webapp.services.deals import drills
from webapp.services.deals.drill_round import DrillRound
from webapp.services.odds import desk

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture(autouse=True)
def slow_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give a search for a spot the time that it needs while processes start and other tests run."""
    monkeypatch.setattr(drills, "WAIT_SECONDS", 120.0)
    monkeypatch.setattr(drills, "SEARCH_SECONDS", 60.0)


def decided(alice: Player, game: str) -> Json:
    """Return the JSON of a finished hand with a decision."""
    dealt(alice, game=game)
    while not alice.board["step"]:
        if alice.over:
            dealt(alice, game=game)
        else:
            finished(alice)
    return finished_json(alice, alice.hand)


@every_game
def test_the_heading_of_a_question_says_who_asks(alice: Player, bob: Player, game: str) -> None:
    hand = decided(alice, game)["hand"]
    assert "What would you do?</h2>" in bob.get(f"/h/{hand}?ask=0", **FORMS["page"]).text
    alice.post("/settings", [("name", "Aki")])
    assert "Aki asks you: what would you do?</h2>" in bob.get(f"/h/{hand}?ask=0", **FORMS["page"]).text


@every_game
def test_a_puzzle_tells_nothing_that_came_after_it(app: Flask, alice: Player, bob: Player, game: str) -> None:
    hand = decided(alice, game)
    decoration = cards_in(Player(app.test_client()).get("/nothing", Accept="text/html").text)
    shown: set[str] = set()
    for step in range(len(hand["moves"])):
        felt = bob.get(f"/h/{hand['hand']}?step={step}", **FORMS["page"]).text.partition('class="stepper"')[0]
        shown |= cards_in(felt.partition("data-felt")[2])
        asked = bob.get(f"/h/{hand['hand']}?ask={step}")
        assert asked.status == 200, asked.text
        assert (asked.json["verdict"], asked.json["pending"]) == (None, False)
        page = bob.get(f"/h/{hand['hand']}?ask={step}", **FORMS["page"]).text
        assert not cards_in(page + asked.text) - shown - decoration
        for later in (hand["notation"], (hand["proof"] or {"seed": "no seed"})["seed"]):
            assert later not in page + asked.text
    first = cards_in(bob.get(f"/h/{hand['hand']}?ask=0").text)
    assert len(first) <= 3 * max(2, len(hand["stakes"]) + 1), "the deal alone"


@every_game
def test_an_answer_is_graded_with_the_odds_and_then_the_rest_is_shown(
    alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    hand = decided(alice, game)
    actions = bob.get(f"/h/{hand['hand']}?ask=0").json["actions"]

    def priced(about: str, asked: dict[str, str], *_: Any) -> dict[str, Any]:
        assert (about, asked) == ("step", {"line": hand["notation"], "step": "0"})
        grades = ("best", *("blunder",) * (len(actions) - 1))
        options = [
            {"action": action, "value": 1.0 - place, "grade": grades[place]} for place, action in enumerate(actions)
        ]
        return {"options": options, "fair": False, "unit": "coins", "measure": 1.0, "exact": True}

    monkeypatch.setattr(desk, "ask", priced)
    best = bob.get(f"/h/{hand['hand']}?ask=0&answer={actions[0]}").json["verdict"]
    assert (best["grade"], best["cost"], best["best"]) == ("best", 0.0, actions[0])
    worse = bob.get(f"/h/{hand['hand']}?ask=0&answer={actions[1]}").json["verdict"]
    assert (worse["grade"], worse["cost"], worse["best"]) == ("blunder", 1.0, actions[0])
    page = bob.get(f"/h/{hand['hand']}?ask=0&answer={actions[1]}", **FORMS["page"]).text
    assert f"/h/{hand['hand']}?step=1" in page
    assert "Blunder" in page


def test_what_cannot_be_asked_or_answered_is_refused(alice: Player, bob: Player) -> None:
    hand = decided(alice, "poker")["hand"]
    for step in ("x", "99", str(len(bob.get(f"/h/{hand}.json").json["moves"]))):
        asked = bob.get(f"/h/{hand}?ask={step}")
        assert (asked.status, asked.json["error"]) == (404, "no-decision"), step
    assert bob.get(f"/h/{hand}?ask=0&answer=hit").status == 422
    assert bob.get(f"/h/{hand}?ask=0&answer=%00").status == 422
    dealt(alice)
    assert bob.get(f"/h/{alice.hand}?ask=0").status == 404, "it is not over"
    assert bob.get(f"/h/{alice.hand}/0.png").status == 404


def test_a_drill_leads_to_spots_and_the_same_word_is_the_same_spot(
    alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = alice.get("/drill/blackjack")
    assert answer.status == 303
    path = answer.headers["location"]
    spot = alice.get(path).json
    assert spot == bob.get(path).json
    assert len(spot["actions"]) > 1
    options = [{"action": action, "value": 1.0, "grade": "best"} for action in spot["actions"]]
    found = {"options": options, "fair": False, "unit": "bets", "measure": 1.0, "exact": True}
    monkeypatch.setattr(desk, "ask", lambda *_: found)
    page = alice.get(f"{path}&answer={spot['actions'][1]}", **FORMS["page"]).text
    assert "Next spot" in page
    (after,) = set(re.findall(r'href="(/drill/blackjack\?[^"]*round=[^"]*)"', page))
    assert DrillRound.read(parse_qs(urlsplit(after).query)["round"][0]).right == 1
    for wrong in ("/drill/whist", "/drill/table21", "/drill/poker?spot=%20"):
        assert alice.get(wrong).status == 404


def test_ten_answers_are_a_round_that_ends_with_what_it_came_to(alice: Player) -> None:
    answers = ["hard-16-weak.0.2"] * 6 + ["soft-18-strong.0.9"] * 3 + ["hard-12-weak.2500.4"]
    begun = alice.get(f"/drill/blackjack?round={'_'.join(answers[:9])}")
    assert begun.status == 303, "nine answers are no round"
    page = " ".join(alice.get(f"/drill/blackjack?round={'_'.join(answers)}", **FORMS["page"]).text.split())
    assert "9 of 10 best" in page and "25.0 % of the bet" in page
    assert "soft 18 against 7 to ace" in page and "9 seconds" in page
    assert 'href="/drill/blackjack?kind=soft-18-strong"' in page


@pytest.mark.parametrize(
    "word", ["x.1.1", "hard-99-x.1.1", "pair.10.3.abcdef.hit.pair", "x.9.9.a.zzz.~~", ".1.1.a.hold-9."]
)
@pytest.mark.parametrize("game", ["poker", "joker", "video", "blackjack"])
def test_words_that_no_drill_writes_are_no_kinds_at_its_end(alice: Player, game: str, word: str) -> None:
    page = alice.get(f"/drill/{game}?round={'_'.join([word, 'y.1.9', *[word] * 8])}", **FORMS["page"])
    assert page.status == 200
    assert "verdict__name" in page.text


def test_pictures_of_puzzles_are_not_those_of_the_hand(alice: Player, bob: Player) -> None:
    hand = decided(alice, "poker")["hand"]
    client = bob.line.client  # type: ignore[union-attr]
    asked, whole = client.get(f"/h/{hand}/0.png"), client.get(f"/h/{hand}.png")
    assert (asked.status_code, whole.status_code) == (200, 200)
    assert asked.data != whole.data


def dear(app: Flask, alice: Player, game: str, table: str, hand: str, step: int) -> None:
    """Store a decision of the player as one of the most costly ones."""
    spot = {"key": hand, "step": step, "action": "stand", "best": "hit", "cost": 2.5, "grade": "mistake", "hand": ""}
    with app.app_context():
        found = db.session.get_one(Hand, hand)
        numbers = {"hands": 1, "decisions": 1, "best": 0, "cost": 2.5, "staked": 10, "luck": 0.0, "luck_squared": 0.0}
        key = {"player_id": found.player_id, "game": game, "variant": table, "version": VERSION}
        db.session.add(DecisionStatistics(**key, **numbers, dearest=json.dumps([spot])))
        db.session.commit()


@pytest.mark.parametrize("game", ["poker", "joker", "video", "blackjack"])
def test_a_spot_that_cost_much_leads_to_spots_of_its_kind(app: Flask, alice: Player, bob: Player, game: str) -> None:
    hand = decided(alice, game)
    with app.app_context():
        found = drills.kinds_at(hand["hand"], 0)
    dear(app, alice, game, hand["table"], hand["hand"], 0)
    page = alice.get("/me/decisions", **FORMS["page"]).text
    assert f'href="/drill/{game}?hand={hand["hand"]}&amp;step=0"' in page
    assert f'href="/drill/{game}?table={hand["table"]}&amp;mine=1"' in page
    for asked in (f"hand={hand['hand']}&step=0", "mine=1"):
        answer = alice.get(f"/drill/{game}?{asked}")
        assert answer.status == 303
        path = answer.headers["location"]
        assert parse_qs(urlsplit(path).query)["kind"] == [" ".join(found.words)]
        spot = alice.get(path).json
        assert spot == bob.get(path).json, "the same word, the same cards"
        assert (spot["table"], len(spot["actions"]) > 1) == (hand["table"], True)
        form = alice.get(path, **FORMS["page"]).text
        assert f'name="kind" value="{" ".join(found.words)}"' in form
    nobody = Player(app.test_client()).get(f"/drill/{game}?mine=1")
    assert "kind=" not in nobody.headers["location"], "nothing has cost them anything"


@pytest.mark.parametrize(
    ("game", "table", "kinds"),
    [
        ("blackjack", "vegas", ("hard-16-10", "hard-16-strong")),
        ("blackjack", "vegas", ("pair-8-10", "pair-8-strong")),
        ("blackjack", "classic", ("soft-18-9", "soft-18-strong")),
        ("poker", "quest", ("one-pair-pays-2-2", "one-pair-pays-far", "one-pair")),
        ("joker", "arcade", ("nothing-no-pay-4-3", "nothing-no-pay-near", "nothing")),
    ],
)
def test_the_spots_of_a_drill_are_of_its_kind_and_differ(
    app: Flask, game: str, table: str, kinds: tuple[str, ...]
) -> None:
    with app.app_context():
        spots = [drills.drill_of(game, table, f"word{number}", kinds) for number in range(12)]
    own = [kinds_of(spot.game, next(iter(states(spot.game, loads(spot.line).setup, ())))) for spot in spots]
    assert sum(kinds[0] in each for each in own) >= 6, own
    assert all(kinds[1] in each for each in own), own
    assert len({spot.line for spot in spots}) == 12


def test_a_drill_of_a_kind_that_does_not_come_is_one_of_any_kind(app: Flask) -> None:
    with app.app_context():
        assert len(drills.drill_of("poker", "quest", "word", ("royal-flush-no-pay-1-1",)).actions) > 1


@pytest.mark.parametrize("kind", ["zz", "hard-99-1", "hard-16-10 zz", "x" * 5000])
def test_a_kind_that_there_is_not_is_looked_for_by_nobody(
    app: Flask, alice: Player, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(drills, "_found", None)
    answer = alice.get(f"/drill/blackjack?spot=x&kind={quote(kind)}")
    assert (answer.status, answer.json["error"]) == (404, "no-decision")


def test_a_worker_looks_for_a_kind_and_once(app: Flask, alice: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rarest kind: a thousand deals are looked through."""
    path = "/drill/poker?spot=once&kind=royal-flush-no-pay-1-1"
    assert alice.get("/drill/poker?spot=once&kind=nothing").status == 200
    used = time.process_time()
    first = alice.get(path)
    used = time.process_time() - used
    worker = app.extensions["workers"].soon
    assert used < worker.submit(time.process_time).result(60), "not by this process"
    monkeypatch.setattr(drills, "find", None)
    assert alice.get(path).json == first.json


def test_a_decision_like_no_other_is_asked_itself(app: Flask, alice: Player) -> None:
    dealt(alice, game="poker")
    while not (alice.over and "double" in finished_json(alice, alice.hand)["moves"]):
        if alice.over:
            dealt(alice, game="poker")
        else:
            wanted = [action for action in ("double", "pick-2") if action in alice.actions]
            alice.do(wanted[0] if wanted else next_move(alice.board, Random(1)))
    step = finished_json(alice, alice.hand)["moves"].index("double")
    answer = alice.get(f"/drill/poker?hand={alice.hand}&step={step}")
    assert (answer.status, answer.headers["location"]) == (303, f"/h/{alice.hand}?ask={step}")
    for wrong in (f"hand={alice.hand}&step=99", "hand=nonsense"):
        assert alice.get(f"/drill/poker?{wrong}").status == 404
    assert alice.get(f"/drill/joker?hand={alice.hand}&step=0").json["error"] == "no-decision"
