"""The same request from many tabs at once."""

from collections.abc import Callable, Sequence
from threading import Barrier, Thread

from tests.support.cookies import tab_of
from tests.support.player import Json, Player


def at_once(tabs: Sequence[Player], do: Callable[[Player], Json]) -> list[tuple[int, Json]]:
    """Everybody does it as nearly at the same moment as threads allow. Status and answer of each."""
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
    """All were answered, all alike, and exactly one was the first. That one's answer."""
    assert [status for status, _ in heard] == [200] * crowd
    first = [said for _, said in heard if said["note"] is None]
    assert len(first) == 1, f"{len(first)} of {crowd} were told that they were the first"
    assert {said["note"] for _, said in heard} == {None, "repeated"}
    for _, said in heard:
        assert said | {"note": None} == first[0]
    return first[0]
