"""What the page of a simulation shows of a player who counts cards."""

from dataclasses import dataclass
from typing import Self

from webapp.services.lab.jobs import Job
from webapp.web.api.lab_answers import counting_answer
from webapp.web.api.prospects_answers import BetsByCountAnswer, CountedRoundsAnswer, GainAnswer
from webapp.web.api.serialize import ABSENT
from webapp.web.templating import charts

_RARE = 0.0005
"""Share of the rounds below which a count is not shown in the page."""


@dataclass(frozen=True, slots=True)
class CountingResults:
    """Figures and plots: of the counts, and of the bankrolls with each ramp.

    gain: of the first of two ramps over the second. rows: the counts that come up often enough to be shown.
    """

    found: BetsByCountAnswer
    gain: GainAnswer | None
    rows: tuple[CountedRoundsAnswer, ...]
    counts: charts.Bars
    paths: tuple[charts.Paths, ...]

    @classmethod
    def of(cls, job: Job) -> Self | None:
        """Return what is shown of a job; None for one whose player does not count, or without results."""
        found = counting_answer(job) if job.statistics.rounds else None
        if found is None:
            return None
        rows = tuple(row for row in found.counts if row.share >= _RARE) or found.counts
        shares = {row.count: row.share for row in rows}
        least = min(shares)
        counts = charts.bars(
            [shares.get(count, 0.0) for count in range(least, max(shares) + 1)],
            least,
            None,
            {row.count for row in rows if row.mean > row.give_or_take},
            each=1,
        )
        paths = (
            charts.paths([(point.rounds, point.quantiles, point.half_kelly) for point in ramp.paths], ramp.trips)
            for ramp in found.ramps
        )
        gain = None if found.gain is ABSENT else found.gain
        return cls(found, gain, rows, counts, tuple(paths))
