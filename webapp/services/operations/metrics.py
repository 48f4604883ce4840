"""Metrics of one process in Prometheus' format. No label holds what a visitor has sent: names, keys, codes and cards.

Without a token they cannot be requested; then nothing is counted, and the library is not loaded.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import QueuePool

from webapp.config import Config
from webapp.extensions import db
from webapp.models import IS_PLAY, OPEN, UNFINISHED, Hand, LabJob, SharedTable
from webapp.services.core.clock import SECOND, now_ms
from webapp.services.core.drafts import draft_of
from webapp.services.tables.hub import Hub

if TYPE_CHECKING:
    from prometheus_client import Counter, Histogram
    from prometheus_client.core import GaugeMetricFamily

SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of latencies that are told apart."""
VERDICT: Final = "audit.json"
"""File in the instance folder with the audit's last verdict."""


Family = tuple[str, str, str, Mapping[str, float]]
"""Name, description, label and numbers by the value of the label."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A request that was answered. All words are the site's own; ``refusal`` is a code."""

    method: str
    route: str
    status: int
    seconds: float
    refusal: str | None


class Metrics:
    """The metrics of one app: what it has counted, and what is measured when somebody asks.

    Args:
        config: Settings of the site.
        hub: Its event streams.
    """

    def __init__(self, config: Config, hub: Hub) -> None:
        from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics

        disable_created_metrics()  # type: ignore[no-untyped-call]
        self._config, self._hub = config, hub
        self._registry = CollectorRegistry()
        own: dict[str, Any] = {"registry": self._registry, "namespace": "tefuda"}
        self._requests: Counter = Counter("requests", "Requests", ("method", "route", "status"), **own)
        self._latency: Histogram = Histogram("request_seconds", "Seconds", ("route",), buckets=SECONDS, **own)
        self._actions: Counter = Counter("actions", "Actions carried out", ("game", "verb"), **own)
        self._refusals: Counter = Counter("refusals", "Requests refused", ("code",), **own)
        self._registry.register(self)

    def count(self, answered: Answered) -> None:
        """Count a request."""
        self._requests.labels(answered.method, answered.route, answered.status).inc()
        self._latency.labels(answered.route).observe(answered.seconds)
        if answered.refusal:
            self._refusals.labels(answered.refusal).inc()

    def count_action(self, game: str, verb: str) -> None:
        """Count an action that was carried out."""
        self._actions.labels(game, verb).inc()

    def text(self) -> bytes:
        """Return all metrics. To be called in a context of the app."""
        from prometheus_client import generate_latest

        return generate_latest(self._registry)

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield what is measured now; the registry calls this for ``text``."""
        from prometheus_client.core import GaugeMetricFamily

        for name, text, label, values in (*_open_here(self._hub), *_known(self._config)):
            family = GaugeMetricFamily(f"tefuda_{name}", text, labels=[label] if label else [])
            for value, number in values.items():
                family.add_metric([value] if label else [], number)
            yield family


def _open_here(hub: Hub) -> Iterator[Family]:
    """Yield what this process has open."""
    yield "streams", "Event streams that are open", "", {"": hub.streams}
    if isinstance(pool := db.engine.pool, QueuePool):
        states = {"in use": pool.checkedout(), "idle": pool.checkedin()}
        yield "database_connections", "Connections of the pool", "state", states


def _known(config: Config) -> tuple[Family, ...]:
    """Return what is stored; if the database does not answer, only that."""
    try:
        return (*_numbers(config), ("database_up", "1 if the database answers", "", {"": 1}))
    except SQLAlchemyError:
        db.session.rollback()
        return (("database_up", "1 if the database answers", "", {"": 0}),)


def _numbers(config: Config) -> Iterator[Family]:
    hands = select(Hand.status, func.count()).where(Hand.status.in_(OPEN), IS_PLAY).group_by(Hand.status)
    yield "open_hands", "Hands that are not over", "status", _counts(OPEN, hands)
    tables = select(SharedTable.phase, func.count()).where(SharedTable.phase != "closed").group_by(SharedTable.phase)
    phases = ("waiting", "betting", "playing", "settled")
    yield "tables", "Shared tables that are open", "phase", _counts(phases, tables)
    jobs = select(LabJob.status, func.count()).where(LabJob.status.in_(UNFINISHED)).group_by(LabJob.status)
    yield "lab_jobs", "Simulations that are not finished", "status", _counts(UNFINISHED, jobs)
    verdict = _last_verdict(config.instance)
    if verdict is not None:
        findings, at = verdict
        yield "audit_findings", "Findings of the last audit", "", {"": findings}
        yield "audit_timestamp_seconds", "Unix time of the last audit", "", {"": at / SECOND}


def _counts(known: tuple[str, ...], query: object) -> dict[str, float]:
    counted = {str(word): float(count) for word, count in db.session.execute(query)}  # type: ignore[call-overload]
    return {word: counted.get(word, 0.0) for word in known}


# ------------------------------------------------------------------------------------------------ the audit's verdict


def keep_verdict(instance: Path, findings: int) -> None:
    """Remember how many findings the audit had, and when."""
    draft = draft_of(instance / VERDICT)
    draft.write_text(json.dumps({"findings": findings, "at": now_ms()}))
    draft.replace(instance / VERDICT)


def _last_verdict(instance: Path) -> tuple[int, int] | None:
    with suppress(OSError, ValueError, KeyError):
        verdict = json.loads((instance / VERDICT).read_text())
        return int(verdict["findings"]), int(verdict["at"])
    return None
