"""Limits per address count an IPv6 network of a customer, not each of its 2^64 addresses."""

import time

import pytest
from flask import Flask
from limits import parse_many

from tests.support.app import client_at
from tests.support.clock import Clock
from tests.support.streams import OpenStream
from tests.support.table_players import TablePlayer

SAME_NETWORK = ("2001:db8:0:7::1", "2001:db8:0:7:ffff:ffff:ffff:ffff", "2001:DB8:0:7:a::%eth0")
SAME_MACHINE = ("192.0.2.7", "::ffff:192.0.2.7", "::FFFF:c000:207")


def visitor(app: Flask, address: str) -> TablePlayer:
    return TablePlayer(client_at(app, address))


def test_an_ipv6_address_counts_by_its_network_and_a_mapped_one_as_ipv4() -> None:
    from webapp.ip_addresses import address_key

    assert {address_key(address) for address in SAME_NETWORK} == {"2001:db8:0:7::/64"}
    assert {address_key(address) for address in SAME_MACHINE} == {"192.0.2.7"}
    assert address_key("2001:db8:0:8::1") == "2001:db8:0:8::/64"
    assert address_key("192.0.2.8") == "192.0.2.8"
    assert address_key("::1") == "::/64"
    for none in ("", "unknown", "a:b", "[::1]:80", "1.2.3.4:5"):
        assert address_key(none) == none, "what is no address counts as it stands"


@pytest.mark.parametrize("addresses", [SAME_NETWORK, SAME_MACHINE], ids=["IPv6", "IPv4"])
def test_new_players_are_counted_so(strict: Flask, addresses: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.web.request.limits._NEWCOMERS", parse_many("2/minute"))
    statuses = [visitor(strict, address).post("/play/poker").status for address in addresses]
    assert statuses == [201, 201, 429]
    assert visitor(strict, "2001:db8:0:8::1").post("/play/poker").status == 201, "a neighbour's network"


@pytest.mark.parametrize("addresses", [SAME_NETWORK, SAME_MACHINE], ids=["IPv6", "IPv4"])
def test_requests_are_counted_so(strict: Flask, addresses: tuple[str, ...]) -> None:
    statuses = [visitor(strict, addresses[number % 3]).get("/h/nothing.png").status for number in range(61)]
    assert statuses == [404] * 60 + [429]
    assert visitor(strict, "2001:db8:0:8::1").get("/h/nothing.png").status == 404


def test_practice_is_no_way_round_the_limits(strict: Flask) -> None:
    player = visitor(strict, "192.0.2.7")
    player.post("/play/poker")
    assert [player.post("/h/nothing/again").status for _ in range(31)] == [404] * 30 + [429]
    assert [player.post("/daily/nothing").status for _ in range(121)] == [404] * 120 + [429]


def test_practice_has_a_limit_for_the_hour_too(strict: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each one is a row that is kept for months."""
    clock = Clock()
    monkeypatch.setattr(time, "time", clock)
    player = visitor(strict, "192.0.2.7")
    player.post("/play/poker")
    statuses = []
    for _ in range(11):
        statuses += [player.post("/h/nothing/again").status for _ in range(30)]
        clock.move(61)
    assert statuses == [404] * 300 + [429] * 30


@pytest.mark.parametrize("path", ["/lab/strategy.csv?strategy=mimic", "/lab/chart?table=nothing"])
def test_one_person_does_not_use_up_the_charts_of_a_school(strict: Flask, path: str) -> None:
    greedy, other, newcomer = (visitor(strict, "192.0.2.7") for _ in range(3))
    for player in (greedy, other):
        player.post("/play/poker")
    for _ in range(100):
        greedy.get(path)
    assert greedy.status == 429
    assert [player.get(path).status == 429 for player in (other, newcomer)] == [False, False]


@pytest.mark.parametrize("addresses", [SAME_NETWORK, SAME_MACHINE], ids=["IPv6", "IPv4"])
def test_live_lines_are_counted_so(strict: Flask, addresses: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.blueprints.tables.OF_AN_ADDRESS", 2)
    code = visitor(strict, "198.51.100.1").open()
    lines = [
        OpenStream(visitor(strict, address).line.client, code)  # type: ignore[union-attr]
        for address in (*addresses, "2001:db8:0:8::1")
    ]
    assert [line.status_code for line in lines] == [200, 200, 429, 200]
    for line in lines:
        line.close()


def test_strategies_are_computed_only_so_often_for_one_address_however_many_players_it_has(strict: Flask) -> None:
    """One takes a third of a second, and there are millions of rules."""
    players = [visitor(strict, "192.0.2.7") for _ in range(4)]
    for player in players:
        player.post("/settings", [("name", "A")])
    statuses = [players[number % 4].get("/lab/strategy.csv?strategy=mimic&table=vegas").status for number in range(40)]
    assert statuses == [200] * 30 + [429] * 10
    assert visitor(strict, "192.0.2.8").get("/lab/strategy.csv?strategy=mimic&table=vegas").status == 200
