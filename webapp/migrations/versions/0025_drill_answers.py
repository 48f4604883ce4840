"""What answers to drills have cost, for the rating of decisions."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "drill_answer",
        sa.Column("player_id", sa.String(24), sa.ForeignKey("player.id"), primary_key=True),
        sa.Column("game", sa.String(20), primary_key=True),
        sa.Column("spot", sa.String(64), primary_key=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("share", sa.Float(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("drill_answer")
