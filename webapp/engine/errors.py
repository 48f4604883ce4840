"""Errors of the engine: a code for the program, and a message with the offending value for the reader."""


class EngineError(ValueError):
    """Base of all. ``code`` is stable and has a sentence in every language in ``webapp.web.i18n.refusals``."""

    code = "engine-error"


class NotationError(EngineError):
    """A text that is not a card, an action or a record."""

    code = "bad-notation"


class SetupError(EngineError):
    """A game cannot be set up like this: unknown table, wrong stakes, too few or impossible cards."""

    code = "bad-setup"


class StakesError(SetupError):
    """Stakes that the table does not allow."""

    code = "bad-stake"


class IllegalAction(EngineError):
    """A well-formed action that the rules do not allow now."""

    code = "illegal-action"
