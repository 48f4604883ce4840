"""Jinja environment whose templates share one dictionary of globals.

Jinja chains two of them, and compares them key by key whenever a page imports macros: a fortieth of an action.
"""

from collections.abc import Callable, Iterator, MutableMapping
from typing import Any

from flask.templating import Environment
from jinja2 import Template
from jinja2.environment import Environment as AnyEnvironment
from jinja2.environment import TemplateModule
from jinja2.runtime import Context


class SharedGlobalsContext(Context):
    """The variables of a template, without the names of all globals, which each include would copy into a set."""

    def __init__(
        self,
        environment: AnyEnvironment,
        parent: dict[str, Any],
        name: str | None,
        blocks: dict[str, Callable[[Context], Iterator[str]]],
        globals: MutableMapping[str, Any] | None = None,  # noqa: A002  # Jinja passes this name
    ) -> None:
        """Leave the globals out: they are among the variables, in ``parent``."""
        super().__init__(environment, parent, name, blocks)


class SharedGlobalsTemplate(Template):
    """A template with one module for all imports without context, whichever template imports it."""

    def _get_default_module(self, _ctx: Context | None = None) -> TemplateModule:
        return super()._get_default_module()


class SharedGlobalsEnvironment(Environment):
    """Flask's environment, whose templates use the global variables directly unless there are others. bench: pages."""

    template_class = SharedGlobalsTemplate

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the globals of a template."""
        return super().make_globals(d) if d else self.globals
