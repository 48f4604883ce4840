"""``tefuda audit``: check all that is stored."""

import json
import sys
from dataclasses import asdict

import click

from webapp.cli.app import create_command_app, unusable
from webapp.services.operations import metrics
from webapp.services.operations.audit import audit as all_findings


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print findings as JSON.")
def audit(as_json: bool) -> None:
    """Replay every stored hand and add up every purse. Exits 1 and names what is wrong, if anything is."""
    app = create_command_app()
    with app.app_context():
        findings = list(all_findings())
        try:
            metrics.keep_verdict(app.extensions["config"].instance, len(findings))
        except OSError as error:
            raise unusable(error) from error
    if as_json:
        click.echo(json.dumps({"findings": [asdict(finding) for finding in findings]}))
    else:
        for finding in findings:
            click.echo(f"{finding.where} {finding.what}")
        click.echo("all is as it should be" if not findings else f"{len(findings)} findings")
    sys.exit(1 if findings else 0)
