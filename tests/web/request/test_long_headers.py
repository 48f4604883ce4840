"""Headers of 30 KB: what browsers never send costs hardly more than a page."""

import time
from typing import Final

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.support.answer_forms import headers

BYTES: Final = 30_000
PAGES: Final = 12
"""Times the processor's time of a page without the header, both in the best of their tries. Three is what Werkzeug
needs to split 3,000 cookies on a quiet machine, seven where another process shares the caches; what is read again for
each of its bytes takes hundreds."""
TRIES: Final = 12
"""After which it is no longer the machine that is slow."""
VALUES: Final = {
    "Cookie": ("tefuda-{n}=a.b.c; ", "tefuda-{n}=eyJhIjoxfQ.aaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbb; ", "prefs=a{n}=b&", "{n}=%41; "),
    "Accept-Language": ("x{n},", "zh-{n};q=0.{n},", "a-", "*;q=0.5,", "en;q=1;"),
    "Accept": ("text/x{n},", "application/json;q=0.{n},", "*/*;", "a/b;c=\"", "/"),
    "Accept-Encoding": ("gzip;q=0.{n},", "x{n},"),
    "User-Agent": ("(", "Mozilla/{n} "),
    "Origin": ("http://a{n}:", "//["),
    "Sec-Fetch-Site": ("same-origin,",),
    "If-None-Match": ('"{n}",', 'W/"', '"'),
    "If-Modified-Since": ("1", "Mon, "),
    "Range": ("bytes={n}-,", "0-1,"),
    "Authorization": ("Bearer ", "Basic a{n}", "a=b,"),
    "Last-Event-ID": ("{n}",),
    "HX-Request": ("true",),
    "X-Forwarded-For": ("10.0.0.1, ",),
}  # fmt: skip


def long_value(piece: str) -> str:
    text = "".join(piece.replace("{n}", str(n)) for n in range(BYTES // len(piece) + 1))
    return text[:BYTES]


def seconds_for(client: FlaskClient, name: str, value: str) -> float:
    """Return the processor's time of one answer."""
    began = time.thread_time()
    answer = client.get("/about", headers={**headers("page"), name: value})
    taken = time.thread_time() - began
    assert answer.status_code < 500
    return taken


@pytest.mark.parametrize("name", VALUES)
def test_a_long_header_is_not_read_to_its_end(app: Flask, name: str) -> None:
    client = app.test_client(use_cookies=False)
    page = min(seconds_for(client, "X-Nothing", "") for _ in range(5))
    left = {piece: long_value(piece) for piece in VALUES[name]}
    for n in range(TRIES):  # another value each time: no cache knows it
        left = {
            piece: value for piece, value in left.items() if seconds_for(client, name, f"{value}{n}") > PAGES * page
        }
    assert list(left) == []
