"""The coach: hints are recorded before they are shown, verdicts come after, and both know no more than the player."""

from collections.abc import Iterator
from unittest.mock import patch

import pytest

from tests.e2e.stacked import stacked
from tests.support.moves import dealt
from tests.support.player import Json, Player
from webapp.engine.odds.value import MemoryStore
from webapp.services.odds import desk
from webapp.services.odds.answers import answer
from webapp.web.api.odds_answers import OddsAnswer
from webapp.web.api.serialize import to_json

SIXTEEN = "Th 9d 6s Kc 5d"
"""Ten and six against a nine; the hole card is a king."""
FORM = {"HX-Request": "true", "Accept": "text/html"}


STORE = MemoryStore()


def computed_here(about: str, asked: Json, _patience: float) -> Json:
    """Answer like the odds desk, in this process."""
    return answer({"about": about, **{name: text for name, text in asked.items() if text}}, STORE)


@pytest.fixture(autouse=True)
def _desk() -> Iterator[None]:
    with patch.object(desk, "ask", computed_here):
        yield


@pytest.fixture
def sixteen(alice: Player) -> Iterator[Player]:
    with stacked(SIXTEEN):
        alice.sit("blackjack", "vegas")
        alice.deal("coach", (100,))
        yield alice


def hint(player: Player) -> Json:
    step = player.step
    found: Json = player.post(f"/play/{player.game}/{player.hand}/{step}/hint").json
    return found


def verdict(player: Player, step: int) -> Json:
    found: Json = player.get(f"/play/{player.game}/{player.hand}/{step}/verdict").json
    return found


def read(player: Player) -> Json:
    found: Json = player.get(f"/play/{player.game}?hand={player.hand}").json
    return found


def test_a_hint_marks_the_hand_wherever_it_is_shown(sixteen: Player) -> None:
    assert read(sixteen)["helped"] is False
    said = hint(sixteen)
    assert (sixteen.status, said["helped"], said["grade"]) == (200, True, None)
    assert said["odds"]["best"] == "hit"
    assert read(sixteen)["helped"] is True
    sixteen.act("stand")
    key = sixteen.hand
    assert sixteen.get(f"/h/{key}.json").json["helped"] is True
    assert "played with help" in sixteen.get(f"/h/{key}", Accept="text/html").text
    assert "played with help" in sixteen.get(f"/h/{key}.txt").text
    assert sixteen.get("/me").json["hands"][0]["helped"] is True
    assert "with help" in sixteen.get("/me/hands", Accept="text/html").text


def test_help_is_on_record_before_it_is_given(sixteen: Player) -> None:
    with patch.object(desk, "ask", side_effect=desk.Pending):
        hint(sixteen)
    assert sixteen.status == 202
    assert read(sixteen)["helped"] is True


def test_a_hint_is_given_to_the_player_of_the_hand_for_its_next_decision_only(sixteen: Player, bob: Player) -> None:
    url = f"/play/blackjack/{sixteen.hand}"
    bob.get("/play/blackjack")
    assert bob.post(f"{url}/0/hint").status == 404
    assert bob.get(f"{url}/0/verdict").status == 404
    assert sixteen.post(f"{url}/1/hint").status == 409
    assert sixteen.get(f"{url}/0/verdict").status == 409
    assert read(sixteen)["helped"] is False
    sixteen.act("stand")
    assert sixteen.post(f"{url}/0/hint").status == 409
    assert sixteen.post(f"{url}/1/hint").status == 409
    assert sixteen.get(f"{url}/0/verdict").status == 200
    assert sixteen.get(f"/h/{sixteen.hand}.json").json["helped"] is False


def test_a_verdict_is_what_the_odds_desk_says(sixteen: Player) -> None:
    sixteen.act("stand")
    said = verdict(sixteen, 0)
    question = {"game": "blackjack", "table": "vegas", "cards": "Th6s", "dealer": "9d", "bet": "100", "held": "stand"}
    asked = OddsAnswer.of("blackjack", "vegas", said["odds"]["url"], computed_here("spot", question, 0))
    assert said["grade"] == "slip"
    assert said["helped"] is False
    assert said["odds"] == to_json(asked)
    assert said["odds"]["url"] == "/odds/blackjack?cards=Th6s&dealer=9d&bet=100&table=vegas&held=stand"


def test_a_verdict_on_a_hand_is_given_until_the_next_one_is_dealt(sixteen: Player) -> None:
    sixteen.act("stand")
    key = sixteen.hand
    sixteen.sit("blackjack", "vegas")
    sixteen.deal(stakes=(100,))
    assert sixteen.get(f"/play/blackjack/{key}/0/verdict").status == 409


def test_a_practice_hand_has_a_coach_like_any_other_and_no_purse(sixteen: Player, bob: Player) -> None:
    sixteen.act("stand")
    key = sixteen.hand
    sixteen.sit("blackjack", "downtown")  # the shoe is left, and with that opened
    bob.sit("blackjack", "vegas")
    bob.deal(stakes=(500,))
    bob.sit("blackjack", "vegas")
    bob.board, bob.game = bob.post(f"/h/{key}/again").json, "blackjack"
    said = hint(bob)
    assert (said["helped"], said["odds"]["best"]) == (True, "hit")
    assert "data-hint" in bob.get(f"/play/blackjack?hand={bob.hand}", Accept="text/html").text
    bob.act("stand")
    assert verdict(bob, 0)["grade"] == "slip"
    assert bob.get(f"/h/{bob.hand}.json").json["helped"] is True
    assert "Slip" in bob.get(f"/play/blackjack?hand={bob.hand}&verdict=0", Accept="text/html").text


def test_what_the_purse_cannot_pay_is_not_the_best(alice: Player) -> None:
    with stacked("5h 6d 6s Kc 2d"):
        alice.sit("blackjack", "vegas")
        alice.deal("coach", (900,))
        assert "double" not in alice.actions
        assert hint(alice)["odds"]["best"] == "hit"
        alice.act("hit")
        said = verdict(alice, 0)
        assert (said["grade"], said["odds"]["best"]) == ("best", "hit")


def test_the_odds_are_asked_only_about_cards_that_lie_open(sixteen: Player) -> None:
    asked: list[Json] = []
    found = {
        "options": [{"action": "hit", "value": 0.0, "outcomes": {}, "grade": None}],
        "best": "hit",
        "fair": False,
        "unit": "bets",
        "exact": True,
        "method": "m",
        "error_share": None,
    }

    def ask(_about: str, question: Json, _patience: float) -> Json:
        asked.append(question)
        return found

    with patch.object(desk, "ask", ask):
        hint(sixteen)
        sixteen.act("hit")
        verdict(sixteen, 0)
    assert [(each["cards"], each["dealer"], each["others"], each["seen"]) for each in asked] == [
        ("Th 6s", "9d", "", "")
    ] * 2
    assert "Kc" not in str(asked)


def test_a_fair_bet_has_no_grade(alice: Player) -> None:
    with stacked("8h 8d 8s 2c 3d 4h 5s"):
        alice.sit("poker")
        alice.deal("coach")
        alice.act("hold", 1, 2, 3)
        said = hint(alice)
    assert (said["odds"]["fair"], said["grade"]) == (True, None)


def test_without_a_script_the_table_shows_what_was_asked_for(sixteen: Player) -> None:
    url = f"/play/blackjack?hand={sixteen.hand}"
    assert "Best: Hit" not in sixteen.get(f"{url}&hint=0", Accept="text/html").text, "nobody has asked"
    got = sixteen.post(f"/play/blackjack/{sixteen.hand}/0/hint", Accept="text/html")
    assert (got.status, got.headers["location"]) == (303, f"{url}&hint=0")
    page = sixteen.get(got.headers["location"], Accept="text/html").text
    assert "Best: Hit" in page
    assert 'data-verb="hit"' in page
    sixteen.line.client.set_cookie("prefs", "coach=after")
    got = sixteen.post(f"/play/blackjack/{sixteen.hand}/0", [("verb", "stand")], Accept="text/html")
    assert got.headers["location"] == f"{url}&verdict=0"
    assert "Slip" in sixteen.get(got.headers["location"], Accept="text/html").text


def test_without_a_script_a_hint_before_each_decision_is_on_record(alice: Player) -> None:
    alice.line.client.set_cookie("prefs", "coach=before")
    with stacked(SIXTEEN):
        alice.sit("blackjack", "vegas")
        url = f"/play/blackjack/{alice.hand}/0"
        got = alice.post(url, [("verb", "deal"), ("cut", "x"), ("stake", "100")], Accept="text/html")
        assert got.headers["location"] == f"/play/blackjack?hand={alice.hand}&hint=0"
        assert read(alice)["helped"] is True
        assert "Best: Hit" in alice.get(got.headers["location"], Accept="text/html").text


def test_the_line_is_a_part_of_the_page(sixteen: Player) -> None:
    said = sixteen.post(f"/play/blackjack/{sixteen.hand}/0/hint", **FORM).text
    assert said.count("<p ") == 1
    assert "Best: Hit" in said
    assert "Kc" not in said
    sixteen.act("stand")
    said = sixteen.get(f"/play/blackjack/{sixteen.hand}/0/verdict", **FORM).text
    assert "Slip" in said
    assert "Best: Hit" in said


def test_a_game_without_odds_has_no_coach(alice: Player) -> None:
    alice.sit("poker")
    alice.deal("coach")
    with patch.object(desk, "has_odds", lambda _code: False):
        hint(alice)
        assert (alice.status, alice.answer.json["error"]) == (404, "no-odds")
    assert read(alice)["helped"] is False


@pytest.mark.parametrize("table", ["quest", "quest-ties-win"])
def test_no_hint_is_offered_where_nothing_is_to_be_decided(alice: Player, table: str) -> None:
    """A double-up is a fair bet, but where a tie wins; its cards lie face down, and one is as good as another."""
    offered = {"exchange": True, "ask": table == "quest-ties-win", "pick": False}
    seen = set()
    while not {"ask", "pick"} <= seen:
        dealt(alice, game="poker", table=table)
        while not alice.over:
            phase = alice.board["view"]["phase"]
            page = alice.get(f"/play/poker?hand={alice.hand}", Accept="text/html").text
            assert ("data-hint" in page) is offered[phase], phase
            seen.add(phase)
            doubles = "collect" if "pick" in seen else "double"
            alice.do({"ask": doubles, "pick": "pick-1"}.get(phase, "hold-1-2-3"))
