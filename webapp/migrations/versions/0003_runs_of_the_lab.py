"""runs of the lab"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "lab_run",
        sa.Column("key", sa.String(length=16), nullable=False),
        sa.Column("player_id", sa.String(length=24), nullable=False),
        sa.Column("table", sa.String(length=300), nullable=False),
        sa.Column("strategy", sa.String(length=20), nullable=False),
        sa.Column("sheet", sa.Text(), nullable=True),
        sa.Column("other_table", sa.String(length=300), nullable=True),
        sa.Column("other_strategy", sa.String(length=20), nullable=True),
        sa.Column("other_sheet", sa.Text(), nullable=True),
        sa.Column("rounds", sa.BigInteger(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("bet", sa.Integer(), nullable=False),
        sa.Column("chunk", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("chunks", sa.Integer(), nullable=False),
        sa.Column("counted", sa.Text(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("stop_asked", sa.Boolean(), nullable=False),
        sa.Column("interrupted", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("served", sa.BigInteger(), nullable=False),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("(status IN ('waiting', 'running')) = (finished_at IS NULL)", name="lab_run_finished"),
        sa.CheckConstraint(
            "status IN ('waiting', 'running', 'done', 'stopped', 'failed')", name="lab_run_status"
        ),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_index("lab_run_player", "lab_run", ["player_id", "created_at"])
    op.create_index(
        "lab_run_unfinished",
        "lab_run",
        ["created_at"],
        sqlite_where=sa.text("status IN ('waiting', 'running')"),
        postgresql_where=sa.text("status IN ('waiting', 'running')"),
    )


def downgrade() -> None:
    op.drop_index("lab_run_unfinished", table_name="lab_run")
    op.drop_index("lab_run_player", table_name="lab_run")
    op.drop_table("lab_run")
