"""The preview of a link to a shared table in a chat: who invites, to which game, at which stakes."""

import re
import struct
from html import unescape

import pytest
from flask import Flask

from tests.support.table_players import TablePlayer


@pytest.fixture
def host(site: Flask) -> TablePlayer:
    return TablePlayer(site.test_client())


@pytest.fixture
def stranger(site: Flask) -> TablePlayer:
    return TablePlayer(site.test_client())


def _head(visitor: TablePlayer, path: str) -> dict[str, str]:
    page = visitor.get(path, Accept="text/html").text
    properties = re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)"', page)
    return {name: unescape(content) for name, content in properties}


def test_an_invitation_names_the_host_the_seats_and_the_stakes(host: TablePlayer, stranger: TablePlayer) -> None:
    code = host.open(name="Ann", min_bet=20, max_bet=100)
    host.do("sit", 0)
    head = _head(stranger, f"/t/{code}")
    assert head["og:title"] == "Ann keeps you a seat: Table 21"
    assert head["og:description"] == "4 seats are free. Bets of 20 to 100 chips. No account, no app, no money."
    assert head["og:url"].endswith(f"/t/{code}")


def test_an_invitation_without_a_name_invites_all_the_same(host: TablePlayer, stranger: TablePlayer) -> None:
    assert _head(stranger, f"/t/{host.open()}")["og:title"] == "A seat is free for you: Table 21"


def test_the_picture_of_an_invitation_is_a_png_at_the_address_that_the_page_names(
    host: TablePlayer, stranger: TablePlayer
) -> None:
    code = host.open(name="花子")
    head = _head(stranger, f"/t/{code}")
    answer = stranger.line.client.get(head["og:image"].split("localhost", 1)[1])
    assert answer.mimetype == "image/png"
    assert struct.unpack(">LL", answer.data[16:24]) == (1200, 630)


def test_the_word_of_a_private_link_is_not_in_the_head_of_the_page(host: TablePlayer, stranger: TablePlayer) -> None:
    code = host.open(name="Ann")
    host.do("sit", 0)
    word = host.table["seat_link"].split("seat=")[1]
    head = _head(stranger, f"/t/{code}?seat={word}")
    assert word not in " ".join(head.values())


def test_a_table_that_does_not_exist_has_no_picture(stranger: TablePlayer) -> None:
    assert stranger.get("/t/ZZZZZZ.png").status == 404
