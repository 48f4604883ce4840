"""``tefuda daily``: commit to the deals of the coming days, for a site that is not always open."""

import json

import click

from webapp.cli.app import create_command_app
from webapp.services.deals import daily as deals
from webapp.services.deals import day_view


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the commitments as JSON.")
def daily(as_json: bool) -> None:
    """Publish the commitments of the next days, and open the seeds of the days that are over.

    The site does so by itself while it is served. The site may be running.
    """
    app = create_command_app()
    with app.app_context():
        deals.update_deals()
        coming = day_view.coming()
    if as_json:
        click.echo(json.dumps([{"day": each.day, "game": each.game, "commitment": each.commitment} for each in coming]))
    else:
        for each in coming:
            click.echo(f"{each.day} {each.game} {each.commitment}")
