"""The queue of views to be rendered: each table once, however many wait for it."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from threading import Event, Thread

from webapp.web.render_queue import THREADS, RenderQueue
from webapp.web.rendering import Viewpoint
from webapp.web.request.preferences import Preferences

SECONDS = 30


def viewpoint(code: str, player: str | None = None) -> Viewpoint:
    return Viewpoint(code, player, "en", Preferences(), "", "")


def in_thread(work: Callable[[], None]) -> None:
    Thread(target=work, daemon=True).start()


def ask(queue: RenderQueue, wanted: Viewpoint) -> Future[None]:
    done = queue.ask(wanted)
    queue.start(in_thread)
    return done


class Renderer:
    """Records what is rendered together, and continues when the test lets it."""

    def __init__(self) -> None:
        self.made: list[tuple[str, set[Viewpoint]]] = []
        self.may_go_on = Event()

    def __call__(self, code: str, wanted: Iterable[Viewpoint]) -> Iterator[Viewpoint]:
        self.may_go_on.wait(SECONDS)
        self.made.append((code, set(wanted)))
        yield from wanted


def test_views_of_a_table_that_waits_are_rendered_together_and_once() -> None:
    renderer = Renderer()
    queue = RenderQueue(renderer)
    first = [ask(queue, viewpoint(f"busy-{number}")) for number in range(THREADS)]
    waiting = [ask(queue, viewpoint("ABC", player)) for player in ("aki", None, "aki", "ben", None)]
    assert len(set(waiting)) == 3
    renderer.may_go_on.set()
    for done in (*first, *waiting):
        done.result(SECONDS)
    assert ("ABC", {viewpoint("ABC", "aki"), viewpoint("ABC", "ben"), viewpoint("ABC")}) in renderer.made
    assert len(renderer.made) == THREADS + 1


def test_views_that_are_asked_for_together_are_rendered_together_though_a_thread_is_free() -> None:
    renderer = Renderer()
    renderer.may_go_on.set()
    queue = RenderQueue(renderer)
    asked = [queue.ask(viewpoint("ABC", player)) for player in ("aki", "ben", None)]
    queue.start(in_thread)
    queue.start(in_thread)
    for done in asked:
        done.result(SECONDS)
    assert renderer.made == [("ABC", {viewpoint("ABC", "aki"), viewpoint("ABC", "ben"), viewpoint("ABC")})]


def test_tables_come_in_the_order_in_which_they_have_moved() -> None:
    renderer = Renderer()
    queue = RenderQueue(renderer)
    for number in range(THREADS):
        ask(queue, viewpoint(f"busy-{number}"))
    asked = [ask(queue, viewpoint(code, player)) for player in ("aki", "ben") for code in ("first", "second", "third")]
    renderer.may_go_on.set()
    for done in asked:
        done.result(SECONDS)
    codes = [code for code, _ in renderer.made if not code.startswith("busy")]
    assert codes.index("first") < codes.index("third")
    assert len(codes) == 3


def test_who_waits_for_what_cannot_be_rendered_waits_no_longer_than_for_the_attempt() -> None:
    def fail(_code: str, _wanted: Iterable[Viewpoint]) -> Iterator[Viewpoint]:
        raise ValueError("no words")
        yield

    queue = RenderQueue(fail)
    assert ask(queue, viewpoint("ABC")).result(SECONDS) is None
    assert ask(queue, viewpoint("ABC")).result(SECONDS) is None, "and the queue goes on"


def test_who_no_longer_waits_stops_nobody_elses_views() -> None:
    renderer = Renderer()
    queue = RenderQueue(renderer)
    given_up = [ask(queue, viewpoint(f"busy-{number}")) for number in range(THREADS)]
    assert not any(done.cancel() for done in given_up)
    waiting = ask(queue, viewpoint("ABC"))
    renderer.may_go_on.set()
    waiting.result(SECONDS)
    ask(queue, viewpoint("DEF")).result(SECONDS)
