"""Reports of names, for the operator to look at."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "name_report",
        sa.Column("player_id", sa.String(24), sa.ForeignKey("player.id"), primary_key=True),
        sa.Column("name", sa.String(80), primary_key=True),
        sa.Column("reporter_id", sa.String(24), sa.ForeignKey("player.id"), primary_key=True),
        sa.Column("table_code", sa.String(8), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("name_report")
