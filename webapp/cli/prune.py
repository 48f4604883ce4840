"""``tefuda prune``: delete what is older than the settings say."""

import json
from dataclasses import asdict

import click

from webapp.cli.app import create_command_app
from webapp.services.core.clock import now_ms
from webapp.services.operations import retention


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print what was taken away as JSON.")
def prune(as_json: bool) -> None:
    """Take away what is older than TEFUDA_KEEP_DAYS says (0: for ever).

    Finished hands are kept for ever, and no purse loses a chip. The site may be running.
    """
    app = create_command_app()
    with app.app_context():
        pruned = asdict(retention.prune(app.extensions["config"], now_ms()))
    if as_json:
        click.echo(json.dumps(pruned))
    else:
        click.echo(", ".join(f"{count} {kind.replace('_', ' ')}" for kind, count in pruned.items()))
