"""Every field and parameter of ``/openapi.json`` with long text of many shapes: each is answered, and soon.

A pattern that goes back and forth in 13 KB of text once stopped the whole process for 25 seconds. Fields and addresses are
taken from the document: a new one is tried by itself.
"""

import time
from collections.abc import Callable, Iterator
from typing import Any, Final
from urllib.parse import quote, urlencode

import pytest
from flask import Flask

from tests.support.answer_forms import headers
from tests.support.moves import dealt, finished
from tests.support.openapi_check import document
from tests.support.player import InProcess, Player
from tests.support.table_players import seated

BYTES: Final = 14_000
"""Of one field: a form with it is just let through."""
SECONDS: Final = 0.25
"""Of the processor's time for one answer; a page takes a few thousandths."""
BUSY: Final = 503
"""What is computed in another process may have to wait."""
OTHER_FORMAT: Final = 501
"""What the standard of oEmbed wants for a format that is not answered."""
PIECES: Final = {
    "digits": "7",
    "letters": "x",
    "colons and digits": "：1",
    "colons": ":",
    "marks": "a\u0301\u0316",
    "full width": "１Ａ",
    "emoji": "👩\u200d🚀",
    "brackets": "([{<",
    "closed brackets": ")]}>",
    "commas": ",",
    "minus signs": "-",
    "quotes": "'\"`\u201c",
    "percent escapes": "%41%",
    "null bytes": "\0",
    "blanks": " \u3000\t",
    "lines": "\r\n",
    "one letter for eighteen": "ﷺ",
    "cards": "Ah",
    "rules": "decks=8,",
    "arguments": "hold-1",
    "addresses": "/t/../",
}
SHAPES: Final = {
    **{name: piece * (BYTES // len(piece.encode())) for name, piece in PIECES.items()},
    "many colons, then many digits": "：" * 800 + "1" * (BYTES - 2401) + "x",
}
FORM: Final = "application/x-www-form-urlencoded"
NEEDED: Final[dict[tuple[str, str], tuple[dict[str, str], ...]]] = {
    ("post", "/t/{code}/{version}"): ({"verb": "sit"}, {"verb": "bet"}, {"verb": "take"}),
    ("post", "/play/{code}/{hand}/{step}"): ({"verb": "deal"}, {"verb": "mark"}, {"verb": "hold"}),
    ("post", "/lab"): ({"rounds": "100", "nonce": "no word", "compare": "1"},),
    ("get", "/h/{key}"): ({}, {"ask": "0", "verb": "hold"}),
}
"""Other fields, without which some are not read."""
SPOT: Final = {"cards": "Js8h", "dealer": "2c", "table": "vegas"}


def operations() -> Iterator[tuple[str, str]]:
    """Yield method and path of all that can be asked with a word; of a page and its JSON twin the twin."""
    paths = document()["paths"]
    for path, described in paths.items():
        for method, operation in described.items():
            twin = paths.get(f"{path}.json", {}).get(method, {})
            is_told = operation["parameters"] or "requestBody" in operation
            if is_told and twin.get("parameters") != operation["parameters"]:
                yield method, path


class Site:
    """A site with a finished hand and a shared table, and one visitor who knows them."""

    def __init__(self, app: Flask) -> None:
        self.visitor = seated(app, 1)[0]
        player = Player(app.test_client())
        dealt(player)
        self.words = {"key": finished(player), "day": "2026-01-01", "version": "1", "step": "0", "part": "first"}
        dealt(self.visitor)
        self.words["hand"] = self.visitor.hand
        self.code = self.visitor.code
        self.visitor.post("/circles", [("name", "Friends"), ("member", "Ada")])
        self.circle = str(self.visitor.answer.json["url"]).rpartition("/")[2]
        self.words |= {"game": "poker", "member": "1", "drill": "tray"}
        self.visitor.post("/me/link")
        self.words["word"] = str(self.visitor.answer.json["url"]).rpartition("/")[2]
        assert isinstance(self.visitor.line, InProcess)
        self.client = self.visitor.line.client

    def word(self, name: str, path: str) -> str:
        """Return a good value of a parameter in an address."""
        if name != "code":
            return self.words[name]
        if path.startswith("/c/"):
            return self.circle
        return self.code if path.startswith("/t/") else "poker" if path.startswith("/play/") else "blackjack"

    def ask(self, method: str, path: str, fields: dict[str, str], **words: str) -> tuple[int, float]:
        """Return the status of an answer, and the processor's time that it took."""
        for name in parameters(method, path, "path"):
            path = path.replace(f"{{{name}}}", quote(words.get(name) or self.word(name, path), safe=""))
        more: dict[str, Any] = {"data": fields, "content_type": "multipart/form-data"} if method == "post" else {}
        address = path if method == "post" or not fields else f"{path}?{urlencode(fields)}"
        began = time.thread_time()
        answer = self.client.open(address, method=method.upper(), headers=headers("page"), **more)
        return answer.status_code, time.thread_time() - began


def parameters(method: str, path: str, place: str) -> list[str]:
    """Return the names of what a request may carry in its address, its query or its form."""
    operation = document()["paths"][path][method]
    if place == "form":
        content = operation.get("requestBody", {"content": {FORM: {"schema": {"properties": ()}}}})["content"]
        return list(content[FORM]["schema"]["properties"])
    return [parameter["name"] for parameter in operation["parameters"] if parameter["in"] == place]


def requests(method: str, path: str) -> Iterator[tuple[str, dict[str, str], bool]]:
    """Yield each name, with the fields that are sent besides, and whether it is a part of the address."""
    usual = SPOT if "cards" in parameters(method, path, "query") else {}
    for besides in NEEDED.get((method, path), (usual,)):
        yield from (
            (name, besides, False) for name in parameters(method, path, "form" if method == "post" else "query")
        )
    yield from ((name, {}, True) for name in parameters(method, path, "path"))


def statuses(
    site: Site, method: str, path: str, text: str, wanted: Callable[[int], bool] = lambda field: True
) -> Iterator[tuple[str, int, float]]:
    """Send a text in each wanted field in turn; yield name, status and the processor's time."""
    for field, (name, besides, in_address) in enumerate(requests(method, path)):
        if not wanted(field):
            continue
        fields, words = (besides, {name: text}) if in_address else ({**besides, name: text}, {})
        yield name, *site.ask(method, path, fields, **words)


def _nth(number: int, share: int) -> Callable[[int], bool]:
    return lambda field: (number + field) % share == 0


@pytest.mark.parametrize("share", [8, pytest.param(1, marks=pytest.mark.soak)], ids=["an eighth", "all"])
@pytest.mark.parametrize(("method", "path"), [*operations()], ids=lambda word: word)
def test_long_text_in_any_field_is_answered_soon(app: Flask, method: str, path: str, share: int) -> None:
    """Each field gets an eighth of the shapes, one field others than the next one; the long tests send it all of them."""
    site = Site(app)
    [*statuses(site, method, path, "x")]  # fills the caches
    for number, (shape, text) in enumerate(SHAPES.items()):
        for name, status, seconds in statuses(site, method, path, text, _nth(number, share)):
            assert status < 500 or status in (BUSY, OTHER_FORMAT), (name, shape)
            assert seconds < SECONDS, (name, shape)


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_text_that_a_database_does_not_take_is_not_asked_for(app: Flask) -> None:
    """PostgreSQL refuses null characters, and text that is longer than its column."""
    for method, path in operations():
        site = Site(app)
        for text in ("\0", "x" * BYTES):
            assert [name for name, status, _ in statuses(site, method, path, text) if status == 500] == [], path
