"""Addresses of static files: each carries a hash of its content, so that a browser may keep it for a year."""

import hashlib
from functools import cache
from pathlib import Path

from flask import Flask, current_app, url_for
from whitenoise import WhiteNoise

YEAR = 365 * 24 * 3600


def static_url(name: str) -> str:
    folder = current_app.static_folder
    assert folder is not None
    return url_for("static", filename=name, v=_hash(Path(folder) / name))


def serve_statics(app: Flask) -> None:
    """Let WhiteNoise answer for them before Flask is asked."""
    noise = WhiteNoise(app.wsgi_app, root=app.static_folder, prefix="static/", max_age=YEAR, allow_all_origins=False)
    app.wsgi_app = noise  # type: ignore[method-assign]


@cache
def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:10]
