"""Static files, served from memory, also compressed, under addresses that carry one digest of them all.

Who asks for a file that is not compressed reads the source.

``/static/<digest>/js/app.js`` imports ``./room.js`` and so gets the one that belongs to it. A process answers for its
own digest only: nobody, and no cache in between, can keep another version's file under such an address.
"""

import gzip
import hashlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import Any, Final
from zipfile import BadZipFile, ZipFile, is_zipfile

import brotli
import rcssmin
import rjsmin
import structlog
from flask import Flask, current_app, request
from werkzeug.exceptions import RequestedRangeNotSatisfiable
from werkzeug.wrappers import Request, Response

from webapp.web.request import security

Files = Mapping[str, bytes]
"""What is in the files of a folder, by their paths in it."""

CODINGS: Final[Mapping[str, Callable[[bytes], bytes]]] = {
    "br": brotli.compress,
    "gzip": lambda content: gzip.compress(content, mtime=0),
}
MINIFIERS: Final[Mapping[str, Callable[[bytes], bytes]]] = {".css": rcssmin.cssmin, ".js": rjsmin.jsmin}
PICTURES: Final = (".png", ".webp")
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
    if PurePath(name).suffix in PICTURES:
        return {}
    short = minified(name, content)
    made = {coding: compress(short) for coding, compress in CODINGS.items()}
    return {coding: body for coding, body in made.items() if len(body) <= WORTH_IT * len(content)}


def minified(name: str, content: bytes) -> bytes:
    """Return what a file holds, shorter if it is a script or a stylesheet of our own."""
    minify = MINIFIERS.get(PurePath(name).suffix)
    return content if minify is None or VENDORED in PurePath(name).parts else minify(content)


log = structlog.get_logger()

FOR_A_YEAR: Final = "max-age=31536000, public, immutable"
NOT_WITHOUT_ASKING: Final = "no-cache"
"""For addresses without a digest, which are there for links that others have kept."""
AS_IT_IS: Final = "identity"
TYPES: Final = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".md": "text/markdown",
    ".mjs": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".ttf": "font/ttf",
    ".txt": "text/plain",
    ".wav": "audio/wav",
    ".webp": "image/webp",
}
"""Python's own list depends on the machine."""

WsgiApp = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class StaticFiles:
    """Answers for files as they were at start. What changes in their folder afterwards is another version."""

    def __init__(self, files: Files, address: str, headers: Mapping[str, str], other: WsgiApp) -> None:
        """Serve these files, with these headers. ``other`` answers all other requests."""
        self.files = files
        self.digest = digest_of(files)
        self.address = f"{address}/{self.digest}"
        self._headers, self._other = {**headers, "Vary": "Accept-Encoding"}, other
        self._bodies = {name: {AS_IT_IS: content} for name, content in files.items()}
        self._places = {f"{address}/{name}": (name, NOT_WITHOUT_ASKING) for name in files}
        self._places |= {f"{self.address}/{name}": (name, FOR_A_YEAR) for name in files}

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer, as a WSGI application does."""
        place = self._places.get(environ["PATH_INFO"])
        if place is None or environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
            return self._other(environ, start_response)
        name, cached = place
        if environ.get("QUERY_STRING"):  # made up: each would be another copy in a proxy's cache
            cached = NOT_WITHOUT_ASKING
        try:
            answer = self._answer(name, cached, Request(environ))
        except RequestedRangeNotSatisfiable as error:
            answer = Response(status=error.code, headers={**dict(error.get_headers()), **self._headers})
        return answer(environ, start_response)

    def _answer(self, name: str, cached: str, asked: Request) -> Response:
        bodies = self._bodies[name]
        accepted = {coding.lower() for coding, quality in asked.accept_encodings if quality}
        coding = min(bodies.keys() & accepted | {AS_IT_IS}, key=lambda each: len(bodies[each]))
        body = bodies[coding]
        answer = Response(body, mimetype=TYPES.get(PurePath(name).suffix, "application/octet-stream"))
        answer.headers.update({**self._headers, "Cache-Control": cached})
        if coding != AS_IT_IS:
            answer.headers["Content-Encoding"] = coding
        answer.set_etag(f"{self.digest}-{coding}")
        return answer.make_conditional(asked, accept_ranges=True, complete_length=len(body))

    def serve_compressed(self, archive: Path) -> None:
        """Serve the compressed forms in an archive from now on."""
        with ZipFile(archive) as file:
            for member in file.namelist():
                coding, _, name = member.partition("/")
                self._bodies[name][coding] = file.read(member)


def init_app(app: Flask) -> None:
    """Answer for static files before Flask is asked. In debug mode, where they may change, Flask answers for them."""
    app.extensions["static"] = None
    if app.debug:
        return
    files, address = read(Path(app.static_folder or "")), app.static_url_path or ""
    server = StaticFiles(files, address, security.static_headers(app), app.wsgi_app)
    app.extensions["static"] = server
    app.wsgi_app = server  # type: ignore[method-assign]


def static_url(name: str) -> str:
    """Return the address of a static file. It changes with every version, so that a browser may keep the file."""
    server = _server_of(current_app)
    return lasting_url(name) if server is None else f"{request.root_path}{server.address}/{name}"


def lasting_url(name: str) -> str:
    """Return the address of a static file for those who may ask for it when this version is gone."""
    return f"{request.root_path}{current_app.static_url_path}/{name}"


def serve_compressed(app: Flask, cache: Path) -> None:
    """Serve compressed static files, which are made if ``cache`` has none; if that is impossible, serve the sources."""
    server = _server_of(app)
    if server is None:
        return
    try:
        server.serve_compressed(pack(server.files, cache))
    except (OSError, BadZipFile) as error:
        log.warning("static files stay uncompressed", error=str(error))


def _server_of(app: Flask) -> StaticFiles | None:
    server: StaticFiles | None = app.extensions["static"]
    return server
