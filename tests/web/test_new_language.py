"""A new language needs one row of a table and one catalog; nothing else lists the languages."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from babel.messages.pofile import read_po, write_po

from webapp.web.languages import LANGUAGES

ROOT = Path(__file__).parents[2]
ROW = 'Language("eo", "Esperanto", "EO", "eo", ("eo",), gap="~"),'
CLI = "from webapp.cli import main; main()"
LOOK = """
import json
from webapp.cli import main
main(["i18n", "compile"], standalone_mode=False)
main(["db", "upgrade"], standalone_mode=False)
from webapp.app import create_app
from webapp.web import refused_names
from webapp.web.i18n import vocabulary
from webapp.web.api import openapi
from webapp.web.i18n.translations import gap, gettext, use_language

app = create_app()
client = app.test_client()
chosen = client.post("/settings", data={"language": "eo"}, headers={"Sec-Fetch-Site": "same-origin"})
settings = client.get("/me/settings", headers={"Accept": "text/html"})
with use_language("eo"):
    spoken = {"number": vocabulary.number(1234567), "gap": gap(), "word": gettext("Rules")}
try:
    refused_names.parse_name("«House bot 3»")
except Exception as refusal:
    spoken["name"] = refusal.code
print(json.dumps({
    **spoken,
    "asked": app.test_client().get("/", headers={"Accept-Language": "eo-XX,en;q=0.5", "Accept": "text/html"}).text,
    "chosen": chosen.status_code,
    "settings": settings.text,
    "choices": json.dumps(openapi.document(app)),
}))
"""


def run(folder: Path, *words: str) -> str:
    site = {"TEFUDA_INSTANCE": str(folder / "instance"), "TEFUDA_SECRET_KEY": "k" * 40}
    environ = {**os.environ, "PYTHONPATH": str(folder), **site}
    done = subprocess.run([sys.executable, *words], cwd=folder, env=environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Texts of a copy of the site that has one more language."""
    folder = tmp_path_factory.mktemp("esperanto")
    for part in ("webapp", "templates", "static"):
        shutil.copytree(ROOT / part, folder / part)  # including compiled catalogs
    shutil.copy(ROOT / "pyproject.toml", folder)
    table = folder / "webapp" / "web" / "languages.py"
    text = table.read_text("utf-8")
    assert text.count("\n)\n") == 1, "the end of the rows"
    table.write_text(text.replace("\n)\n", f"\n    {ROW}\n)\n"), "utf-8")
    run(folder, "-c", CLI, "i18n", "update")
    path = folder / "webapp" / "translations" / "eo" / "LC_MESSAGES" / "messages.po"
    with path.open("rb") as file:
        catalog = read_po(file, locale="eo")
    for message in catalog:
        if message.id:
            message.string = tuple(f"«{text}»" for text in message.id) if message.pluralizable else f"«{message.id}»"
    with path.open("wb") as file:
        write_po(file, catalog)
    found: dict[str, Any] = json.loads(run(folder, "-c", LOOK).splitlines()[-1])  # the lines before are the log
    return found


def test_pages_are_written_in_it_for_whoever_asks(seen: dict[str, Any]) -> None:
    assert '<html lang="eo"' in seen["asked"]
    assert "«Quest poker»" in seen["asked"]


def test_it_can_be_chosen_on_the_switch_and_in_the_settings(seen: dict[str, Any]) -> None:
    assert seen["chosen"] == 303
    assert '<html lang="eo"' in seen["settings"]
    assert re.search(r'value="eo" checked>Esperanto<', run_together(seen["settings"]))
    assert re.search(r'value="eo" lang="eo" aria-pressed="true" id="lang">EO<', run_together(seen["asked"]))


def test_numbers_gaps_sentences_and_reserved_names_follow(seen: dict[str, Any]) -> None:
    assert (seen["number"], seen["gap"], seen["word"]) == ("1\xa0234\xa0567", "~", "«Rules»")
    assert seen["name"] == "machines-name"


def test_the_public_description_lists_it(seen: dict[str, Any]) -> None:
    assert '"zh-Hant", "eo"]' in seen["choices"]


def run_together(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def test_no_other_file_names_a_language() -> None:
    """Style sheets may, since typography differs by script."""
    names = "|".join({name for known in LANGUAGES[1:] for name in (known.code, known.tag, known.short, known.name)})
    files = [*ROOT.glob("webapp/**/*.py"), *ROOT.glob("templates/**/*.html"), *ROOT.glob("static/js/*.js")]
    listed = {
        str(path.relative_to(ROOT)) for path in files if re.search(rf"""["'>]({names})["'<]""", path.read_text("utf-8"))
    }
    assert len(files) > 200
    assert listed == {"webapp/web/languages.py"}
