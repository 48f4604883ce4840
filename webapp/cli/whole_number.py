"""A whole number on the command line: plain digits, as in forms and addresses."""

import re
from typing import Any, Final

import click

_WRITTEN: Final = re.compile(r"-?[0-9]{1,30}", re.ASCII)


class WholeNumber(click.ParamType[int]):
    """The type of an option: ``int`` takes the digits of any script as well, and signs, spaces and underscores."""

    name = "integer"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number."""
        if isinstance(value, int):
            return value
        if not _WRITTEN.fullmatch(value):
            self.fail(f"{value[:40]!r} is not a whole number", param, ctx)
        return int(value)
