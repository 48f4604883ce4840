"""The daily deal: the same cards for everybody, one try each, committed to a week before."""

import re
from random import Random

import pytest
from flask import Flask

from tests.support.answer_forms import FORMS
from tests.support.clock import Clock, run_timer
from tests.support.concurrency import at_once, tabs_of
from tests.support.daily_mornings import DAY, MORNING
from tests.support.moves import next_move
from tests.support.openapi_check import document
from tests.support.player import Json, Player
from tests.support.rows import findings, row, rows, tamper
from tests.support.secret_scan import cards_in
from webapp.engine.shuffling import commitment
from webapp.extensions import db
from webapp.models import Hand
from webapp.services.deals.daily import TABLES
from webapp.services.deals.day_view import distribution
from webapp.services.solo import reading
from webapp.web.i18n.vocabulary import signed

every_deal = pytest.mark.parametrize("game", TABLES)
on_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
def clock(clock: Clock) -> Clock:
    """A clock that stands at nine in the morning until the test moves it."""
    clock.now = MORNING
    return clock


def begin_day(app: Flask) -> None:
    run_timer(app, "daily deals")


def sit(player: Player, game: str, **fields: str) -> Json:
    player.post(f"/daily/{game}", list(fields.items()))
    answer: Json = player.answer.json
    if player.status < 300:
        player.board, player.game = answer, game
    return answer


def play_out(player: Player, random: Random | None = None) -> None:
    """Play the open round to its end."""
    random = random or Random(1)
    while not player.over:
        player.do(random.choice(player.actions) if player.game == "blackjack" else next_move(player.board, random))
        assert player.status == 200, player.answer.text


def play_all(player: Player, game: str) -> list[str]:
    """Play all rounds of today's deal; return their keys."""
    keys = []
    for _ in range(TABLES[game].rounds):
        assert sit(player, game)["daily"]
        assert player.status == 201, player.answer.text
        play_out(player)
        keys.append(player.hand)
    return keys


@on_sqlite
def test_commitments_of_the_coming_week_are_public_and_kept(app: Flask, clock: Clock, alice: Player) -> None:
    begin_day(app)
    answer = alice.get("/daily").json
    assert answer["day"] == "2026-11-23"
    promised = {(each["day"], each["game"]): each["commitment"] for each in answer["coming"]}
    assert len(promised) == 7 * len(TABLES)
    clock.move(DAY)
    today = alice.get("/daily").json
    assert {deal["game"]: deal["commitment"] for deal in today["games"]} == {
        game: promised["2026-11-24", game] for game in TABLES
    }
    clock.move(DAY + 2 * 3600)
    begin_day(app)
    past = alice.get("/d/2026-11-24").json
    for deal in past["games"]:
        assert commitment(bytes.fromhex(deal["seed"]), f"2026-11-24-{deal['game']}") == deal["commitment"]
    assert findings(app) == []


@on_sqlite
def test_no_seed_and_no_day_to_come_is_told(app: Flask, clock: Clock, alice: Player) -> None:
    begin_day(app)
    texts = [alice.get(path, **form).text for path in ("/daily", "/d/2026-11-23", "/") for form in FORMS.values()]
    clock.move(9 * DAY)
    begin_day(app)
    seeds = [each[6] for each in rows(app)["daily_deal"] if each[6]]
    assert len(seeds) == 8 * len(TABLES)
    assert not [seed for seed in seeds if any(seed in text for text in texts)]
    for day in ("2026-12-03", "2027-01-01", "nonsense", "2026-1-1"):
        assert alice.get(f"/d/{day}").status == 404
        assert sit(alice, "poker", day=day)["error"] == "daily-unknown"


@on_sqlite
@every_deal
def test_nobody_has_help_at_a_daily_deal(app: Flask, clock: Clock, alice: Player, game: str) -> None:
    begin_day(app)
    while True:
        sit(alice, game)
        if not alice.over:  # with the deal
            break
    url = f"/play/{game}/{alice.hand}/{alice.step}"
    assert alice.post(f"{url}/hint").status == 404
    page = alice.get(f"/play/{game}?hand={alice.hand}&hint={alice.step}", **FORMS["page"]).text
    assert "data-hint" not in page
    alice.do(alice.actions[0])
    assert alice.get(f"{url}/verdict").status == 404
    assert row(app, "SELECT count(*) FROM hand WHERE helped") == (0,)


@on_sqlite
@every_deal
@pytest.mark.usefixtures("same_picture")
def test_everybody_has_the_same_cards_and_nobody_sees_anothers(
    app: Flask, clock: Clock, alice: Player, bob: Player, game: str
) -> None:
    keys = [play_all(player, game) for player in (alice, bob)]
    before = bob.get(f"/h/{keys[1][0]}.json")
    assert (before.status, before.json["proof"], before.json["practice"]) == (200, None, False)
    for key in keys[0]:
        for end in ("", ".json", ".txt", ".png", "/review", "/0.png", "?ask=0"):
            assert bob.get(f"/h/{key}{end}").status == 404, "others still play it"
        for end in (".json", ".txt", ".png", "/0.png"):
            answer = alice.line.client.get(f"/h/{key}{end}")  # type: ignore[union-attr]
            assert "public" not in answer.headers.get("Cache-Control", ""), "no proxy may show it to others"
        assert alice.post(f"/h/{key}/again").json["error"] == "practice-today"
        page = alice.get(f"/h/{key}", Accept="text/html").text
        assert "The same deal can be played when the day is over." in page
    clock.move(DAY)
    begin_day(app)
    hands = [[bob.get(f"/h/{key}.json").json for key in theirs] for theirs in keys]
    first, other = hands[0][0], hands[1][0]
    for mine, theirs in zip(first["cards"], other["cards"], strict=False):
        assert mine[: len(theirs)] == theirs[: len(mine)]
    assert first["proof"]["id"] == f"2026-11-23-{game}"
    assert "The house could not cheat" in alice.get(f"/h/{keys[0][0]}", Accept="text/html").text
    assert alice.post(f"/h/{keys[0][0]}/again").status == 201, "once the day is over, for practice"
    assert not rows(app)["purse"]
    assert not rows(app)["ledger_entry"]
    assert findings(app) == []


@every_deal
def test_one_try_counts_whatever_is_sent(app: Flask, clock: Clock, alice: Player, game: str) -> None:
    sit(alice, game)
    while alice.over:  # with the deal: of the next round, then
        sit(alice, game)
    heard = at_once(tabs_of(alice, 3), lambda tab: tab.post(f"/daily/{game}").json)
    assert {board["hand"] for _, board in heard} == {alice.hand}
    play_out(alice)
    for _ in range(TABLES[game].rounds - 1):
        sit(alice, game)
        play_out(alice)
    for form in FORMS.values():
        assert alice.post(f"/daily/{game}", **form).status == 409
    assert row(app, "SELECT count(*) FROM hand WHERE kind = 'daily'")[0] == TABLES[game].rounds
    assert [deal["played"] for deal in alice.get("/daily").json["games"] if deal["game"] == game] == [True]


def test_tabs_at_the_same_moment_begin_one_try(app: Flask, clock: Clock, alice: Player) -> None:
    sit(alice, "joker")
    heard = at_once(tabs_of(alice, 4), lambda tab: tab.post("/daily/poker").json)
    assert sorted(status for status, _ in heard) == [200, 200, 200, 201]
    assert len({board["hand"] for _, board in heard}) == 1
    assert row(app, "SELECT count(*) FROM hand WHERE kind = 'daily' AND game = 'poker'")[0] == 1


@on_sqlite
def test_a_try_begun_before_midnight_is_finished_after_it(app: Flask, clock: Clock, alice: Player, bob: Player) -> None:
    clock.move(15 * 3600 - 10)
    first = sit(alice, "blackjack")["hand"]
    sit(bob, "poker")
    clock.move(20)
    assert sit(alice, "blackjack", day="2026-11-23")["hand"] == first
    play_out(alice)
    for number in range(2, 6):
        assert sit(alice, "blackjack", day="2026-11-23")["round"] == number
        play_out(alice)
    played = {deal["game"]: deal["played"] for deal in alice.get("/d/2026-11-23").json["games"]}
    assert played == {game: game == "blackjack" for game in TABLES}
    assert sit(alice, "blackjack")["daily"] == "2026-11-24", "and the new day has a try of its own"
    clock.move(3600)
    assert bob.get("/d/2026-11-23").json["games"][0]["played"], "a try that was left is the one there was"
    assert sit(bob, "poker", day="2026-11-23")["error"] in ("daily-played", "daily-over")
    bob.act("hold")
    assert bob.board["status"] == "forfeited"
    assert findings(app) == []


@on_sqlite
def test_a_clock_that_is_set_back_gives_no_second_try(app: Flask, clock: Clock, alice: Player) -> None:
    play_all(alice, "poker")
    clock.move(DAY)
    play_all(alice, "poker")
    clock.set(-DAY)
    assert sit(alice, "poker")["error"] == "daily-played"
    clock.move(2 * DAY)
    begin_day(app)
    clock.set(-DAY)
    assert sit(alice, "joker")["error"] == "daily-over", "cards that lay open are nobody's try"


@on_sqlite
def test_no_seed_is_opened_by_a_clock_that_was_just_set_forward(
    app: Flask, clock: Clock, alice: Player, bob: Player
) -> None:
    (played,) = play_all(alice, "poker")
    clock.set(3 * DAY)
    begin_day(app)
    assert [deal["seed"] for deal in alice.get("/d/2026-11-23").json["games"]] == [None] * len(TABLES)
    for end in ("", ".json", ".txt", ".png", "/review", "/0.png", "?ask=0"):
        assert bob.get(f"/h/{played}{end}").status == 404, "bob may still play it when the clock is right again"
    clock.set(-3 * DAY)
    begin_day(app)
    sit(bob, "poker")
    assert bob.status == 201, "as he may now"
    assert row(app, "SELECT count(*) FROM daily_deal WHERE revealed_seed IS NOT NULL")[0] == 0
    assert findings(app) == []
    clock.move(3 * DAY)
    begin_day(app)
    assert all(deal["seed"] for deal in alice.get("/d/2026-11-23").json["games"])
    assert bob.get(f"/h/{played}").status == 200


@on_sqlite
def test_no_answer_shows_a_card_before_its_time(app: Flask, clock: Clock, alice: Player, charlie: Player) -> None:
    play_all(charlie, "poker")
    texts, shown = [], set()
    sit(alice, "poker")
    shown |= set(alice.board["view"]["hand"])
    for form in FORMS.values():
        for path in ("/daily", "/d/2026-11-23", f"/play/poker?hand={alice.hand}"):
            texts.append(alice.get(path, **form).text)
    assert not set().union(*map(cards_in, texts)) - shown


@on_sqlite
def test_the_audit_notices_a_commitment_that_is_not_kept(app: Flask, clock: Clock, alice: Player) -> None:
    begin_day(app)
    tamper(app, "UPDATE daily_deal SET commitment = :other WHERE key = '2026-11-25-poker'", other="0" * 64)
    assert any("2026-11-25-poker" in found for found in findings(app))


def test_a_distribution_is_told_from_five_on() -> None:
    assert distribution([1, 2, 3, 4], 3) is None
    found = distribution([1, 2, 3, 3, 9], 3)
    assert found is not None
    assert (found.count, found.below, found.equal, found.average) == (5, 2, 1, 3.6)
    assert [(bar.least, bar.count, bar.own) for bar in found.bars] == [
        (1, 1, False),
        (2, 1, False),
        (3, 2, True),
        (9, 1, False),
    ]
    wide = distribution(list(range(100)), None)
    assert wide is not None
    assert sum(bar.count for bar in wide.bars) == 100
    assert [bar.height for bar in found.bars] == [bar.share for bar in found.bars] == [0.5, 0.5, 1.0, 0.5]
    described = document()["components"]["schemas"]["Bar"]["properties"]
    assert described["share"]["deprecated"], "a share is a part of the whole elsewhere"


@on_sqlite
def test_a_day_that_is_over_says_that_too_few_have_finished_it(app: Flask, clock: Clock, alice: Player) -> None:
    play_all(alice, "poker")
    page = alice.get("/daily", Accept="text/html").text
    assert "How others did is shown once five have finished it." in page
    assert "Fewer than five" not in page
    clock.move(DAY + 2 * 3600)
    begin_day(app)
    page = alice.get("/d/2026-11-23", Accept="text/html").text
    assert "once five have finished it" not in page, "nobody will"
    assert page.count("Fewer than five finished it: how they did is not shown.") == len(TABLES)


@on_sqlite
def test_a_new_game_has_deals_from_the_day_it_came_and_days_before_stay_as_they_were(
    app: Flask, clock: Clock, alice: Player
) -> None:
    begin_day(app)
    others = [game for game in TABLES if game != "video"]
    for game in others:
        play_all(alice, game)
    promised = [deal for deal in alice.get("/daily").json["coming"] if deal["game"] != "video"]
    tamper(app, "DELETE FROM daily_deal WHERE game = 'video'")  # as versions without it left them
    clock.move(DAY)
    begin_day(app)
    past = alice.get("/d/2026-11-23").json["games"]
    assert [(deal["game"], deal["played"]) for deal in past] == [(game, True) for game in others]
    assert [deal["game"] for deal in alice.get("/daily").json["games"]] == list(TABLES)
    later = alice.get("/daily").json["coming"]
    assert [deal for deal in promised if deal["day"] > "2026-11-24"] == [deal for deal in later if deal in promised]
    assert play_all(alice, "video")
    for path in ("/", "/daily", "/d/2026-11-23", "/daily?month=2026-11"):
        assert alice.get(path, Accept="text/html").status == 200, path
    assert findings(app) == []


@pytest.mark.parametrize("game", ["joker", "video"])
def test_the_pay_table_of_a_days_hand_is_in_chips_to_its_end(
    app: Flask, clock: Clock, alice: Player, game: str
) -> None:
    begin_day(app)
    sit(alice, game)
    play_out(alice)
    page = alice.get(f"/play/{game}?hand={alice.hand}", **FORMS["page"]).text
    assert "8,000" in page
    assert "×800" not in page


@pytest.mark.parametrize("game", TABLES)
def test_a_daily_deal_is_played_for_points_and_no_chip_is_lost(
    app: Flask, clock: Clock, alice: Player, game: str
) -> None:
    begin_day(app)
    keys = play_all(alice, game)
    pages = [
        alice.get(path, **FORMS["page"]).text
        for path in (f"/play/{game}?hand={keys[-1]}", "/daily", f"/h/{keys[-1]}", f"/h/{keys[-1]}.txt")
    ]
    for page in pages:
        assert not re.findall(r"[+−][\d.,]+ chips?\b|bet of .{0,20} (?:is gone|comes back)", page)
    assert re.search(r"Your result: <b>(0|±0|[+−]?[\d,]+ points?)</b>", pages[1])


@pytest.mark.parametrize("game", ["poker", "joker", "video"])
def test_it_is_said_that_no_card_of_a_daily_deal_is_held(app: Flask, clock: Clock, alice: Player, game: str) -> None:
    begin_day(app)
    said = "No card is held here until you choose."
    assert sit(alice, game)["status"] == "live"
    page = alice.get(f"/play/{game}?hand={alice.hand}", **FORMS["page"]).text
    assert said in page and "checked" not in page
    assert "No card is held until you choose: a golden button only shows" in alice.get("/daily", **FORMS["page"]).text
    play_out(alice)
    assert said not in alice.get(f"/play/{game}?hand={alice.hand}", **FORMS["page"]).text


@on_sqlite
def test_of_the_deals_of_a_day_the_one_that_is_next_is_golden(app: Flask, clock: Clock, alice: Player) -> None:
    """It is the one that was begun, else the first."""
    begin_day(app)

    def golden() -> list[str]:
        page = alice.get("/daily", **FORMS["page"]).text
        return re.findall(r'action="/daily/(\w+)">(?:(?!</form>).)*?class="btn btn--primary"', page, re.DOTALL)

    first, *others = (deal["game"] for deal in alice.get("/daily").json["games"])
    assert golden() == [first]
    sit(alice, others[-1])
    assert golden() == [others[-1]]


@on_sqlite
@every_deal
def test_no_rule_beside_a_daily_deal_speaks_of_a_purse(app: Flask, clock: Clock, alice: Player, game: str) -> None:
    begin_day(app)
    sit(alice, game)
    for where in (f"/play/{game}?hand={alice.hand}", f"/rules/{game}?table={TABLES[game].variant}"):
        page = alice.get(where, **FORMS["page"]).text
        said = ("A run begins with" in page, "whole chips" in page)
        assert said == ((False, False) if "play" in where else (game != "poker", game == "blackjack"))


def test_between_two_rounds_stands_what_all_of_them_came_to(app: Flask, clock: Clock, alice: Player) -> None:
    begin_day(app)
    nets = []
    for _ in range(TABLES["blackjack"].rounds):
        sit(alice, "blackjack")
        page = alice.get(f"/play/blackjack?hand={alice.hand}", **FORMS["page"]).text
        assert ("Points so far" in page) == alice.over, "a blackjack ends at once"
        play_out(alice)
        nets.append(row(app, "SELECT net FROM hand WHERE key = :key", key=alice.hand)[0])
        page = alice.get(f"/play/blackjack?hand={alice.hand}", **FORMS["page"]).text
        assert re.search(r"Points so far</dt>\s*<dd>(.*?)</dd>", page)[1] == signed(sum(nets))  # type: ignore[index]
    assert any(nets)


@on_sqlite
def test_after_a_deal_the_others_of_the_day_are_known_to_be_open(app: Flask, clock: Clock, alice: Player) -> None:
    begin_day(app)

    def still_open() -> tuple[str, ...] | None:
        with app.app_context():
            same = reading.board(db.session.get_one(Hand, alice.hand), {}).same
        assert same is not None
        return same.still_open

    left = list(TABLES)
    for game in TABLES:
        for number in range(1, TABLES[game].rounds + 1):
            sit(alice, game)
            play_out(alice)
            assert number == TABLES[game].rounds or still_open() is None
        left.remove(game)
        assert still_open() == tuple(left)
    clock.move(DAY)
    begin_day(app)
    assert still_open() is None, "there are new cards already"
