"""Every JSON answer is what ``GET /openapi.json`` says it is.

The document allows fields that it does not name, so that the interface may grow. Here they are refused: a field that is
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
    """The routes, and nothing else of the site."""
    app = Flask("webapp", static_folder=None)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    return app


_ONE_AT_A_TIME = Lock()
"""Python 3.11 must not parse in two threads at the same time, as werkzeug does for each route ("AST constructor recursion
depth mismatch"); people in threads ask for the document all at once."""


def document() -> Json:
    """The document for the games that there are now: tests add some of their own."""
    with _ONE_AT_A_TIME:
        return _document(tuple(GAMES))


@cache
def _document(_games: tuple[str, ...]) -> Json:
    return openapi.document(site())


@cache
def _components(_games: tuple[str, ...]) -> Json:
    """Those of the document, without room for other fields."""
    schemas = document()["components"]["schemas"].items()
    closed = {name: schema | {"additionalProperties": False} for name, schema in schemas if "properties" in schema}
    return {"schemas": document()["components"]["schemas"] | closed}


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    """Of all paths; those without a variable first."""
    paths = sorted(document()["paths"], key=lambda path: path.count("{"))
    return [(re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+?", re.escape(path))), path) for path in paths]


@cache
def _validator(games: tuple[str, ...], path: str | None, method: str, status: str) -> Draft202012Validator:
    """Of the answer with this status to what is described, and of what any other address answers: no."""
    operation = document()["paths"].get(path, {}).get(method.lower())
    schema = {"$ref": "#/components/schemas/Error"}
    if operation:
        responses = operation["responses"]
        schema = responses.get(status, responses["default"])["content"]["application/json"]["schema"]
    return Draft202012Validator({**schema, "components": _components(games)})


def require_described(method: str, url: str, status: int, content: object) -> None:
    """AssertionError for an answer that the document does not describe."""
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
