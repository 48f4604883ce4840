"""URLs in templates equal Flask's, though those of hands and moves are built from cached ones."""

import flask
import pytest
from flask import Flask

from webapp.web.templating.urls import url_for

HANDS = (
    "Ab3dEf6hIj",
    "P-Ab3dEf6hIj",
    "a_b-c",
    "__step__",
    "",
    "a b",
    "a/b",
    "a&b=c",
    '"><b>',
    "%2f",
    "\u00e9",
    "x" * 65,
)


@pytest.mark.parametrize("mounted_at", ["", "/cards"])
@pytest.mark.parametrize("hand", HANDS)
def test_addresses_are_those_of_flask(site: Flask, hand: str, mounted_at: str) -> None:
    wanted: list[tuple[str, dict[str, object]]] = [
        ("play.act", {"code": "poker", "hand": hand or "x", "step": 0}),
        ("play.act", {"code": "poker", "hand": hand or "x", "step": 17}),
        ("play.act", {"code": "poker", "hand": hand or "x", "step": "last"}),
        ("play.table", {"code": "joker", "table": "a b", "hand": hand}),
        ("play.table", {"code": "joker", "table": None, "hand": None}),
        ("coach.hint", {"code": "blackjack", "hand": hand or "x", "step": 3}),
        ("odds.show", {"code": "blackjack", "hand": hand, "step": 3}),
        ("lobby.show", {}),
    ]
    with site.test_request_context(environ_overrides={"SCRIPT_NAME": mounted_at}):
        for endpoint, values in wanted * 2:
            assert url_for(endpoint, **values) == flask.url_for(endpoint, **values), values  # type: ignore[arg-type]
