"""A finding of the audit."""

from dataclasses import dataclass
from typing import Final

BATCH: Final = 500
"""Rows that are read at a time."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it should be: ``where`` it is, and ``what`` is wrong."""

    where: str
    what: str
