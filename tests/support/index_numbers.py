"""Index numbers that an app has at once, since the command line has worked them out."""

from click.testing import CliRunner
from flask import Flask

from webapp.cli import main
from webapp.config import Config


def work_out_indices(app: Flask, table: str, system: str) -> None:
    """Have the index numbers of a table worked out for a counting system."""
    config: Config = app.extensions["config"]
    words = ["odds", "index", "--table", table, "--system", system, "--json"]
    said = CliRunner().invoke(main, words, env={"TEFUDA_INSTANCE": str(config.instance)})
    assert said.exit_code == 0, said.output
