"""Statements of the documentation that can be checked: the example bot runs, grammar and recipe are complete."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from flask import Flask

from tests.api_docs import API, BEGIN, generated
from tests.support.moves import TABLES, dealt_and_live, finished, finished_json, sealed
from tests.support.player import Player
from tests.support.server import Server
from tests.support.table_players import bet_all, betting, play_out
from webapp.engine.games import GAMES, SOLO
from webapp.engine.games.blackjack.rules import CHOICES, PRESETS

ROOT = Path(__file__).parents[1]
RECIPE = ROOT / "docs" / "adding-a-game.md"
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_the_bot_plays_a_hand(server: Server) -> None:
    (bot,) = re.findall(r"^```python\n(.*?)^```$", API.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    here, replaced = re.subn(r'^SITE = ".*"$', f'SITE = "{server.url}"', bot, flags=re.MULTILINE)
    assert replaced == 1
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", here], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        first, second, last = done.stdout.splitlines()
        assert re.fullmatch(r"([2-9TJQKA][cdhs] ){5}- \S.*", first)
        assert re.fullmatch(r"([2-9TJQKA][cdhs] ){5}- \S.*", second)
        assert re.fullmatch(rf"score \d+ {server.url}/h/[0-9A-Za-z]{{10}}", last)


def test_the_grammar_of_own_rules_is_the_one_that_is_read() -> None:
    """Names, order and values; of a long range of numbers the first and the last."""
    text = API.read_text("utf-8")
    presets, lines = re.findall(r"^preset = (.+)\n\nrule, in this order +value\n((?:\S.*\n)+)```$", text, re.MULTILINE)[
        0
    ]
    assert tuple(presets.split(" | ")) == tuple(PRESETS)
    written = {name: values.split(" | ") for name, values in (line.split(maxsplit=1) for line in lines.splitlines())}
    assert list(written) == list(CHOICES)
    for name, values in written.items():
        choices = [str(choice).lower() for choice in CHOICES[name]]
        assert values == choices or values == [*choices[:2], "...", choices[-1]]


def test_every_table_has_a_head() -> None:
    """Rows after a blank line lose their header and are rendered as a paragraph."""
    for path in DOCUMENTS:
        for block in re.findall(r"(?:^\|.*\|\n)+", path.read_text("utf-8"), re.MULTILINE):
            head, rule, *rows = block.splitlines()
            assert re.fullmatch(r"\|(---\|)+", rule), (path.name, block)
            assert {row.count("|") for row in (head, *rows)} == {rule.count("|")}, (path.name, block)


# ------------------------------------------------------------------------------------------------ what programs read


def named(text: str) -> set[str]:
    """Return the words that are marked as code."""
    return set(re.findall(r"`(\w+)`", text))


def fields_of(answer: str) -> set[str]:
    """Return the first column of the table in the section about a response."""
    (table,) = re.findall(rf"^### {answer}\n\n.+\n\n((?:\|.*\|\n)+)", API.read_text("utf-8"), re.MULTILINE)
    return set().union(*(named(row.split("|")[1]) for row in table.splitlines()[2:]))


def test_the_fields_of_a_hand_are_the_ones_that_are_sent(app: Flask, alice: Player) -> None:
    sent, over, seen = set[str](), set[str](), set[str]()
    for game in TABLES:
        sent |= set(alice.look(game)) | set(sealed(alice, game)) | set(dealt_and_live(alice, game))
        seen |= set(alice.board["view"])
        over |= set(finished_json(alice, finished(alice)))
        sent |= set(alice.board)
        seen |= set(alice.board["view"])
    assert sent == fields_of("Board")
    visitors = betting(app, 2)
    bet_all(visitors)
    seen |= set(visitors[0].table["view"] or {})
    play_out(visitors)
    over |= set(finished_json(alice, visitors[0].see()["last"].removeprefix("/h/")))
    assert over == fields_of("Finished")
    (views,) = re.findall(r"^(Every `view` has .*?)\n\n", API.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert seen <= named(views)


def test_the_tables_of_the_interface_are_those_that_are_generated() -> None:
    """``python -m tests.api_docs`` writes them."""
    assert API.read_text("utf-8").partition(BEGIN)[2] == generated()


def test_the_verbs_are_the_ones_that_are_understood() -> None:
    sources = {
        "webapp/engine/draw_poker/*.py": r'Action\(ALONE, "(\w+)"',
        "webapp/engine/games/*/game.py": r'Action\(ALONE, "(\w+)"|"(hit|stand|double|split)": ',
        "webapp/services/tables/commands.py": r'command\.verb == "(\w+)"|case "(\w+)"',
        "webapp/blueprints/play.py": r'verb == "(\w+)"',
    }
    understood = {
        word
        for pattern, verb in sources.items()
        for path in ROOT.glob(pattern)
        for found in re.findall(verb, path.read_text("utf-8"))
        for word in ([found] if isinstance(found, str) else found)
        if word
    }
    (verbs,) = re.findall(r"^(Verbs: .*?)\n\n", API.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert named(verbs) - {"arg", "held"} == understood


# ------------------------------------------------------------------------------------------------ how to add a game


def files_of_a_game() -> set[str]:
    """Return the files that a game must have according to the recipe."""
    (required,) = re.findall(
        r"^3\. `templates/games/<code>/`:\n +- required: (.*?)^ +- optional: ",
        RECIPE.read_text("utf-8"),
        re.MULTILINE | re.DOTALL,
    )
    return set(re.findall(r"`(_\w+\.html)`", required))


def test_the_recipe_names_every_template_that_pages_take_for_granted() -> None:
    asked = re.compile(r"""{%-? include ["']games/["'] ~ (?:board\.)?code ~ ["']/(\w+\.html)["'] -?%}""")
    some_games = ("tables", "drill")  # folders of pages that not every game has
    pages = [path for path in (ROOT / "templates").rglob("*.html") if path.parent.name not in some_games]
    pages.remove(ROOT / "templates" / "hands" / "puzzle.html")
    wanted = {name for path in pages for name in asked.findall(path.read_text("utf-8"))}
    assert files_of_a_game() == wanted


@pytest.mark.parametrize("code", GAMES)
def test_a_game_has_its_templates_and_its_pages(app: Flask, alice: Player, code: str) -> None:
    folder = ROOT / "templates" / "games" / code
    assert files_of_a_game() <= {path.name for path in folder.iterdir()}
    paths = ["/", f"/rules/{code}"]
    if code in SOLO:
        sealed(alice, code, GAMES[code].spec.default)
        paths.append(f"/play/{code}")
    else:
        alice.post("/tables")
        paths += ["/tables", f"/t/{alice.answer.json['code']}"]
    for path in paths:
        assert alice.get(path, Accept="text/html").status == 200, path


# ------------------------------------------------------------------------------------------------ the documents


def test_links_lead_to_files() -> None:
    links = [(path, link) for path in DOCUMENTS for link in re.findall(r"\]\(([^)#]+)\)", path.read_text("utf-8"))]
    assert [link for path, link in links if "://" not in link and not (path.parent / link).exists()] == []


def test_files_that_are_named_are_there() -> None:
    """By their path in the checkout, or within the code or the templates."""
    lost = [
        (path.name, name)
        for path in DOCUMENTS
        for name in re.findall(r"`([\w./-]+/[\w.-]+\.(?:py|js|html|css|md|svg|wav))`", path.read_text("utf-8"))
        if not any((folder / name).exists() for folder in (ROOT, ROOT / "webapp", ROOT / "templates", path.parent))
    ]
    assert [each for each in lost if each[0] != "changelog.md"] == []


# ------------------------------------------------------------------------------------------------ the page protocol

TEMPLATES, SCRIPTS = ROOT / "templates", ROOT / "static" / "js"
STYLES = {path.name: path for path in (ROOT / "static" / "css").rglob("*.css")}


def camel_case(name: str) -> str:
    """Return the name under which scripts find an attribute in ``dataset``."""
    return re.sub(r"-(\w)", lambda found: found[1].upper(), name.removeprefix("data-"))


def data_names(text: str) -> set[str]:
    """Return the ``data-`` names in a template, a style sheet or a script, where some are in camel case."""
    listed = re.findall(r"\{([\w, ]+)\} = [^;]*dataset\b", text)
    words = {word for each in listed for word in re.findall(r"\w+", each)}
    words |= {*re.findall(r"dataset\??\.(\w+)", text), *re.findall(r'"(\w+)" in [\w.()]*dataset\b', text)}
    kebabs = {"data-" + re.sub(r"[A-Z]", lambda found: "-" + found[0].lower(), word) for word in words}
    return kebabs | set(re.findall(r"(?<![\w-])data-[a-z-]*[a-z]", text))


def protocol() -> list[tuple[str, list[str]]]:
    """Return each listed name with the files that its row says to set or to read it."""
    rows = re.findall(
        r"^\| `(data-[a-z-]+)` \|(.+?\|.+?)\|", (ROOT / "docs" / "page-protocol.md").read_text("utf-8"), re.MULTILINE
    )
    return [(name, re.findall(r"`([\w/]+\.\w+)`", files)) for name, files in rows]


def test_the_page_protocol_lists_every_data_attribute_and_no_other() -> None:
    files = [*TEMPLATES.rglob("*.html"), *SCRIPTS.glob("*.js"), *STYLES.values()]
    used = set().union(*(data_names(path.read_text("utf-8")) for path in files))
    listed = [name for name, _ in protocol()]
    assert sorted(listed) == sorted(used)


def test_the_files_that_the_page_protocol_names_know_the_attribute() -> None:
    folders = {".html": TEMPLATES, ".js": SCRIPTS, ".py": ROOT / "webapp"}
    lost = []
    for name, files in protocol():
        for file in files:
            path = STYLES[file] if file.endswith(".css") else folders[Path(file).suffix] / file
            if not re.search(rf"\b(?:{name}|{camel_case(name)})\b", path.read_text("utf-8")):
                lost.append((name, file))
    assert lost == []
