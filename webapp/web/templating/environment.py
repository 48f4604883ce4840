"""What every template may say and ask."""

from collections.abc import Hashable, MutableMapping
from functools import lru_cache
from typing import Any

from flask import Flask, request, url_for
from flask.templating import Environment
from jinja2.runtime import Macro
from markupsafe import Markup

from webapp.engine.games import COMPANY, GAMES
from webapp.extensions import babel
from webapp.services.purses import CEILING
from webapp.web import languages
from webapp.web.i18n import display_names, lab_words, messages, translations, vocabulary
from webapp.web.request import visitor
from webapp.web.templating import charts
from webapp.web.templating.static_files import static_url

HTML_LANGUAGES = {each.code: each.tag for each in languages.LANGUAGES}


class CachedGlobalsEnvironment(Environment):
    """Templates' globals are one plain dictionary. Jinja's chain of two is compared key by key, and in Python, whenever
    a page imports its macros: a seventh of the time a page took."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return super().make_globals(d) if d else self.globals


def init_app(app: Flask) -> None:
    app.jinja_environment = CachedGlobalsEnvironment
    app.jinja_options = {**app.jinja_options, "cache_size": -1}  # all of them: there are not many
    app.config["BABEL_DEFAULT_LOCALE"] = "en"
    babel.init_app(app, locale_selector=visitor.language)
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]  # the extension's own
        gettext=lambda text: translations.translations().ugettext(text),
        ngettext=lambda one, many, n: translations.translations().ungettext(one, many, n),
        pgettext=lambda context, text: translations.translations().upgettext(context, text),
        npgettext=lambda context, one, many, n: translations.translations().unpgettext(context, one, many, n),
        newstyle=True,
    )
    app.jinja_env.globals["_"] = translations.markup
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters["number"] = vocabulary.number
    app.jinja_env.filters["signed"] = vocabulary.signed
    app.jinja_env.filters["breadth"] = vocabulary.breadth
    app.jinja_env.globals.update(
        say=messages.say,
        say_at=messages.say_at,
        say_to=messages.say_to,
        seat_name=vocabulary.seat_name,
        who_sits=display_names.seat_display_name,
        auto_name=display_names.auto_name,
        card_name=vocabulary.card_title,
        cards_name=vocabulary.cards_name,
        rank_name=vocabulary.rank_name,
        category_name=vocabulary.category_name,
        game_name=vocabulary.game_name,
        game_claim=vocabulary.game_claim,
        table_name=vocabulary.table_name,
        rule_name=vocabulary.rule_name,
        strategy_name=lab_words.strategy_name,
        choice_name=vocabulary.choice_name,
        move_name=vocabulary.move_name,
        game_preferences=vocabulary.game_preferences,
        static_url=static_url,
        url_for=cached_url_for,
        kept=cached_macro,
        chart_line=charts.line,
        LANGUAGES=visitor.LANGUAGES,
        GAMES=GAMES,
        SHARED_GAME=COMPANY.spec.code,
        CEILING=CEILING,
    )
    app.context_processor(_page)


def cached_url_for(endpoint: str, **values: Hashable) -> str:
    """``url_for`` of a page: the same few addresses stand on all of them."""
    return _address(endpoint, request.root_path, tuple(values.items()))


@lru_cache(maxsize=1024)
def _address(endpoint: str, _mounted_at: str, values: tuple[tuple[str, Any], ...]) -> str:
    return url_for(endpoint, **dict(values))


def cached_macro(macro: Macro, *args: Hashable, **kwargs: Hashable) -> Markup:
    """What a macro makes of these arguments, remembered once for each language. Not for what differs by who looks on.

    The macro must be imported without context: then it is one and the same for all requests.
    """
    return _made(macro, visitor.language(), request.root_path, args, tuple(kwargs.items()))


@lru_cache(maxsize=2048)
def _made(
    macro: Macro, _language: str, _mounted_at: str, args: tuple[Hashable, ...], kwargs: tuple[tuple[str, Hashable], ...]
) -> Markup:
    return Markup(macro(*args, **dict(kwargs)))  # noqa: S704  # escaped as it was made


def _page() -> dict[str, Any]:
    chosen = visitor.language()
    return {
        "prefs": visitor.preferences(),
        "language": chosen,
        "html_lang": HTML_LANGUAGES[chosen],
        "here": request.full_path.rstrip("?") if request.method == "GET" else url_for("lobby.show"),
    }
