"""Find the tables whose clock has run out by an index, and drop the site's own beat, which nobody reads any more."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

IS_RUNNING = sa.text("deadline IS NOT NULL")


def upgrade() -> None:
    op.create_index(
        "shared_table_deadline", "shared_table", ["deadline"], sqlite_where=IS_RUNNING, postgresql_where=IS_RUNNING
    )
    op.drop_table("site_beat")


def downgrade() -> None:
    op.create_table(
        "site_beat",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("id = 1", name="site_beat_one_row"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.drop_index("shared_table_deadline", "shared_table")
