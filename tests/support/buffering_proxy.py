"""A reverse proxy that buffers event streams: their headers are passed on at once, what they send not before they end.

Some antivirus software and company networks do so. nginx passes on each chunk, even with ``proxy_buffering``.
"""

import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Final

OF_ONE_CONNECTION: Final = ("connection", "keep-alive", "transfer-encoding")


class _Proxy(ThreadingHTTPServer):
    daemon_threads = False  # all are waited for when the server is closed

    def __init__(self, origin: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.origin = origin
        self.sockets: list[socket.socket] = []
        """Those of all connections, to browsers and to the origin."""


class _Handler(BaseHTTPRequestHandler):
    server: _Proxy

    def setup(self) -> None:
        super().setup()
        self.server.sockets.append(self.connection)

    def do_GET(self) -> None:
        self._pass_on(None)

    def do_POST(self) -> None:
        self._pass_on(self.rfile.read(int(self.headers["Content-Length"])))

    def _pass_on(self, body: bytes | None) -> None:
        with closing(HTTPConnection(self.server.origin)) as origin:
            origin.connect()
            self.server.sockets.append(origin.sock)
            origin.request(self.command, self.path, body, dict(self.headers.items()))
            answer = origin.getresponse()
            self.send_response_only(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in OF_ONE_CONNECTION:
                    self.send_header(name, value)
            self.end_headers()
            with suppress(HTTPException, OSError):
                self.wfile.write(answer.read())

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002  # its name in the standard library
        """Log nothing."""


@contextmanager
def buffering_proxy(origin: str) -> Iterator[str]:
    """Run a proxy in front of ``origin``, a host and port; yield its address."""
    with _Proxy(origin) as proxy:
        Thread(target=proxy.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{proxy.server_address[1]}"
        finally:
            proxy.shutdown()
            for connected in proxy.sockets:
                with suppress(OSError):  # it is closed
                    connected.shutdown(socket.SHUT_RDWR)
