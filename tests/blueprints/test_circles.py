"""Circles: opened, joined and kept by members alone, whom nothing of a deal is told before their own try."""

import json
import re
from collections.abc import Callable
from random import Random

import pytest
from flask import Flask

from tests.support.clock import Clock, run_timer
from tests.support.command_line import CommandResult
from tests.support.concurrency import at_once, tabs_of
from tests.support.cookies import cookie_of, send_from_now_on
from tests.support.daily_mornings import DAY, first_morning, next_morning
from tests.support.databases import on_both
from tests.support.moves import next_move
from tests.support.player import Json, Player
from tests.support.rows import all_rows, findings, row, rows, tamper
from tests.support.secret_scan import cards_in
from tests.support.table_players import TablePlayer
from webapp.engine.odds.review import VERSION
from webapp.services.core.clock import now_ms
from webapp.services.deals.daily import TABLES
from webapp.services.operations import retention

HTML = {"Accept": "text/html"}


def opened(player: Player, name: str = "Class 4b", own: str = "Ada") -> str:
    """Open a circle; return its path."""
    player.post("/circles", [("name", name), ("member", own)])
    assert player.status == 201, player.answer.text
    return str(player.answer.json["url"])


def joined(player: Player, path: str, name: str) -> int:
    player.post(f"{path}/join", [("name", name)])
    return player.status


def error_of(player: Player, path: str, *fields: tuple[str, str]) -> tuple[int, str]:
    player.post(path, list(fields))
    return player.status, player.answer.json["error"]


def names(player: Player, path: str) -> list[str]:
    return [member["name"] for member in player.get(path).json["members"]]


@pytest.fixture
def path(alice: Player, bob: Player) -> str:
    """The path of a circle that Alice keeps and Bob has joined."""
    path = opened(alice)
    assert joined(bob, path, "Bo") == 200
    return path


# ------------------------------------------------------------------------------------------------ members


def test_members_see_each_other_and_a_stranger_the_name_alone(app: Flask, alice: Player, path: str) -> None:
    stranger = Player(app.test_client())
    told = stranger.get(path).json
    assert (told["name"], told["you"], told["members"], told["days"]) == ("Class 4b", None, [], [])
    page = stranger.get(path, **HTML)
    assert "Class 4b" in page.text
    assert "Ada" not in page.text
    assert [member["name"] for member in alice.get(path).json["members"]] == ["Ada", "Bo"]
    assert "Bo" in alice.get(path, **HTML).text


def test_the_preview_of_a_link_does_not_even_tell_the_name(app: Flask, path: str) -> None:
    page = Player(app.test_client()).get(path, **HTML)
    head = page.text.partition("</head>")[0]
    assert 'property="og:title"' in head
    assert "Class 4b" not in head
    assert page.headers["x-robots-tag"] == "noindex"
    assert "og:image" not in head


def test_looking_at_an_invitation_makes_nobody_a_member_or_a_player(app: Flask, path: str) -> None:
    before = rows(app)
    stranger = Player(app.test_client())
    for _ in range(2):
        assert stranger.get(path, **HTML).status == 200
    assert stranger.line.ask("HEAD", path, [], {}).status == 200
    assert rows(app) == before


def test_joining_twice_is_joining_once(app: Flask, bob: Player, path: str) -> None:
    assert joined(bob, path, "Bobby") == 200
    assert names(bob, path) == ["Ada", "Bo"]


def test_opening_twice_under_one_name_opens_one_circle(app: Flask, alice: Player, path: str) -> None:
    alice.post("/circles", [("name", "Class 4b"), ("member", "Ada")])
    assert (alice.status, alice.answer.json["url"]) == (200, path)
    assert row(app, "SELECT count(*) FROM circle") == (1,)


def test_the_name_in_a_circle_is_seen_nowhere_else(alice: Player, path: str) -> None:
    assert alice.get("/me").json["name"] == ""
    alice.post(f"{path}/name", [("name", "Countess")])
    assert names(alice, path) == ["Countess", "Bo"]
    assert alice.get("/me").json["name"] == ""


def test_names_that_look_the_same_are_told_apart(app: Flask, alice: Player, path: str) -> None:
    third = Player(app.test_client())
    assert joined(third, path, "Αda") in (200, 422)  # with a Greek letter
    assert joined(third, path, "ADA") == 200
    assert names(alice, path)[2] == "ADA 2"


@pytest.mark.parametrize(
    ("name", "code"),
    [("", "no-name"), ("Dealer", "taken-name"), ("x" * 25, "bad-name"), ("Аda", "mixed-name"), ("A\nda", "bad-name")],
)
def test_names_are_those_that_tables_take(app: Flask, alice: Player, name: str, code: str) -> None:
    path = opened(alice)
    stranger = Player(app.test_client())
    assert error_of(stranger, f"{path}/join", ("name", name)) == (422, code)
    assert error_of(alice, f"{path}/name", ("name", name)) == (422, code)
    assert error_of(alice, f"{path}/rename", ("name", name)) == (422, code)
    assert error_of(stranger, "/circles", ("name", name), ("member", "Ada")) == (422, code)
    assert row(app, "SELECT count(*) FROM player") == (1,), "nobody is made for a name that is none"


def test_who_has_left_is_gone_and_may_come_back(app: Flask, alice: Player, bob: Player, path: str) -> None:
    for _ in range(2):
        bob.post(f"{path}/leave")
        assert bob.status == 200
    assert names(alice, path) == ["Ada"]
    assert bob.get(path).json["you"] is None
    assert joined(bob, path, "Bo") == 200
    assert [member["number"] for member in alice.get(path).json["members"]] == [1, 3], "no number is given twice"
    assert findings(app) == []


def test_when_the_keeper_leaves_the_next_one_keeps_the_circle_and_the_last_takes_it_along(
    app: Flask, alice: Player, bob: Player, path: str
) -> None:
    alice.post(f"{path}/leave")
    bob.post(f"{path}/rename", [("name", "Class 5b")])
    assert (bob.status, bob.answer.json["name"]) == (200, "Class 5b")
    bob.post(f"{path}/leave")
    assert bob.get(path).status == 404
    assert row(app, "SELECT count(*) FROM circle_member") == (0,)


def test_only_the_keeper_renames_removes_and_closes(app: Flask, alice: Player, bob: Player, path: str) -> None:
    stranger = Player(app.test_client())
    assert joined(stranger, opened(stranger, "Others"), "Eve") == 200
    for other in (bob, stranger):
        for what, field in (("rename", ("name", "Ours")), ("remove", ("member", "1")), ("close", ("sure", "1"))):
            assert error_of(other, f"{path}/{what}", field) == (403, "not-the-keeper")
    assert error_of(stranger, f"{path}/name", ("name", "Eve")) == (403, "not-a-member")
    assert error_of(alice, f"{path}/close") == (422, "not-sure")
    assert error_of(alice, f"{path}/remove", ("member", "1")) == (422, "keeper-stays")
    alice.post(f"{path}/close", [("sure", "1")])
    assert (alice.status, alice.answer.json["circles"]) == (200, [])
    assert bob.get(path).status == 404
    assert findings(app) == []


def test_a_new_link_leaves_the_old_one_dead_and_all_members_in(
    app: Flask, alice: Player, bob: Player, path: str
) -> None:
    stranger, removed = Player(app.test_client()), Player(app.test_client())
    assert joined(removed, path, "Rex") == 200
    alice.post(f"{path}/remove", [("member", "3")])
    host = TablePlayer(app.test_client())
    joined(host, path, "Host")
    table = host.open(circle=path.rpartition("/")[2], bot="1")
    run_timer(app)
    assert error_of(bob, f"{path}/renew", ("sure", "1")) == (403, "not-the-keeper")
    assert error_of(alice, f"{path}/renew") == (422, "not-sure")
    renewed = alice.post(f"{path}/renew", [("sure", "1")]).json
    assert renewed["url"] != path
    for who in (alice, bob, stranger):
        assert who.get(path).status == 404
        assert error_of(who, f"{path}/join", ("name", "Zed")) == (404, "circle-not-found")
    assert error_of(alice, f"{path}/renew", ("sure", "1")) == (404, "circle-not-found")
    assert names(bob, renewed["url"]) == ["Ada", "Bo", "Host"]
    assert [circle["url"] for circle in bob.get("/circles").json["circles"]] == [renewed["url"]]
    assert table in alice.get(renewed["url"], **HTML).text
    assert joined(removed, renewed["url"], "Rex") == 403
    assert joined(stranger, renewed["url"], "Zed") == 200
    assert [member["keeper"] for member in alice.get(renewed["url"]).json["members"]] == [True, *(False,) * 3]
    page = alice.get(renewed["url"], **HTML).text
    assert f'action="{renewed["url"]}/renew"' in page
    assert f'action="{renewed["url"]}/renew"' not in bob.get(renewed["url"], **HTML).text
    assert findings(app) == []


@on_both
def test_joining_by_a_link_that_is_just_being_renewed_joins_the_circle_or_finds_none(app: Flask, alice: Player) -> None:
    path = opened(alice)
    stranger = Player(app.test_client())

    def act(player: Player) -> Json:
        if player is alice:
            player.post(f"{path}/renew", [("sure", "1")])
        else:
            joined(player, path, "Eve")
        return player.answer.json

    at_once([alice, stranger], act)
    assert (alice.status, stranger.status) in ((200, 200), (200, 404))
    inside = names(alice, alice.answer.json["url"])
    assert inside in (["Ada"], ["Ada", "Eve"])
    assert stranger.status == 404 or len(inside) == 2
    assert findings(app) == []


def test_who_was_removed_cannot_come_back_and_sees_no_more_than_a_stranger(
    app: Flask, alice: Player, bob: Player, path: str
) -> None:
    for _ in range(2):
        alice.post(f"{path}/remove", [("member", "2")])
        assert alice.status == 200
    assert names(alice, path) == ["Ada"]
    assert bob.get(path).json["members"] == []
    assert error_of(bob, f"{path}/join", ("name", "Bo")) == (403, "circle-removed")
    assert bob.get("/circles").json["circles"] == []
    assert findings(app) == []


def test_fifty_fit_into_a_circle_and_twenty_circles_round_a_player(app: Flask, alice: Player, bob: Player) -> None:
    paths = [opened(alice, f"No {number}") for number in range(20)]
    assert error_of(alice, "/circles", ("name", "No 20"), ("member", "Ada")) == (422, "circles-enough")
    more = opened(bob, "One more", "Bo")
    assert error_of(alice, f"{more}/join", ("name", "Ada")) == (422, "circles-enough")
    _fill(app, paths[0], 48)
    assert joined(bob, paths[0], "Bo") == 200
    stranger = Player(app.test_client())
    assert error_of(stranger, f"{paths[0]}/join", ("name", "Eve")) == (422, "circle-full")
    assert findings(app) == []


def _fill(app: Flask, path: str, count: int) -> None:
    """Add members who never were here."""
    code = path.rpartition("/")[2]
    for number in range(2, 2 + count):
        tamper(app, "INSERT INTO player (id, name, created_at, session_number) VALUES (:p, '', 1, 0)", p=f"p{number}")
        tamper(
            app,
            "INSERT INTO circle_member (circle_code, number, player_id, name, name_number, joined_at)"
            " VALUES (:c, :n, :p, :p, 1, 1)",
            c=code,
            n=number,
            p=f"p{number}",
        )
    tamper(app, "UPDATE circle SET last_number = :n WHERE code = :c", n=1 + count, c=code)


@on_both
def test_of_two_who_join_at_once_one_gets_the_last_place(app: Flask, alice: Player) -> None:
    path = opened(alice)
    _fill(app, path, 48)
    others = [Player(app.test_client()) for _ in range(3)]

    def join(other: Player) -> Json:
        joined(other, path, f"Late {others.index(other)}")
        return {}

    assert sorted(status for status, _ in at_once(others, join)) == [200, 422, 422]
    assert row(app, "SELECT count(*) FROM circle_member") == (50,)
    assert findings(app) == []


@on_both
def test_who_joins_many_circles_at_once_is_in_no_more_than_twenty(app: Flask, alice: Player, bob: Player) -> None:
    for number in range(18):
        opened(bob, f"Mine {number}", "Bo")
    paths = [opened(alice, f"No {number}") for number in range(4)]
    tabs = tabs_of(bob, 4)

    def join(tab: Player) -> Json:
        joined(tab, paths[tabs.index(tab)], "Bo")
        return {}

    assert sorted(status for status, _ in at_once(tabs, join)) == [200, 200, 422, 422]
    assert findings(app) == []


@on_both
def test_joining_a_circle_that_is_just_being_closed_joins_it_or_finds_none(app: Flask, alice: Player) -> None:
    for number in range(4):
        path = opened(alice, f"No {number}")
        others = [Player(app.test_client()) for _ in range(3)]

        def do(player: Player, path: str = path) -> Json:
            if player is alice:
                player.post(f"{path}/close", [("sure", "1")])
            else:
                joined(player, path, "Eve")
            return {}

        heard = at_once([alice, *others], do)
        assert {status for status, _ in heard} <= {200, 404}
        assert alice.status == 200
    assert row(app, "SELECT count(*) FROM circle_member") == (0,)
    assert findings(app) == []


@on_both
def test_the_keeper_leaves_while_another_does_and_a_third_joins(app: Flask, alice: Player, bob: Player) -> None:
    path = opened(alice)
    assert joined(bob, path, "Bo") == 200
    third = Player(app.test_client())

    def do(player: Player) -> Json:
        player.post(f"{path}/join" if player is third else f"{path}/leave", [("name", "Eve")])
        return {}

    heard = at_once([alice, bob, third], do)
    assert {status for status, _ in heard} <= {200, 404}
    assert findings(app) == []


def test_an_old_cookie_or_none_does_nothing(app: Flask, alice: Player, bob: Player, path: str) -> None:
    old = cookie_of(bob)
    bob.post("/me/end-other-sessions")
    thief = Player(app.test_client())
    before = rows(app)
    for cookie in (old, ""):
        send_from_now_on(thief, cookie)
        for what in ("leave", "name", "close", "remove", "rename", "reports"):
            assert error_of(thief, f"{path}/{what}", ("name", "Eve"), ("sure", "1"), ("member", "1"))[0] == 403
        assert thief.get(path).json["members"] == []
    assert rows(app) == before


# ------------------------------------------------------------------------------------------------ days


@pytest.fixture
def morning(app: Flask, clock: Clock) -> Clock:
    return first_morning(app, clock)


def play(player: Player, game: str = "poker", day: str = "") -> list[str]:
    """Play all rounds of today's deal, or of a past one; return their keys."""
    keys: list[str] = []
    for _ in range(TABLES[game].rounds):
        fields = [("after", keys[-1])] if day and keys else []
        player.post(f"/d/{day}/{game}" if day else f"/daily/{game}", fields)
        assert player.status == 201, player.answer.text
        player.board, player.game = player.answer.json, game
        while not player.over:
            player.do(next_move(player.board, Random(1)) if game != "blackjack" else player.actions[0])
        keys.append(player.hand)
    return keys


def review(app: Flask, key: str, costs: list[float]) -> None:
    """Store what the decisions of a hand have cost, as a review does."""
    summary = json.dumps({"costs": costs, "measure": 100})
    tamper(
        app,
        "INSERT INTO review (key, version, document, summary, at) VALUES (:key, :version, '{}', :summary, 1)",
        key=key,
        version=VERSION,
        summary=summary,
    )


def deal_of(player: Player, path: str, game: str = "poker", day: int = 0) -> Json:
    found: Json = next(deal for deal in player.get(path).json["days"][day]["games"] if deal["game"] == game)
    return found


def scan(player: Player, path: str) -> str:
    """Return all that a member is sent about a circle, in every form."""
    pages = [player.get(path).text, player.get(path, **HTML).text, player.get("/", **HTML).text]
    return "\n".join([*pages, player.get("/daily", **HTML).text, player.get("/circles").text])


def test_before_ones_own_try_one_is_told_only_that_others_have_played(
    app: Flask, morning: Clock, alice: Player, bob: Player, path: str
) -> None:
    (key,) = play(bob)
    review(app, key, [17])
    deal = deal_of(alice, path)
    assert deal == {"game": "poker", "told": False, "played": [{"member": 2, "percent": None, "beside": None}]}
    sent = scan(alice, path)
    assert key not in sent
    assert "83" not in re.sub(r"[0-9a-f]{12,}|P-\w+", "", sent)
    assert not cards_in(alice.get(path, **HTML).text)
    assert f"{path}/2026-11-23" not in sent
    assert error_of_get(alice, f"{path}/2026-11-23/poker/2") == (403, "play-first")
    assert alice.get(f"/h/{key}").status == 404
    play(alice)
    deal = deal_of(alice, path)
    assert deal["told"]
    assert deal["played"][1] == {"member": 2, "percent": 83, "beside": f"{path}/2026-11-23/poker/2"}
    assert "83" in alice.get(path, **HTML).text


def test_a_member_who_looks_changes_nothing(app: Flask, morning: Clock, alice: Player, bob: Player, path: str) -> None:
    play(bob)
    play(alice)
    before = rows(app)
    for page in (path, f"{path}/2026-11-23/poker/2", f"{path}/reports", "/circles"):
        answer = alice.get(page, **HTML)
        assert answer.status == 200
        assert "set-cookie" not in answer.headers
    assert rows(app) == before


def error_of_get(player: Player, path: str) -> tuple[int, str]:
    answer = player.get(path)
    return answer.status, answer.json["error"]


def test_a_try_that_is_only_begun_is_none(app: Flask, morning: Clock, alice: Player, bob: Player, path: str) -> None:
    play(bob, "blackjack")
    alice.post("/daily/blackjack")
    assert deal_of(alice, path, "blackjack")["told"] is False
    assert deal_of(bob, path, "blackjack")["played"] == [{"member": 2, "percent": None, "beside": None}]
    assert error_of_get(alice, f"{path}/2026-11-23/blackjack/2") == (403, "play-first")


@pytest.mark.parametrize("game", TABLES)
def test_after_ones_own_try_the_decisions_stand_side_by_side(
    app: Flask, morning: Clock, alice: Player, bob: Player, path: str, game: str
) -> None:
    theirs, mine = play(bob, game), play(alice, game)
    found = alice.get(f"{path}/2026-11-23/{game}/2").json
    assert [each["round"] for each in found["rounds"]] == list(range(1, len(mine) + 1))
    assert found["rounds"][0]["mine"] == alice.get(f"/h/{mine[0]}").json["notation"]
    assert found["rounds"][0]["theirs"] == bob.get(f"/h/{theirs[0]}").json["notation"]
    assert found["rounds"][0]["common"] is not None
    page = alice.get(f"{path}/2026-11-23/{game}/2", **HTML)
    assert page.status == 200
    assert page.text.count('class="sides') >= len(mine)
    assert theirs[0] not in page.text, "its page is open to others when the day is over"


def test_a_missed_day_is_told_after_playing_it_late(
    app: Flask, morning: Clock, alice: Player, bob: Player, path: str
) -> None:
    (key,) = play(bob)
    review(app, key, [17])
    next_morning(app, morning)
    assert deal_of(alice, path, day=1)["told"] is False
    assert "83" not in alice.get(path).text
    play(alice, day="2026-11-23")
    assert deal_of(alice, path, day=1)["played"] == [
        {"member": 2, "percent": 83, "beside": f"{path}/2026-11-23/poker/2"}
    ], "who plays late sees others, and is not among those of the day"
    assert alice.get(f"{path}/2026-11-23/poker/2", **HTML).status == 200


def test_a_try_that_was_left_until_the_day_was_over_has_been_one(
    app: Flask, morning: Clock, alice: Player, bob: Player, path: str
) -> None:
    play(bob)
    alice.post("/daily/poker")
    next_morning(app, morning)
    assert deal_of(alice, path, day=1)["told"] is True
    page = alice.get(f"{path}/2026-11-23/poker/2", **HTML)
    assert page.status == 200
    assert "You have not played this round." in page.text


def test_today_and_seven_days_are_shown_and_no_more(
    app: Flask, morning: Clock, alice: Player, bob: Player, path: str
) -> None:
    play(bob)
    next_morning(app, morning, 7)
    assert alice.get(path).json["days"][-1]["day"] == "2026-11-23"
    next_morning(app, morning)
    assert alice.get(path).json["days"][-1]["day"] > "2026-11-23"


def test_members_of_another_circle_are_told_nothing(
    app: Flask, morning: Clock, alice: Player, bob: Player, path: str
) -> None:
    play(bob)
    eve = Player(app.test_client())
    other = opened(eve, "Others", "Eve")
    play(eve)
    assert error_of_get(eve, f"{path}/2026-11-23/poker/2") == (403, "not-a-member")
    assert error_of_get(eve, f"{other}/2026-11-23/poker/2") == (404, "hand-not-found")
    alice.post(f"{path}/remove", [("member", "2")])
    play(alice)
    assert error_of_get(alice, f"{path}/2026-11-23/poker/2") == (404, "hand-not-found")
    assert [each["member"] for each in deal_of(alice, path)["played"]] == [1]


@pytest.mark.parametrize("words", ["2026-11-23/poker/x", "2026-11-23/poker/9", "x/poker/2", "2026-11-23/x/2"])
def test_an_address_of_no_comparison_is_no_error(alice: Player, path: str, words: str) -> None:
    assert alice.get(f"{path}/{words}").status == 404


# ------------------------------------------------------------------------------------------------ the house


def test_a_name_is_reported_once_and_the_operator_takes_it_away(
    app: Flask, morning: Clock, alice: Player, bob: Player, tefuda: Callable[..., CommandResult]
) -> None:
    path = opened(alice, "Rude Circle", "Rude Word")
    assert joined(bob, path, "Bo") == 200
    page = bob.get(f"{path}/reports", **HTML).text
    assert "Report “Rude Word”" in page
    assert "Report “Rude Circle”" in page
    for member, name in (("1", "Rude Word"), ("0", "Rude Circle"), ("1", "")):
        bob.post(f"{path}/reports", [("member", member), ("name", name)])
        assert bob.status == 204
    assert error_of(bob, f"{path}/reports", ("member", "1"), ("name", "Other"))[1] == "another-name"
    assert error_of(bob, f"{path}/reports", ("member", "2"))[1] == "no-name-there"
    code = path.rpartition("/")[2]
    reports = tefuda("players", "reports").out.splitlines()
    assert sorted(line.split(" ", 1)[1] for line in reports) == [f"1 {code} Rude Circle", f"1 {code} Rude Word"]
    player = reports[0].split()[0]
    assert tefuda("players", "clear-name", player).status == 0
    assert tefuda("players", "reports").out == ""
    told = bob.get(path).json
    assert (told["name"], told["members"][0]["name"]) == ("", "")
    assert "Member 1" in bob.get(path, **HTML).text


def test_an_export_has_ones_circles_and_nobody_else_of_them(app: Flask, alice: Player, path: str) -> None:
    found = alice.line.ask("GET", "/me/export", [], {}).json
    assert [each["name"] for each in found["circle"]] == ["Class 4b"]
    assert [each["name"] for each in found["circle_member"]] == ["Ada"]


@on_both
def test_who_is_forgotten_leaves_no_trace_in_a_circle(app: Flask, alice: Player, bob: Player) -> None:
    path = opened(alice)
    assert joined(bob, path, "Bo") == 200
    alice.post("/me/forget", [("sure", "1")])
    assert alice.status == 303
    assert names(bob, path) == ["Bo"]
    bob.post("/me/forget", [("sure", "1")])
    assert rows(app)["circle"] == rows(app)["circle_member"] == []
    assert findings(app) == []


@on_both
def test_what_programs_leave_behind_is_pruned_and_a_circle_of_friends_stays(
    app: Flask, clock: Clock, tefuda: Callable[..., CommandResult]
) -> None:
    host, friend, *programs = (Player(app.test_client()) for _ in range(5))
    path = opened(host)
    for number, player in enumerate((friend, *programs)):
        assert joined(player, path, f"No {number}") == 200
    opened(programs[0], "Stuffed")
    for player in (host, friend):
        player.sit("blackjack", "vegas")
        player.deal("cut", [10, 10])
        while not player.over:
            player.do("stand" if "stand" in player.actions else player.actions[0])
    opened(host, "Nobody came")
    clock.move(100 * DAY)
    with app.app_context():
        pruned = retention.prune(app.extensions["config"], now_ms())
    assert pruned.circles == 1
    assert pruned.newcomers == 3
    assert [each[1] for each in all_rows(app, "SELECT code, name FROM circle")] == ["Class 4b"]
    assert row(app, "SELECT count(*) FROM circle_member") == (2,)
    assert findings(app) == []


def test_the_audit_finds_a_circle_that_is_not_as_it_should_be(app: Flask, alice: Player, path: str) -> None:
    assert findings(app) == []
    tamper(app, "DELETE FROM circle_member WHERE number = 1")
    assert [each for each in findings(app) if "kept by somebody who is no member" in each]


# ------------------------------------------------------------------------------------------------ entrances


def test_the_ways_to_circles(app: Flask, morning: Clock, alice: Player, path: str) -> None:
    for page in ("/", "/daily", "/me"):
        assert 'href="/circles"' in Player(app.test_client()).get(page, **HTML).text.split("<footer")[0]
        assert f'href="{path}"' in alice.get(page, **HTML).text


def test_the_lobby_names_tables_of_ones_circles_with_a_free_seat(app: Flask, alice: Player, path: str) -> None:
    host, eve = TablePlayer(app.test_client()), Player(app.test_client())
    code = path.rpartition("/")[2]
    assert error_of(host, "/tables", ("circle", code))[1] == "not-a-member"
    joined(host, path, "Host")
    table = host.open(circle=code, bot="1")
    run_timer(app)
    (found,) = alice.get("/").json["circle_tables"]
    assert (found["code"], found["free"], found["url"]) == (table, 3, f"/t/{table}")
    assert table in alice.get("/", **HTML).text
    assert table in alice.get(path, **HTML).text
    assert host.get("/").json["circle_tables"] == [], "who sits there knows it"
    assert eve.get("/").json["circle_tables"] == []
    assert table not in eve.get("/tables").text, "it is no public one"
    opened(eve, "Others", "Eve")
    assert eve.get("/").json["circle_tables"] == []
    host.now("leave")
    assert alice.get("/").json["circle_tables"] == []
