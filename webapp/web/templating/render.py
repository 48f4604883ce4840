"""Answers as whole page, fragment or JSON: the only place that knows about htmx."""

from functools import lru_cache
from typing import Final

from flask import Response, make_response, render_template, request
from jinja2 import Template
from werkzeug.datastructures import MIMEAccept
from werkzeug.http import parse_accept_header

from webapp.web.i18n.translations import use_language
from webapp.web.request.language import language_of_request

_MOST_ACCEPTED: Final = 1000
"""Characters of ``Accept`` that are read; browsers send some two hundred."""


def wants_fragment() -> bool:
    """Return True for a request of htmx, but for boosted and history requests: these want the whole page."""
    headers = request.headers
    return (
        headers.get("HX-Request") == "true"
        and headers.get("HX-Boosted") != "true"
        and headers.get("HX-History-Restore-Request") != "true"
    )


def wants_json() -> bool:
    """Return True for a program that prefers JSON to a page."""
    return _prefers_json(request.headers.get("Accept", "")[:_MOST_ACCEPTED])


@lru_cache(maxsize=128)  # an action asks several times, and all browsers say the same. bench: server
def _prefers_json(accepted: str) -> bool:
    kinds = parse_accept_header(accepted, MIMEAccept)
    return kinds.best_match(["text/html", "application/json"]) == "application/json"


def render(template: str, status: int = 200, /, **context: object) -> Response:
    """Return the page ``play/hand.html``, or as a fragment its twin ``play/_hand.html``, where there is one."""
    folder, _, name = template.rpartition("/")
    fragment = f"{folder}/_{name}".lstrip("/")
    names: list[str | Template] = [fragment, template] if wants_fragment() else [template]
    with use_language(language_of_request()):  # a page asks for it hundreds of times
        return answer(render_template(names, **context), status)


def answer(text: str, status: int = 200) -> Response:
    """Return a rendered page or fragment as a response."""
    response = make_response(text, status)
    response.headers["Vary"] = "HX-Request, Accept, Accept-Language, Cookie"
    return response
