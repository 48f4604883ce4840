"""Static files: one digest of them all in their addresses, and what is said of how long they may be kept."""

import gzip
import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import brotli
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import Client, TestResponse

from tests.support.app import close, make_app
from webapp.web.templating.static_files import StaticFiles, digest_of, pack, read, serve_compressed

STATIC = Path(__file__).parents[3] / "static"
FILES = read(STATIC)
DIGEST = digest_of(FILES)
HERE = f"/static/{DIGEST}"
ONE_OF_EACH = sorted({Path(name).suffix: name for name in sorted(FILES)}.values())


UNPACK: dict[str | None, Callable[[bytes], bytes]] = {"gzip": gzip.decompress, "br": brotli.decompress, None: bytes}


def nothing(_environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Answer for what is no static file."""
    start_response("404 Not Found", [])
    return []


def unpacked(answer: TestResponse) -> bytes:
    return UNPACK[answer.headers.get("Content-Encoding")](answer.data)


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    folder = tmp_path_factory.mktemp("static-files")
    app = make_app(f"sqlite:///{folder / 'none.sqlite3'}", folder)
    serve_compressed(app, folder / "cache")
    yield app
    close(app)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_only_an_address_with_the_digest_of_this_version_may_be_kept(client: FlaskClient, name: str) -> None:
    for address, kept in (
        (f"{HERE}/{name}", "max-age=31536000, public, immutable"),
        (f"{HERE}/{name}?v=1", "no-cache"),
        (f"/static/{name}", "no-cache"),
        (f"/static/{name}?v=68f3b9b862", "no-cache"),
    ):
        answer = client.get(address)
        assert (answer.status_code, answer.headers["Cache-Control"], answer.data) == (200, kept, FILES[name]), address


@pytest.mark.parametrize("folder", ["0123456789abcdef", DIGEST.upper(), DIGEST[:-1], "68f3b9b862", ".."])
def test_another_digest_is_not_answered_and_the_answer_not_kept(client: FlaskClient, folder: str) -> None:
    for name in ("js/app.js", "css/base.css", "img/cards.svg"):
        answer = client.get(f"/static/{folder}/{name}")
        assert (answer.status_code, answer.headers["Cache-Control"]) == (404, "no-store")
    assert client.get(f"{HERE}/js/nothing.js").headers["Cache-Control"] == "no-store"


def test_all_addresses_of_a_page_have_the_digest(client: FlaskClient) -> None:
    for path in ("/", "/play/poker", "/tables", "/service-worker.js"):
        found = re.findall(r"/static/[^\"'#)]+", client.get(path).text)
        assert len(found) > 5
        assert [address for address in found if not address.startswith(f"{HERE}/")] == []


def test_icons_of_an_installed_site_keep_their_addresses(client: FlaskClient) -> None:
    """The manifest lies on somebody's phone while this version is replaced."""
    icons = [icon["src"] for icon in client.get("/manifest.webmanifest").get_json(force=True)["icons"]]
    assert [icon for icon in icons if icon.removeprefix("/static/") not in FILES] == []


def test_the_digest_changes_with_every_name_and_every_byte(tmp_path: Path) -> None:
    seen = set()
    for name, content in (("a.js", b"1"), ("b.js", b"1"), ("b.js", b"2"), ("c/b.js", b"2")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
        seen.add(digest_of(read(tmp_path)))
    assert len(seen) == 4
    before = digest_of(read(tmp_path))
    os.utime(tmp_path / "a.js", (0, 0))
    assert digest_of(read(tmp_path)) == before, "machines of a site have one digest"


def test_what_changes_on_disk_after_the_start_is_not_served_under_this_digest(tmp_path: Path) -> None:
    """A new version is installed over the old one before its processes are restarted."""
    folder = tmp_path / "static"
    folder.mkdir()
    (folder / "a.js").write_text("old\n" * 100)
    server = StaticFiles(read(folder), "/static", {}, nothing)
    archive = pack(read(folder), tmp_path / "cache")
    server.serve_compressed(archive)
    (folder / "a.js").write_text("new\n")
    archive.unlink()
    for coding in ("identity", "gzip", "br"):
        answer = Client(server).get(f"{server.address}/a.js", headers={"Accept-Encoding": coding})
        assert answer.headers.get("Content-Encoding", "identity") == coding
        assert unpacked(answer).strip().split() == [b"old"] * 100


def test_no_static_file_of_any_kind_may_be_taken_for_one_of_another(client: FlaskClient) -> None:
    assert {".css", ".js", ".svg", ".png", ".ttf", ".wav"} <= {Path(name).suffix for name in ONE_OF_EACH}
    encodings, types = set(), {}
    for name in ONE_OF_EACH:
        for coding in ("identity", "gzip", "br"):
            answer = client.get(f"{HERE}/{name}", headers={"Accept-Encoding": coding})
            assert answer.status_code == 200, name
            assert answer.headers.getlist("X-Content-Type-Options") == ["nosniff"], (name, coding)
            encodings.add(answer.headers.get("Content-Encoding", "identity"))
            types[Path(name).suffix] = answer.mimetype
    assert encodings == {"identity", "gzip", "br"}
    assert types[".js"] == "text/javascript" and types[".css"] == "text/css" and types[".svg"] == "image/svg+xml"
    assert "application/octet-stream" not in {kind for suffix, kind in types.items() if suffix}


def test_a_part_of_a_file_can_be_asked_for(client: FlaskClient) -> None:
    """As browsers do for sounds."""
    answer = client.get(f"{HERE}/sound/table.wav", headers={"Range": "bytes=2-5"})
    assert (answer.status_code, answer.data) == (206, FILES["sound/table.wav"][2:6])
    for wrong in ("bytes=9999999-", "bytes=5-2", "bytes=x", "lines=1-2", "bytes=1-2,4-5"):
        answer = client.get(f"{HERE}/sound/table.wav", headers={"Range": wrong})
        assert answer.status_code in (200, 416) and answer.headers["X-Content-Type-Options"] == "nosniff"
    head = client.head(f"{HERE}/sound/table.wav")
    assert (head.data, int(head.headers["Content-Length"])) == (b"", len(FILES["sound/table.wav"]))
    assert client.post(f"{HERE}/sound/table.wav").status_code == 405


def test_a_file_that_has_changed_is_sent_again_though_size_and_time_are_the_same() -> None:
    """Packages are built with one time for all of their files."""
    old, new = (Client(StaticFiles({"a.js": content}, "/static", {}, nothing)) for content in (b"old", b"new"))
    mark = {"If-None-Match": old.get("/static/a.js").headers["ETag"]}
    assert old.get("/static/a.js", headers=mark).status_code == 304
    assert new.get("/static/a.js", headers=mark).data == b"new"


def test_in_debug_mode_a_file_is_read_again_and_nobody_keeps_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FLASK_DEBUG", "1")
    app = make_app(f"sqlite:///{tmp_path / 'none.sqlite3'}", tmp_path)
    serve_compressed(app, tmp_path / "cache")
    client = app.test_client()
    assert '"/static/js/app.js"' in client.get("/").text
    with client.get("/static/js/app.js") as answer:
        assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-cache")
    assert "/static/js" not in client.get("/service-worker.js").text
    close(app)
