"""``GET /openapi.json``: the description of the interface for programs."""

from functools import cache
from typing import Any

from flask import Blueprint, Response, current_app, jsonify

from webapp.engine.games import GAMES
from webapp.web.api import openapi

bp = Blueprint("openapi", __name__)


@bp.get("/openapi.json")
def show() -> Response:
    """Return the description of the interface for programs."""
    return jsonify(_document(tuple(GAMES)))


@cache
def _document(_games: tuple[str, ...]) -> dict[str, Any]:
    """Return the document, which depends only on the registered games."""
    return openapi.document(current_app)
