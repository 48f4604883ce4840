"""Jinja environment: what every template may use."""

from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

from flask import Flask, request, url_for
from jinja2 import FileSystemBytecodeCache, pass_context
from jinja2.runtime import Context, Macro
from markupsafe import Markup

from webapp.engine.games import COMPANY, GAMES
from webapp.services.odds.desk import has_odds
from webapp.services.purses import CEILING
from webapp.web import languages
from webapp.web.api import serialize
from webapp.web.hand_page import review_page
from webapp.web.i18n import (
    display_names,
    lab_words,
    messages,
    odds_words,
    review_words,
    translations,
    unit_words,
    vocabulary,
)
from webapp.web.request import preferences
from webapp.web.request.language import language_of_request
from webapp.web.templating import charts, modules, parts, qr
from webapp.web.templating.static_files import static_url


def sentence(text: str, /, **values: object) -> Markup:
    """Return the translation of a text with the values put in, as ``{% trans %}`` does."""
    said = _translated(translations.language(), None, text)
    return said % values if values or "%" in said else said


def sentence_in_context(context: str, text: str, /, **values: object) -> Markup:
    """Return the translation of a text that means something else elsewhere, with the values put in."""
    said = _translated(translations.language(), context, text)
    return said % values if values or "%" in said else said


@lru_cache(maxsize=16_384)  # all texts of the templates in all languages; a page has dozens. bench: server
def _translated(_language: str, context: str | None, text: str) -> Markup:
    said = translations.gettext(text) if context is None else translations.pgettext(context, text)
    return Markup(said)  # noqa: S704  # of the catalogues


HTML_LANGUAGES: Final = {language.code: language.tag for language in languages.LANGUAGES}


def macro_cache() -> Callable[..., Markup]:
    """Return a function that remembers what macros make of their arguments, for each language.

    For the few that take long; not for what differs by viewer. A macro must be imported without context: then it is the
    same for all requests.
    """
    rendered = lru_cache(maxsize=4096)(_rendered)

    def kept(macro: Macro, *args: Hashable, **kwargs: Hashable) -> Markup:
        return rendered(macro, translations.language(), args, tuple(kwargs.items()))

    return kept


def _rendered(
    macro: Macro, _language: str, args: tuple[Hashable, ...], kwargs: tuple[tuple[str, Hashable], ...]
) -> Markup:
    return Markup(macro(*args, **dict(kwargs)))  # noqa: S704  # the macro has escaped it


def at_run_time(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a filter that Jinja does not apply to constants when it compiles a template: languages differ."""

    @pass_context
    def filtered(_context: Context, *args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return filtered


FILTERS: Final[Mapping[str, Callable[..., Any]]] = {
    "number": vocabulary.number,
    "day": vocabulary.day,
    "minute": vocabulary.minute,
    "moment": vocabulary.moment,
    "month_name": vocabulary.month_name,
    "place_in_week": vocabulary.place_in_week,
    "rank_letter": serialize.to_json,
    "signed": vocabulary.signed,
    "breadth": vocabulary.breadth,
    "change": review_words.change,
    "cost": review_words.cost,
    "say": messages.say,
    "say_at": messages.say_at,
    "say_of": messages.say_of,
    "say_to": messages.say_to,
    "seat_name": vocabulary.seat_name,
    "who_sits": display_names.seat_display_name,
    "member_name": display_names.member_display_name,
    "circle_name": display_names.circle_display_name,
    "auto_name": display_names.auto_name,
    "reaction_name": display_names.reaction_name,
    "card_name": vocabulary.card_title,
    "cards_name": vocabulary.cards_name,
    "rank_name": vocabulary.rank_name,
    "ranks_name": vocabulary.ranks_name,
    "stand_in_name": vocabulary.stand_in_name,
    "category_name": vocabulary.category_name,
    "in_words": vocabulary.translated,
    "game_name": vocabulary.game_name,
    "in_language": translations.in_language,
    "game_claim": vocabulary.game_claim,
    "table_name": vocabulary.table_name,
    "table_in_list": vocabulary.table_in_list,
    "return_said": vocabulary.return_said,
    "chips_behind": unit_words.chips_behind_the_best,
    "rule_name": vocabulary.rule_name,
    "strategy_name": lab_words.strategy_name,
    "outcome_name": odds_words.outcome_name,
    "outcome_chances": review_page.outcome_chances,
    "grade_mark": odds_words.grade_mark,
    "unit_name": odds_words.unit_name,
    "unit_of": unit_words.unit_of,
    "unit_of_hand": unit_words.unit_of_hand,
    "in_unit": unit_words.in_unit,
    "unit_word": unit_words.unit_word,
    "worth_said": unit_words.worth_said,
    "cost_said": unit_words.cost_said,
    "worth_shown": unit_words.worth_shown,
    "unit_note": unit_words.unit_note,
    "word_name": odds_words.word_name,
    "grade_name": review_words.grade_name,
    "ledger_sentence": review_words.ledger_sentence,
    "spread_sentence": review_words.spread_sentence,
    "choice_name": vocabulary.choice_name,
    "move_name": vocabulary.move_name,
    "percentages": charts.percentages,
    "qr_code": qr.picture,
    "chart_line": charts.line,
}
HOUSE: Final = SimpleNamespace(
    games=GAMES,
    shared_game=COMPANY.spec.code,
    languages=languages.LANGUAGES,
    ceiling=CEILING,
    reactions=tuple(display_names.REACTIONS),
    weekdays=vocabulary.weekdays,
)
"""What is the same on every page of the site."""
GLOBALS: Final[Mapping[str, Any]] = {
    "house": HOUSE,
    "gap": translations.gap,
    "percent_sign": translations.percent_sign,
    "static_url": static_url,
    "part": parts.part,
    "_": sentence,
    "pgettext": sentence_in_context,
}
"""What every template may call or look up. They are few: Jinja compares them all at each import."""


def init_app(app: Flask) -> None:
    """Set up the environment of an app."""
    app.jinja_options = {**app.jinja_options, "cache_size": -1}  # all of them: there are not many
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]  # the extension's own
        gettext=translations.gettext,
        ngettext=translations.ngettext,
        pgettext=translations.pgettext,
        npgettext=translations.npgettext,
        newstyle=True,
    )
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters.update({name: at_run_time(function) for name, function in FILTERS.items()})
    app.jinja_env.tests["priced"] = has_odds
    app.jinja_env.globals.update(GLOBALS, kept=macro_cache())
    app.context_processor(_page)


def load_templates(app: Flask, cache: Path) -> None:
    """Load all templates, so that no visitor waits for it. Compiled ones are kept in ``cache`` for the next start.

    How a filter is called is compiled in: those that another version of this module has compiled are not used.
    """
    version = sha256(Path(__file__).read_bytes()).hexdigest()[:16]
    environment = app.jinja_env
    names = environment.list_templates(extensions=["html"])
    with suppress(OSError):  # no file can be written: they are compiled at each start
        cache.mkdir(parents=True, exist_ok=True)
        environment.bytecode_cache = FileSystemBytecodeCache(str(cache), f"{version}-%s.cache")
        for name in names:
            environment.get_template(name)
    environment.bytecode_cache = None
    for name in names:
        environment.get_template(name)


def _page() -> dict[str, Any]:
    """Return what every page, but no macro that is imported, may use."""
    chosen = language_of_request()
    return {
        "preload": modules.preload,
        "plug": modules.plug,
        "prefs": preferences.preferences(),
        "language": chosen,
        "html_lang": HTML_LANGUAGES[chosen],
        "here": request.full_path.rstrip("?") if request.method in ("GET", "HEAD") else url_for("lobby.show"),
    }
