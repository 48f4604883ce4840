"""The same request sent from many tabs at the same time."""

from collections.abc import Callable, Sequence
from threading import Barrier, Thread

from tests.support.cookies import tab_of
from tests.support.player import Json, Player


def at_once(tabs: Sequence[Player], do: Callable[[Player], Json]) -> list[tuple[int, Json]]:
    """Call ``do`` with each tab in threads that start together; return status and board of each response."""
    together = Barrier(len(tabs))
    heard: list[tuple[int, Json]] = []

    def one(tab: Player) -> None:
        together.wait()
        said = do(tab)
        heard.append((tab.status, said))

    threads = [Thread(target=one, args=(tab,)) for tab in tabs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return heard


def tabs_of(player: Player, count: int) -> list[Player]:
    return [tab_of(player) for _ in range(count)]


def require_played_once(heard: list[tuple[int, Json]], crowd: int) -> Json:
    """Assert that all responses are equal and only one is not marked as a repetition; return that one."""
    assert [status for status, _ in heard] == [200] * crowd
    first = [said for _, said in heard if said["note"] is None]
    assert len(first) == 1, f"{len(first)} of {crowd} were told that they were the first"
    assert {said["note"] for _, said in heard} == {None, "repeated"}
    for _, said in heard:
        assert said | {"note": None} == first[0]
    return first[0]
