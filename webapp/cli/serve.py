"""``tefuda serve``: the site at one port, in one process."""

import os
import socket
import sqlite3
import sys
from multiprocessing import get_context

import click
import segno
from flask import Flask
from sqlalchemy.exc import SQLAlchemyError

from webapp.cli.app import create_command_app, unusable
from webapp.config import Config, gone_settings
from webapp.server import listen
from webapp.server import serve as serve_site
from webapp.services.operations import backup, schema, serving_lock
from webapp.web.templating import static_files

ANYWHERE = ("0.0.0.0", "::")  # noqa: S104  # only when asked for


@click.command()
@click.option("--host", help="Address to listen at; 0.0.0.0 for the phones on the same network.  [TEFUDA_HOST]")
@click.option("--port", type=int, help="Port to listen at.  [TEFUDA_PORT]")
def serve(host: str | None, port: int | None) -> None:
    """Serve the site, after bringing an SQLite database up to date."""
    given = {"TEFUDA_HOST": host, "TEFUDA_PORT": None if port is None else str(port)}
    environ = {name: value for name, value in given.items() if value is not None}
    app = create_command_app(environ, makes_database=True)
    config: Config = app.extensions["config"]
    try:
        lock = serving_lock.hold(config.instance)
        _get_ready(app, config)
    except OSError as error:
        raise unusable(error) from error
    try:
        listening = listen(config.host, config.port)
    except OSError as error:
        raise click.ClickException(f"Cannot listen at {config.origin}: {error.strerror or error}") from error
    for gone in gone_settings(os.environ):
        click.echo(f"Warning: {gone}", err=True)
    _announce(config)
    with lock, listening:
        serve_site(app, listening)


def _get_ready(app: Flask, config: Config) -> None:
    """Bring an SQLite database up to date, and at the same time compress the static files.

    Raises:
        OSError: The cache cannot be written.
    """
    cache = config.instance / "cache" / "static"
    cache.mkdir(parents=True, exist_ok=True)
    # in a process of its own, as its memory would stay with the site for good
    packer = get_context("fork").Process(target=static_files.serve_compressed, args=(app, cache), daemon=True)
    packer.start()
    if config.sqlite:
        _bring_up_to_date(app)
    packer.join()
    static_files.serve_compressed(app, cache)


def _bring_up_to_date(app: Flask) -> None:
    """Upgrade the database in a process of its own: its memory would stay with the site for good."""
    with app.app_context():
        if backup.is_up_to_date():
            return
    child = get_context("fork").Process(target=_upgrade, args=(app,))
    child.start()
    child.join()
    if child.exitcode:
        sys.exit(child.exitcode)


def _upgrade(app: Flask) -> None:
    with app.app_context():
        try:
            kept = backup.keep_before_upgrade()
            if kept is not None:
                click.echo(f"A copy of the database before it is brought up to date: {kept}", err=True)
            schema.upgrade()
        except (schema.SchemaError, SQLAlchemyError, sqlite3.Error, OSError) as error:
            click.echo(f"Error: the database cannot be brought up to date: {getattr(error, 'orig', error)}", err=True)
            sys.exit(2)


def _announce(config: Config) -> None:
    if config.believes_anybody:
        click.echo(
            f"Warning: whoever reaches port {config.port} directly can claim any address in X-Forwarded-For, and "
            "escape every limit. Listen at 127.0.0.1, or name your proxies: TEFUDA_TRUSTED_PROXIES=10.0.0.2",
            err=True,
        )
    if config.public_url:
        click.echo(f"Tefuda is open at {config.public_url}")
        return
    here = f"127.0.0.1:{config.port}" if config.host in ANYWHERE else config.origin
    click.echo(f"Tefuda is open at http://{here}")
    if config.host in ANYWHERE:
        there = f"http://{_address_in_the_network()}:{config.port}"
        click.echo(f"On the phone beside you: {there}")
        if os.isatty(1):
            segno.make(there, error="l").terminal(compact=True)


def _address_in_the_network() -> str:
    """The address this machine would send from. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.255.255.255", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
