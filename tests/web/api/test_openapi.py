"""``GET /openapi.json``: valid for an independent validator, complete, and equal to what is served."""

import pytest
from flask import Flask
from openapi_spec_validator import OpenAPIV31SpecValidator

from tests.support.openapi_check import document, require_described, site
from tests.support.player import Player
from webapp.web.api.openapi import operations

PAGES_ALONE = {
    "privacy.show",
    "privacy.ask",
    "privacy.names",
    "circles.names",
    "lobby.about",
    "install.favicon",
    "install.offline",
    "install.robots",
    "install.service_worker",
    "install.touch_icon",
    "lobby.own",
    "odds.index_page",
    "drill.index_page",
    "openapi.show",
}


def test_the_document_is_openapi_3_1() -> None:
    assert document()["openapi"].startswith("3.1.")
    assert [error.message for error in OpenAPIV31SpecValidator(document()).iter_errors()] == []


def test_it_is_served_as_it_is(visitor: Player) -> None:
    answer = visitor.get("/openapi.json")
    assert answer.status == 200
    assert answer.json == document()


def test_every_address_is_described_but_those_of_pages_alone() -> None:
    described = {rule.endpoint for rule, *_ in operations(site())}
    assert {rule.endpoint for rule in site().url_map.iter_rules()} - described == PAGES_ALONE


def test_everything_that_is_described_has_a_description() -> None:
    for path, methods in document()["paths"].items():
        for method, operation in methods.items():
            assert operation["summary"].endswith("."), f"{method} {path}"
            for parameter in operation["parameters"]:
                assert parameter["description"].endswith("."), f"{method} {path} {parameter['name']}"


@pytest.mark.parametrize(
    ("path", "status", "content"),
    [
        ("/fair", 200, {"scheme": "tf1", "listing": "...", "more": 1}),
        ("/fair", 200, {"scheme": "tf1"}),
        ("/fair", 200, {"scheme": "tf1", "listing": None}),
        ("/fair", 404, {"error": "http-404"}),
        ("/nowhere", 404, {"error": "http-404", "message": "...", "hand": 3}),
    ],
)
def test_an_answer_that_is_not_as_described_would_be_noticed(path: str, status: int, content: object) -> None:
    with pytest.raises(AssertionError, match="GET"):
        require_described("GET", path, status, content)


def test_pages_of_lists_and_of_the_lab_are_as_described(site: Flask, visitor: Player) -> None:
    """Requests those that no other test requests as JSON; the client validates them."""
    for path in (
        "/",
        "/me",
        "/fair",
        "/rules/poker",
        "/rules/blackjack",
        "/rules/table21",
        "/tables",
        "/lab",
        "/lab/exercise",
    ):
        assert visitor.get(path).status == 200, path
    for path in ("/nowhere", "/h/nobody", "/t/NOBODY", "/lab/none", "/play/whist"):
        assert visitor.get(path).status == 404, path
