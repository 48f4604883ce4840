"""Calls in templates: an answer makes a hundred of macros and functions, and says two dozen translated sentences.

Jinja asks of each callable twice if it wants the context. And it formats each sentence, with or without values.
"""

from functools import lru_cache
from types import FunctionType
from typing import Any, Final

from jinja2.nodes import EvalContext
from jinja2.runtime import Macro
from jinja2.utils import pass_eval_context
from markupsafe import Markup

from webapp.web.i18n import translations
from webapp.web.templating.jinja_globals import SharedGlobalsContext


class Gettext:
    """``_(...)`` of a template: the translation, with the values put in, each escaped. bench: pages."""

    @pass_eval_context
    def __call__(self, eval_context: EvalContext, text: str, /, **values: object) -> str:
        """Return the translation of a text. As with Jinja's own, a percent sign in it is written twice."""
        if values:
            return _translated(translations.language(), text, eval_context.autoescape) % values
        return _without_values(translations.language(), text, eval_context.autoescape)


@lru_cache(maxsize=4096)
def _translated(language: str, text: str, is_html: bool) -> str:
    with translations.use_language(language):
        translated = translations.gettext(text)
    return Markup(translated) if is_html else translated  # noqa: S704  # translators are trusted as authors are


@lru_cache(maxsize=4096)
def _without_values(language: str, text: str, is_html: bool) -> str:
    return _translated(language, text, is_html) % {}


_ESCAPING: Final = (Macro, Gettext)
"""Kinds of callables that want to know if text is escaped, as Jinja finds out anew at each call."""


class DirectContext(SharedGlobalsContext):
    """Jinja's context, which calls macros and plain functions directly. bench: pages."""

    def call(__self, __obj: Any, /, *args: Any, **kwargs: Any) -> Any:  # noqa: N805  # named as Jinja's own
        """Call what a template calls."""
        kind = type(__obj)
        if kind in _ESCAPING:
            args = (__self.eval_ctx, *args)
        elif kind is not FunctionType or hasattr(__obj, "jinja_pass_arg"):
            return super().call(__obj, *args, **kwargs)
        if kwargs:
            kwargs.pop("_block_vars", None)
            kwargs.pop("_loop_vars", None)
        return __obj(*args, **kwargs)
