"""``tefuda players``: what an operator does for players, and about their names."""

import click

from webapp.cli.app import create_command_app
from webapp.services import players as known
from webapp.services.core.errors import Refusal
from webapp.services.operations import moderation, personal_data
from webapp.services.tables import commands, seat_links
from webapp.web.i18n.refusals import refusal_of
from webapp.web.i18n.translations import use_language
from webapp.web.refused_names import parse_name


@click.group("players")
def players() -> None:
    """Players. Each is named by id, or by the key of one of their solo hands."""


def _known(player_or_hand: str) -> str:
    try:
        return known.player_of(player_or_hand)
    except Refusal as error:
        raise click.UsageError(f"there is no player and no hand {player_or_hand!r}") from error


@players.command()
@click.argument("player_or_hand", metavar="PLAYER-OR-HAND")
def revoke(player_or_hand: str) -> None:
    """End all sessions of a player, named by id or by the key of one of their hands.

    Every copy of the cookie becomes invalid, including the player's own. For players whose cookie was copied and who no
    longer have the browser; those who have it can do this on the page of their hands, and keep playing.
    """
    with create_command_app().app_context():
        player = _known(player_or_hand)
        known.end_sessions(player)
        seat_links.renew(player)
    click.echo(f"all sessions of player {player} have ended")


@players.command()
@click.argument("player_or_hand", metavar="PLAYER-OR-HAND")
@click.argument("name", default="")
def rename(player_or_hand: str, name: str) -> None:
    """Give a player another name, or none. Reports about the player are settled by it.

    Finished rounds keep the name that the player had: see clear-name.
    """
    with create_command_app().app_context():
        player = _known(player_or_hand)
        try:
            chosen = parse_name(name) if name else ""
        except Refusal as error:
            with use_language("en"):
                _, sentence = refusal_of(error.code)
            raise click.UsageError(f"not a name that may be taken ({error.code}): {sentence}") from error
        commands.rename_player(player, chosen)
        moderation.clear_reports(player)
    click.echo(f"player {player} has {'no name' if not chosen else 'another name'} now")


@players.command("clear-name")
@click.argument("player_or_hand", metavar="PLAYER-OR-HAND")
@click.argument("name", default="")
def clear_name(player_or_hand: str, name: str) -> None:
    """Take a name, or every name, from a player and from all finished rounds. Reports of it are settled by it."""
    with create_command_app().app_context():
        player = _known(player_or_hand)
        rounds = moderation.clear_name(player, name)
    click.echo(f"player {player} is nameless in {rounds} finished rounds")


@players.command()
@click.argument("player_or_hand", metavar="PLAYER-OR-HAND")
@click.confirmation_option(prompt="The player cannot come back. Go on?")
def remove(player_or_hand: str) -> None:
    """Forget a player: finished hands stay, nameless; the purse is closed, and no chip leaves the books."""
    with create_command_app().app_context():
        player = _known(player_or_hand)
        is_done = personal_data.is_forgotten(player)
        try:
            personal_data.forget(player)
        except Refusal as error:
            raise click.ClickException("the table where the player sits is busy; try again") from error
    click.echo(f"player {player} {'was forgotten already: nothing was left' if is_done else 'is forgotten'}")


@players.command()
def reports() -> None:
    """List names that were reported and not settled yet, with the name that the player has now if it is another."""
    with create_command_app().app_context():
        for each in moderation.reports():
            now = "" if each.now == each.name else f" (now {each.now or 'nameless'})"
            click.echo(f"{each.player} {each.reports} {each.table} {each.name}{now}")


@click.group("tables")
def tables() -> None:
    """Shared tables."""


@tables.command("list")
def listing() -> None:
    """List open public tables: code, and how many sit there."""
    with create_command_app().app_context():
        for code, seated in moderation.public_tables():
            click.echo(f"{code} {seated}")


@tables.command()
@click.argument("code")
def hide(code: str) -> None:
    """Take a table out of the public list. Whoever has its link plays on."""
    with create_command_app().app_context():
        try:
            moderation.hide_table(code.upper())
        except Refusal as error:
            raise click.UsageError(f"there is no table {code!r}") from error
    click.echo(f"table {code.upper()} is not listed any more")
