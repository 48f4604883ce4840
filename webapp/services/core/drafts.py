"""Names of draft files, which are written beside a file and then renamed, so that it is replaced atomically."""

from pathlib import Path

from webapp.services.core.randomness import new_reference


def draft_of(path: Path) -> Path:
    """Return a name for a draft of a file, in its folder.

    It is chance, and not the number of the process: processes in several containers have the same numbers.
    """
    return path.with_name(f"{path.name}.{new_reference()}")
