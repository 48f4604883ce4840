"""Flask apps for tests: created from settings like the server's, with the migrated schema, and closed afterwards."""

from collections.abc import Callable
from pathlib import Path
from types import CodeType
from typing import Any
from unittest.mock import patch
from weakref import WeakSet

from flask import Flask
from flask.testing import FlaskClient
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from sqlalchemy import Dialect, Engine, event
from werkzeug.routing import Rule

KEY = "a key for tests, and for nothing else"
_APPS = WeakSet[Flask]()


class CompiledTemplates(BytecodeCache):
    """A Jinja bytecode cache shared by all apps of a test run, so that templates are compiled once."""

    def __init__(self) -> None:
        self._codes: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._codes.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        if bucket.code is not None:
            self._codes[bucket.key, bucket.checksum] = bucket.code


_COMPILED = CompiledTemplates()


class CompiledRule(Rule):
    """A Werkzeug rule whose URL builder is compiled once for all apps of a test run."""

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        key = (self.rule, self.host, self.subdomain, tuple(sorted((self.defaults or {}).items())), append_unknown)
        if key not in _BUILDERS:
            _BUILDERS[key] = super()._compile_builder(append_unknown)
        return _BUILDERS[key]


_BUILDERS: dict[tuple[object, ...], Callable[..., tuple[str, str]]] = {}


def _share_statements(engine: Engine) -> None:
    """Make an engine use the compiled SQL cache of the first engine with the same dialect."""

    def share(*_: object) -> None:
        if engine.name in _FIRST:
            engine.dialect, engine._compiled_cache = _FIRST[engine.name]
        else:
            _FIRST[engine.name] = engine.dialect, engine._compiled_cache

    event.listen(engine, "connect", share, once=True)


_FIRST: dict[str, tuple[Dialect, Any]] = {}
"""By kind of database: of an engine that has been connected."""


def make_app(database_url: str, instance: Path, **environ: str) -> Flask:
    """Return an app created from these settings as the server creates it, with ``TESTING`` set."""
    from webapp.app import create_app
    from webapp.extensions import db

    settings = {
        "TEFUDA_INSTANCE": str(instance),
        "TEFUDA_DATABASE_URL": database_url,
        "TEFUDA_SECRET_KEY": KEY,
        "TEFUDA_RATE_LIMITS": "off",
        **environ,
    }
    with patch.object(Flask, "url_rule_class", CompiledRule):
        app = create_app(settings)
    app.testing = True
    _APPS.add(app)
    app.jinja_env.bytecode_cache = _COMPILED
    with app.app_context():
        _share_statements(db.engine)
    return app


def stop_workers() -> None:
    """End the workers of all apps: some serve all tests of a module. They begin again with the next question."""
    for app in _APPS:
        app.extensions["workers"].stop()


def migrate(app: Flask) -> None:
    from webapp.services.operations import schema

    with app.app_context():
        schema.upgrade()


def client_at(app: Flask, address: str) -> FlaskClient:
    """Return a test client whose requests come from this IP address."""
    client = app.test_client()
    client.environ_base = {**client.environ_base, "REMOTE_ADDR": address}
    return client


def forget(app: Flask) -> None:
    """Forget what the tests before have left in the memory of an app, with their clocks."""
    from webapp.app import caches
    from webapp.services.core.clock import TimeOfDay
    from webapp.services.core.log_lines import LogLines
    from webapp.services.review.reviews import NotStored
    from webapp.services.tables.due import PutOff
    from webapp.services.tables.gaps import LastLook
    from webapp.services.tables.presence import Heartbeats

    app.extensions.update(
        time_of_day=TimeOfDay(),
        log_lines=LogLines(),
        reviews_not_stored=NotStored(),
        tables_put_off=PutOff(),
        last_look=LastLook(),
        heartbeats=Heartbeats(),
        **caches(),  # seeded tests draw the same keys for other hands
    )


def close(app: Flask) -> None:
    """End the app's workers, and close its database connections, so that its database can be dropped."""
    from webapp.extensions import db

    app.extensions["workers"].stop()
    with app.app_context():
        db.session.remove()
        for engine in db.engines.values():
            engine.dispose()
