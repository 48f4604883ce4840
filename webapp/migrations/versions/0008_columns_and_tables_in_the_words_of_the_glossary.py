"""Rename columns and tables to the words of the glossary: sealed seed, shared table, lab job, supervisor."""

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

COLUMNS = (
    ("hand", "spare", "sealed_seed"),
    ("hand", "reveal", "revealed_seed"),
    ("shoe", "spare", "sealed_seed"),
    ("shoe", "reveal", "revealed_seed"),
    ("table_round", "box", "sealed_seed"),
    ("table_round", "reveal", "revealed_seed"),
    ("lab_run", "foreman", "supervisor"),
)
TABLES = (("card_table", "shared_table"), ("lab_run", "lab_job"))
INDEXES = (
    ("shared_table", "card_table_open", "shared_table_open", "(moved_at) WHERE phase <> 'closed'"),
    ("shared_table", "ix_card_table_opened_by", "ix_shared_table_opened_by", "(opened_by)"),
    ("lab_job", "lab_run_unfinished", "lab_job_unfinished", "(created_at) WHERE status IN ('waiting', 'running')"),
    ("lab_job", "lab_run_player", "lab_job_player", "(player_id, created_at)"),
)
CHECKS = (
    ("shared_table", "card_table_phase", "shared_table_phase"),
    ("lab_job", "lab_run_status", "lab_job_status"),
    ("lab_job", "lab_run_finished", "lab_job_finished"),
)
"""PostgreSQL alone can rename a constraint; on SQLite the name of a check is seen by nobody, and stays."""


def _on_postgresql() -> bool:
    return op.get_bind().dialect.name == "postgresql"


def upgrade() -> None:
    # Both databases rename in place, and with the column or table all that refers to it.
    for table, old, new in COLUMNS:
        op.execute(f"ALTER TABLE {table} RENAME COLUMN {old} TO {new}")
    for old, new in TABLES:
        op.execute(f"ALTER TABLE {old} RENAME TO {new}")
    for table, old, new, columns in INDEXES:
        op.execute(f"DROP INDEX {old}")
        op.execute(f"CREATE INDEX {new} ON {table} {columns}")
    if _on_postgresql():
        for table, old, new in CHECKS:
            op.execute(f"ALTER TABLE {table} RENAME CONSTRAINT {old} TO {new}")


def downgrade() -> None:
    if _on_postgresql():
        for table, old, new in CHECKS:
            op.execute(f"ALTER TABLE {table} RENAME CONSTRAINT {new} TO {old}")
    for table, old, new, columns in INDEXES:
        op.execute(f"DROP INDEX {new}")
        op.execute(f"CREATE INDEX {old} ON {table} {columns}")
    for old, new in TABLES:
        op.execute(f"ALTER TABLE {new} RENAME TO {old}")
    for table, old, new in COLUMNS:
        op.execute(f"ALTER TABLE {table} RENAME COLUMN {new} TO {old}")
