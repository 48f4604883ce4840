"""Static files as they are read from a folder, and their compressed forms: scripts and stylesheets without comments.

Who asks for a file that is not compressed reads the source.
"""

import gzip
import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import Final
from zipfile import ZipFile, is_zipfile

import brotli
import rcssmin
import rjsmin

Files = Mapping[str, bytes]
"""What is in the files of a folder, by their paths in it."""

CODINGS: Final[Mapping[str, Callable[[bytes], bytes]]] = {
    "br": brotli.compress,
    "gzip": lambda content: gzip.compress(content, mtime=0),
}
MINIFIERS: Final[Mapping[str, Callable[[bytes], bytes]]] = {".css": rcssmin.cssmin, ".js": rjsmin.jsmin}
PICTURES: Final = ".png"
"""These are compressed already."""
VENDORED: Final = "vendor"
WORTH_IT: Final = 0.95
"""A compressed file is at most this part of its source."""
PACKED_AS: Final = "minified"
"""Changes with the way in which files are compressed: those that were made otherwise are not served."""
A_WEEK: Final = 7 * 24 * 3600


def read(folder: Path) -> Files:
    """Return all files of a folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def digest_of(files: Files) -> str:
    """Return a digest of names and contents."""
    parts = (f"{name}\0{hashlib.sha256(content).hexdigest()}\n" for name, content in sorted(files.items()))
    return hashlib.sha256("".join(parts).encode()).hexdigest()[:16]


def pack(files: Files, cache: Path) -> Path:
    """Return an archive of the compressed forms of files: ``br/js/app.js``.

    It is made if it is not in ``cache`` yet, and appears as a whole, so that processes may share the cache. Those of
    versions that are a week older are removed.

    Raises:
        OSError: It cannot be made.
    """
    archive = cache / f"{PACKED_AS}-{digest_of(files)}.zip"
    if not is_zipfile(archive):  # also one that was cut off by a loss of power
        cache.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=cache) as folder:
            _write(files, Path(folder, "archive")).replace(archive)
        made = archive.stat().st_mtime
        for other in cache.glob("*.zip"):
            if made - other.stat().st_mtime > A_WEEK:
                other.unlink(missing_ok=True)
    return archive


def _write(files: Files, at: Path) -> Path:
    with ZipFile(at, "w") as archive:
        for name, content in files.items():
            for coding, body in packed(name, content).items():
                archive.writestr(f"{coding}/{name}", body)
    return at


def packed(name: str, content: bytes) -> dict[str, bytes]:
    """Return the compressed forms of a file by coding, where that is shorter than the file."""
    if PurePath(name).suffix == PICTURES:
        return {}
    short = minified(name, content)
    made = {coding: compress(short) for coding, compress in CODINGS.items()}
    return {coding: body for coding, body in made.items() if len(body) <= WORTH_IT * len(content)}


def minified(name: str, content: bytes) -> bytes:
    """Return what a file holds, shorter if it is a script or a stylesheet of our own."""
    minify = MINIFIERS.get(PurePath(name).suffix)
    return content if minify is None or VENDORED in PurePath(name).parts else minify(content)
