"""Request headers for the three kinds of responses of each route: JSON, a page, and a fragment."""

from tests.support.player import ACCEPT, SAME_ORIGIN

FORMS: dict[str, dict[str, str]] = {
    "json": {},
    "page": {"Accept": "text/html"},
    "fragment": {"Accept": "text/html", "HX_Request": "true"},
}


def headers(form: str) -> dict[str, str]:
    """Return the headers for a Flask test client; ``FORMS`` holds keywords for ``Player.get`` and ``Player.post``."""
    return {**ACCEPT, **SAME_ORIGIN, **{name.replace("_", "-"): value for name, value in FORMS[form].items()}}
