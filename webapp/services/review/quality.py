"""Quality of play at a daily deal: by the cost of each decision, whatever the cards brought."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from webapp.engine.odds.review import VERSION
from webapp.engine.odds.value import NoOdds
from webapp.extensions import db
from webapp.models import IS_DAILY, Hand, Review
from webapp.services.core.errors import Refusal
from webapp.services.deals.crowd import MOST
from webapp.services.deals.daily import deal_key
from webapp.services.deals.day_view import Day, DealOfDay, Distribution, distribution
from webapp.services.odds.desk import Pending
from webapp.services.records.lookup import finished_hand
from webapp.services.review import reviews
from webapp.services.review.reviews import review_summary


@dataclass(frozen=True, slots=True)
class Quality:
    """Costs of the decisions of one or several hands, in their order; a fair bet is none.

    ``measure``: what cost is a share of, the stake, or the best values where nothing is staked.
    """

    costs: tuple[float, ...]
    measure: float

    @property
    def best(self) -> int:
        """Decisions of which none was better."""
        return sum(not cost for cost in self.costs)

    @property
    def cost(self) -> float:
        """Cost of all of them together."""
        return sum(self.costs)

    @property
    def kept(self) -> float:
        """The share of what could be had that was not given away, from 0 to 1."""
        return max(0.0, 1 - self.cost / self.measure) if self.measure else 1.0

    @property
    def percent(self) -> int:
        """The same in whole hundredths, which are 100 only if nothing was given away."""
        return 100 if not self.cost else min(99, round(100 * self.kept))


@dataclass(frozen=True, slots=True)
class Qualities:
    """The quality of a player's try at a daily deal, and of all tries, in hundredths.

    ``own`` is None while a round of it has no review, which is worked out if it ``waits``. ``all`` is None while there
    are too few.
    """

    own: Quality | None
    all: Distribution | None
    waits: bool


def qualities_of(day: Day) -> Mapping[str, Qualities]:
    """Return how well the deals of a day were played, by their games; nothing to who may still play one and has not."""
    return {deal.game: _qualities(day, deal) for deal in day.deals}


def stored_qualities(tries: Sequence[Sequence[str]]) -> list[Quality | None]:
    """Return the quality of each try, given by the keys of its rounds; None while one of them has no review."""
    known = dict(_summaries(Review.key.in_([key for keys in tries for key in keys])))
    return [_joined(known[key] for key in keys) if all(key in known for key in keys) else None for keys in tries]


def _qualities(day: Day, deal: DealOfDay) -> Qualities:
    if not (day.is_over or deal.result is not None):
        return Qualities(None, None, waits=False)
    own, waits = _own(deal)
    return Qualities(own, _of_all(day.day, deal, own), waits)


def _own(deal: DealOfDay) -> tuple[Quality | None, bool]:
    """Return the quality of a player's own try, and whether it is still worked out, which begins with the question."""
    if deal.result is None:
        return None, False
    known = dict(_summaries(Review.key.in_(deal.hands)))
    waits = False
    for key in deal.hands:
        if key not in known:
            try:
                finished = finished_hand(key, _player_of(key))
                known[key] = review_summary(finished, reviews.work_out(finished, 0))
            except Pending:
                waits = True
            except (NoOdds, Refusal):  # it is not worked out here, or not now
                continue
    return (_joined(known[key] for key in deal.hands) if len(known) == len(deal.hands) else None), waits


def _of_all(day: str, deal: DealOfDay, own: Quality | None) -> Distribution | None:
    """Return how well all played whose rounds have been reviewed."""
    of_deal = (Hand.daily_key == deal_key(day, deal.game), IS_DAILY)
    owners = select(Hand.key, Hand.player_id).where(*of_deal, Hand.status == "done")
    players: dict[str, list[str]] = {}
    for key, player in db.session.execute(owners.order_by(Hand.created_at).limit(MOST * deal.rounds)):
        players.setdefault(player, []).append(key)
    known = dict(_summaries(Review.key.in_(select(Hand.key).where(*of_deal))))
    whole = (keys for keys in players.values() if len(keys) == deal.rounds and all(key in known for key in keys))
    found = [_joined(known[key] for key in keys).percent for keys in whole]
    return distribution(found, own.percent if own else None)


def _summaries(*which: Any) -> Iterable[tuple[str, Mapping[str, Any]]]:
    query = select(Review.key, Review.summary).where(Review.version == VERSION, Review.summary.is_not(None), *which)
    return [(key, json.loads(summary)) for key, summary in db.session.execute(query) if summary]


def _joined(summaries: Iterable[Mapping[str, Any]]) -> Quality:
    kept: Sequence[Mapping[str, Any]] = tuple(summaries)
    costs = tuple(cost for summary in kept for cost in summary["costs"])
    return Quality(costs, sum(summary["measure"] for summary in kept))


def _player_of(key: str) -> str:
    return db.session.get_one(Hand, key).player_id
