"""Fragments of shared tables for people who only look on: all see the same, so each version is rendered once."""

from collections.abc import Hashable
from typing import Final

from flask import Flask, current_app

from webapp.services.core.cache import Cache

SIZE: Final = 256
"""Fragments that are kept: 10 to 40 KB each."""


class WatcherFragments(Cache[Hashable, str]):
    """Fragments by keys that name all that they depend on."""


def init_app(app: Flask) -> None:
    """Give an app its fragments."""
    app.extensions["watcher_fragments"] = WatcherFragments(SIZE)


def watcher_fragments() -> WatcherFragments:
    """Return the fragments of the current app."""
    fragments: WatcherFragments = current_app.extensions["watcher_fragments"]
    return fragments
