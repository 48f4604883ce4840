"""A client of the site that speaks JSON, through Flask's test client or over HTTP.

    alice = Player(client)              # or Player(server.url)
    alice.sit("poker")
    alice.deal("my-cut")
    alice.act("hold", 1, 3)
    assert alice.status == 200

Methods return the board of the response; ``hand``, ``step`` and ``status`` describe the latest one.
"""

import json
import ssl
from collections.abc import Iterable
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPSConnection, IncompleteRead
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlencode, urlsplit

from flask.testing import FlaskClient

from tests.support.openapi_check import require_described

Json = dict[str, Any]
Fields = list[tuple[str, str]]

ACCEPT = {"Accept": "application/json"}
SAME_ORIGIN = {"Sec-Fetch-Site": "same-origin"}


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]  # names in lower case
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)


class InProcess:
    """Sends requests through Flask's test client, with the headers of a browser."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client

    def ask(self, method: str, path: str, fields: Fields, headers: dict[str, str]) -> Answer:
        body = urlencode(fields) if method == "POST" else None
        kind = "application/x-www-form-urlencoded" if method == "POST" else None
        got = self.client.open(path, method=method, data=body, content_type=kind, headers=headers)
        return Answer(got.status_code, {k.lower(): v for k, v in got.headers.items()}, got.get_data(as_text=True))


class OverHttp:
    """Sends requests over HTTP with its own cookies.

    Each has its own connection, so that servers may be killed between them.

    ``trusting``: the SSL context for https. ``source``: the local IP address to connect from. ``repeats``: whether a
    request whose answer was cut off is sent once more, as pages do.
    """

    repeats = False

    def __init__(self, url: str, timeout: float = 60, trusting: ssl.SSLContext | None = None, source: str = "") -> None:
        self.address = urlsplit(url).netloc
        self.timeout, self.trusting, self.source = timeout, trusting, source
        self.cookies: dict[str, str] = {}

    def connection(self) -> HTTPConnection:
        options: dict[str, Any] = {"timeout": self.timeout, "source_address": (self.source, 0) if self.source else None}
        if self.trusting is None:
            return HTTPConnection(self.address, **options)
        return HTTPSConnection(self.address, context=self.trusting, **options)

    def ask(self, method: str, path: str, fields: Fields, headers: dict[str, str]) -> Answer:
        try:
            return self._ask_once(method, path, fields, headers)
        except IncompleteRead:
            if not self.repeats:
                raise
            return self._ask_once(method, path, fields, headers)

    def _ask_once(self, method: str, path: str, fields: Fields, headers: dict[str, str]) -> Answer:
        headers = dict(headers)
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        body = None
        if method == "POST":
            body = urlencode(fields)
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        connection = self.connection()
        try:
            connection.request(method, path, body, headers)
            got = connection.getresponse()
            text = got.read().decode()
            for line in got.headers.get_all("Set-Cookie", []):
                self._keep(line)
            return Answer(got.status, {k.lower(): v for k, v in got.headers.items()}, text)
        finally:
            connection.close()

    def _keep(self, line: str) -> None:
        for name, morsel in SimpleCookie(line).items():
            if morsel["max-age"] == "0" or not morsel.value:
                self.cookies.pop(name, None)
            else:
                self.cookies[name] = morsel.coded_value


class Player:
    def __init__(self, to: FlaskClient | str) -> None:
        self.line: InProcess | OverHttp = OverHttp(to) if isinstance(to, str) else InProcess(to)
        self.answer = Answer(0, {}, "")  # the last one
        self.board: Json = {}  # the last one that was a board
        self.game = ""

    # What came back.

    @property
    def status(self) -> int:
        """HTTP status of the last response."""
        return self.answer.status

    @property
    def hand(self) -> str:
        return str(self.board["hand"])

    @property
    def step(self) -> int:
        return int(self.board["step"])

    @property
    def actions(self) -> tuple[str, ...]:
        """Legal actions of the last board, for example ``hold-1-3``."""
        return tuple(self.board.get("actions") or ())

    @property
    def over(self) -> bool:
        return self.board.get("result") is not None

    # What is asked.

    def get(self, path: str, **headers: str) -> Answer:
        return self._ask("GET", path, [], headers)

    def post(self, path: str, fields: Fields | None = None, **headers: str) -> Answer:
        return self._ask("POST", path, fields or [], headers)

    def sit(self, game: str, table: str | None = None) -> Json:
        self.game = game
        self.post(f"/play/{game}", [("table", table)] if table else [])
        return self._board()

    def look(self, game: str | None = None, hand: str | None = None) -> Json:
        """Get the current board, or that of a hand, without changing anything."""
        self.game = game or self.game
        self.get(f"/play/{self.game}" + (f"?hand={hand}" if hand else ""))
        return self._board()

    def deal(self, cut: str = "", stakes: Iterable[int] = ()) -> Json:
        fields = [("verb", "deal"), ("cut", cut), *(("stake", str(stake)) for stake in stakes)]
        self.post(f"/play/{self.game}/{self.hand}/0", fields)
        return self._board()

    def act(self, verb: str, *args: int, step: int | None = None, hand: str | None = None) -> Json:
        """Send an action. ``step`` and ``hand`` default to those of the last board."""
        at = self.step if step is None else step
        fields = [("verb", verb), *(("arg", str(arg)) for arg in args)]
        self.post(f"/play/{self.game}/{hand or self.hand}/{at}", fields)
        return self._board()

    def do(self, action: str) -> Json:
        """Send an action in the board's notation, for example ``hold-1-3``."""
        verb, *args = action.split("-")
        return self.act(verb, *(int(arg) for arg in args))

    def _ask(self, method: str, path: str, fields: Fields, headers: dict[str, str]) -> Answer:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.answer = self.line.ask(method, path, fields, {**ACCEPT, **SAME_ORIGIN, **named})
        if self.answer.headers.get("content-type") == "application/json":
            require_described(method, path, self.answer.status, self.answer.json)
        return self.answer

    def _board(self) -> Json:
        """Return the response and keep its board: that of the body, or the one that an error has under ``hand``."""
        said: Json = self.answer.json
        inside = said.get("hand")
        board = inside if isinstance(inside, dict) else said
        if "step" in board:
            self.board = board
        return said
