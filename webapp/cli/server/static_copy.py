"""The compressed copy of the static files of a checkout, made in the background after start."""

from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Thread

import structlog
from flask import Flask

from webapp.web.templating.static_files import compressed_copy, place_of_copy, serve_compressed, wants_copy

log = structlog.get_logger()


def serve_compressed_soon(app: Flask, cache: Path) -> None:
    """Serve compressed files from a copy in ``cache``.

    A separate process makes it. Until then, files are served as they are: making it takes half a second of processor
    time, and would delay the first page.

    Raises:
        OSError: The cache cannot be written.
    """
    if not wants_copy(app):
        return
    folder = Path(app.static_folder or "")
    if place_of_copy(folder, cache).exists():
        serve_compressed(app, cache)
        return
    cache.mkdir(parents=True, exist_ok=True)
    packer = get_context("fork").Process(target=compressed_copy, args=(folder, cache), daemon=True)
    packer.start()
    Thread(target=_serve_it_then, args=(packer, app, cache), name="static-copy", daemon=True).start()


def _serve_it_then(packer: BaseProcess, app: Flask, cache: Path) -> None:
    packer.join()
    if packer.exitcode:
        log.warning("static files stay uncompressed", status=packer.exitcode)
        return
    serve_compressed(app, cache)
