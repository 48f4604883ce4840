"""The app, for a command."""

from collections.abc import Mapping

import click
from flask import Flask

from webapp.app import create_app


def open_house(environ: Mapping[str, str] | None = None) -> Flask:
    """A setting that makes no sense is a wrong use, and is named."""
    try:
        return create_app(environ)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
