"""Logging: one line of JSON a request. No card, seed, cookie or code of a table is handed to the log.

A line has the route and not the address that was asked for, and of the visitor the network alone, unless set otherwise.
"""

import logging
import time
from functools import lru_cache
from ipaddress import ip_address, ip_network
from typing import Final

import structlog
from flask import Flask, Response, current_app, request

from webapp.services.core.randomness import new_reference

log = structlog.get_logger()

REQUEST_ID: Final = "X-Request-Id"
"""Header of every answer: the word under which its line is found in the log."""
_ID: Final = "tefuda.request_id"
"""Key in the WSGI environment, as are the following."""
_REFUSAL: Final = "tefuda.refusal"
_BEGAN: Final = "tefuda.began"
PREFIXES: Final = {4: 24, 6: 48}
"""Bits of an address that name its network."""
_PROCESSORS: Final[list[structlog.typing.Processor]] = [
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso"),
    structlog.processors.JSONRenderer(),
]
"""One list for all apps of a process: loggers keep the one they are first used with."""


def configure() -> None:
    """Set structlog up for this process."""
    structlog.configure(
        processors=_PROCESSORS,
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.WriteLoggerFactory(),
        cache_logger_on_first_use=True,  # bench: server
    )


def init_app(app: Flask) -> None:
    """Log the requests of an app."""
    app.before_request(_begin)
    app.after_request(_end)


def request_id() -> str:
    """Return the word under which this request is found in the log."""
    return str(request.environ.setdefault(_ID, new_reference()))


def note_refusal(code: str) -> None:
    """Note why this request was refused."""
    request.environ[_REFUSAL] = code


def refusal_of_request() -> str | None:
    """Return why this request was refused, None if it was not."""
    code: str | None = request.environ.get(_REFUSAL)
    return code


def seconds_taken() -> float:
    """Return the time since this request began."""
    now = time.perf_counter()
    return float(now - request.environ.get(_BEGAN, now))


@lru_cache(maxsize=1024)  # each request asks. bench: server
def logged_address(address: str, kind: str) -> str | None:
    """Return the part of an address that is logged; ``kind`` is the setting ``log_addresses``."""
    try:
        ip = ip_address(address)
    except ValueError:
        return None
    ip = getattr(ip, "ipv4_mapped", None) or ip
    if kind == "network":
        return str(ip_network((ip, PREFIXES[ip.version]), strict=False))
    return str(ip) if kind == "full" else None


def _begin() -> None:
    request.environ[_BEGAN] = time.perf_counter()


def _end(response: Response) -> Response:
    response.headers[REQUEST_ID] = request_id()
    log.info(
        "request",
        id=request_id(),
        method=request.method,
        route=request.url_rule.rule if request.url_rule else None,
        status=response.status_code,
        refusal=refusal_of_request(),
        address=logged_address(request.remote_addr or "", current_app.extensions["config"].log_addresses),
        ms=round(1000 * seconds_taken(), 1),
    )
    return response
