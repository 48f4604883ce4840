"""Counting of requests for ``/metrics``, where the operator has set a token for it."""

from hmac import compare_digest
from typing import Final

from flask import Flask, Response, current_app, request

from webapp.config import Config
from webapp.services.core.errors import Refusal
from webapp.services.operations.metrics import Answered, Metrics
from webapp.web.i18n.refusals import is_code
from webapp.web.request.logs import refusal_of_request, seconds_taken

OTHER: Final = "other"
"""Label for whatever is not a word of the site's own."""
METHODS: Final = frozenset({"GET", "HEAD", "POST", "OPTIONS"})


def init_app(app: Flask, config: Config) -> None:
    """Count the requests of an app, if anybody may ask for the counts."""
    if not config.metrics_token:
        return
    metrics = app.extensions["metrics"] = Metrics(config, app.extensions["tables"])

    def count(response: Response) -> Response:
        metrics.count(_answered(response))
        return response

    app.after_request(count)


def count_action(game: str, verb: str) -> None:
    """Count an action that was carried out: only then is its verb a word of the game, and not of a visitor."""
    metrics: Metrics | None = current_app.extensions.get("metrics")
    if metrics is not None:
        metrics.count_action(game, verb)


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
    return metrics.text()


def _answered(response: Response) -> Answered:
    refusal = refusal_of_request()
    return Answered(
        method=request.method if request.method in METHODS else OTHER,
        route=request.url_rule.rule if request.url_rule else OTHER,
        status=response.status_code,
        seconds=seconds_taken(),
        refusal=refusal if refusal is None or is_code(refusal) else OTHER,
    )
