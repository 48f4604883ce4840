"""Results of ``tefuda`` commands that ran in this process."""

import json
import sys
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class CommandResult:
    """``status``: 0 right, 1 found wrong, 2 used wrongly."""

    status: int
    out: str
    errors: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def lab_command(*words: str) -> list[str]:
    return [sys.executable, "-c", "from webapp.cli import main; main()", "lab", *words]


def command(*words: str) -> list[str]:
    """``tefuda``, as a process of its own."""
    return [sys.executable, "-c", "from webapp.cli import main; main()", *words]
