"""Jinja environment whose templates share one dictionary of globals.

Jinja copies them into the variables of each template, twice for each include, and compares them key by key whenever a
page imports macros: a twentieth of an action.
"""

from collections.abc import Mapping, MutableMapping
from typing import Any

from flask.templating import Environment
from jinja2 import Template
from jinja2.environment import TemplateModule
from jinja2.runtime import Context, new_context
from jinja2.utils import missing


class SharedGlobalsContext(Context):
    """The variables of a template; ``globals`` are looked up where they are."""

    globals: Mapping[str, Any]

    def resolve_or_missing(self, key: str) -> Any:
        """Return a variable, or a global one, or Jinja's ``missing``."""
        if key in self.vars:
            return self.vars[key]
        if key in self.parent:
            return self.parent[key]
        return self.globals.get(key, missing)

    def __contains__(self, name: object) -> bool:
        """Return True if there is such a variable."""
        return name in self.vars or name in self.parent or name in self.globals


class SharedGlobalsTemplate(Template):
    """A template with one module for all imports without context, whichever template imports it."""

    def new_context(
        self,
        vars: dict[str, Any] | None = None,  # noqa: A002  # Jinja's names
        shared: bool = False,
        locals: Mapping[str, Any] | None = None,  # noqa: A002
    ) -> Context:
        """Return a context of this template."""
        context = new_context(self.environment, self.name, self.blocks, vars, shared, None, locals)
        assert isinstance(context, SharedGlobalsContext)
        context.globals = self.globals
        return context

    def _get_default_module(self, _ctx: Context | None = None) -> TemplateModule:
        return super()._get_default_module()


class SharedGlobalsEnvironment(Environment):
    """Flask's environment, whose templates use the global variables directly unless there are others. bench: pages."""

    template_class = SharedGlobalsTemplate

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the globals of a template."""
        return super().make_globals(d) if d else self.globals
