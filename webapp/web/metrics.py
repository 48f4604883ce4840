"""Counting of requests for ``/metrics``, where the operator has set a token for it."""

import time
from hmac import compare_digest
from typing import Final

from flask import Flask, Response, current_app, request

from webapp.config import Config
from webapp.engine.games import COMPANY, GAMES, WORDS
from webapp.services.core.errors import Refusal
from webapp.services.operations.metrics import Answered, Metrics
from webapp.web.i18n.refusals import is_code
from webapp.web.request.logs import refusal_of_request, seconds_taken

OTHER: Final = "other"
"""Label for whatever is not a word of the site's own."""
METHODS: Final = frozenset({"GET", "HEAD", "POST", "OPTIONS"})
LOOK_EVERY: Final = 1.0
"""Seconds between two looks at what a process has open."""
_ACTING: Final = ("play.act", "tables.act")
"""Endpoints to which actions are posted."""


def init_app(app: Flask, config: Config) -> None:
    """Count the requests of an app, if anybody may ask for the counts."""
    if not config.metrics_token:
        return
    metrics = app.extensions["metrics"] = Metrics()
    looked_at = float("-inf")

    def count(response: Response) -> Response:
        nonlocal looked_at
        metrics.count(_answered(response))
        now = time.monotonic()
        if now - looked_at >= LOOK_EVERY:
            looked_at = now
            metrics.look(app.extensions["tables"].streams)
        return response

    app.after_request(count)


def text() -> bytes:
    """Return the metrics to whoever sends the token.

    Raises:
        Refusal: ``metrics-off`` without a token among the settings, ``metrics-token`` for another one.
    """
    config: Config = current_app.extensions["config"]
    if not config.metrics_token:
        raise Refusal("metrics-off")
    sent = request.headers.get("Authorization", "")
    if not compare_digest(sent.encode(), f"Bearer {config.metrics_token}".encode()):
        raise Refusal("metrics-token")
    metrics: Metrics = current_app.extensions["metrics"]
    metrics.look(current_app.extensions["tables"].streams)
    return metrics.text(config)


def _answered(response: Response) -> Answered:
    refusal = refusal_of_request()
    return Answered(
        method=request.method if request.method in METHODS else OTHER,
        route=request.url_rule.rule if request.url_rule else OTHER,
        status=response.status_code,
        seconds=seconds_taken(),
        refusal=refusal if refusal is None or is_code(refusal) else OTHER,
        action=_action() if response.status_code < 400 else None,
    )


def _action() -> tuple[str, str] | None:
    if request.endpoint not in _ACTING:
        return None
    code = COMPANY.spec.code if request.endpoint == "tables.act" else (request.view_args or {}).get("code", "")
    verb = request.form.get("verb", "")
    return code if code in GAMES else OTHER, verb if verb in WORDS.moves else OTHER
