"""The next round of a shared table, committed to before the cuts, and the end of one. Reading: ``records``."""

from webapp.engine.shuffling import commitment
from webapp.extensions import db
from webapp.models import SharedTable, TableRound
from webapp.services.core.randomness import new_key, new_seed
from webapp.services.fairness.sealing import sealer
from webapp.services.records.stored_round import (
    AutoMove,
    bet_of_seat,
    place_of_seat,
    round_auto_moves,
    round_cuts,
    round_game,
    round_moves,
    round_nets,
    round_seed,
    round_setup,
    round_stakes,
    round_state,
    round_states,
)

__all__ = [
    "AutoMove",
    "bet_of_seat",
    "new_round",
    "place_of_seat",
    "reveal",
    "round_auto_moves",
    "round_cuts",
    "round_game",
    "round_moves",
    "round_nets",
    "round_seed",
    "round_setup",
    "round_stakes",
    "round_state",
    "round_states",
]


def new_round(table: SharedTable, now: int) -> TableRound:
    """Add the next round: its seed is drawn and committed to before anybody has cut."""
    seed, key = new_seed(), new_key()
    round = TableRound(
        key=key,
        table_code=table.code,
        game=table.game,
        variant=table.variant,
        seq=table.rounds + 1,
        status="ready",
        commitment=commitment(seed, key),
        sealed_seed=sealer().seal(key, table.code, seed),
        moves="",
        autos="",
        step=0,
        dealt=False,
        created_at=now,
        bets=[],
    )
    table.round_key = key
    db.session.add(round)
    return round


def reveal(round: TableRound) -> None:
    """Reveal the seed of a round."""
    round.revealed_seed, round.sealed_seed = round_seed(round).hex(), None
