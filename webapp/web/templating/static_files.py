"""Static files, served from memory under addresses that carry one digest of them all.

``/static/<digest>/js/app.js`` imports ``./room.js`` and so gets the one that belongs to it. A process answers for its
own digest only: nobody, and no cache in between, can keep another version's file under such an address.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePath
from typing import Any, Final
from zipfile import BadZipFile, ZipFile

import structlog
from flask import Flask, current_app, request
from werkzeug.exceptions import RequestedRangeNotSatisfiable
from werkzeug.wrappers import Request, Response

from webapp.web.request import security
from webapp.web.templating.packing import Files, digest_of, pack, read

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
