"""The queue of views to be rendered: each table once, however many wait for it."""

from collections.abc import Iterable

import pytest

from webapp.web import render_queue
from webapp.web.render_queue import RenderQueue
from webapp.web.rendering import Viewpoint
from webapp.web.request.preferences import Preferences


def viewpoint(code: str, player: str | None = None) -> Viewpoint:
    return Viewpoint(code, player, "en", Preferences(), "", "")


class Renderer:
    """Records what is rendered together."""

    def __init__(self) -> None:
        self.made: list[tuple[str, set[Viewpoint]]] = []

    def __call__(self, code: str, wanted: Iterable[Viewpoint]) -> None:
        self.made.append((code, set(wanted)))


def test_views_of_a_table_that_waits_are_rendered_together_and_once() -> None:
    renderer = Renderer()
    queue = RenderQueue(renderer)
    added = [queue.add(viewpoint(code, player)) for player in ("aki", None, "aki") for code in ("ABC", "DEF")]
    new = [batch for batch, is_new in added if is_new]
    assert [batch.code for batch in new] == ["ABC", "DEF"]
    assert {batch for batch, _ in added} == set(new)
    for batch in new:
        assert not batch.done.done()
        queue.render(batch)
        assert batch.done.done()
    assert renderer.made == [(code, {viewpoint(code, "aki"), viewpoint(code)}) for code in ("ABC", "DEF")]


def test_what_is_asked_for_while_a_table_is_rendered_is_rendered_afterwards() -> None:
    """The snapshot that is being rendered may be older than the change for which it is asked."""
    late = []

    def render(_code: str, _wanted: Iterable[Viewpoint]) -> None:
        if not late:
            late.append(queue.add(viewpoint("ABC")))

    queue = RenderQueue(render)
    first, _ = queue.add(viewpoint("ABC"))
    queue.render(first)
    ((second, is_new),) = late
    assert is_new
    assert second is not first
    assert not second.done.done()
    queue.render(second)
    assert second.done.done()


def test_a_batch_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render_queue, "LARGEST", 2)
    renderer = Renderer()
    queue = RenderQueue(renderer)
    added = [queue.add(viewpoint("ABC", player)) for player in ("aki", "ben", "aki", "ben", "cho", "cho")]
    new = [batch for batch, is_new in added if is_new]
    assert [batch in new for batch, _ in added] == [True] * len(added)
    for batch in new:
        queue.render(batch)
    aki, ben, cho = (viewpoint("ABC", player) for player in ("aki", "ben", "cho"))
    assert renderer.made == [("ABC", {aki, ben}), ("ABC", {cho})]
    assert queue.add(aki)[1], "all that were rendered are closed"


def test_who_waits_for_what_cannot_be_rendered_waits_no_longer_than_for_the_attempt() -> None:
    def fail(_code: str, _wanted: Iterable[Viewpoint]) -> None:
        raise ValueError("no words")

    queue = RenderQueue(fail)
    for _ in range(2):
        batch, is_new = queue.add(viewpoint("ABC"))
        assert is_new
        queue.render(batch)
        assert batch.done.result(0) is None


def test_who_no_longer_waits_stops_nobody_elses_views() -> None:
    renderer = Renderer()
    queue = RenderQueue(renderer)
    batch, _ = queue.add(viewpoint("ABC"))
    assert not batch.done.cancel()
    queue.render(batch)
    assert batch.done.result(0) is None
