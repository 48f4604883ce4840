"""The application factory."""

import os
from collections.abc import Mapping
from typing import Final

from flask import Flask
from jinja2 import ChoiceLoader, FileSystemLoader

from webapp.blueprints import (
    circles,
    coach,
    counting,
    daily,
    drill,
    embed,
    hands,
    install,
    lab,
    lobby,
    me,
    monitoring,
    odds,
    openapi,
    play,
    privacy,
    recalls,
    sign_in,
    spots,
    tables,
)
from webapp.config import (
    COOKIE_DAYS,
    IDLE_SECONDS,
    LOCK_SECONDS,
    MAX_BODY_BYTES,
    POOL_SECONDS,
    POSTGRES_CONNECTIONS,
    SERVER_THREADS,
    STATEMENT_SECONDS,
    STREAMS,
    Config,
    beside,
)
from webapp.extensions import Base, compress, db, prepare_postgresql, prepare_sqlite
from webapp.services.core.clock import TimeOfDay
from webapp.services.core.log_lines import LogLines
from webapp.services.core.other_games import load_games
from webapp.services.fairness.sealing import Sealer
from webapp.services.fairness.verification import Checks
from webapp.services.odds.desk import Desk
from webapp.services.operations.readiness import Probe
from webapp.services.records.hand_state import HandStates
from webapp.services.records.replays import Replays
from webapp.services.records.summary import Summaries
from webapp.services.review.days import DayPlaces
from webapp.services.review.reviews import NotStored
from webapp.services.review.worker import ReviewWorker
from webapp.services.tables.due import PutOff
from webapp.services.tables.gaps import LastLook
from webapp.services.tables.hub import Hub
from webapp.services.tables.presence import Heartbeats
from webapp.services.tables.snapshots import RecentRounds, Snapshots
from webapp.services.timer import Timer, quick_jobs, slow_jobs
from webapp.services.workers import Workers
from webapp.web import errors, metrics, push, refused_names
from webapp.web.hand_page import picture_store
from webapp.web.request import codings, logs, proxies, security
from webapp.web.request.limits import limiter, who_asks
from webapp.web.request.session import COOKIE, SECURE_PREFIX, ClocklessSessionInterface
from webapp.web.templating import environment, static_files, watcher_cache

BLUEPRINTS: Final = (
    *(lobby.bp, install.bp, play.bp, coach.bp, hands.bp, embed.bp, daily.bp, drill.bp, recalls.bp, counting.bp),
    *(me.bp, sign_in.bp, circles.bp, lab.bp, spots.bp, odds.bp, tables.bp, privacy.bp),
    *(monitoring.bp, openapi.bp),
)


def create_app(environ: Mapping[str, str] | None = None) -> Flask:
    """Return the site. ``environ`` overrides settings of the process's environment (see ``webapp.config``)."""
    config = Config.from_environ({**os.environ, **(environ or {})})
    app = Flask("webapp", template_folder=str(beside("templates")), static_folder=str(beside("static")))
    _add_games(app, config)
    app.extensions["config"] = config
    _provide_services(app, config)
    app.config.from_mapping(_flask_settings(config))
    app.session_interface = ClocklessSessionInterface()
    proxies.init_app(app, config)
    _connect(app, config)
    logs.configure()
    logs.init_app(app)
    metrics.init_app(app, config)
    security.init_app(app)
    picture_store.init_app(app, config.instance)
    refused_names.init_app(app, config.instance)
    limiter.init_app(app)
    codings.init_app(app)
    compress.init_app(app)
    environment.init_app(app)
    watcher_cache.init_app(app)
    push.init_app(app)
    errors.init_app(app)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    static_files.init_app(app)
    return app


def _add_games(app: Flask, config: Config) -> None:
    """Register the games of ``TEFUDA_GAMES``, and add their template folders."""
    folders = load_games(config.games)
    if folders:
        loaders = [app.jinja_loader, *map(FileSystemLoader, folders)]
        app.jinja_loader = ChoiceLoader([loader for loader in loaders if loader is not None])


def _flask_settings(config: Config) -> dict[str, object]:
    return {
        "SECRET_KEY": config.secret_keys[0],
        "SECRET_KEY_FALLBACKS": list(config.secret_keys[1:]),
        "SESSION_COOKIE_NAME": f"{SECURE_PREFIX}{COOKIE}" if config.https else COOKIE,
        "SESSION_COOKIE_SECURE": config.https,
        "SESSION_COOKIE_SAMESITE": "Lax",
        "SESSION_REFRESH_EACH_REQUEST": False,
        "PERMANENT_SESSION_LIFETIME": COOKIE_DAYS * 24 * 3600,
        "MAX_CONTENT_LENGTH": MAX_BODY_BYTES,
        "MAX_FORM_MEMORY_SIZE": MAX_BODY_BYTES,
        "TRUSTED_HOSTS": list(config.trusted_hosts) or None,
        "RATELIMIT_ENABLED": config.rate_limits,
        "RATELIMIT_HEADERS_ENABLED": True,
        "SQLALCHEMY_DATABASE_URI": config.database_url,
        "SQLALCHEMY_ENGINE_OPTIONS": _engine_options(config.sqlite),
        "COMPRESS_MIN_SIZE": 1000,
        "COMPRESS_ALGORITHM": ["zstd", "br", "gzip", "deflate"],  # zstd costs an action 0.4 ms less. bench: server
        "COMPRESS_ZSTD_LEVEL": 3,
        "COMPRESS_BR_LEVEL": 5,
    }


def _engine_options(sqlite: bool) -> dict[str, object]:
    options = {
        "pool_timeout": POOL_SECONDS,
        "pool_use_lifo": True,  # the connection that was used last knows the most pages and statements
    }
    if sqlite:
        return {**options, "pool_size": SERVER_THREADS, "max_overflow": 8}
    return {
        **options,
        "pool_size": POSTGRES_CONNECTIONS,
        "max_overflow": 0,
        "connect_args": {"connect_timeout": LOCK_SECONDS},
        "isolation_level": "AUTOCOMMIT",  # a query is one round trip, without BEGIN and ROLLBACK; see ``transaction``
        "skip_autocommit_rollback": True,
    }


def _provide_services(app: Flask, config: Config) -> None:
    """Make what the services of this app keep in memory. No other app in the process has any of it."""
    workers = Workers(config.lab_workers, config.games, who_asks)
    app.extensions.update(
        timer=Timer(app.app_context, quick_jobs(), slow_jobs(config)),
        time_of_day=TimeOfDay(),
        log_lines=LogLines(),
        probe=Probe(config),
        sealer=Sealer(config.secret_keys),
        # processes that compute, and who asks them
        workers=workers,
        odds_desk=Desk(config, workers),
        review_worker=ReviewWorker(config, workers.later),
        reviews_not_stored=NotStored(),
        # shared tables
        tables=Hub(app.app_context, config.database_url, STREAMS),
        heartbeats=Heartbeats(),
        last_look=LastLook(),
        tables_put_off=PutOff(),
        **caches(),
    )


def caches() -> dict[str, object]:
    """Return empty caches of what the services compute from stored rows."""
    return {
        "snapshots": Snapshots(),
        "recent_rounds": RecentRounds(size=1024),
        "hand_states": HandStates(size=512),
        "replays": Replays(size=256),
        "summaries": Summaries(size=256),
        "checks": Checks(size=256),
        "day_places": DayPlaces(size=2000),
    }


def _connect(app: Flask, config: Config) -> None:
    db.init_app(app)
    assert db.metadata is Base.metadata
    with app.app_context():
        if config.sqlite:
            prepare_sqlite(db.engine, LOCK_SECONDS)
        else:
            prepare_postgresql(db.engine, LOCK_SECONDS, STATEMENT_SECONDS, IDLE_SECONDS)
