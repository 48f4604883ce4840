"""The compressed copy of the static files, from which `tefuda serve` serves a checkout."""

import os
from pathlib import Path

from webapp.web.templating.static_files import compressed_copy


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
