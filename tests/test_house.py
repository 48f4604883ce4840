"""The laws of the house: what no single module can promise by itself."""

import hashlib
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from webapp.engine.games import GAMES

ROOT = Path(__file__).parents[1]


def project_files() -> Iterator[Path]:
    """Every file that is, or could be, committed. Without git (an unpacked archive): all but the dot-folders'."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    asked = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True)
    if asked.returncode == 0:
        paths = [ROOT / name for name in asked.stdout.split("\0") if name]
    else:
        hidden = re.compile(r"^\.(?!ci/)[^/]*/|(^|/)(__pycache__|instance|artifacts)/")
        paths = [path for path in ROOT.rglob("*") if not hidden.search(path.relative_to(ROOT).as_posix())]
    return (path for path in paths if path.is_file())


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


# ------------------------------------------------------------------------------------------------ architecture


def test_the_engine_loads_neither_flask_nor_a_database() -> None:
    script = """
import importlib, pkgutil, sys
import webapp.engine
for each in pkgutil.walk_packages(webapp.engine.__path__, "webapp.engine."):
    importlib.import_module(each.name)
print(*sorted({"flask", "werkzeug", "jinja2", "sqlalchemy", "webapp.app", "webapp.config"} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_a_house_that_serves_carries_nothing_that_it_does_not_use() -> None:
    """Neither the engine nor the whole site loads these; the lab's pages and the pictures do when they need them."""
    script = """
import sys, tempfile
import webapp.engine, webapp.engine.games, webapp.cli
from webapp.app import create_app
heavy = {"alembic", "fontTools", "numba", "numpy"}
with tempfile.TemporaryDirectory() as folder:
    client = create_app({"TEFUDA_INSTANCE": folder}).test_client()
    assert client.get("/about").status_code == 200
    before = heavy & set(sys.modules)
    assert client.get("/lab/exercise?seed=1").status_code == 200
print(*sorted(before), "then", *sorted(heavy & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].split() == ["then", "numpy"]


def test_imports_point_down() -> None:
    script = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("code", GAMES)
def test_a_game_is_named_only_in_its_own_module_and_folders(code: str) -> None:
    own = re.compile(
        rf"webapp/engine/games/(__init__|{code}|{code}/.*)\.py|templates/games/{code}/.*|static/js/games/.*"
    )
    searched = re.compile(r"(webapp/(?!translations/|migrations/)|templates/|static/js/).*\.(py|html|js)")
    word = re.compile(rf"""(?<!"rank", )["']{code}["']""")  # a card may have the same name
    sentence = re.compile(r"(_|gettext)\([^()]*\)")  # what is said to people may be spelled the same: the card, say
    offenders = [
        f"{name_of(path)}:{number}: {line.strip()}"
        for path in project_files()
        if searched.fullmatch(name_of(path)) and not own.fullmatch(name_of(path))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if word.search(sentence.sub("", line))
    ]
    assert offenders == []


# ------------------------------------------------------------------------------------------------ files


@pytest.mark.parametrize("folder", ["static/vendor", "tests/e2e/vendor"])
def test_vendored_files_are_the_ones_that_were_checked(folder: str) -> None:
    sums = (ROOT / folder / "SHA256SUMS").read_text(encoding="utf-8")
    pairs = (line.split(maxsplit=1) for line in sums.splitlines() if line)
    listed = {name.lstrip("*"): digest for digest, name in pairs}
    found = {
        path.relative_to(ROOT / folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and path.name != "SHA256SUMS"
    }
    assert found == listed


HOPES = re.compile(r"wait_for_timeout|\bsleep\(|networkidle|set(Timeout|Interval)\(|last-failed|--reruns|\bflaky\(")


def test_no_browser_test_waits_for_time_to_pass_and_none_has_a_second_chance() -> None:
    """It waits for what is to happen, or moves the page's own clock; that nothing happens is read from what is sent."""
    offenders = [
        f"{name_of(path)}:{number}: {line.strip()}"
        for path in project_files()
        if re.fullmatch(r"tests/e2e/(?!vendor/).*\.py|\.ci/.*|Makefile|pyproject\.toml", name_of(path))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if HOPES.search(line)
    ]
    assert offenders == []


# Spelled in two parts, so that this file does not name them either.
ADDRESSES = [
    "pypi" + ".org",
    "python" + "hosted.org",
    "registry." + "npmjs",
    "npmjs" + ".com",
    "jsde" + "livr",
    "unpkg" + ".com",
    "cdn" + "js.",
    "deb." + "debian.org",
    "proxy.golang" + ".org",
    "crates" + ".io",
]
PLACES = [r"(?<![\w.])/wo" + r"rk(?![\w-])", r"\.\./sha" + "red", "/tm" + "p/notes"]
FORBIDDEN = re.compile("|".join([re.escape(word) for word in ADDRESSES] + PLACES), re.IGNORECASE)


def test_no_file_names_a_registry_or_somebodys_folders() -> None:
    offenders = [
        f"{name_of(path)}:{number}: {found[0]}"
        for path in project_files()
        if "/vendor/" not in name_of(path)
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1)
        if (found := FORBIDDEN.search(line))
    ]
    assert offenders == []


def test_scripts_and_styles_stand_in_files_of_their_own() -> None:
    """The site's policy would block them; better to hear it here."""
    inline = re.compile(r"<script(?![^>]*\bsrc=)|<style\b|\sstyle=|\son[a-z]+=|hx-on|javascript:", re.IGNORECASE)
    offenders = [
        f"{name_of(path)}:{number}: {line.strip()}"
        for path in project_files()
        if name_of(path).startswith("templates/") and path.suffix == ".html"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if inline.search(line)
    ]
    assert offenders == []
