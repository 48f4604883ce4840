"""Logging: one line of JSON a request. No card, seed or cookie is handed to the log."""

import logging
import time

import structlog
from flask import Flask, Response, g, request

log = structlog.get_logger()


def configure() -> None:
    """Set structlog up for this process."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.WriteLoggerFactory(),
    )


def init_app(app: Flask) -> None:
    """Log the requests of an app."""
    app.before_request(_begin)
    app.after_request(_end)


def _begin() -> None:
    g.began = time.perf_counter()


def _end(response: Response) -> Response:
    taken = time.perf_counter() - g.get("began", time.perf_counter())
    log.info(
        "request",
        method=request.method,
        route=request.url_rule.rule if request.url_rule else None,
        status=response.status_code,
        ms=round(1000 * taken, 1),
    )
    return response
