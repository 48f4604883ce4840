"""Headers of 30 KB: what browsers never send costs hardly more than a page."""

import time
from typing import Final

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.support.answer_forms import headers

BYTES: Final = 30_000
SECONDS: Final = 0.010
"""Of the processor's time, in the best of three tries; a page takes two thousandths."""
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
    """Return the time of the best of three answers."""
    taken = []
    for tail in "abc":  # another value each time: no cache knows it
        began = time.thread_time()
        answer = client.get("/about", headers={**headers("page"), name: value + tail})
        taken.append(time.thread_time() - began)
        assert answer.status_code < 500
    return min(taken)


@pytest.mark.parametrize("name", VALUES)
def test_a_long_header_is_not_read_to_its_end(app: Flask, name: str) -> None:
    client = app.test_client(use_cookies=False)
    seconds_for(client, "X-Nothing", "")
    taken = {piece: round(seconds_for(client, name, long_value(piece)), 4) for piece in VALUES[name]}
    assert {piece: seconds for piece, seconds in taken.items() if seconds > SECONDS} == {}
