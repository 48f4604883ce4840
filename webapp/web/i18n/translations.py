"""The texts of the page's language. A page wants a hundred of them, and Flask-Babel looks for the catalogue each time
anew: here it is looked for once a request.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from flask import g, has_request_context
from flask_babel import force_locale, get_translations
from markupsafe import Markup

from webapp.web.request import preferences


def translations() -> Any:
    """The catalogue of the language that is spoken now; outside of any page the one without translations."""
    try:
        return g.catalogue
    except AttributeError:
        g.catalogue = _texts_in(preferences.language()) if has_request_context() else get_translations()
        return g.catalogue
    except RuntimeError:  # no page and no command: a table of texts is being looked at
        return get_translations()


@lru_cache
def _texts_in(language: str) -> Any:
    with force_locale(language):
        return get_translations()


def gettext(text: str, **values: object) -> str:
    found: str = translations().ugettext(text)
    return found % values if values else found


def pgettext(context: str, text: str, **values: object) -> str:
    found: str = translations().upgettext(context, text)
    return found % values if values else found


def markup(text: str, **values: object) -> Markup:
    """What ``_`` says in a page, as Jinja's own does; but what needs no values is made once for each language."""
    return _markup(translations(), text) % values if values else _markup_alone(translations(), text)


@lru_cache(maxsize=4096)
def _markup(catalogue: Any, text: str) -> Markup:
    return Markup(catalogue.ugettext(text))  # noqa: S704  # translations are ours, and may have marks in them


@lru_cache(maxsize=4096)
def _markup_alone(catalogue: Any, text: str) -> Markup:
    """A text is always a format, so a percent sign in it is written twice, with values and without."""
    return _markup(catalogue, text) % {}


@contextmanager
def use_language(language: str) -> Iterator[None]:
    """Another language than the page's, within a request."""
    before = translations()
    with force_locale(language):
        g.catalogue = get_translations()
        try:
            yield
        finally:
            g.catalogue = before
