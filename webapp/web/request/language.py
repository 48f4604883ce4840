"""The language of a page: the chosen one, else the first of the browser's that we have, else English."""

from typing import cast

from flask import g, request

from webapp.web import languages
from webapp.web.request.preferences import preferences


def language_of_request() -> str:
    """Return the code of the language in which the request is answered."""
    if "language" not in g:
        asked = request.headers.get("Accept-Language", "")
        g.language = preferences().language or languages.best_of(languages.ranges_of(asked))
    return cast(str, g.language)
