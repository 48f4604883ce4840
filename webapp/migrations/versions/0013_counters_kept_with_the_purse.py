"""Count finished hands and rounds by their outcome, and let players end all their sessions.

Pages counted all hands of a player each time. The counters are filled from what is stored.
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

HANDS = """
INSERT INTO outcome_count (player_id, game, variant, outcome, hands, staked, returned)
SELECT hand.player_id, hand.game, hand.variant, coalesce(hand.outcome, ''), count(*),
    coalesce(sum(moved.staked), 0), coalesce(sum(moved.returned), 0)
FROM hand LEFT JOIN (
    SELECT hand_key, -sum(CASE WHEN reason = 'payout' THEN 0 ELSE amount END) AS staked,
        sum(CASE WHEN reason = 'payout' THEN amount ELSE 0 END) AS returned
    FROM ledger_entry WHERE hand_key IS NOT NULL GROUP BY hand_key
) AS moved ON moved.hand_key = hand.key
WHERE hand.finished_at IS NOT NULL AND hand.cut IS NOT NULL
GROUP BY hand.player_id, hand.game, hand.variant, coalesce(hand.outcome, '')
"""
ROUNDS = """
INSERT INTO outcome_count (player_id, game, variant, outcome, hands, staked, returned)
SELECT round_seat.player_id, table_round.game, table_round.variant, coalesce(round_seat.outcome, ''), count(*), 0, 0
FROM round_seat JOIN table_round ON table_round.key = round_seat.round_key
WHERE round_seat.finished_at IS NOT NULL
GROUP BY round_seat.player_id, table_round.game, table_round.variant, coalesce(round_seat.outcome, '')
"""


def upgrade() -> None:
    op.create_table(
        "outcome_count",
        sa.Column("player_id", sa.String(24), sa.ForeignKey("player.id"), primary_key=True),
        sa.Column("game", sa.String(20), primary_key=True),
        sa.Column("variant", sa.String(300), primary_key=True),
        sa.Column("outcome", sa.String(40), primary_key=True),
        sa.Column("hands", sa.Integer(), nullable=False),
        sa.Column("staked", sa.BigInteger(), nullable=False),
        sa.Column("returned", sa.BigInteger(), nullable=False),
    )
    op.execute(HANDS)
    op.execute(ROUNDS)
    op.execute("ALTER TABLE player ADD COLUMN session_number INTEGER NOT NULL DEFAULT 0")


def downgrade() -> None:
    op.execute("ALTER TABLE player DROP COLUMN session_number")
    op.drop_table("outcome_count")
