"""The three forms in which every place answers, as the keywords of ``Player.get`` and ``Player.post``."""

from tests.support.player import ACCEPT, SAME_ORIGIN

FORMS: dict[str, dict[str, str]] = {
    "json": {},
    "page": {"Accept": "text/html"},
    "fragment": {"Accept": "text/html", "HX_Request": "true"},
}


def headers(form: str) -> dict[str, str]:
    """The same for a test client."""
    return {**ACCEPT, **SAME_ORIGIN, **{name.replace("_", "-"): value for name, value in FORMS[form].items()}}
