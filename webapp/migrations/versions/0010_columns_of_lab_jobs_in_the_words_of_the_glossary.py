"""Rename the columns of lab jobs to the words of the glossary: variant, chart, statistics, heartbeat."""

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

COLUMNS = (
    ("table", "variant"),
    ("sheet", "chart"),
    ("other_table", "other_variant"),
    ("other_sheet", "other_chart"),
    ("counted", "statistics"),
    ("stop_asked", "stop_requested"),
    ("served", "last_turn"),
    ("noted_at", "heartbeat_at"),
)


def upgrade() -> None:
    # Both databases rename in place; "table" is a reserved word and has to be quoted.
    for old, new in COLUMNS:
        op.execute(f'ALTER TABLE lab_job RENAME COLUMN "{old}" TO {new}')


def downgrade() -> None:
    for old, new in COLUMNS:
        op.execute(f'ALTER TABLE lab_job RENAME COLUMN {new} TO "{old}"')
