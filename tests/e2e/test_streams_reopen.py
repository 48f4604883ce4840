"""Event streams in a browser: events arrive at once, and a stream that ends or breaks is reopened."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Semaphore, Thread
from typing import BinaryIO

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Console, Visit
from tests.e2e.test_pushed_parts import at_version, two_who_bet
from tests.support.server import Server
from tests.support.table_players import players

HEAD = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n"
    b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
)
PAGE = b"""<!doctype html><link rel=icon href="data:,"><script>
  window.heard = [];
  const source = new EventSource("/events");
  source.onmessage = event => heard.push(event.data);
  source.onerror = () => {
    heard.push(source.readyState === EventSource.CONNECTING ? "again" : "never again");
    if (heard.length === 6) source.close();
  };
</script>"""
CUT_OFF = r"net::ERR_INCOMPLETE_CHUNKED_ENCODING"


def test_a_page_is_pushed_to_through_a_stream(visit: Visit, server: Server) -> None:
    page, visitors = visit(), two_who_bet(server)
    page.add_init_script("""
        const Real = window.EventSource;
        window.pushed = [];
        window.EventSource = class extends Real {
          constructor(address) {
            super(address);
            super.addEventListener("parts", (event) => window.pushed.push(JSON.parse(event.data).version));
          }
        };""")
    page.goto(f"{server.url}/t/{visitors[0].code}")
    expect(page.locator("[data-watching]")).to_have_text("1")  # received by the stream
    (player,) = players(visitors)
    player.now("bet", 10, "word")
    at_version(page, player.version)
    expect(page.locator("#room")).to_have_attribute("data-phase", player.phase)
    assert page.evaluate("window.pushed") == [player.version]


def test_a_page_listens_again_after_the_site_was_restarted(
    visit: Visit, serving: Callable[..., Server], console: Console
) -> None:
    console.expect(r"net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE)")
    site = serving(TEFUDA_LAB_WORKERS="0")
    page, visitors = visit(), two_who_bet(site)
    page.goto(f"{site.url}/t/{visitors[0].code}")
    expect(page.locator("[data-watching]")).to_have_text("1")
    with page.expect_response(lambda answer: "/events" in answer.url and answer.status == 200):
        site.stop()
        serving(port=int(site.url.rpartition(":")[2]), TEFUDA_LAB_WORKERS="0")
    (player,) = players(visitors)
    player.now("bet", 10, "word")
    at_version(page, player.version)
    page.goto("about:blank")  # before the site is killed, which is no quiet end


class Streams:
    """A site whose streams send one event each and then end in the way of ``end``, one of ``ENDS``."""

    def __init__(self, end: str) -> None:
        self.end, self.count, self.over = end, 0, Semaphore(0)

    @contextmanager
    def serving(self) -> Iterator[str]:
        streams = self

        class Answer(StreamRequestHandler):
            timeout = 30

            def handle(self) -> None:
                asked = b"".join(iter(self.rfile.readline, b"\r\n" if self.rfile.peek(1) else b""))
                if asked.startswith(b"GET /events"):
                    streams.say(self.wfile)
                elif asked:  # a browser may open lines that it does not use
                    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n"
                    self.wfile.write(head + PAGE)

        class Site(ThreadingTCPServer):
            daemon_threads = True
            block_on_close = False

        with Site(("127.0.0.1", 0), Answer) as site:
            Thread(target=site.serve_forever, daemon=True).start()
            yield f"http://127.0.0.1:{site.server_address[1]}/"
            site.shutdown()

    def say(self, line: BinaryIO) -> None:
        self.count += 1
        event = b"retry: 20\nid: %d\ndata: %d\n\n" % (self.count, self.count)
        line.write(HEAD + _chunk(event))
        self.over.acquire(timeout=30)
        line.write(ENDS[self.end](event))


def _chunk(sent: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(sent), sent)


ENDS: dict[str, Callable[[bytes], bytes]] = {
    "whole": lambda _: b"0\r\n\r\n",
    "after a message": lambda _: b"",
    "in the middle of a message": lambda event: _chunk(event[:9]),
    "in the middle of a chunk": lambda event: _chunk(event)[:9],
}


@pytest.mark.parametrize("end", ENDS)
def test_a_browser_opens_a_stream_again_however_it_has_ended(visit: Visit, console: Console, end: str) -> None:
    console.expect(CUT_OFF)
    page, streams = visit(), Streams(end)
    with streams.serving() as url:
        page.goto(url)
        for number in (1, 2, 3):
            page.wait_for_function("number => heard.includes(number)", arg=str(number))
            streams.over.release()
        page.wait_for_function("heard.length === 6")
        assert page.evaluate("heard") == ["1", "again", "2", "again", "3", "again"]
    assert bool(console.complaints) == (end != "whole")
