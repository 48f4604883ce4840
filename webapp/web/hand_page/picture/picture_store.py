"""Pictures of finished hands: drawn one at a time by another process, and kept on disk."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from threading import BoundedSemaphore, Lock
from typing import Final

import structlog
from flask import Flask, current_app

from webapp.services.core.child_processes import inherited_environment
from webapp.services.core.drafts import draft_of
from webapp.services.core.errors import Refusal
from webapp.web.hand_page.picture import card_art, preview, rasterizer, text_layout
from webapp.web.hand_page.picture.subject import Subject

log = structlog.get_logger()

QUEUE: Final = 8
"""Pictures that are drawn or waited for. Whoever comes then is asked to come back."""
SECONDS: Final = 20
"""Longest time that one picture may take, and that its turn is waited for."""
TRIES: Final = 2
"""A program that was killed is started once more."""
MOST_BYTES: Final = 64 * 1024 * 1024
"""Size of the folder, beyond which the pictures go that nobody has asked for the longest."""
KEPT_SHARE: Final = 0.9
"""Share of the size that is left then."""

_CODE: Final = (preview, card_art, text_layout, rasterizer)


class Pictures:
    """The pictures of one instance, in a folder that may be removed at any time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._places, self._turn = BoundedSemaphore(QUEUE), Lock()
        self.command: tuple[str, ...] = (sys.executable, "-I", str(rasterizer.__file__), str(text_layout.FONT))

    def picture(self, key: str, subject: Subject) -> bytes:
        """Return the PNG of a hand: from the folder, or drawn now.

        Raises:
            Refusal: ``picture-later``: too many are waited for, or the program that draws has failed.
        """
        digest = hashlib.sha256(self._art + repr(subject).encode()).hexdigest()[:20]
        return self._kept(f"{key}-{digest}.png", lambda: preview.drawing(subject, self._part))

    def _part(self, name: str, svg: str) -> bytes:
        """Return a part that all pictures share. The caller holds the lock."""
        path = self._folder / f"{name}-{hashlib.sha256(self._art + svg.encode()).hexdigest()[:20]}.png"
        return _read(path) or self._drawn(path, svg)

    def _kept(self, name: str, svg: Callable[[], str]) -> bytes:
        path = self._folder / name
        picture = _read(path)
        if picture is not None:
            return picture
        if not self._places.acquire(blocking=False):
            raise Refusal("picture-later")
        try:
            if not self._turn.acquire(timeout=SECONDS):
                raise Refusal("picture-later")
            try:
                return _read(path) or self._drawn(path, svg())
            finally:
                self._turn.release()
        finally:
            self._places.release()

    def _drawn(self, path: Path, svg: str) -> bytes:
        picture = self._draw(svg)
        try:
            self._write(path, picture)
        except OSError as error:  # it is shown all the same
            log.warning("picture-not-kept", error=type(error).__name__)
        return picture

    def _draw(self, svg: str) -> bytes:
        for _ in range(TRIES):
            try:
                done = subprocess.run(  # noqa: S603  # our own program
                    self.command,
                    input=svg.encode(),
                    env=inherited_environment(),
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    timeout=SECONDS,
                    check=True,
                )
                return done.stdout
            except (subprocess.SubprocessError, OSError) as error:
                status = getattr(error, "returncode", None)
                log.warning("picture-failed", error=type(error).__name__, exit_status=status)
        raise Refusal("picture-later")

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
        files = (card_art.SPRITE, card_art.SEAL, text_layout.FONT, *(Path(str(code.__file__)) for code in _CODE))
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
    app.extensions["pictures"] = Pictures(instance / "cache" / "pictures")


def pictures() -> Pictures:
    """Return the pictures of the current app."""
    pictures_of_app: Pictures = current_app.extensions["pictures"]
    return pictures_of_app
