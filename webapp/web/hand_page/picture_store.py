"""Pictures of finished hands: drawn by another process, and kept on disk."""

import hashlib
import os
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property, partial
from importlib.metadata import version
from pathlib import Path
from typing import Final

import structlog
from flask import Flask, current_app

from webapp.services.core.drafts import draft_of
from webapp.services.core.errors import Refusal
from webapp.services.workers import FAILURES, Full, Pool
from webapp.web.hand_page import picture_drawing, picture_preview, picture_text
from webapp.web.hand_page.picture_subject import Subject
from webapp.web.languages import BY_CODE

log = structlog.get_logger()

SECONDS: Final = 20
"""Processor time that one picture may take, and the longest wait for it."""
MOST_BYTES: Final = 64 * 1024 * 1024
"""Size of the folder, beyond which the pictures go that nobody has asked for the longest."""
KEPT_SHARE: Final = 0.9
"""Share of the size that is left then."""

_CODE: Final = (picture_drawing, picture_text, picture_preview)


class Pictures:
    """The pictures of one instance, in a folder that may be removed at any time."""

    def __init__(self, folder: Path, pool: Pool) -> None:
        self._folder, self._pool = folder, pool

    def picture(self, key: str, subject: Subject) -> bytes:
        """Return the PNG of a hand: from the folder, or drawn now.

        Raises:
            Refusal: ``picture-later``: too many are waited for, or the program that draws has failed.
        """
        digest = hashlib.sha256(self._art + repr(subject).encode()).hexdigest()[:20]
        fonts = picture_text.fonts_of(subject.language)
        return self._kept(f"{key}-{digest}.png", lambda: picture_preview.drawing(subject, self._part), fonts)

    def _part(self, name: str, svg: str) -> bytes:
        """Return a part that all pictures share."""
        return self._kept(f"{name}-{hashlib.sha256(self._art + svg.encode()).hexdigest()[:20]}.png", lambda: svg)

    def _kept(self, name: str, svg: Callable[[], str], fonts: tuple[Path, ...] = (picture_text.FONT,)) -> bytes:
        path = self._folder / name
        return _read(path) or self._drawn(path, svg(), fonts)

    def _drawn(self, path: Path, svg: str, fonts: tuple[Path, ...]) -> bytes:
        picture = self._draw(svg, fonts)
        try:
            self._write(path, picture)
        except OSError as error:  # it is shown all the same
            log.warning("picture-not-kept", error=type(error).__name__)
        return picture

    def _draw(self, svg: str, fonts: tuple[Path, ...]) -> bytes:
        try:
            drawing = self._pool.ask(partial(picture_preview.draw, svg, fonts), SECONDS)
        except Full:
            raise Refusal("picture-later") from None
        try:
            return drawing.result(SECONDS)
        except (TimeoutError, *FAILURES) as error:
            drawing.cancel()
            log.warning("picture-failed", error=type(error).__name__, reason=str(error))
            raise Refusal("picture-later") from None

    def _write(self, path: Path, picture: bytes) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        draft = draft_of(path)
        draft.write_bytes(picture)
        draft.replace(path)
        self._prune()

    def _prune(self) -> None:
        """Remove the least recently requested pictures if there are too many."""
        files = sorted(
            ((entry.stat().st_mtime_ns, entry.stat().st_size, entry.path) for entry in os.scandir(self._folder)),
            reverse=True,
        )
        total = sum(size for _, size, _ in files)
        if total <= MOST_BYTES:
            return
        while files and total > KEPT_SHARE * MOST_BYTES:
            _, size, name = files.pop()
            Path(name).unlink(missing_ok=True)
            total -= size

    @cached_property
    def _art(self) -> bytes:
        """Digest of all that a picture is made from besides its subject."""
        code = (Path(str(module.__file__)) for module in _CODE)
        fonts = {font for language in BY_CODE for font in picture_text.fonts_of(language)}
        files = (picture_drawing.SPRITE, picture_drawing.SEAL, *sorted(fonts), *code)
        content = b"".join(hashlib.sha256(file.read_bytes()).digest() for file in files)
        return hashlib.sha256(content + version("resvg_py").encode()).digest()


def _read(path: Path) -> bytes | None:
    """Return a kept picture, which counts as asked for now, or None."""
    try:
        picture = path.read_bytes()
    except OSError:
        return None
    with suppress(OSError):
        os.utime(path)
    return picture


def init_app(app: Flask, instance: Path) -> None:
    """Give an app its pictures."""
    app.extensions["pictures"] = Pictures(instance / "cache" / "pictures", app.extensions["workers"].soon)


def pictures() -> Pictures:
    """Return the pictures of the current app."""
    pictures_of_app: Pictures = current_app.extensions["pictures"]
    return pictures_of_app
