"""Health checks and metrics."""

from collections.abc import Callable

from flask import Blueprint, Response

from webapp.services.operations import readiness
from webapp.web import metrics as counted
from webapp.web.api.openapi_operations import Operation, describe
from webapp.web.errors import RETRY_AFTER
from webapp.web.request.limits import limiter

bp = Blueprint("monitoring", __name__)


@bp.get("/healthz")
@limiter.exempt
@describe(Operation(name="lobby_healthz", answers={200: "text/plain"}))
def healthz() -> Response:
    """Return ``ok`` when the database answers, else 503."""
    return _verdict(readiness.probe().check_database)


@bp.get("/readyz")
@limiter.exempt
@describe(Operation(name="lobby_readyz", answers={200: "text/plain"}))
def readyz() -> Response:
    """Return ``ok`` when the database has this version's tables and can be written, else 503 with the reason."""
    return _verdict(readiness.probe().check_ready)


@bp.get("/metrics")
@limiter.exempt
@describe(Operation(name="lobby_metrics", answers={200: "text/plain"}))
def metrics() -> Response:
    """Return metrics in Prometheus' format, if the operator's token is sent as ``Bearer``."""
    return Response(counted.text(), mimetype="text/plain")


def _verdict(check: Callable[[], None]) -> Response:
    try:
        check()
    except readiness.NotReady as error:
        return Response(f"{error}\n", 503, mimetype="text/plain", headers={"Retry-After": RETRY_AFTER})
    return Response("ok\n", mimetype="text/plain")
