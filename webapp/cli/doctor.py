"""``tefuda doctor``: what is wrong with an installation."""

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import click

from webapp.cli.app import create_any_app
from webapp.config import Config, SettingsError, instance_folder, setting_troubles
from webapp.services.operations import doctor as operations
from webapp.services.operations.doctor import Trouble
from webapp.web.refused_names import REFUSED_WORDS


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print troubles as JSON.")
def doctor(as_json: bool) -> None:
    """Check settings, key, refused words, database, disk, clock, proxy and limits.

    Exits 1 and says in a line each what is wrong. Nothing is changed.
    """
    troubles = list(_troubles())
    if as_json:
        click.echo(json.dumps({"troubles": [asdict(trouble) for trouble in troubles]}))
    else:
        for trouble in troubles:
            click.echo(f"{trouble.where}: {trouble.what}")
        click.echo("all is as it should be" if not troubles else f"troubles: {len(troubles)}")
    sys.exit(1 if troubles else 0)


def _troubles() -> Iterator[Trouble]:
    yield from operations.unknown_settings(os.environ)
    folder = instance_folder(os.environ)
    if not folder.exists():
        yield Trouble("settings", f"the instance folder {folder} is not there: tefuda serve makes it")
        yield from (Trouble("settings", trouble) for trouble in setting_troubles(os.environ))
        return
    try:
        Config.from_environ(os.environ)
        app = create_any_app()
    except SettingsError as error:
        yield from (Trouble("settings", trouble) for trouble in error.troubles)
        return
    except click.UsageError as error:
        yield Trouble("settings", error.message)
        return
    yield from _refused_words(folder / REFUSED_WORDS)
    with app.app_context():
        yield from operations.examine(app.extensions["config"])


def _refused_words(file: Path) -> Iterator[Trouble]:
    """Read the operator's words. The site takes what it can read, and lets the rest pass in silence."""
    try:
        file.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        return
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        yield Trouble("names", f"line {line} of {file} is no text in UTF-8, and refuses nothing as it stands")
    except OSError as error:
        yield Trouble("names", f"{file} cannot be read, and refuses nothing: {error.strerror or error}")
