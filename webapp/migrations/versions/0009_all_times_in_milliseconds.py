"""Store all times as unix milliseconds: hands, shoes, players, the ledger and ends of rounds were in seconds."""

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

COLUMNS = (
    ("player", ("created_at",)),
    ("shoe", ("opened_at", "moved_at", "closed_at")),
    ("hand", ("created_at", "moved_at", "finished_at")),
    ("ledger_entry", ("at",)),
    ("table_round", ("finished_at",)),
    ("round_seat", ("finished_at",)),
)


def upgrade() -> None:
    _change("*")


def downgrade() -> None:
    _change("/")


def _change(operator: str) -> None:
    for table, columns in COLUMNS:
        changes = ", ".join(f"{column} = {column} {operator} 1000" for column in columns)
        op.execute(f"UPDATE {table} SET {changes}")
