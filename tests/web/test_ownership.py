"""Another player's cookie, hand key or seat gives no access: in every game, for shoes, and at shared tables."""

from collections.abc import Callable

import pytest
from flask import Flask

from tests.support.answer_forms import FORMS
from tests.support.cookies import cookie_of, send_from_now_on
from tests.support.moves import TABLES, dealt, dealt_and_live, every_game, finished
from tests.support.player import Json, Player
from tests.support.rows import findings, rows
from tests.support.table_players import people, playing
from webapp.engine.games import SOLO

UNKNOWN = "abcdefghij"


@every_game
def test_no_cookie_but_the_players_own_acts_in_a_hand(app: Flask, alice: Player, charlie: Player, game: str) -> None:
    board = dealt_and_live(alice, game)
    dealt_and_live(charlie, game)
    strangers = [charlie, Player(app.test_client()), Player(app.test_client())]
    cookie = cookie_of(alice)
    send_from_now_on(
        strangers[2], cookie[:-1] + ("Q" if cookie.endswith("A") else "A")
    )  # a forged signature is no player
    before = rows(app)
    for stranger in strangers:
        for form in FORMS.values():
            for action in (*board["actions"], "deal", "mark"):
                verb, _, arguments = action.partition("-")
                fields = [("verb", verb), ("cut", "x"), *(("arg", argument) for argument in arguments.split("-"))]
                assert stranger.post(f"/play/{game}/{alice.hand}/{alice.step}", fields, **form).status in (403, 404)
    assert rows(app) == before
    finished(alice)
    assert alice.status == 200
    assert findings(app) == []


def test_the_law_above_is_checked_at_every_solo_game() -> None:
    assert set(TABLES) == set(SOLO)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("knows_us", [True, False], ids=["a player", "somebody new"])
def test_anothers_hand_is_answered_exactly_like_no_hand_at_all(
    app: Flask, alice: Player, charlie: Player, form: str, knows_us: bool
) -> None:
    dealt(alice)
    live = alice.hand
    if knows_us:
        dealt(charlie)
        finished(charlie)
    before = rows(app)

    def heard(key: str) -> list[tuple[int, dict[str, str], str]]:
        fields = {
            "hold": [("verb", "hold"), ("arg", "1")],
            "mark": [("verb", "mark"), ("arg", "1")],
            "deal": [("verb", "deal"), ("cut", "x")],
            "nonsense": [("verb", "")],
        }
        answers = [charlie.post(f"/play/poker/{key}/{step}", what, **FORMS[form])
                   for what in fields.values() for step in ("0", "1", "x")]  # fmt: skip
        answers += [charlie.get(path.format(key), **FORMS[form])
                    for path in ("/play/poker?hand={}", "/h/{}", "/h/{}.json", "/h/{}.txt", "/h/{}.png", "/h/{}?step=1")]  # fmt: skip
        assert {answer.status for answer in answers} == {404}
        ids = [answer.headers.pop("x-request-id") for answer in answers]
        assert len(set(ids)) == len(answers), "nothing but a number of the request itself"
        return [(answer.status, answer.headers, answer.text.replace(key, "KEY")) for answer in answers]

    assert heard(live) == heard(UNKNOWN)
    assert rows(app) == before


def test_the_list_of_hands_tells_nothing_about_anothers_keys(alice: Player, charlie: Player) -> None:
    for player in (charlie, alice):
        dealt(player)
        finished(player)
    over = alice.hand
    dealt(alice)
    heard = [charlie.get(f"/me?before={key}").text for key in (alice.hand, over, UNKNOWN)]
    assert heard[0] == heard[1] == heard[2]


def test_a_finished_hand_is_open_to_everybody(alice: Player, charlie: Player) -> None:
    dealt(alice)
    key = finished(alice)
    for path in (f"/h/{key}", f"/h/{key}.json", f"/h/{key}.txt", f"/h/{key}.png"):
        assert charlie.line.client.get(path).status_code == 200
    assert charlie.get(f"/play/poker?hand={key}").status == 404, "but only its player plays on from it"


def test_a_hand_of_one_game_is_not_found_under_another(alice: Player) -> None:
    dealt(alice)
    assert alice.post(f"/play/bridge/{alice.hand}/0", [("verb", "hold")]).status == 404
    assert alice.act("hold")["step"] == 1


def test_anothers_round_is_not_found_whatever_is_sent(
    app: Flask, alice: Player, charlie: Player, deal_that_offers: Callable[..., Json]
) -> None:
    deal_that_offers(alice, "split")
    dealt(charlie, game="blackjack")
    before = rows(app)
    for form in FORMS.values():
        for verb in ("split", "double", "hit", "stand", "insure", "surrender", "deal", "nonsense"):
            for step in (alice.step, alice.step + 1, 0):
                fields = [("verb", verb), ("stake", "10"), ("cut", "x")]
                assert charlie.post(f"/play/blackjack/{alice.hand}/{step}", fields, **form).status == 404
        for end in ("", ".json", ".txt", ".png"):
            assert charlie.get(f"/h/{alice.hand}{end}", **form).status == 404
            assert alice.get(f"/h/{alice.hand}{end}", **form).status == 404, "nor by its own player, before the end"
    assert charlie.get(f"/play/blackjack?hand={alice.hand}").status == 404
    assert rows(app) == before


def test_nobody_acts_for_another_seat(app: Flask) -> None:
    visitors = playing(app, 2)
    acting = next(visitor for visitor in visitors if visitor.you == visitor.table["acting"])
    other = next(visitor for visitor in visitors if visitor is not acting)
    (watcher,) = people(app, 1)
    watcher.come(other.code)
    before = acting.see()
    for cheat in (other, watcher):
        for verb in ("hit", "stand", "double", "split", "bet", "cut", "ready", "leave", "policy"):
            if cheat is other and verb in ("ready", "leave", "policy"):
                continue
            cheat.now(verb, 10)
            assert cheat.status == 422, verb
    assert acting.see()["version"] == before["version"]
