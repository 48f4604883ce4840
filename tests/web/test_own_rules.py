"""From a form of own rules to a table that has them: at once in solo games, after opening it for shared ones."""

import re

import pytest
from flask import Flask

from tests.support.player import Player


def test_the_form_of_a_game_leads_to_its_table(visitor: Player) -> None:
    answer = visitor.get("/rules/blackjack/own?decks=2", Accept="text/html")
    assert (answer.status, answer.headers["location"]) == (303, "/play/blackjack?table=vegas,decks%3D2")
    assert visitor.get(answer.headers["location"], Accept="text/html").status == 200


@pytest.mark.parametrize("words", ["turn_clock=30", "turn_clock=30&min_bet=20", "turn_clock=20", ""])
def test_that_of_a_shared_table_leads_to_where_it_is_opened(app: Flask, alice: Player, words: str) -> None:
    answer = alice.get(f"/rules/table21/own?{words}", Accept="text/html")
    assert (answer.status, answer.headers["location"].split("?")[0]) == (303, "/tables")
    page = alice.get(answer.headers["location"].partition("#")[0], Accept="text/html")
    assert page.status == 200
    (form,) = re.findall(r'<form class="own".*?</form>', page.text, re.DOTALL)
    fields = re.findall(r'<select [^>]*name="(\w+)">.*?<option value="([^"]*)" selected>', form, re.DOTALL)
    alice.post("/tables", fields)
    assert alice.status == 201
    assert alice.answer.json["rules"]["turn_clock"] == (30 if "30" in words else 20)
    assert ('<details class="panel opens__own" id="own" open' in page.text) == ("30" in words)


@pytest.mark.parametrize(
    "path",
    ["/rules/table21/own?turn_clock=x", "/rules/table21/own?clock=30", "/tables?table=nonsense", "/rules/bridge/own"],
)
def test_rules_that_make_no_sense_are_refused(visitor: Player, path: str) -> None:
    assert visitor.get(path).status in (404, 422)
