"""Metrics of the site in Prometheus' format. No label holds what a visitor has sent: names, keys, codes and cards.

Without a token they cannot be requested; then nothing is counted, and the library is not loaded.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import QueuePool

from webapp.config import Config
from webapp.extensions import db
from webapp.models import OPEN, UNFINISHED, Hand, LabJob, SharedTable
from webapp.services.core.clock import SECOND, now_ms
from webapp.services.core.drafts import draft_of
from webapp.services.operations import shared_metrics

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
    from prometheus_client.registry import Collector

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
    """The metrics of one app."""

    def __init__(self) -> None:
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

        self._registry = CollectorRegistry()
        own: dict[str, Any] = {"registry": self._registry, "namespace": "tefuda"}
        self._requests: Counter = Counter("requests", "Requests", ("method", "route", "status"), **own)
        self._latency: Histogram = Histogram("request_seconds", "Seconds", ("route",), buckets=SECONDS, **own)
        self._actions: Counter = Counter("actions", "Actions carried out", ("game", "verb"), **own)
        self._refusals: Counter = Counter("refusals", "Requests refused", ("code",), **own)
        live: dict[str, Any] = {"multiprocess_mode": "livesum", **own}
        self._streams: Gauge = Gauge("streams", "Event streams that are open", **live)
        self._pool: Gauge = Gauge("database_connections", "Connections of the pool", ("state",), **live)

    def count(self, answered: Answered) -> None:
        """Count a request."""
        self._requests.labels(answered.method, answered.route, answered.status).inc()
        self._latency.labels(answered.route).observe(answered.seconds)
        if answered.refusal:
            self._refusals.labels(answered.refusal).inc()

    def count_action(self, game: str, verb: str) -> None:
        """Count an action that was carried out."""
        self._actions.labels(game, verb).inc()

    def look(self, streams: int) -> None:
        """Record the numbers of streams and connections of this process."""
        self._streams.set(streams)
        if isinstance(pool := db.engine.pool, QueuePool):
            self._pool.labels("in use").set(pool.checkedout())
            self._pool.labels("idle").set(pool.checkedin())

    def text(self, config: Config) -> bytes:
        """Return all metrics: of all processes that share a folder, and what the database says."""
        from prometheus_client import generate_latest

        return (shared_metrics.text() or generate_latest(self._registry)) + generate_latest(_stored(config))


def _stored(config: Config) -> CollectorRegistry:
    """Return a registry with what the database and the last audit say."""
    from prometheus_client import CollectorRegistry
    from prometheus_client.core import GaugeMetricFamily
    from prometheus_client.registry import Collector

    class Stored(Collector):
        def collect(self) -> Iterator[GaugeMetricFamily]:
            for name, text, label, values in _known(config):
                family = GaugeMetricFamily(f"tefuda_{name}", text, labels=[label] if label else [])
                for value, number in values.items():
                    family.add_metric([value] if label else [], number)
                yield family

    registry = CollectorRegistry()
    collector: Collector = Stored()
    registry.register(collector)
    return registry


def _known(config: Config) -> Sequence[Family]:
    """Return what is stored; if the database does not answer, only that."""
    try:
        return (*_numbers(config), ("database_up", "1 if the database answers", "", {"": 1}))
    except SQLAlchemyError:
        db.session.rollback()
        return (("database_up", "1 if the database answers", "", {"": 0}),)


def _numbers(config: Config) -> Iterator[Family]:
    hands = select(Hand.status, func.count()).where(Hand.status.in_(OPEN)).group_by(Hand.status)
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
