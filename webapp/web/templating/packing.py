"""Compressed copies of static files, as WhiteNoise serves them: our own scripts and stylesheets without their comments.

Who asks for a file that is not compressed reads the source. The hook that builds the wheel runs this file alone: it
imports nothing of the site.
"""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import rcssmin
import rjsmin
from whitenoise.compress import Compressor

VENDORED: Final = "vendor"
MINIFIERS: Final[Mapping[str, Callable[[bytes], bytes]]] = {".css": rcssmin.cssmin, ".js": rjsmin.jsmin}


def pack(folder: Path, copy: Path) -> list[Path]:
    """Copy a folder and put ``.gz`` and ``.br`` files beside those that become smaller by it; return the new ones."""
    shutil.copytree(folder, copy, dirs_exist_ok=True)
    compressor = Compressor(quiet=True)
    made: list[Path] = []
    for path in sorted(path for path in copy.rglob("*") if path.is_file()):
        if not compressor.should_compress(path.name):
            continue
        source = folder / path.relative_to(copy)
        path.write_bytes(minified(source, folder))
        shutil.copystat(source, path)  # compressed files take the time of this one
        made += map(Path, compressor.compress(str(path)))
        shutil.copy2(source, path)
    return made


def minified(path: Path, folder: Path) -> bytes:
    """Return what a file holds, shorter if it is a script or a stylesheet of our own."""
    content = path.read_bytes()
    minify = MINIFIERS.get(path.suffix)
    if minify is None or VENDORED in path.relative_to(folder).parts:
        return content
    return minify(content)
