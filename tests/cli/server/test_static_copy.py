"""The compressed copy of the static files, created while the site is already serving."""

import fcntl
import threading
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask

from tests.support.app import close, make_app
from webapp.cli.server.static_copy import serve_compressed_soon
from webapp.web.templating import static_files


def coding_of(app: Flask) -> str | None:
    with closing(app.test_client().get("/static/css/base.css", headers={"Accept-Encoding": "br"})) as answer:
        assert answer.status_code == 200
        return answer.headers.get("Content-Encoding")


def wait_for_the_copy() -> None:
    for thread in threading.enumerate():
        if thread.name == "static-copy":
            thread.join(timeout=60)


def test_files_go_out_as_they_are_until_the_copy_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    may_end, folder = tmp_path / "lock", tmp_path / "cache"
    may_end.touch()
    pack = static_files.pack

    def pack_when_allowed(*at: Path) -> list[Path]:
        with may_end.open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
        return pack(*at)

    monkeypatch.setattr(static_files, "pack", pack_when_allowed)
    app = make_app(f"sqlite:///{tmp_path / 'none.sqlite3'}", tmp_path)
    with may_end.open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        serve_compressed_soon(app, folder)
        assert coding_of(app) is None
        fcntl.flock(lock, fcntl.LOCK_UN)
    wait_for_the_copy()
    assert coding_of(app) == "br"
    again = make_app(f"sqlite:///{tmp_path / 'none.sqlite3'}", tmp_path)
    serve_compressed_soon(again, folder)
    assert coding_of(again) == "br", "the copy is there"
    close(app)
    close(again)


def test_a_copy_that_cannot_be_made_leaves_the_files_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: Path) -> list[Path]:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(static_files, "pack", fail)
    app = make_app(f"sqlite:///{tmp_path / 'none.sqlite3'}", tmp_path)
    serve_compressed_soon(app, tmp_path / "cache")
    wait_for_the_copy()
    assert coding_of(app) is None
    assert "No space left" in capfd.readouterr().err
    close(app)


def test_a_cache_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cache").touch()
    app = make_app(f"sqlite:///{tmp_path / 'none.sqlite3'}", tmp_path)
    with pytest.raises(OSError, match="cache"):
        serve_compressed_soon(app, tmp_path / "cache" / "static")
    close(app)
