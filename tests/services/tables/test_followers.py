"""Pages that follow tables, without a site: how they are woken, and how many of them there may be."""

import asyncio

from tests.support.streams import new_hub
from webapp.services.tables.follower import Follower
from webapp.services.tables.hub import LOOKS

CODE = "ABC234"


async def turns(number: int = 10) -> None:
    for _ in range(number):
        await asyncio.sleep(0)


def test_all_streams_of_a_table_are_woken_with_one_call_into_the_loop_players_first() -> None:
    async def woken() -> tuple[int, list[str]]:
        hub, order, loop, calls = new_hub(), list[str](), asyncio.get_running_loop(), list[object]()
        followers = [Follower(CODE, watcher="" if number % 10 == 9 else f"w{number}") for number in range(50)]

        async def follow(follower: Follower) -> None:
            follower.begin()
            await follower.news()
            order.append(follower.watcher)

        for follower in followers:
            assert hub.join(follower)
        tasks = [asyncio.create_task(follow(follower)) for follower in followers]
        await turns()
        call = loop.call_soon_threadsafe
        loop.call_soon_threadsafe = lambda *said, **_: calls.append(call(*said))  # type: ignore[method-assign, assignment]
        hub.moved(CODE, 7)
        await asyncio.gather(*tasks)
        assert {follower.version for follower in followers} == {7}
        return len(calls), order

    calls, order = asyncio.run(asyncio.wait_for(woken(), 30))
    assert calls == 1
    assert order[:5] == [""] * 5 and "" not in order[5:]


def test_what_was_found_in_the_database_wakes_only_the_streams_that_do_not_have_it() -> None:
    hub, followers = new_hub(), [Follower(CODE) for _ in range(3)]
    for follower, version in zip(followers, (7, 8, 9), strict=True):
        assert hub.join(follower)
        follower.version = version
    hub.loaded(CODE, 8)
    assert [follower.version for follower in followers] == [8, 8, 9]
    assert hub.just_moved(CODE) is None, "who has looked knows of no later change"
    hub.moved(CODE, 10)
    hub.moved(CODE, 8)
    assert [follower.version for follower in followers] == [10] * 3
    assert hub.just_moved(CODE) == 10


def test_each_stream_that_ends_is_counted_once() -> None:
    hub = new_hub(most=100)
    opened = [Follower(CODE, page=page) for page in ("one", "two", "one")]
    for follower in opened:
        assert hub.join(follower)
    assert (hub.streams, hub.ended) == (2, 1), "a page opens one anew"
    for follower in [*opened, *opened]:
        hub.leave(follower)
    assert (hub.streams, hub.ended) == (0, 3)
    assert not hub._followers and not hub._counts


def test_a_player_has_two_streams_of_a_table_and_the_oldest_makes_room() -> None:
    hub = new_hub()
    pages = [Follower(CODE, player="alice", page=f"page {number}") for number in range(7)]
    others = [Follower(CODE, player="bob"), Follower(CODE), Follower(CODE), Follower(CODE), Follower("T00001", "alice")]
    for follower in (*others, *pages):
        assert hub.join(follower)
    assert [page.ending for page in pages] == ["full"] * 5 + [None] * 2
    assert [other.ending for other in others] == [None] * 5, "neither anybody else's nor at another table"
    again = Follower(CODE, player="alice", page="page 6")
    assert hub.join(again)
    assert [page.ending for page in pages[5:]] == [None, "again"], "the page itself has come back"
    assert hub.streams == 7


def test_watchers_of_one_address_have_few_different_views_of_a_table_pushed() -> None:
    hub, limits = new_hub(), (("a:192.0.2.7", 96),)

    def follow(look: str | None, address: str = "192.0.2.7", code: str = CODE) -> bool:
        return hub.join(Follower(code, watcher=look or "", look=look, address=address, limits=limits))

    assert [follow(f"look {number}") for number in range(LOOKS + 2)] == [True] * LOOKS + [False] * 2
    assert follow("look 1"), "one that is rendered anyway"
    assert follow(None), "who sits there"
    assert follow("look 9", address="192.0.2.8")
    assert follow("look 9", code="T00001")
