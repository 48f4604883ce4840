"""Static files: served by WhiteNoise, under addresses that carry a hash of the content."""

import hashlib
import shutil
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from wsgiref.headers import Headers

from flask import Flask, current_app, request, url_for
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header
from whitenoise import WhiteNoise

from webapp.services.core.clock import now_ms
from webapp.web.request import security
from webapp.web.templating.packing import pack

PREFIX: Final = "static/"
KEPT_FOR: Final = 7 * 24 * 3600
"""Seconds that a compressed copy is kept which may still be served by a process that is about to end."""
PACKED_AS: Final = b"minified"
"""Changes with the way in which copies are made: those that were made otherwise are not served."""

WsgiApp = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


def static_url(name: str) -> str:
    """Return the address of a static file. It changes with the content, so that a browser may keep the file."""
    folder = current_app.static_folder
    assert folder is not None
    return _address(name, folder, request.root_path)


def init_app(app: Flask) -> None:
    """Let WhiteNoise answer for static files before Flask is asked."""
    extra = {"Vary": "Accept-Encoding", **security.static_headers(app)}
    server = WhiteNoise(
        app.wsgi_app,
        root=app.static_folder,
        prefix=PREFIX,
        autorefresh=app.debug,
        max_age=0,
        immutable_file_test=lambda _path, _url: not app.debug,  # addresses contain a hash of the content
        allow_all_origins=False,
        add_headers_function=lambda headers, _path, _url: _add_headers(headers, extra),
    )
    app.extensions["static"] = server
    app.wsgi_app = _without_refused_codings(server)  # type: ignore[method-assign, assignment]


def _add_headers(headers: Headers, extra: Mapping[str, str]) -> None:
    for name, value in extra.items():
        headers[name] = value


def serve_compressed(app: Flask, cache: Path) -> None:
    """Serve compressed files from a copy in ``cache``, which is made if it is not there."""
    if wants_copy(app):
        copy = compressed_copy(Path(app.static_folder or ""), cache)
        app.extensions["static"].add_files(str(copy), prefix=PREFIX)


def wants_copy(app: Flask) -> bool:
    """Return True if files are to be compressed.

    Not in an installed package, which contains compressed copies, and not in debug mode, where files may change.
    """
    return not app.debug and not any(Path(app.static_folder or "").rglob("*.gz"))


def place_of_copy(folder: Path, cache: Path) -> Path:
    """Return where the compressed copy of a folder is or will be: it is named by the content."""
    digest = hashlib.sha256(PACKED_AS)
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(f"{path.relative_to(folder)}\0{path.stat().st_mtime_ns}\0".encode() + path.read_bytes())
    return cache / digest.hexdigest()[:16]


def compressed_copy(folder: Path, cache: Path) -> Path:
    """Return a copy of a folder that has a compressed file beside every one that becomes smaller by it.

    The copy appears as a whole, so that processes may share the cache. Those that are a week old and no longer wanted
    are removed.
    """
    copy = place_of_copy(folder, cache)
    if not copy.exists():
        cache.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=cache) as made:
            pack(folder, Path(made, "copy"))
            with suppress(OSError):  # another process was faster
                Path(made, "copy").rename(copy)
    for other in cache.iterdir():
        if other != copy and other.stat().st_mtime < now_ms() / 1000 - KEPT_FOR:
            shutil.rmtree(other, ignore_errors=True)
    return copy


def _without_refused_codings(app: WsgiApp) -> WsgiApp:
    """Remove codings of quality 0 from ``Accept-Encoding``, since WhiteNoise ignores qualities.

    A ``*`` is removed as well: it would now include the codings that are refused.
    """

    def wrapped(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        accepted = environ.get("HTTP_ACCEPT_ENCODING", "")
        if "q=0" in accepted:
            codings = parse_accept_header(accepted, Accept)
            taken = [f"{name};q={quality}" for name, quality in codings if quality and name != "*"]
            environ["HTTP_ACCEPT_ENCODING"] = ", ".join(taken)
        return app(environ, start_response)

    return wrapped


@lru_cache(maxsize=256)
def _address(name: str, folder: str, _mounted_at: str) -> str:
    """Return the address of a file; a page asks for dozens of them, and always for the same few."""
    return url_for("static", filename=name, v=hashlib.sha256(Path(folder, name).read_bytes()).hexdigest()[:10])
