"""The ``tefuda`` command. Exit status: 0 for success, 1 if something is found wrong, 2 if it is used wrongly."""

from typing import Final

import click

from webapp.cli.group import CommandGroup

COMMANDS: Final = {
    **{name: f"webapp.cli.{name}:{name}" for name in ("serve", "hand", "odds", "lab", "audit", "doctor", "prune")},
    **{name: f"webapp.cli.{name}:{name}" for name in ("review", "daily", "i18n")},
    "db": "webapp.cli.database:database",
    **{name: f"webapp.cli.players:{name}" for name in ("players", "tables")},
    "player": "webapp.cli.players:players",  # its former name
}
"""Where each command is. A command is imported when it is used: workers of the site import this module, too."""


@click.group(cls=CommandGroup, commands_at=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tefuda")
def main() -> None:
    """Tefuda, a free card room in the browser."""
