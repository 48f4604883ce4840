"""``tefuda player``: what an operator does for a player."""

import click

from webapp.cli.app import create_command_app
from webapp.services import players
from webapp.services.core.errors import Refusal


@click.group()
def player() -> None:
    """A player."""


@player.command()
@click.argument("player_or_hand", metavar="PLAYER-OR-HAND")
def revoke(player_or_hand: str) -> None:
    """End all sessions of a player, named by id or by the key of one of their hands.

    Every copy of the cookie becomes worthless, also the player's own: for a player who asks for it because a copy got
    away and the browser is lost. Whoever still has the browser does it on the page of their hands, and plays on.
    """
    with create_command_app().app_context():
        try:
            player = players.player_of(player_or_hand)
            players.end_sessions(player)
        except Refusal as error:
            raise click.UsageError(f"there is no player and no hand {player_or_hand!r}") from error
    click.echo(f"all sessions of player {player} have ended")
