"""Filters of templates."""

from flask import Flask

from webapp.web.i18n.translations import use_language


def test_a_template_is_compiled_once_and_speaks_the_language_of_each_page(site: Flask) -> None:
    """Jinja applies filters to constants when it compiles a template, unless it is told that they need the context."""
    template = site.jinja_env.from_string("{{ 'blackjack'|game_name }}")
    with site.app_context():
        for code, name in (("en", "Blackjack"), ("ja", "ブラックジャック"), ("en", "Blackjack")):
            with use_language(code):
                assert template.render() == name
