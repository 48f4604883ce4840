"""The session cookie seen from outside: read, sent again, decoded, forged; and a second tab with the same cookie."""

import base64
import json
import zlib
from collections.abc import Iterator
from typing import Any

from flask import Flask

from tests.support.player import InProcess, Player

COOKIE = "tefuda"


def cookie_of(player: Player) -> str:
    """Return the session cookie that this browser would send now, ``""`` if it has none."""
    if isinstance(player.line, InProcess):
        kept = player.line.client.get_cookie(COOKIE)
        return kept.value if kept else ""
    return player.line.cookies.get(COOKIE, "")


def send_from_now_on(player: Player, cookie: str) -> None:
    """Set the session cookie of this browser; ``""`` deletes it."""
    if isinstance(player.line, InProcess):
        player.line.client.delete_cookie(COOKIE)
        if cookie:
            player.line.client.set_cookie(COOKIE, cookie)
    else:
        player.line.cookies[COOKIE] = cookie


def tab_of(player: Player, app: Flask | None = None) -> Player:
    """Return another tab of the same browser, with its current cookie; with ``app``, a tab that talks to that app."""
    if isinstance(player.line, InProcess):
        tab = Player((app or player.line.client.application).test_client())
    else:
        tab = Player(f"http://{player.line.address}")
    send_from_now_on(tab, cookie_of(player))
    tab.board, tab.game = player.board, player.game
    return tab


def signed(app: Flask, content: Any) -> str:
    """Return a correctly signed cookie with any content, which only the owner of the key can make."""
    serializer = app.session_interface.get_signing_serializer(app)  # type: ignore[attr-defined]
    text = serializer.dumps(content)
    return text if isinstance(text, str) else text.decode()


def content_of(app: Flask, cookie: str) -> Any:
    return app.session_interface.get_signing_serializer(app).loads(cookie)  # type: ignore[attr-defined]


def layers(data: bytes) -> Iterator[bytes]:
    """Yield the data and all that can be decoded from it without a key: base64, zlib and JSON, repeatedly."""
    seen: set[bytes] = set()
    todo = [data]
    while todo:
        layer = todo.pop()
        if layer in seen or len(seen) > 5000:
            continue
        seen.add(layer)
        yield layer
        todo += _unpacked(layer)


def _unpacked(layer: bytes) -> Iterator[bytes]:
    for part in (*layer.split(b"."), layer.lstrip(b".")):
        yield part
        padded = part + b"=" * (-len(part) % 4)
        for decode in (base64.urlsafe_b64decode, base64.b64decode, base64.b16decode):
            try:
                yield decode(padded)
            except ValueError:
                pass
        try:
            yield zlib.decompress(part)
        except zlib.error:
            pass
    try:
        yield from _texts(json.loads(layer))
    except ValueError:
        pass


def _texts(value: Any) -> Iterator[bytes]:
    if isinstance(value, dict):
        for name, inside in value.items():
            yield str(name).encode()
            yield from _texts(inside)
    elif isinstance(value, list):
        for inside in value:
            yield from _texts(inside)
    elif isinstance(value, str):
        yield value.encode()
