"""The pack of a round: committed to before the cuts, revealed when the round is over."""

from webapp.engine.shuffling import commitment
from webapp.extensions import db
from webapp.models import SharedTable, TableRound
from webapp.services.core.randomness import new_key, new_seed
from webapp.services.fairness.sealing import sealer
from webapp.services.records.stored_round import is_sealed, round_seed


def new_round(table: SharedTable, now: int) -> TableRound:
    """Draw the seed of the next round, commit to it, and add the round to the table."""
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
    """Reveal the seed of a round. If no key opens it, it stays sealed until the key comes back."""
    if is_sealed(round):
        return
    round.revealed_seed, round.sealed_seed = round_seed(round).hex(), None
