"""Checks that each JSON response is as ``GET /openapi.json`` describes it.

The document permits fields that it does not name, so that the interface can grow. The check does not: a field that is
sent must be described.
"""

import re
from functools import cache
from threading import Lock
from typing import Any

from flask import Flask
from jsonschema_rs import Draft202012Validator

from webapp.app import BLUEPRINTS
from webapp.engine.games import GAMES
from webapp.web.api import openapi

Json = dict[str, Any]


@cache
def site() -> Flask:
    """Return an app that has the site's routes and nothing else."""
    app = Flask("webapp", static_folder=None)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    return app


_ONE_AT_A_TIME = Lock()
"""Python 3.11 must not parse in two threads at the same time, as werkzeug does for each route ("AST constructor recursion
depth mismatch"); people in threads ask for the document all at once."""


def document() -> Json:
    """Return the document for the games that are registered now; some tests add games."""
    with _ONE_AT_A_TIME:
        return _document(tuple(GAMES))


@cache
def _document(_games: tuple[str, ...]) -> Json:
    return openapi.document(site())


@cache
def _components(_games: tuple[str, ...]) -> Json:
    """Return the schemas of the document, changed so that they refuse fields they do not name."""
    schemas = document()["components"]["schemas"].items()
    closed = {name: schema | {"additionalProperties": False} for name, schema in schemas if "properties" in schema}
    return {"schemas": document()["components"]["schemas"] | closed}


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    """Return a regular expression for each path, those without variables first."""
    paths = sorted(document()["paths"], key=lambda path: path.count("{"))
    return [(re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+?", re.escape(path))), path) for path in paths]


@cache
def _validator(games: tuple[str, ...], path: str | None, method: str, status: str) -> Draft202012Validator:
    """Return the validator of a response. Paths that are not described must respond with an error."""
    operation = document()["paths"].get(path, {}).get(method.lower())
    schema = {"$ref": "#/components/schemas/Error"}
    if operation:
        responses = operation["responses"]
        schema = responses.get(status, responses["default"])["content"]["application/json"]["schema"]
    return Draft202012Validator({**schema, "components": _components(games)})


def require_described(method: str, url: str, status: int, content: object) -> None:
    """Raise AssertionError unless the document describes this response."""
    path = url.partition("?")[0]
    described = next((known for pattern, known in _patterns() if pattern.fullmatch(path)), None)
    if path == "/openapi.json" and status == 200:
        assert content == document()
        return
    errors = [
        f"{'/'.join(map(str, error.instance_path))}: {error.message[:300]}"
        for error in _validator(tuple(GAMES), described, method, str(status)).iter_errors(content)
    ]
    assert errors == [], f"{method} {url} {status}"
