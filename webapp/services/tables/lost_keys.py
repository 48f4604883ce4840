"""Rounds of shared tables that no key opens: they wait for the key, and become void if it stays missing."""

from webapp.services.core.clock import DAY, was_set_forward
from webapp.services.core.errors import Refusal
from webapp.services.records.stored_round import is_sealed
from webapp.services.tables.play import absence, rounds, settlement
from webapp.services.tables.versions import bump_version, locked, publish

LOST_AFTER = 2 * DAY
"""As for hands that are played alone, counted from when it was first noticed that no key opens the round."""


def give_up_or_wait(code: str, now: int) -> None:
    """Note that no key opens the round of a table, or end it as void if that was noticed long ago.

    The stakes go back, and the table waits for the next round. The sealed seed stays: should the key come back, the
    round has its page and its proof.

    Raises:
        Refusal: ``round-sealed``: the round still waits for its key.
    """
    with locked(code) as table:
        round = rounds.round_of(table)
        if not is_sealed(round):
            return
        if round.sealed_since is None:
            round.sealed_since = now
        waits = now < round.sealed_since + LOST_AFTER or was_set_forward()
        if not waits:
            settlement.return_stakes(table, round, now)
            absence.free_seats(table)
            rounds.wait(table)
            bump_version(table, now)
    if waits:
        raise Refusal("round-sealed", code)
    publish(table)
