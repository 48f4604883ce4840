"""Summary of a review, kept beside it: the cost of each decision of a hand."""

from collections.abc import Mapping
from typing import Any

from webapp.services.records.finished import Finished


def review_summary(finished: Finished, document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return ``costs`` of the decisions of a hand that somebody played alone, and the ``measure`` of them.

    A fair bet is no decision. The measure is what was staked, or the best values where nothing is.
    """
    graded = [decision for decision in document["decisions"] if decision["grade"]]
    staked = finished.staked if finished.rules.bets else sum(decision["best_value"] for decision in graded)
    return {"costs": [decision["cost"] for decision in graded], "measure": staked}
