"""Compiled templates are kept for the next start, but not for another version of the site."""

from pathlib import Path

from flask import Flask
from jinja2 import FileSystemBytecodeCache

from webapp.web.templating.environment import at_run_time, load_templates


def test_what_an_earlier_version_has_compiled_is_not_used(tmp_path: Path) -> None:
    """Once its filters were called without the context, and every page with one of them was an error 500."""
    cache, templates = tmp_path / "cache", tmp_path / "templates"
    cache.mkdir()
    templates.mkdir()
    (templates / "page.html").write_text("{{ amount|number }}", "utf-8")
    earlier, later = (Flask("site", template_folder=str(templates)) for _ in range(2))
    earlier.jinja_env.filters["number"] = str
    earlier.jinja_env.bytecode_cache = FileSystemBytecodeCache(str(cache))
    earlier.jinja_env.get_template("page.html")
    later.jinja_env.filters["number"] = at_run_time(str)
    load_templates(later, cache)
    assert later.jinja_env.get_template("page.html").render(amount=5) == "5"
