"""The ASGI app of the site: Flask in threads, event streams beside it."""

from flask import Flask

from webapp.config import SERVER_THREADS, Config
from webapp.engine.games import GAMES
from webapp.event_loop.asgi import EventLoopApp
from webapp.event_loop.lanes import Lane
from webapp.services.lab import supervisor


def asgi_app(app: Flask) -> EventLoopApp:
    """Return the ASGI app of a site. Before its first request it starts housekeeping and the supervisor of the lab."""

    def begin() -> None:
        app.extensions["housekeeping"].start()
        supervisor.start(config, app.app_context)
        if config.lab_workers:
            app.extensions["workers"].prepare()

    config: Config = app.extensions["config"]
    at_once = 1 if config.has_near_database else None  # bench: tables
    site = EventLoopApp(app, SERVER_THREADS, counts_by_address(config), begin, lanes(), at_once)
    app.extensions["pushed_views"].in_thread = site.threads.submit
    return site


def lanes() -> tuple[Lane, ...]:
    """Return the lanes of requests that must not delay card actions: questions to the odds desk, and opening streams.

    Questions that wait for tables to be computed have a lane of their own, so that others are answered meanwhile.
    Streams have one because thousands of them reconnect at once after a restart.
    """
    return (
        Lane(("/lab/spot/", "/lab/chart", "/lab/strategy.csv"), 4),
        Lane(tuple(f"/odds/{code}/price" for code in GAMES), 4),
        Lane(("/odds/",), 2),
        Lane(("/t/",), 4, "/events", is_urgent=True),  # bench: storms
    )


def counts_by_address(config: Config) -> bool:
    """Return True if running requests are limited by address: not behind a proxy, from which all of them come."""
    return config.rate_limits and not config.public_url
