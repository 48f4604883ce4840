"""Circles of players, and the shared tables that were opened for one."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "circle",
        sa.Column("code", sa.String(8), primary_key=True),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("keeper_id", sa.String(24), sa.ForeignKey("player.id"), nullable=False),
        sa.Column("opened_at", sa.BigInteger(), nullable=False),
        sa.Column("last_number", sa.Integer(), nullable=False),
    )
    op.create_index("ix_circle_keeper_id", "circle", ["keeper_id"])
    op.create_table(
        "circle_member",
        sa.Column("circle_code", sa.String(8), sa.ForeignKey("circle.code"), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("player_id", sa.String(24), sa.ForeignKey("player.id"), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("name_number", sa.Integer(), nullable=False),
        sa.Column("joined_at", sa.BigInteger(), nullable=False),
        sa.Column("removed_at", sa.BigInteger()),
    )
    op.create_index("circle_member_once", "circle_member", ["circle_code", "player_id"], unique=True)
    op.create_index("ix_circle_member_player_id", "circle_member", ["player_id"])
    op.add_column("shared_table", sa.Column("circle_code", sa.String(8)))
    op.create_index("ix_shared_table_circle_code", "shared_table", ["circle_code"])


def downgrade() -> None:
    op.drop_index("ix_shared_table_circle_code", "shared_table")
    op.drop_column("shared_table", "circle_code")
    op.drop_table("circle_member")
    op.drop_table("circle")
