"""The compressed copy of the static files, from which `tefuda serve` serves a checkout."""

import os
from contextlib import closing
from pathlib import Path

from tests.support.app import close, make_app
from webapp.web.templating.static_files import compressed_copy, serve_compressed


def test_the_copy_is_made_once_and_anew_when_a_file_has_changed(tmp_path: Path) -> None:
    folder, cache = tmp_path / "static", tmp_path / "cache"
    folder.mkdir()
    (folder / "a.css").write_text("p { color: red }\n" * 100)
    (folder / "b.png").write_bytes(bytes(1000))
    first = compressed_copy(folder, cache)
    assert {path.name for path in first.iterdir()} == {"a.css", "a.css.gz", "a.css.br", "b.png"}
    before = (first / "a.css.gz").stat().st_mtime_ns
    assert compressed_copy(folder, cache) == first
    assert (first / "a.css.gz").stat().st_mtime_ns == before
    (folder / "a.css").write_text("p { color: blue }\n" * 100)
    second = compressed_copy(folder, cache)
    assert second != first
    assert first.exists(), "a process that is about to end may still serve it"
    os.utime(first, (0, 0))
    assert compressed_copy(folder, cache) == second
    assert not first.exists()
    assert [path.name for path in folder.iterdir() if path.suffix not in (".css", ".png")] == []


def test_no_static_file_of_any_kind_may_be_taken_for_one_of_another(tmp_path: Path) -> None:
    app = make_app(f"sqlite:///{tmp_path / 'none.sqlite3'}", tmp_path)
    folder = Path(app.static_folder or "")
    one_of_each = {path.suffix: path.relative_to(folder) for path in folder.rglob("*.*")}
    assert {".css", ".js", ".svg", ".png", ".ttf", ".wav"} <= one_of_each.keys()
    serve_compressed(app, tmp_path / "cache")
    client = app.test_client()
    encodings = set()
    for path in one_of_each.values():
        for coding in ("identity", "gzip", "br"):
            with closing(client.get(f"/static/{path}", headers={"Accept-Encoding": coding})) as answer:
                assert answer.status_code == 200, path
                assert answer.headers.getlist("X-Content-Type-Options") == ["nosniff"], (path, coding)
                encodings.add(answer.headers.get("Content-Encoding", "identity"))
    close(app)
    assert encodings == {"identity", "gzip", "br"}
