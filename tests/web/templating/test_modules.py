"""The script modules of a page: one for all, those of some pages only, and all of them preloaded in the head."""

import re
from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.bench.weights import first_visit
from tests.support.clock import run_timer
from tests.support.moves import dealt, finished
from tests.support.player import Player
from tests.support.table_players import TablePlayer
from webapp.engine.games import SOLO

MODULE = re.compile(r'<script src="/static/\w+/js/(\w+\.js)" type="module"></script>')
NAMED = re.compile(r'(?:src|href)="/static/\w+/js/(\w+\.js)"')

OF_DRAW_POKER = ["wins.js", "coach.js", "deals.js", "unfold.js", "marks.js", "draw_button.js"]
PLUGGED = {
    "/": [],
    "/play/poker": OF_DRAW_POKER,
    "/play/joker": OF_DRAW_POKER,
    "/play/blackjack": ["wins.js", "coach.js", "deals.js", "stakes.js"],
    "a shared table": ["wins.js", "table.js"],
    "a finished hand": ["wins.js", "replay.js", "times.js", "embed.js"],
    "/odds/poker": ["desk.js"],
    "/tables": [],
    "/rules/poker": [],
    "/me": [],
    "/me/decisions": [],
    "/me/settings": [],
    "/fair": ["record.js"],
    "/lab": [],
    "/daily": ["times.js"],
    "/offline": [],
}
"""What each kind of page plugs into the script of every page."""
ONLY_SHARED = {"table.js", "parts.js", "steps.js", "stream.js", "turn.js", "clock.js", "reactions.js"}
ROOMS = [*(f"/play/{code}" for code in SOLO), "a shared table"]


@pytest.fixture
def place(app: Flask) -> Callable[[str], tuple[FlaskClient, str]]:
    """Return a client that may open such a page, and its address: ``place("a shared table")``."""

    def find(kind: str) -> tuple[FlaskClient, str]:
        client = app.test_client()
        if kind == "a shared table":
            return client, f"/t/{TablePlayer(client).open()}"
        if kind == "a finished hand":
            player = Player(client)
            dealt(player)
            return client, f"/h/{finished(player)}"
        run_timer(app, "daily deals")
        return client, kind

    return find


def page_of(client: FlaskClient, address: str) -> str:
    answer = client.get(address, headers={"Accept": "text/html"})
    assert answer.status_code == 200
    return answer.text


@pytest.mark.parametrize("kind", PLUGGED)
def test_a_page_has_one_script_and_what_its_kind_plugs_into_it(place: Callable, kind: str) -> None:
    entry, *plugged = MODULE.findall(page_of(*place(kind)))
    assert entry == "app.js"
    assert plugged == PLUGGED[kind]


@pytest.mark.parametrize("kind", PLUGGED)
def test_every_module_stands_in_the_head_so_that_none_is_found_late(place: Callable, kind: str) -> None:
    client, address = place(kind)
    named = NAMED.findall(page_of(client, address))
    loaded = {found.rpartition("/")[2] for found in first_visit(client, address) if "/js/" in found}
    assert set(named) == loaded
    assert len(named) == len(loaded), "once"
    assert bool(ONLY_SHARED & loaded) == (kind == "a shared table")


@pytest.mark.parametrize("kind", ROOMS)
def test_an_action_is_sent_by_htmx_or_by_the_form_itself(place: Callable, kind: str) -> None:
    """At solo and shared tables alike, one at a time."""
    forms = re.findall(r"<form\b[^>]*\bhx-post=[^>]*>", page_of(*place(kind)))
    assert any('hx-sync="#connection:drop"' in form for form in forms)
    assert [form for form in forms if 'method="post"' not in form or 'action="/' not in form] == []
