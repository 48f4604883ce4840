"""Compressed files are equivalent to their sources."""

import gzip
import os
from pathlib import Path
from zipfile import ZipFile

import brotli
import pytest
from pygments.lexers.css import CssLexer
from pygments.lexers.javascript import JavascriptLexer
from pygments.token import Comment

from webapp.web.templating import static_files
from webapp.web.templating.static_files import digest_of, minified, pack, packed, read

FILES = read(Path(__file__).parents[3] / "static")
OWN = sorted(name for name in FILES if Path(name).suffix in (".css", ".js") and not name.startswith("vendor/"))
LEXERS = {".css": CssLexer, ".js": JavascriptLexer}


def said(text: str, suffix: str) -> str:
    """Return what a browser reads: without comments, double spaces and semicolons before closing braces."""
    tokens = LEXERS[suffix]().get_tokens(text)
    joined = "".join(value for kind, value in tokens if kind not in Comment and value.strip())
    return joined.replace(";}", "}").replace(" ", "")


@pytest.mark.parametrize("name", OWN)
def test_a_minified_file_says_what_its_source_says(name: str) -> None:
    short = minified(name, FILES[name])
    assert len(short) < len(FILES[name])
    assert said(short.decode(), Path(name).suffix) == said(FILES[name].decode(), Path(name).suffix)


def test_scripts_and_styles_of_our_own_lose_their_comments() -> None:
    source = b"/* said */\n" + b"p  { color : red }\n" * 50
    own, theirs = packed("css/own.css", source), packed("vendor/theirs.css", source)
    assert gzip.decompress(own["gzip"]) == brotli.decompress(own["br"]) == b"p{color:red}" * 50
    assert gzip.decompress(theirs["gzip"]) == brotli.decompress(theirs["br"]) == source


def test_what_does_not_become_smaller_is_left_alone() -> None:
    assert packed("a.png", b"0" * 1000) == packed("a.txt", b"") == packed("a.txt", os.urandom(1000)) == {}


def test_the_archive_is_made_once_and_anew_when_a_file_has_changed(tmp_path: Path) -> None:
    old, new = {"a.css": b"p { color: red }\n" * 100, "b.png": bytes(1000)}, {"a.css": b"p { color: blue }\n" * 100}
    first = pack(old, tmp_path / "cache")
    assert sorted(ZipFile(first).namelist()) == ["br/a.css", "gzip/a.css"]
    before = first.stat().st_mtime_ns
    assert pack(old, tmp_path / "cache") == first
    assert first.stat().st_mtime_ns == before
    second = pack(new, tmp_path / "cache")
    assert digest_of(old) in first.name and digest_of(new) in second.name
    assert first.exists(), "a process of the other version may be about to read it"
    os.utime(first, (0, 0))
    second.write_bytes(second.read_bytes()[:-100])  # the power failed
    assert pack(new, tmp_path / "cache") == second
    assert [path.name for path in (tmp_path / "cache").iterdir()] == [second.name]


def test_an_archive_that_cannot_be_finished_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> dict[str, bytes]:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(static_files, "packed", fail)
    with pytest.raises(OSError, match="No space"):
        pack({"a.css": b""}, tmp_path / "cache")
    assert list((tmp_path / "cache").iterdir()) == []
