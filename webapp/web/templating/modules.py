"""ES modules in the head of a page: all are named there, so that a browser fetches them at once.

Every page has one script, ``js/app.js``. A page that needs more plugs it in, in its block ``scripts``.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from posixpath import normpath
from typing import Final

from flask import current_app
from markupsafe import Markup

from webapp.web.templating.static_files import static_url

ENTRY: Final = "js/app.js"
"""The script of every page."""

_IMPORT: Final = re.compile(r'^(?:import|export)\b[^"]*"(\.[\w./-]+)";', re.MULTILINE)
"""What is imported when a module is read. ``import(...)`` in the midst of it waits until it is needed."""


def modules(name: str) -> tuple[str, ...]:
    """Return all modules that this one needs, by their paths: what it imports comes before it."""
    folder = current_app.static_folder
    assert folder is not None
    return _modules(name, folder)


def preload() -> Markup:
    """Return links to what the script of every page imports."""
    return _links(name for name in modules(ENTRY) if name != ENTRY)


def plug(name: str) -> Markup:
    """Return a module that plugs itself into the page's script, with links to what only that one imports."""
    script = Markup('<script src="{}" type="module"></script>').format(static_url(name))
    return script + _links(each for each in modules(name) if each != name and each not in modules(ENTRY))


def _links(names: Iterable[str]) -> Markup:
    return Markup().join(Markup('<link rel="modulepreload" href="{}">').format(static_url(name)) for name in names)


@lru_cache(maxsize=64)
def _modules(name: str, folder: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for imported in _IMPORT.findall(Path(folder, name).read_text("utf-8")):
        found |= dict.fromkeys(_modules(normpath(f"{name}/../{imported}"), folder))
    return (*found, name)
