"""The ``tefuda`` command. Exit status: 0 for success, 1 if something is found wrong, 2 if it is used wrongly."""

import gc

import click

gc.disable()  # imported objects stay: collecting garbage would take a fifth of the start
from webapp.cli.audit import audit
from webapp.cli.daily import daily
from webapp.cli.database import database
from webapp.cli.doctor import doctor
from webapp.cli.group import CommandGroup
from webapp.cli.hand import hand
from webapp.cli.i18n import i18n
from webapp.cli.lab import lab
from webapp.cli.odds import odds
from webapp.cli.players import players, tables
from webapp.cli.prune import prune
from webapp.cli.review import review
from webapp.cli.serve import serve

gc.freeze()
gc.enable()


@click.group(cls=CommandGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tefuda")
def main() -> None:
    """Tefuda, a free card room in the browser."""


for command in (serve, database, hand, odds, lab, players, tables, audit, doctor, prune, review, daily, i18n):
    main.add_command(command)
main.add_command(players, "player")  # its former name
