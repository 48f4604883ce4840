"""Decisions that a player is asked again, and since when a player wishes so."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("player", sa.Column("recalls_since", sa.BigInteger()))
    op.create_table(
        "recall",
        sa.Column("word", sa.String(16), primary_key=True),
        sa.Column("player_id", sa.String(24), sa.ForeignKey("player.id"), nullable=False),
        sa.Column("hand_key", sa.String(16), sa.ForeignKey("hand.key"), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("slipped", sa.Boolean(), nullable=False),
        sa.Column("asked", sa.Integer(), nullable=False),
        sa.Column("streak", sa.Integer(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("answer", sa.String(80)),
        sa.Column("due_at", sa.BigInteger()),
        sa.Column("moved_at", sa.BigInteger(), nullable=False),
    )
    op.create_index("recall_once", "recall", ["player_id", "hand_key", "step"], unique=True)
    op.create_index("ix_recall_hand_key", "recall", ["hand_key"])


def downgrade() -> None:
    op.drop_table("recall")
    op.drop_column("player", "recalls_since")
