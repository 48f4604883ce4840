"""Links that sign another browser in as the same player."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "sign_in_link",
        sa.Column("player_id", sa.String(24), sa.ForeignKey("player.id"), primary_key=True),
        sa.Column("word_hash", sa.String(64), nullable=False, unique=True),
        sa.Column("session_number", sa.Integer(), nullable=False),
        sa.Column("preferences", sa.String(400), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("used_by", sa.String(64), nullable=True),
    )


def downgrade() -> None:
    op.drop_table("sign_in_link")
