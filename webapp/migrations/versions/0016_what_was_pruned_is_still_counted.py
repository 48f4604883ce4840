"""Count the hands that were pruned.

The audit adds up counters, numbers and payouts from the hands themselves: it needs to know how many are stored no more.
"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "pruned_count",
        sa.Column("player_id", sa.String(24), sa.ForeignKey("player.id"), primary_key=True),
        sa.Column("game", sa.String(20), primary_key=True),
        sa.Column("variant", sa.String(300), primary_key=True),
        sa.Column("outcome", sa.String(40), primary_key=True),
        sa.Column("hands", sa.Integer(), nullable=False),
        sa.Column("staked", sa.BigInteger(), nullable=False),
        sa.Column("returned", sa.BigInteger(), nullable=False),
        sa.Column("best", sa.BigInteger(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("pruned_count")
