"""The site behind nginx: two processes on PostgreSQL, with the configuration of ``docs/deploy``, over https.

All tests of a module in one worker share it; processes that a test has killed are restarted for the next one.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.support import nginx, proxies
from tests.support.app import close, make_app, migrate
from tests.support.certificates import Certificate, self_signed
from tests.support.fixtures.databases import pg_database_of
from tests.support.player import OverHttp, Player
from tests.support.raw_clients import TOKEN
from tests.support.rows import findings
from tests.support.server import SEEDED, Server, free_port, start_serving
from tests.support.table_players import TablePlayer


@dataclass
class Site:
    """The site. ``url`` is that of nginx. Its processes have the numbers 0 and 1."""

    folder: Path
    database: str
    certificate: Certificate
    url: str
    http_port: int
    ports: Sequence[int]
    processes: list[Server] = field(default_factory=list)
    started: int = 0

    def line(self, address: str = "") -> OverHttp:
        """Return an HTTP client that trusts the certificate and connects from this local address."""
        return OverHttp(self.url, trusting=self.certificate.trusting, source=address)

    def person(self, address: str = "") -> TablePlayer:
        person = TablePlayer(self.url)
        person.line = self.line(address)
        return person

    def player(self, address: str = "") -> Player:
        player = Player(self.url)
        player.line = self.line(address)
        return player

    def get(self, path: str, address: str = "127.0.0.1", **headers: str) -> tuple[int, dict[str, str], bytes]:
        """Send a request from this local address, without cookies."""
        connection = self.line(address).connection()
        try:
            connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def start(self, number: int) -> None:
        """Start a process, and wait until it is ready."""
        settings = {
            "TEFUDA_DATABASE_URL": self.database,
            "TEFUDA_PUBLIC_URL": self.url,
            "TEFUDA_TRUSTED_PROXIES": "127.0.0.1",
            "TEFUDA_LOG_ADDRESSES": "full",
            "TEFUDA_LAB_WORKERS": "0",
            "TEFUDA_RATE_LIMITS": "on",
            "TEFUDA_METRICS_TOKEN": TOKEN,
            "TEST_START": str(self.started),  # what one of them has drawn is not drawn again by the next one
        }
        self.started += 1
        process = start_serving(self.folder / f"instance-{number}", self.ports[number], SEEDED, **settings)
        self.processes[number : number + 1] = [process]
        connection = HTTPConnection(urlsplit(process.url).netloc, timeout=30)
        connection.request("GET", "/readyz")
        assert connection.getresponse().status == 200
        connection.close()

    def logged(self, number: int | None = None) -> list[dict[str, object]]:
        """Return the request lines in the log of one process or of both."""
        chosen = self.processes if number is None else [self.processes[number]]
        lines = [line for process in chosen for line in process.log.read_text("utf-8").splitlines()]
        return [json.loads(line) for line in lines if line.startswith('{"id"')]

    def process_of_table(self, code: str, address: str) -> int:
        """Return the number of the process that serves a table.

        ``address`` must be one that has sent no request yet.
        """
        assert self.get(f"/t/{code}", address)[0] == 200
        (number,) = [n for n in range(2) if any(line["address"] == address for line in self.logged(n))]
        return number

    def require_clean_books(self) -> None:
        app = make_app(self.database, self.folder / "audit")
        assert findings(app) == []
        close(app)


@pytest.fixture(scope="module")
def _site(pg_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    proxies.required("nginx")
    folder = tmp_path_factory.mktemp("behind-nginx")
    with pg_database_of(pg_url) as database:
        app = make_app(database, folder / "audit")
        migrate(app)
        close(app)
        port, http_port, ports = free_port(), free_port(), [free_port(), free_port()]
        secure = nginx.Secure(self_signed(folder), http_port)
        site = Site(folder, database, secure.certificate, f"https://127.0.0.1:{port}", http_port, ports)
        try:
            for number in range(2):
                site.start(number)
            with nginx.running(folder, port, ports, secure):
                yield site
        finally:
            for process in site.processes:
                process.kill()


@pytest.fixture
def site(_site: Site) -> Site:
    for number, process in enumerate(_site.processes):
        if process.process.poll() is not None:
            _site.start(number)
    return _site
