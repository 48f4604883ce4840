"""Views that wait for being rendered: each table once, whoever waits."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from threading import Event, Thread

from webapp.web.render_queue import THREADS, RenderQueue
from webapp.web.rendering import Eyes
from webapp.web.request.preferences import Preferences

SECONDS = 30


def eyes(code: str, player: str | None = None) -> Eyes:
    return Eyes(code, player, "en", Preferences(), "", "")


def in_thread(work: Callable[[], None]) -> None:
    Thread(target=work, daemon=True).start()


def ask(queue: RenderQueue, wanted: Eyes) -> Future[None]:
    done = queue.ask(wanted)
    queue.start(in_thread)
    return done


class Renderer:
    """Notes what is rendered together, and goes on when it may."""

    def __init__(self) -> None:
        self.made: list[tuple[str, set[Eyes]]] = []
        self.may_go_on = Event()

    def __call__(self, code: str, wanted: Iterable[Eyes]) -> Iterator[Eyes]:
        self.may_go_on.wait(SECONDS)
        self.made.append((code, set(wanted)))
        yield from wanted


def test_views_of_a_table_that_waits_are_rendered_together_and_once() -> None:
    renderer = Renderer()
    queue = RenderQueue(renderer)
    first = [ask(queue, eyes(f"busy-{number}")) for number in range(THREADS)]
    waiting = [ask(queue, eyes("ABC", player)) for player in ("aki", None, "aki", "ben", None)]
    assert len(set(waiting)) == 3
    renderer.may_go_on.set()
    for done in (*first, *waiting):
        done.result(SECONDS)
    assert ("ABC", {eyes("ABC", "aki"), eyes("ABC", "ben"), eyes("ABC")}) in renderer.made
    assert len(renderer.made) == THREADS + 1


def test_views_that_are_asked_for_together_are_rendered_together_though_a_thread_is_free() -> None:
    renderer = Renderer()
    renderer.may_go_on.set()
    queue = RenderQueue(renderer)
    asked = [queue.ask(eyes("ABC", player)) for player in ("aki", "ben", None)]
    queue.start(in_thread)
    queue.start(in_thread)
    for done in asked:
        done.result(SECONDS)
    assert renderer.made == [("ABC", {eyes("ABC", "aki"), eyes("ABC", "ben"), eyes("ABC")})]


def test_tables_come_in_the_order_in_which_they_have_moved() -> None:
    renderer = Renderer()
    queue = RenderQueue(renderer)
    for number in range(THREADS):
        ask(queue, eyes(f"busy-{number}"))
    asked = [ask(queue, eyes(code, player)) for player in ("aki", "ben") for code in ("first", "second", "third")]
    renderer.may_go_on.set()
    for done in asked:
        done.result(SECONDS)
    codes = [code for code, _ in renderer.made if not code.startswith("busy")]
    assert codes.index("first") < codes.index("third")
    assert len(codes) == 3


def test_who_waits_for_what_cannot_be_rendered_waits_no_longer_than_for_the_attempt() -> None:
    def fail(_code: str, _wanted: Iterable[Eyes]) -> Iterator[Eyes]:
        raise ValueError("no words")
        yield

    queue = RenderQueue(fail)
    assert ask(queue, eyes("ABC")).result(SECONDS) is None
    assert ask(queue, eyes("ABC")).result(SECONDS) is None, "and the queue goes on"


def test_who_no_longer_waits_stops_nobody_elses_views() -> None:
    renderer = Renderer()
    queue = RenderQueue(renderer)
    given_up = [ask(queue, eyes(f"busy-{number}")) for number in range(THREADS)]
    assert not any(done.cancel() for done in given_up)
    waiting = ask(queue, eyes("ABC"))
    renderer.may_go_on.set()
    waiting.result(SECONDS)
    ask(queue, eyes("DEF")).result(SECONDS)
