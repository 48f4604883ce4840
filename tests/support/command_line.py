"""Results of ``tefuda`` commands that ran in this process, and command lines of other processes."""

import json
import sys
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class CommandResult:
    """Result of a command. ``status``: 0 success, 1 something is wrong with what was checked, 2 wrong usage."""

    status: int
    out: str
    errors: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def lab_command(*words: str) -> list[str]:
    return [sys.executable, "-c", "from webapp.cli import main; main()", "lab", *words]


def command(*words: str) -> list[str]:
    """Return the command line that runs ``tefuda`` in a process of its own."""
    return [sys.executable, "-c", "from webapp.cli import main; main()", *words]
