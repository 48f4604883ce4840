"""Reviews of finished hands: stored with the version of the method, and computed if there is none yet.

Only hands that were played out have a review.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from flask import current_app
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from webapp.engine.odds.review import VERSION
from webapp.engine.odds.value import NoOdds
from webapp.extensions import db
from webapp.models import Review
from webapp.services.core import clock
from webapp.services.core.database import retried, writing
from webapp.services.core.errors import Refusal
from webapp.services.odds.desk import Pending, has_odds
from webapp.services.records.finished import Finished
from webapp.services.review.recall_choice import take_in
from webapp.services.review.statistics import add_review
from webapp.services.review.worker import ReviewWorker


def review_summary(finished: Finished, document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return ``costs`` of the decisions of a hand that somebody played alone, and the ``measure`` of them.

    A fair bet is no decision. The measure is what was staked, or the best values where nothing is.
    """
    graded = [decision for decision in document["decisions"] if decision["grade"]]
    staked = finished.staked if finished.rules.bets else sum(decision["best_value"] for decision in graded)
    return {"costs": [decision["cost"] for decision in graded], "measure": staked}


Document = dict[str, Any]

WAIT_SECONDS: Final = 1.5
"""Seconds for which somebody who asks for a review alone may wait for it."""
MOST_NOT_STORED: Final = 200
"""Reviews that wait to be stored."""


class NotStored:
    """The reviews that one app has worked out and not stored yet, by the key of their hand."""

    def __init__(self) -> None:
        self.reviews: dict[str, tuple[Finished, Document]] = {}

    def put(self, finished: Finished, document: Document) -> None:
        """Keep a review until it is stored, unless there are too many: then it is worked out again."""
        if len(self.reviews) < MOST_NOT_STORED:
            self.reviews[finished.key] = finished, document

    def take(self) -> tuple[Finished, Document] | None:
        """Return one of them, which is kept no longer; None if there is none."""
        try:
            return self.reviews.popitem()[1]
        except KeyError:
            return None


def _not_stored() -> NotStored:
    not_stored: NotStored = current_app.extensions["reviews_not_stored"]
    return not_stored


def has_review(finished: Finished) -> bool:
    """Return True if a hand can be reviewed here: it was played out, and its game has odds."""
    return finished.status == "done" and finished.replay.result is not None and has_odds(finished.game.spec.code)


def stored_review(key: str) -> Document | None:
    """Return the review of a hand as ``webapp.engine.odds.review`` describes it, None if there is none yet.

    One that was worked out here and is stored in a moment counts.
    """
    worked_out = _not_stored().reviews.get(key)
    if worked_out is not None:
        return worked_out[1]
    query = select(Review.document).where(Review.key == key, Review.version == VERSION)
    text = db.session.scalar(query)
    document: Document | None = json.loads(text) if text else None
    return document


def work_out(finished: Finished, seconds: float = WAIT_SECONDS) -> Document:
    """Return the review of a hand. A new one is stored a moment later.

    Raises:
        NoOdds: the hand has none.
        Pending: it is being worked out.
        Refusal: ``odds-later``, ``odds-not-here``.
    """
    document = stored_review(finished.key)
    if document is not None:
        return document
    if not has_review(finished):
        raise NoOdds(f"there is no review of {finished.key}")
    db.session.rollback()  # nothing is held while others compute
    worker: ReviewWorker = current_app.extensions["review_worker"]
    document = worker.ask(finished.key, finished.notation, seconds)
    if document is None:
        raise Pending
    if "error" in document:
        raise NoOdds(document["text"])
    _not_stored().put(finished, document)
    return document


def store_worked_out() -> None:
    """Store the reviews that were worked out meanwhile. The timer does so: requests that only look write nothing."""
    while (found := _not_stored().take()) is not None:
        store(*found)


def is_stored_soon(key: str) -> bool:
    """Return True for a review that is worked out and not stored yet."""
    return key in _not_stored().reviews


def store(finished: Finished, document: Document) -> None:
    """Store the review of a hand, unless another process has just stored the same."""
    with suppress(IntegrityError):
        retried(lambda: _store(finished, document))


def review_or_none(finished: Finished) -> Document | None:
    """Return the review of a hand if it is there; if not, have it worked out, and wait for nothing."""
    with suppress(NoOdds, Pending, Refusal):
        return work_out(finished, 0)
    return None


def _store(finished: Finished, document: Document) -> None:
    with writing() as session:
        known = session.get(Review, finished.key)
        if known is not None and known.version == VERSION:
            return
        if known is None:
            known = Review(key=finished.key)
            session.add(known)
        known.version, known.at = VERSION, clock.now_ms()
        known.document = json.dumps(document, separators=(",", ":"))
        known.summary = (
            None if finished.seats else json.dumps(review_summary(finished, document), separators=(",", ":"))
        )
        session.flush()
        take_in(session, finished, document)
        add_review(session, finished, document)
