"""Pushed views: rendered once for all viewers who see the same, and never for another viewpoint."""

import asyncio
import re
import threading
from collections.abc import Iterator

import pytest
from flask import Flask
from structlog.testing import capture_logs

from tests.support.cookies import content_of, cookie_of, send_from_now_on, signed
from tests.support.pushed_pages import FRAGMENT, Page, pushed_in
from tests.support.streams import OpenStream
from tests.support.table_players import (
    TablePlayer,
    acting,
    banker_of,
    bet_all,
    betting,
    people,
    players,
    playing,
    seated,
)
from webapp.services.tables.facts import Snapshot
from webapp.web import push
from webapp.web.request.preferences import Preferences
from webapp.web.templating.parts import Room

SECONDS = 30


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """Collect the viewers for whom views are rendered."""
    made: list[str | None] = []
    render = push.room_of

    def counted(table: Snapshot, player: str | None, root: str) -> Room:
        made.append(player)
        return render(table, player, root)

    monkeypatch.setattr(push, "room_of", counted)
    return made


@pytest.fixture
def pages() -> Iterator[list[Page]]:
    opened: list[Page] = []
    yield opened
    for page in opened:
        page.stream.close()


def look_on(app: Flask, code: str, count: int) -> list[TablePlayer]:
    watchers = people(app, count)
    for watcher in watchers:
        watcher.come(code)
    return watchers


def bet_first(visitors: list[TablePlayer]) -> None:
    """Let the first player who can bet do so."""
    first = can_bet(visitors)
    first.now("bet", 10, "word")
    assert first.status == 200, first.answer.text


def can_bet(visitors: list[TablePlayer]) -> TablePlayer:
    """Return the first player of the round: those who were ready later play from the next one on."""
    return next(each for each in players(visitors) if each.seat()["playing"])


def stand_next(visitors: list[TablePlayer]) -> None:
    in_turn = acting(visitors)
    in_turn.do("stand")
    assert in_turn.status == 200, in_turn.answer.text


def test_what_is_pushed_is_what_the_page_would_have_asked_for(app: Flask, pages: list[Page]) -> None:
    visitors = betting(app, 3)
    everybody = [*visitors, *look_on(app, visitors[0].code, 1)]
    pages += [Page(each) for each in everybody]
    for move in (bet_first, stand_next):
        move(visitors)
        for page in pages:
            pushed = page.news()
            assert pushed is not None
            assert (page.version, page.room) == page.fetched()
            assert "event: moved" in page.sent, "and who only follows versions is told as ever"


def test_only_what_has_changed_is_pushed(app: Flask, pages: list[Page]) -> None:
    visitors = betting(app, 3)
    pages += [Page(each) for each in look_on(app, visitors[0].code, 1)]
    bet_first(visitors)
    whole = pages[0].news()
    assert whole is not None
    assert pages[0].is_whole(whole), "nobody was pushed anything before"
    banker_of(visitors).now("policy", "timid")
    pushed = pages[0].news()
    assert pushed is not None
    assert not pages[0].is_whole(pushed)
    assert len(pushed.text) < len(whole.text) / 2


def test_all_who_see_the_same_are_sent_what_was_rendered_once(
    app: Flask, pages: list[Page], rendered: list[str | None]
) -> None:
    visitors = betting(app, 3)
    watchers = look_on(app, visitors[0].code, 4)
    watchers[0].open()  # a player without a seat sees what a stranger sees
    watchers[0].come(visitors[0].code)
    pages += [Page(each) for each in (*visitors, *watchers[1:])]
    pages.append(Page(watchers[0]))
    bet_first(visitors)
    pushed = [page.news() for page in pages]
    assert len(rendered) == len(set(rendered)) == 4
    assert rendered.count(None) == 1
    assert all(each == pushed[-1] for each in pushed[-4:])


def test_a_page_that_is_slow_to_read_is_sent_all_of_it_in_order(app: Flask, pages: list[Page]) -> None:
    visitors = betting(app, 2)
    pages += [Page(each) for each in look_on(app, visitors[0].code, 2)]
    for page in pages:
        page.stream.until("event: watching")
        assert page.stream.is_silent_for(0.1)
    for move in (bet_first, stand_next):
        move(visitors)
        for page in pages:
            assert page.news() is not None
            assert (page.version, page.room) == page.fetched()
            assert page.stream.is_silent_for(0.1)
    assert [len(pushed_in(page.sent)) for page in pages] == [2, 2]


def test_the_answer_to_a_command_is_what_other_pages_of_its_player_are_sent(
    app: Flask, pages: list[Page], rendered: list[str | None]
) -> None:
    visitors = betting(app, 3)
    mover = can_bet(visitors)
    pages += [Page(mover), Page(look_on(app, mover.code, 1)[0])]
    mover.post(f"/t/{mover.code}/{mover.see()['version']}", [("verb", "bet"), ("arg", "10")], **FRAGMENT)
    assert mover.status == 200
    for page in pages:
        pushed = page.news()
        assert pushed is not None
        assert (page.version, page.room) == page.fetched()
    assert rendered == [None], "only that of who looks on"


def test_a_refused_command_keeps_no_view_from_other_pages_of_its_player(app: Flask, pages: list[Page]) -> None:
    visitors = betting(app, 2)
    mover = banker_of(visitors)
    pages.append(Page(mover))
    bet_first(visitors)
    mover.post(f"/t/{mover.code}/{pages[0].version}", [("verb", "split")], **FRAGMENT)
    assert mover.status in (409, 422)
    assert pages[0].news() is not None
    assert (pages[0].version, pages[0].room) == pages[0].fetched()


def test_each_language_has_a_view_of_its_own(app: Flask, pages: list[Page]) -> None:
    visitors = betting(app, 2)
    english, japanese = look_on(app, visitors[0].code, 2)
    japanese.line.client.set_cookie("prefs", "language=ja")
    pages += [Page(english), Page(japanese)]
    bet_first(visitors)
    for page in pages:
        assert page.news()
        assert page.room == page.fetched()[1]
    assert pages[0].parts != pages[1].parts


def test_no_stream_tells_a_card_that_its_viewer_may_not_see(app: Flask, pages: list[Page]) -> None:
    """A stream is built from its viewer's view.

    Everything pushed to watchers is the same bytes for all, whoever is seated.
    """
    visitors = playing(app, 3)
    code = visitors[0].code
    pages += [Page(each) for each in (*visitors, *look_on(app, code, 2))]
    for _ in range(40):
        in_turn = next((each for each in visitors if each.see()["acting"] == each.you), None)
        if in_turn is None:
            break
        in_turn.do("stand")
        for page in pages:
            assert page.news() is not None
            asked = page.fetched()
            assert (page.version, page.room) == asked
    assert pushed_in(pages[-1].sent)
    assert _bytes(pages[-1]) == _bytes(pages[-2])


def _bytes(page: Page) -> list[str]:
    return [pushed.text for pushed in pushed_in(page.sent)]


def test_who_sits_down_or_leaves_is_sent_nothing_on_the_old_stream(app: Flask, pages: list[Page]) -> None:
    """The page requests its own view and opens another stream."""
    visitors = seated(app, 2)
    known, stranger = look_on(app, visitors[0].code, 2)
    known.open()
    known.come(visitors[0].code)
    pages += [Page(known), Page(stranger), Page(visitors[1])]
    known.now("sit", 3)
    assert pages[0].news() is None
    assert pages[1].news() is not None
    assert pages[2].news() is not None
    stranger.now("sit", 4)
    assert "data-seated" not in str(pages[1].news()), "nobody knows who that stream belongs to: it is a watcher's"
    pages[2].news()
    visitors[1].now("leave")
    assert pages[2].news() is None


def test_a_seat_that_was_taken_over_is_not_shown_on_the_stream_of_who_had_it(app: Flask, pages: list[Page]) -> None:
    visitors = betting(app, 2)
    bet_all(visitors)
    had, code = visitors[0], visitors[0].code
    link = re.search(r"seat=([\w-]+)", had.get(f"/t/{code}", **FRAGMENT).text)
    assert link
    pages.append(Page(had))
    (other,) = look_on(app, code, 1)
    other.now("take", link[1])
    assert other.status == 200, other.answer.text
    assert pages[0].news() is None


def test_a_session_that_was_ended_is_sent_nothing_more(app: Flask, pages: list[Page]) -> None:
    visitors = betting(app, 2)
    stolen, code = TablePlayer(app.test_client()), visitors[0].code
    send_from_now_on(stolen, signed(app, content_of(app, cookie_of(visitors[0]))))
    stolen.come(code)
    assert stolen.you == visitors[0].you
    pages.append(Page(stolen))
    visitors[0].post("/me/end-other-sessions", [])
    assert visitors[0].status < 400, visitors[0].answer.text
    visitors[0].now("policy", "timid")
    bet_first(visitors)
    assert pages[0].news() is None


def test_a_page_that_is_behind_is_sent_all_of_it_in_one_message(app: Flask, pages: list[Page]) -> None:
    visitors = betting(app, 2)
    pages += [Page(each) for each in look_on(app, visitors[0].code, 2)]
    for number in range(4):
        visitors[0].now("policy", ("timid", "basic")[number % 2])
        assert pages[1].news() is not None
    bet_first(visitors)
    pushed = pages[0].news()
    assert pushed is not None
    assert pages[0].is_whole(pushed)
    assert len(pushed_in(pages[0].sent)) == 1
    for page in pages[:1]:
        assert (page.version, page.room) == page.fetched()


def test_a_page_that_was_not_sent_a_version_is_sent_all_of_the_next_one(app: Flask, pages: list[Page]) -> None:
    """It may have been answered with the version in between, where a part differed that is now as it was before."""
    visitors = betting(app, 2)
    pages.append(Page(look_on(app, visitors[0].code, 1)[0]))
    for policies, is_whole in ((("timid",), True), (("basic",), False), (("timid", "basic"), True)):
        for policy in policies:
            visitors[0].now("policy", policy)
        pushed = pages[0].news()
        assert pushed is not None
        assert pages[0].is_whole(pushed) == is_whole
        assert (pages[0].version, pages[0].room) == pages[0].fetched()


def watchers_of(code: str) -> push.Viewpoint:
    return push.Viewpoint(code, None, "en", Preferences(), "http://localhost")


def test_a_view_that_is_asked_for_while_it_is_rendered_is_not_rendered_again(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    views: push.Views = app.extensions["views"]
    watchers, render = watchers_of(betting(app, 2)[0].code), push.room_of
    begun, may_go_on, made = threading.Event(), threading.Event(), list[str | None]()

    def slow(table: Snapshot, player: str | None, root: str) -> Room:
        made.append(player)
        begun.set()
        assert may_go_on.wait(SECONDS)
        return render(table, player, root)

    async def look_on_three_times() -> None:
        asked = [asyncio.create_task(views.view(watchers, 1)) for _ in range(2)]
        assert await asyncio.to_thread(begun.wait, SECONDS)
        asked.append(asyncio.create_task(views.view(watchers, 1)))
        await asyncio.sleep(0)
        asked.pop(0).cancel()  # its page has left
        await asyncio.sleep(0)
        may_go_on.set()
        assert None not in await asyncio.gather(*asked)

    monkeypatch.setattr(push, "room_of", slow)
    asyncio.run(asyncio.wait_for(look_on_three_times(), SECONDS))
    assert made == [None]


def test_few_views_are_kept(app: Flask, pages: list[Page], monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise memory would grow with all who have ever played. Pages of others are sent all of it."""
    monkeypatch.setattr(push, "VIEWS", 1)
    push.init_app(app)
    visitors = betting(app, 3)
    pages += [Page(each) for each in (*visitors, *look_on(app, visitors[0].code, 1))]
    for move in (bet_first, stand_next):
        move(visitors)
        for page in pages:
            pushed = page.news()
            assert pushed is not None
            assert page.is_whole(pushed)
            assert (page.version, page.room) == page.fetched()
    assert len(app.extensions["views"]._latest) == 1


def test_what_cannot_be_rendered_is_not_pushed_and_the_stream_goes_on(
    app: Flask, pages: list[Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    visitors = betting(app, 2)
    pages += [Page(each) for each in look_on(app, visitors[0].code, 1)]

    def fail(*_: object) -> str:
        raise ValueError("no words")

    with monkeypatch.context() as broken, capture_logs() as logged:
        broken.setattr(push, "room_of", fail)
        bet_first(visitors)
        assert pages[0].news() is None
    assert "view not pushed" in [line["event"] for line in logged]
    assert visitors[0].code not in str(logged), "whoever knows the code of a table may watch it"
    pages[0].version = pages[0].fetched()[0]
    visitors[0].now("policy", "timid")
    assert pages[0].news() is not None


def test_what_cannot_be_rendered_is_tried_once_for_each_change(
    app: Flask, pages: list[Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    visitors, tried = betting(app, 2), list[object]()
    pages += [Page(each) for each in look_on(app, visitors[0].code, 1)]
    pages[0].stream.until("event: watching")

    def fail(*told: object) -> str:
        tried.append(told)
        raise ValueError("no words")

    monkeypatch.setattr(push, "room_of", fail)
    bet_first(visitors)
    assert pages[0].news() is None
    before = len(tried)
    visitors[0].post(f"/t/{visitors[0].code}/reactions", [("kind", "applause"), ("once", "word")])
    assert "applause" in pages[0].stream.until("event: reaction")
    assert len(tried) == before


def test_who_does_not_say_what_it_has_is_sent_no_parts(app: Flask) -> None:
    visitors = betting(app, 2)
    stream = OpenStream(look_on(app, visitors[0].code, 1)[0].line.client, visitors[0].code)
    bet_first(visitors)
    assert "hx-partial" not in stream.until("event: moved")
    stream.close()
