"""Reactions at a shared table: who may send them, how often, who sees them, and what is stored."""

import pytest
from flask import Flask

from tests.support.rows import rows
from tests.support.table_players import Line, TablePlayer, people, playing, seated
from webapp.services.tables import reactions
from webapp.services.tables.reactions import KINDS, MOST, PACE, SPAN, TABLES, Reactions

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


class Watch:
    """A clock of the test, in seconds."""

    now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    clock = Watch()
    monkeypatch.setattr(reactions, "time", clock)
    return clock


def react(visitor: TablePlayer, kind: str = "applause", once: str = "", code: str = "") -> int:
    visitor.post(f"/t/{code or visitor.code}/reactions", [("kind", kind), ("once", once)])
    return visitor.status


def shown(visitor: TablePlayer) -> list[tuple[int, str]]:
    return [(reaction["seat"], reaction["kind"]) for reaction in visitor.see()["reactions"]]


@pytest.mark.parametrize("kind", KINDS)
def test_everybody_at_a_table_sees_a_reaction_and_so_do_watchers(app: Flask, kind: str) -> None:
    host, visitor = seated(app, 2)
    watcher = people(app, 1)[0]
    watcher.come(host.code)
    assert react(visitor, kind) == 204
    assert [shown(viewer) for viewer in (host, visitor, watcher)] == 3 * [[(1, kind)]]


def test_a_reaction_comes_by_the_stream_and_to_pages_that_only_ask(app: Flask) -> None:
    host, visitor = seated(app, 2)
    line = Line(app, host.code)
    line.news()
    assert react(host, "wow") == 204
    said = ""
    while "reaction" not in said:
        said += next(line._stream)
    line.close()
    assert "event: reaction\ndata: 0 wow " in said
    asked = visitor.get(f"/t/{host.code}?since={visitor.see()['version']}")
    assert (asked.status, asked.headers["x-reactions"].split()[:2]) == (204, ["0", "wow"])
    page = visitor.get(f"/t/{host.code}", Accept="text/html").text
    assert 'class="reaction" data-kind="wow"' in page.partition("<template")[0]


def test_only_who_sits_at_the_table_may_send_one(app: Flask) -> None:
    host, visitor = seated(app, 2)
    watcher, newcomer = people(app, 2)
    watcher.come(host.code)
    for stranger in (watcher, newcomer):
        assert react(stranger, code=host.code) == 422
        assert stranger.answer.json["error"] == "not-seated"
    elsewhere = seated(app, 2)[0]
    assert react(elsewhere, code=host.code) == 422
    visitor.now("leave")
    assert react(visitor) == 422
    assert react(host, code="NOSUCH") == 404
    assert shown(host) == []


def test_there_are_no_words_and_no_other_pictures(app: Flask) -> None:
    host, _ = seated(app, 2)
    for kind in ("", "hello", "<b>", "applause wow", "mute", "../cards"):
        assert react(host, kind) == 422
        assert host.answer.json["error"] == "bad-reaction"
    assert shown(host) == []


def test_the_same_reaction_sent_again_is_shown_once(app: Flask, watch: Watch) -> None:
    host, _ = seated(app, 2)
    for pause in (0.0, 1.0, PACE):
        watch.now += pause
        assert react(host, "cheers", once="a-word") == 204
    assert shown(host) == [(0, "cheers")]
    assert react(host, "cheers", once="another") == 204
    assert len(shown(host)) == 2


def test_a_seat_that_sends_too_many_is_refused_until_it_has_rested(app: Flask, watch: Watch) -> None:
    host, visitor = seated(app, 2)
    assert react(host) == 204
    assert react(host, "wow") == 429
    assert host.answer.json["error"] == "too-many-reactions"
    assert react(visitor) == 204, "another seat has its own pace"
    watch.now += PACE
    assert react(host, "wow") == 204
    for _ in range(MOST - 2):
        watch.now += PACE
        assert react(host) == 204
    watch.now += PACE
    assert react(host) == 429, "not for ever, either"
    watch.now += SPAN
    assert react(host) == 204


def test_another_seat_or_another_device_does_not_let_one_send_more(app: Flask, watch: Watch) -> None:
    host, visitor = seated(app, 2)
    assert react(visitor) == 204
    visitor.now("leave")
    visitor.now("sit", 4)
    assert react(visitor) == 429, "the same player at another seat"
    watch.now += PACE
    assert react(visitor) == 204
    device = people(app, 1)[0]
    device.come(host.code)
    device.do("take", visitor.see()["seat_link"].partition("seat=")[2])
    assert device.status == 200
    assert react(device) == 429, "the same seat from another device"
    assert react(visitor) == 422, "which it is not held from any more"
    device.now("leave")
    newcomer = people(app, 1)[0]
    newcomer.come(host.code)
    newcomer.now("sit", 4)
    assert react(newcomer) == 429, "the same seat with another player"


def test_a_reaction_changes_neither_table_nor_round_and_is_gone_soon(app: Flask, watch: Watch) -> None:
    visitors = playing(app, 2)
    before, stored = visitors[0].see(), rows(app)
    for visitor in visitors:
        assert react(visitor) == 204
    after, kept = visitors[0].see(), rows(app)
    assert {**after, "reactions": [], "now": 0} == {**before, "reactions": [], "now": 0}
    assert {**kept, "table_seat": []} == {**stored, "table_seat": []}, "but for the sign of life"
    watch.now += reactions.SHOWN_SECONDS
    assert shown(visitors[0]) == []


def test_a_plain_form_leads_back_to_the_table_also_if_it_was_too_soon(app: Flask) -> None:
    host, _ = seated(app, 2)
    for _ in range(2):
        answer = host.post(f"/t/{host.code}/reactions", [("kind", "laugh")], Accept="text/html")
        assert (answer.status, answer.headers["location"]) == (303, f"/t/{host.code}")
    assert shown(host) == [(0, "laugh")]


def test_what_is_kept_in_memory_has_its_bounds(database_url: str, watch: Watch) -> None:
    kept = Reactions()
    for number in range(TABLES + 5):
        assert kept.send(f"T{number}", 0, "p", "wow", f"w{number}")
    assert kept.recent("T0") == ()
    assert len(kept.recent(f"T{TABLES + 4}")) == 1
    for number in range(200):
        watch.now += 1
        kept.receive("T9", 0, "wow", f"x{number}", "p")
    assert len(kept._tables["T9"]) <= SPAN + 1


def test_a_browser_that_hides_reactions_is_shown_none(app: Flask) -> None:
    host, visitor = seated(app, 2)
    assert react(host, "ouch") == 204
    visitor.post("/settings", [("reactions", "0")], Accept="text/html")
    page = visitor.get(f"/t/{host.code}", Accept="text/html").text
    assert 'data-reactions="0"' in page
    assert 'class="reaction"' not in page.partition("<template")[0]
