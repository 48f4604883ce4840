"""``tefuda review``: work out the reviews that are missing."""

import os
import sys
from concurrent.futures import BrokenExecutor

import click

from webapp.cli.app import create_command_app, to_install
from webapp.services.lab.jobs import is_equipped
from webapp.services.lab.pool import ClusterUnavailable, DaskMissing, team_at
from webapp.services.team import team_here


@click.command()
@click.option("--workers", type=click.IntRange(1, 1024), default=os.cpu_count(), show_default="all cores")
@click.option("--scheduler", metavar="ADDRESS", help="Work on this Dask cluster (needs the extra cluster).")
def review(workers: int, scheduler: str | None) -> None:
    """Review all finished hands that have no review yet. The site may be running.

    The site reviews hands when they are looked at; this prepares all others. An interrupted run is continued by the
    next call. Exits 1 if the workers are lost.
    """
    if not is_equipped():
        raise click.UsageError(f"reviews need NumPy: {to_install('lab')}")
    from webapp.services.review import batch  # NumPy, which no other command needs

    app = create_command_app()
    with app.app_context():
        stored: list[str] = []
        folder = None if scheduler else batch.odds_folder(app.extensions["config"])
        try:
            with team_at(scheduler, _to_stderr) if scheduler else team_here(workers) as team:
                batch.review_all(team, folder, stored.append)
        except DaskMissing as error:
            raise click.UsageError(f"--scheduler needs Dask: {to_install('cluster')}") from error
        except ClusterUnavailable as error:
            raise click.UsageError(f"for --scheduler: {error}") from error
        except BrokenExecutor as error:
            _to_stderr(f"nobody is left to work: {str(error) or type(error).__name__}")
            click.echo(f"{len(stored)} reviews")
            sys.exit(1)
        click.echo(f"{len(stored)} reviews")


def _to_stderr(sentence: str) -> None:
    click.echo(sentence, err=True)
