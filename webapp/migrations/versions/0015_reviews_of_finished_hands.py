"""Store the review of a finished hand once it is worked out, and what reviews come to for a player."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "review",
        sa.Column("key", sa.String(16), primary_key=True),
        sa.Column("version", sa.String(20), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "decision_statistics",
        sa.Column("player_id", sa.String(24), sa.ForeignKey("player.id"), primary_key=True),
        sa.Column("game", sa.String(20), primary_key=True),
        sa.Column("variant", sa.String(300), primary_key=True),
        sa.Column("version", sa.String(20), primary_key=True),
        sa.Column("hands", sa.Integer(), nullable=False),
        sa.Column("decisions", sa.Integer(), nullable=False),
        sa.Column("best", sa.Integer(), nullable=False),
        sa.Column("cost", sa.Float(), nullable=False),
        sa.Column("staked", sa.BigInteger(), nullable=False),
        sa.Column("luck", sa.Float(), nullable=False),
        sa.Column("luck_squared", sa.Float(), nullable=False),
        sa.Column("dearest", sa.Text(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("decision_statistics")
    op.drop_table("review")
