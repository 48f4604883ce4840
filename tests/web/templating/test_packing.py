"""Minified files are equivalent to their sources."""

import gzip
from pathlib import Path

import brotli
import pytest
from pygments.lexers.css import CssLexer
from pygments.lexers.javascript import JavascriptLexer
from pygments.token import Comment

from webapp.web.templating.packing import minified, pack

STATIC = Path(__file__).parents[3] / "static"
OWN = sorted(path for path in STATIC.rglob("*") if path.suffix in (".css", ".js") and "vendor" not in path.parts)
LEXERS = {".css": CssLexer, ".js": JavascriptLexer}


def said(text: str, suffix: str) -> str:
    """Return what a browser reads: without comments, double spaces and semicolons before closing braces."""
    tokens = LEXERS[suffix]().get_tokens(text)
    joined = "".join(value for kind, value in tokens if kind not in Comment and value.strip())
    return joined.replace(";}", "}").replace(" ", "")


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_a_minified_file_says_what_its_source_says(path: Path) -> None:
    short = minified(path, STATIC)
    assert len(short) < path.stat().st_size
    assert said(short.decode(), path.suffix) == said(path.read_text("utf-8"), path.suffix)


def test_only_what_is_compressed_has_lost_its_comments(tmp_path: Path) -> None:
    folder, copy = tmp_path / "static", tmp_path / "copy"
    (folder / "vendor").mkdir(parents=True)
    source = b"/* said */\n" + b"p  { color : red }\n" * 50
    for name in ("own.css", "vendor/theirs.css"):
        (folder / name).write_bytes(source)
    made = pack(folder, copy)
    assert {path.relative_to(copy).as_posix() for path in made} == {
        f"{name}{coding}" for name in ("own.css", "vendor/theirs.css") for coding in (".gz", ".br")
    }
    assert (copy / "own.css").read_bytes() == (copy / "vendor/theirs.css").read_bytes() == source
    assert (copy / "own.css").stat().st_mtime_ns == (folder / "own.css").stat().st_mtime_ns
    assert gzip.decompress((copy / "own.css.gz").read_bytes()) == b"p{color:red}" * 50
    assert brotli.decompress((copy / "own.css.br").read_bytes()) == b"p{color:red}" * 50
    assert gzip.decompress((copy / "vendor/theirs.css.gz").read_bytes()) == source
