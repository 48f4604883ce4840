"""QR codes of links, which are cached, since each takes longer than the page around it."""

from typing import Any

import pytest
import segno

from webapp.web.templating import qr


def test_the_links_of_two_hundred_tables_with_five_seats_are_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    one = segno.make("https://tefuda.example/t/ABCDEF")

    def make(address: str, **_: Any) -> segno.QRCode:
        drawn.append(address)
        return one

    monkeypatch.setattr(segno, "make", make)
    links = [f"https://tefuda.example/drawn-once/{table}/{seat}" for table in range(200) for seat in range(6)]
    for link in links * 2:
        assert "<svg" in qr.picture(link)
    assert drawn == links
    qr._packed.cache_clear()
