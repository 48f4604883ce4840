"""The list of public tables is for all: what one network may have in it, and what is stored for that."""

import pytest
from flask import Flask

from tests.support.app import client_at
from tests.support.rows import row
from tests.support.table_players import TablePlayer
from webapp.services.tables import lobby
from webapp.services.tables.rounds import close_table
from webapp.services.tables.versions import locked


def at(app: Flask, address: str, **rules: object) -> TablePlayer:
    """Open a public table from an address, and sit down there beside a bot."""
    visitor = TablePlayer(client_at(app, address))
    visitor.open(public=1, bot=1, **rules)
    return visitor


@pytest.mark.parametrize("network", ["192.0.2.7", "2001:db8:0:7::{}"])
def test_one_network_does_not_fill_the_list(strict: Flask, network: str) -> None:
    """However many players it has, and whatever they change all the time."""
    honest = at(strict, "198.51.100.1")
    crowd = [at(strict, network.format(number)) for number in range(lobby.LISTED + 1)]
    for visitor in crowd:
        visitor.now("policy", "timid")
    codes = [table["code"] for table in crowd[0].get("/tables").json["tables"]]
    assert honest.code in codes
    assert len(codes) == 1 + lobby.OF_A_NETWORK
    assert len({visitor.code for visitor in crowd} & {*codes}) == lobby.OF_A_NETWORK


def test_a_table_forgets_its_network_when_it_is_closed_or_was_never_public(strict: Flask) -> None:
    visitor, hidden = at(strict, "192.0.2.7"), TablePlayer(client_at(strict, "192.0.2.7"))
    hidden.open()
    (word,) = row(strict, "SELECT opened_from FROM shared_table WHERE public")
    assert len(word) == 16
    assert "192" not in word
    assert row(strict, "SELECT opened_from FROM shared_table WHERE NOT public") == (None,)
    with strict.app_context(), locked(visitor.code) as table:
        close_table(table)
    assert row(strict, "SELECT opened_from FROM shared_table WHERE public") == (None,)
