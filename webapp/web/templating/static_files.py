"""Addresses of static files: each carries a hash of its content, so that a browser may keep it for a year."""

import gzip
import hashlib
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any, Final
from wsgiref.headers import Headers

from flask import Flask, current_app, request, url_for
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header
from whitenoise import WhiteNoise

YEAR: Final = 365 * 24 * 3600
TEXTS: Final = (".css", ".js", ".svg", ".json", ".webmanifest", ".txt")


def static_url(name: str) -> str:
    folder = current_app.static_folder
    assert folder is not None
    return _address(name, folder, request.root_path)


def init_app(app: Flask) -> None:
    """Let WhiteNoise answer for them before Flask is asked."""
    app.wsgi_app = GzipWhiteNoise(  # type: ignore[method-assign]
        app.wsgi_app,
        root=app.static_folder,
        prefix="static/",
        max_age=YEAR,
        allow_all_origins=False,
        add_headers_function=lambda headers, _path, _url: headers.add_header("Vary", "Accept-Encoding"),
    )


class GzipWhiteNoise(WhiteNoise):  # type: ignore[misc]
    """WhiteNoise sends what is compressed on the disk; we compress texts here, once each, when first asked for."""

    @staticmethod
    def serve(file: Any, environ: dict[str, Any], start_response: Callable[..., object]) -> Iterable[bytes]:
        if not _is_wanted_packed(environ):
            return WhiteNoise.serve(file, environ, start_response)  # type: ignore[no-any-return]
        response = file.get_response("GET", environ)
        headers, body = Headers(list(response.headers)), b""
        if response.file is not None:
            with response.file as opened:
                body = _packed(opened.name, headers["ETag"] or "")
            headers["Content-Encoding"], headers["Content-Length"] = "gzip", str(len(body))
        start_response(f"{response.status} {response.status.phrase}", headers.items())
        return [body]


def _is_wanted_packed(environ: dict[str, Any]) -> bool:
    """A text, all of it, by someone who can unpack it."""
    return (
        environ["REQUEST_METHOD"] == "GET"
        and environ["PATH_INFO"].endswith(TEXTS)
        and "HTTP_RANGE" not in environ
        and parse_accept_header(environ.get("HTTP_ACCEPT_ENCODING"), Accept).quality("gzip") > 0
    )


@lru_cache(maxsize=256)
def _packed(path: str, _version: str) -> bytes:
    return gzip.compress(Path(path).read_bytes(), mtime=0)


@lru_cache(maxsize=256)
def _address(name: str, folder: str, _mounted_at: str) -> str:
    """A page asks for dozens of addresses, and always for the same few."""
    return url_for("static", filename=name, v=hashlib.sha256(Path(folder, name).read_bytes()).hexdigest()[:10])
