"""The only place that knows about htmx: whole page or fragment."""

from flask import Response, make_response, render_template, request
from jinja2 import Template

from webapp.services.players import GAP
from webapp.web.request import preferences


def wants_fragment() -> bool:
    """Boosted and history requests want the whole page, like any browser."""
    headers = request.headers
    return (
        headers.get("HX-Request") == "true"
        and headers.get("HX-Boosted") != "true"
        and headers.get("HX-History-Restore-Request") != "true"
    )


def wants_json() -> bool:
    accepted = request.accept_mimetypes
    return accepted.best_match(["text/html", "application/json"]) == "application/json"


def render(template: str, status: int = 200, /, **context: object) -> Response:
    """``play/hand.html``, or for a fragment its twin ``play/_hand.html``, where there is one."""
    folder, _, name = template.rpartition("/")
    fragment = f"{folder}/_{name}".lstrip("/")
    names: list[str | Template] = [fragment, template] if wants_fragment() else [template]
    text = render_template(names, **context)
    if preferences.language() != "en":
        text = GAP.sub("", text)
    return answer(text, status)


def answer(text: str, status: int = 200) -> Response:
    """A page or fragment that is made already."""
    response = make_response(text, status)
    response.headers["Vary"] = "HX-Request, Accept, Accept-Language, Cookie"
    return response
