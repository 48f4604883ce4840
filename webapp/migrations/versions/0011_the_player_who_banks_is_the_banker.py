"""Rename the columns about the player who banks: banker, and the rounds in a row."""

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

COLUMNS = (
    ("shared_table", "bank", "banker"),
    ("shared_table", "banked", "banker_rounds"),
    ("table_round", "bank", "banker"),
)


def upgrade() -> None:
    # Both databases rename in place.
    for table, old, new in COLUMNS:
        op.execute(f"ALTER TABLE {table} RENAME COLUMN {old} TO {new}")


def downgrade() -> None:
    for table, old, new in COLUMNS:
        op.execute(f"ALTER TABLE {table} RENAME COLUMN {new} TO {old}")
