"""Jinja environment whose templates share one dictionary of globals.

Jinja chains two of them, and compares the chains key by key, in Python, whenever a page imports macros.
"""

from collections.abc import MutableMapping
from typing import Any

from flask.templating import Environment


class SharedGlobalsEnvironment(Environment):
    """Flask's environment without a chain where nothing is to be chained. bench: pages."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the globals of a template."""
        return super().make_globals(d) if d else self.globals
