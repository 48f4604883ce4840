"""The files of this repository."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]


def project_files() -> Iterator[Path]:
    """Yield the files that are committed or could be. Without git, those of the folder without hidden folders."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    asked = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True)
    if asked.returncode == 0:
        paths = [ROOT / name for name in asked.stdout.split("\0") if name]
    else:
        hidden = re.compile(r"^\.(?!ci/)[^/]*/|(^|/)(__pycache__|instance|artifacts)/")
        paths = [path for path in ROOT.rglob("*") if not hidden.search(path.relative_to(ROOT).as_posix())]
    return (path for path in paths if path.is_file())


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()
