"""Laws of the whole repository that no single module can guarantee."""

import hashlib
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.support.project_files import ROOT, name_of, project_files
from webapp.engine.games import GAMES

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


def test_a_site_that_serves_carries_nothing_that_it_does_not_use() -> None:
    """Neither the engine nor the site loads these packages, whatever pages have been requested; other processes do."""
    script = """
import resource, sys, tempfile
from pathlib import Path
import webapp.engine, webapp.engine.games, webapp.cli
from webapp.app import create_app
heavy = {"alembic", "fontTools", "numba", "numpy"}
PATHS = ("/lab/exercise?seed=1", "/lab/exercise.csv?seed=1", "/lab/chart", "/lab/chart?table=downtown",
    "/lab/strategy.csv?table=single", "/lab/strategy.csv?strategy=mimic", "/odds/blackjack", "/odds/joker",
    "/odds/blackjack?cards=Th6s&dealer=Tc", "/odds/blackjack.json?cards=8h8s&dealer=9c&seen=2c", "/odds/table21",
    "/odds/table21?cards=Th6s&dealer=Tc", "/rules/blackjack")
def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() >> 20
with tempfile.TemporaryDirectory() as folder:
    app = create_app({"TEFUDA_INSTANCE": folder})
    client = app.test_client()
    assert client.get("/about").status_code == 200
    before, start = heavy & set(sys.modules), resident()
    for path in PATHS:
        assert client.get(path).status_code == 200, path
    grown = resident() - start
    app.extensions["workers"].stop()
print(*sorted(before), "then", *sorted(heavy & set(sys.modules)), "at most 40:", grown)
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    *words, grown = done.stdout.splitlines()[-1].split()
    assert words == ["then", "at", "most", "40:"]
    assert int(grown) <= 40


def test_no_game_needs_numpy_to_ask_about_a_decision() -> None:
    """The site's process asks, for the coach and the drills; others answer."""
    script = """
import sys
from importlib import import_module
from webapp.engine.games import GAMES
asked = {path.partition(":")[0] for game in GAMES.values() for path in (game.spec.question, game.spec.kinds) if path}
for module in sorted(asked):
    import_module(module)
print(len(asked), "numpy" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    count, needed = done.stdout.split()
    assert (int(count) >= 4, needed) == (True, "False"), done.stderr


def test_imports_point_down() -> None:
    script = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


OWN_FILES = r"webapp/engine/games/(__init__|{code}|{code}/.*)\.py|templates/games/{code}/.*|static/js/games/.*"
SEARCHED = re.compile(r"(webapp/(?!translations/|migrations/)|templates/|static/js/).*\.(py|html|js)")
# Shared tables, the lab and counting are each of one game, which they import by its name; the engine has codes of its own, in
# capitals for constants, which may be named after terms of games, such as a natural.
GENERIC = re.compile(
    r"webapp/(web/(?!api/lab|api/table_answers|i18n/lab|odds_page/counting)|services/(?!lab/|tables/|records/stored_round|deals/index_plays)|blueprints/(?!lab|tables|counting)|models/(?!lab_job)|[a-z]+\.py).*"
    r"|templates/(?!games/|families/|lab/|tables/).*|static/js/(?!games/).*"
)
SENTENCE = re.compile(r"(N?P?_|gettext)\([^()]*\)")
"""What is said to people may be spelled like a game: the card, say."""


def lines_outside(code: str, files: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """Yield place and text of every line outside of the game's own files, without texts for people."""
    own = re.compile(OWN_FILES.format(code=code))
    for path in project_files():
        name = name_of(path)
        if SEARCHED.fullmatch(name) and files.fullmatch(name) and not own.fullmatch(name):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                yield f"{name}:{number}", SENTENCE.sub("", line)


@pytest.mark.parametrize("code", GAMES)
def test_a_game_is_named_only_in_its_own_module_and_folders(code: str) -> None:
    word = re.compile(rf"""["']{code}["']""")
    assert [place for place, line in lines_outside(code, SEARCHED) if word.search(line)] == []


@pytest.mark.parametrize("code", GAMES)
def test_what_serves_all_games_names_none_of_them_in_any_spelling(code: str) -> None:
    title = str(GAMES[code].words.title)
    names = [rf"""["']{code}["']""", rf"\b{re.escape(title)}\b", rf"games[./]{code}\b", rf"games import .*\b{code}\b"]
    word = re.compile("|".join(names), re.IGNORECASE)
    assert [place for place, line in lines_outside(code, GENERIC) if word.search(line)] == []


def test_what_serves_all_games_knows_no_action_of_any_of_them() -> None:
    """Only ``deal`` and ``mark`` belong to the site; words with other meanings are left out."""
    verbs = {"hold", "stop", "collect", "pick", "double", "hit", "stand", "split", "surrender", "insure", "decline"}
    word = re.compile(rf"""["']({"|".join(verbs)})["']""")
    python = re.compile(r"webapp/.*")
    offenders = [place for place, line in lines_outside("", GENERIC) if python.match(place) and word.search(line)]
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
    """Browser tests wait for events or move the page's clock; that nothing happens is read from the requests."""
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
    """The content security policy would block inline ones."""
    inline = re.compile(r"<script(?![^>]*\bsrc=)|<style\b|\sstyle=|\son[a-z]+=|hx-on|javascript:", re.IGNORECASE)
    offenders = [
        f"{name_of(path)}:{number}: {line.strip()}"
        for path in project_files()
        if name_of(path).startswith("templates/") and path.suffix == ".html"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if inline.search(line)
    ]
    assert offenders == []
