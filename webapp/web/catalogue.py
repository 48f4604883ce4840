"""The texts of the page's language. A page wants a hundred of them, and Flask-Babel looks for the catalogue each time
anew: here it is looked for once a request.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flask import g
from flask_babel import force_locale, get_translations


def texts() -> Any:
    """The catalogue of the language that is spoken now; outside of any page the one without translations."""
    try:
        return g.catalogue
    except AttributeError:
        g.catalogue = get_translations()
        return g.catalogue
    except RuntimeError:  # no page and no command: a table of texts is being looked at
        return get_translations()


def gettext(text: str, **values: object) -> str:
    found: str = texts().ugettext(text)
    return found % values if values else found


def pgettext(context: str, text: str, **values: object) -> str:
    found: str = texts().upgettext(context, text)
    return found % values if values else found


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Another language than the page's, within a request."""
    before = texts()
    with force_locale(language):
        g.catalogue = get_translations()
        try:
            yield
        finally:
            g.catalogue = before
