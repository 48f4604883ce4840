"""Tasks of the workers that compute odds. This module itself is imported by the site, and so imports no NumPy."""

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from webapp.services.odds.store import FolderStore, build_any, build_none, is_quick, is_simulated

BUILDS: Final[Mapping[str, Callable[[str], bool]]] = {
    "none": build_none,
    "quick": is_quick,
    "simulated": is_simulated,
    "any": build_any,
}
"""Tables that a task may build, if they are not there."""


def answered(line: str, folder: str, builds: str) -> str:
    """Return the answer to a question as JSON, from the tables in a folder.

    line: the question as JSON (see ``answers``). builds: one of BUILDS.
    """
    from webapp.services.odds.answers import answer

    return json.dumps(answer(json.loads(line), _store(folder, builds)), separators=(",", ":"))


@cache
def _store(folder: str, builds: str) -> FolderStore:
    return FolderStore(Path(folder), BUILDS[builds])
