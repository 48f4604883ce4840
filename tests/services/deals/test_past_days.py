"""Past days are played for practice by whoever missed them; of today and the days to come nothing can be had."""

import re
from html import unescape
from random import Random

import pytest
from flask import Flask

from tests.support.answer_forms import FORMS
from tests.support.clock import Clock, run_timer
from tests.support.daily_mornings import DAY, first_morning, next_morning
from tests.support.moves import next_move
from tests.support.player import Json, Player
from tests.support.rows import findings, row, rows
from tests.support.secret_scan import cards_in
from webapp.services.deals.daily import TABLES
from webapp.web.hand_page import link_preview, picture_preview

PAGE = FORMS["page"]
GOLD = re.compile(r'class="[^"]*\bbtn--primary\b[^"]*"[^>]*>\s*([^<]*?)\s*<')

every_deal = pytest.mark.parametrize("game", TABLES)
pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture(autouse=True)
def clock(clock: Clock, app: Flask) -> Clock:
    return first_morning(app, clock)


def practise(player: Player, game: str, after: str | None = None, day: str = "2026-11-23") -> Json:
    player.post(f"/d/{day}/{game}", [("after", after)] if after else [])
    answer: Json = player.answer.json
    if player.status < 300:
        player.board, player.game = answer, game
    return answer


def play_out(player: Player) -> str:
    random = Random(1)
    while not player.over:
        player.do(random.choice(player.actions) if player.game == "blackjack" else next_move(player.board, random))
        assert player.status == 200, player.answer.text
    return player.hand


def play_all(player: Player, game: str) -> list[str]:
    """Play all rounds of today's deal; return their keys."""
    keys = []
    for _ in range(TABLES[game].rounds):
        player.board, player.game = player.post(f"/daily/{game}").json, game
        keys.append(play_out(player))
    return keys


@every_deal
def test_who_missed_a_day_plays_all_its_cards_for_practice(app: Flask, clock: Clock, bob: Player, game: str) -> None:
    next_morning(app, clock)
    (place,) = (deal["practice"] for deal in bob.get("/d/2026-11-23").json["games"] if deal["game"] == game)
    assert place == f"/d/2026-11-23/{game}"
    after = None
    for number in range(1, TABLES[game].rounds + 1):
        board = practise(bob, game, after)
        assert (bob.status, board["practice"], board["daily"], board["round"]) == (201, True, "2026-11-23", number)
        if not bob.over:  # with the deal
            assert practise(bob, game, after)["hand"] == board["hand"], "sent twice, begun once"
        after = play_out(bob)
    assert practise(bob, game, after)["error"] == "hand-not-found", "there are no more rounds"
    assert bob.get(f"/h/{after}").json["proof"]["id"] == f"2026-11-23-{game}"
    assert not rows(app)["purse"]
    assert not rows(app)["ledger_entry"]
    assert [deal["done"] for deal in bob.get("/d/2026-11-23").json["games"]] == [0] * len(TABLES), "it is no try"
    assert findings(app) == []


def _first_cards(player: Player, key: str) -> list[str]:
    cards: list[str] = player.get(f"/h/{key}.json").json["cards"][0][:5]
    return cards


@every_deal
def test_the_first_round_has_the_cards_that_everybody_had(
    app: Flask, clock: Clock, alice: Player, bob: Player, game: str
) -> None:
    (first, *_) = play_all(alice, game)
    next_morning(app, clock)
    practise(bob, game)
    mine, theirs = _first_cards(bob, play_out(bob)), _first_cards(alice, first)
    shorter = min(len(mine), len(theirs))
    assert shorter
    assert mine[:shorter] == theirs[:shorter]


@pytest.mark.parametrize("hours", [0, 14.99, 15.5], ids=["morning", "before midnight", "the hour of grace"])
def test_no_day_that_can_be_played_and_none_to_come_is_practised(
    app: Flask, clock: Clock, alice: Player, bob: Player, hours: float
) -> None:
    play_all(alice, "poker")
    clock.move(hours * 3600)
    run_timer(app, "daily deals")
    before, texts = rows(app), []
    for day in ("2026-11-23", "2026-11-25", "2026-12-01", "2027-01-01", "nonsense", "2026-11-23\0", "9999-12-31"):
        for game in (*TABLES, "table21", "chess"):
            for player in (alice, bob):
                for form in FORMS.values():
                    texts.append(player.post(f"/d/{day}/{game}", **form).text)
                    assert player.status in (404, 409), (day, game)
    for day in ("2026-11-25", "2026-12-01", "nonsense"):
        assert bob.get(f"/d/{day}.png").status == bob.get(f"/d/{day}", **PAGE).status == 404
    for path in ("/d/2026-11-23", "/daily", "/"):
        texts += [bob.get(path, **form).text for form in FORMS.values()]
        assert bob.status == 200
    assert [deal["practice"] for deal in bob.get("/d/2026-11-23").json["games"]] == [None] * len(TABLES)
    newcomer = Player(app.test_client())
    decoration = {card for path in ("/", "/nothing") for card in cards_in(newcomer.get(path, **PAGE).text)}
    assert not set().union(*map(cards_in, texts)) - decoration
    assert {name: found for name, found in rows(app).items() if found != before[name]} == {}


def test_a_clock_that_was_just_set_forward_opens_no_day(app: Flask, clock: Clock, bob: Player) -> None:
    clock.set(3 * DAY)
    run_timer(app, "daily deals")
    assert practise(bob, "poker")["error"] == "practice-today"


def test_only_the_players_own_finished_round_has_a_next_one(
    app: Flask, clock: Clock, alice: Player, bob: Player
) -> None:
    (first, *_) = play_all(alice, "blackjack")
    (poker,) = play_all(alice, "poker")
    next_morning(app, clock)
    while practise(bob, "blackjack") and bob.over:
        bob.post(f"/h/{bob.hand}/again")
    for after in (first, poker, bob.hand, "nonsense", "P-nonsense", "\0"):
        before = rows(app)
        practise(bob, "blackjack", after)
        assert (bob.status, bob.answer.json["error"]) == (404, "hand-not-found")
        assert rows(app) == before
    assert practise(alice, "blackjack", first)["round"] == 2, "her own of that day is one"


@every_deal
def test_the_page_of_a_hand_knows_whether_its_player_had_the_cards_before(
    app: Flask, clock: Clock, alice: Player, bob: Player, game: str
) -> None:
    play_all(alice, game)
    next_morning(app, clock)
    for player, known in ((bob, [False, True]), (alice, [True, True])):
        for expected in known:
            practise(player, game)
            page = player.get(f"/h/{play_out(player)}", **PAGE).text
            assert ("the cards were known" in page) is expected


def test_the_page_of_a_day_says_once_that_it_was_not_played_and_has_one_golden_button(
    app: Flask, clock: Clock, alice: Player, bob: Player
) -> None:
    play_all(alice, "poker")
    next_morning(app, clock)
    page = bob.get("/d/2026-11-23", **PAGE, Referer="http://localhost/daily").text
    assert page.count("You did not play") == 1
    assert GOLD.findall(page) == ["Play that day’s cards"]
    assert len(re.findall(r'action="/d/2026-11-23/\w+"', page)) == 1 + len(TABLES)
    page = alice.get("/d/2026-11-23", **PAGE).text
    assert "You did not play" not in page
    assert GOLD.findall(page) == []


def test_who_comes_by_a_friends_link_is_told_so_until_the_day_was_played(
    app: Flask, clock: Clock, alice: Player, bob: Player
) -> None:
    sent = "A friend sent you this day’s cards."
    from_here = {**PAGE, "Referer": "http://localhost/daily"}
    for path in ("/d/2026-11-23", "/d/2026-11-23?lang=en"):
        assert sent in bob.get(path, **PAGE).text
    assert sent not in bob.get("/d/2026-11-23", **from_here).text
    assert sent not in bob.get("/daily", **PAGE).text
    play_all(alice, "poker")
    assert sent not in alice.get("/d/2026-11-23", **PAGE).text
    next_morning(app, clock)
    page = bob.get("/d/2026-11-23", **PAGE).text
    assert sent in page and "You did not play" not in page
    assert GOLD.findall(page) == ["Play that day’s cards"]


def _head(player: Player, path: str) -> dict[str, str]:
    found = re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)"', player.get(path, **PAGE).text)
    return {name: unescape(content) for name, content in found}


def test_the_link_of_a_day_asks_a_question_and_shows_backs(app: Flask, clock: Clock, alice: Player) -> None:
    play_all(alice, "poker")
    heads, pictures = [], []
    for hours in (0, 24):
        clock.move(hours * 3600)
        run_timer(app, "daily deals")
        for player in (alice, Player(app.test_client())):
            heads.append(_head(player, "/d/2026-11-23"))
            answer = player.line.client.get(heads[-1]["og:image"].split("localhost", 1)[1])  # type: ignore[union-attr]
            assert answer.mimetype == "image/png"
            pictures.append(answer.data)
    assert [head["og:title"] for head in heads] == [
        *["Five cards, one day: what would you keep?"] * 2,
        *["Five cards, one day: what would you have kept?"] * 2,
    ]
    assert {head["og:url"].split("localhost")[1] for head in heads} == {"/d/2026-11-23"}
    assert set(pictures) == {picture_preview.picture(link_preview.day_subject("2026-11-23"))}, (
        "nothing of it is in the deals"
    )
    assert [group.cards for group in link_preview.day_subject("2026-11-23").groups] == [(None,) * 5]


def test_the_last_round_leads_back_to_the_day_and_one_before_it_to_the_next(
    app: Flask, clock: Clock, bob: Player
) -> None:
    next_morning(app, clock)
    practise(bob, "blackjack")
    for number in range(1, 6):
        key = play_out(bob)
        page = bob.get(f"/play/blackjack?hand={key}", **PAGE).text
        if number < 5:
            assert f'name="after" value="{key}"' in page
            practise(bob, "blackjack", key)
        else:
            assert 'href="/d/2026-11-23"' in page
            assert 'name="after"' not in page
    assert row(app, "SELECT count(*) FROM hand WHERE kind <> 'play'")[0] == 5


def test_late_tries_are_a_figure_of_their_own(app: Flask, clock: Clock, alice: Player, bob: Player) -> None:
    """Of five from whom nothing of the cards was seen before; who played in time, or again, is not among them."""

    def told(player: Player) -> Json:
        return next(deal for deal in player.get("/d/2026-11-23").json["games"] if deal["game"] == "poker")

    play_all(alice, "poker")
    next_morning(app, clock)
    before = told(alice)["distribution"]
    late = [bob, *(Player(app.test_client()) for _ in range(4))]
    for number, player in enumerate(late):
        assert told(bob)["late"] is None
        practise(player, "poker")
        play_out(player)
        assert told(player)["late_result"] == sum(player.board["result"]["payouts"])
        assert told(player)["result"] is None
        assert number < 4 or told(player)["late"]["count"] == 5
    practise(alice, "poker")
    play_out(alice)
    practise(bob, "poker")
    play_out(bob)
    found = told(alice)
    assert (found["late"]["count"], found["late"]["below"], found["late_result"]) == (5, None, None)
    assert found["distribution"] == before
    page = bob.get("/d/2026-11-23", **PAGE).text
    assert "Played late" in page
    assert "Your result, played late" in page


def test_a_day_that_is_typed_after_the_address_of_today_leads_to_its_page(app: Flask) -> None:
    client = app.test_client()
    assert client.get(f"/daily/{DAY}").location == f"/d/{DAY}"
    missing = client.get("/daily/2020-01-01", follow_redirects=True)
    assert missing.status_code == 404
    assert 'href="/daily"' in missing.text.split("<main")[1]
