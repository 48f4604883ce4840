"""Remember the site's own beat, the queue for the bank, names at rounds, fates of rounds, and chips from nothing."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

SEATS = 5
COLUMNS = (
    ("shared_table", sa.Column("queue", sa.Integer(), nullable=False, server_default="0")),
    ("table_seat", sa.Column("queue", sa.Integer(), nullable=False, server_default="0")),
    ("table_seat", sa.Column("banks", sa.Boolean(), nullable=False, server_default=sa.false())),
    ("table_seat", sa.Column("name_number", sa.Integer(), nullable=False, server_default="1")),
    ("table_round", sa.Column("void_when_over", sa.Boolean(), nullable=True)),
    ("table_round", sa.Column("sealed_since", sa.BigInteger(), nullable=True)),
    ("round_seat", sa.Column("name", sa.String(80), nullable=True)),
    ("round_seat", sa.Column("queue", sa.Integer(), nullable=True)),
    ("hand", sa.Column("sealed_since", sa.BigInteger(), nullable=True)),
    ("shoe", sa.Column("sealed_since", sa.BigInteger(), nullable=True)),
    ("purse", sa.Column("given", sa.BigInteger(), nullable=False, server_default="0")),
)
BANKER = "(SELECT banker FROM shared_table WHERE code = table_code)"


def upgrade() -> None:
    op.create_table(
        "site_beat",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("id = 1", name="site_beat_one_row"),
        sa.PrimaryKeyConstraint("id"),
    )
    for table, column in COLUMNS:
        op.add_column(table, column)
    _queue_clockwise()
    op.execute(
        "UPDATE purse SET given = (SELECT COALESCE(SUM(amount), 0) FROM ledger_entry"
        " WHERE ledger_entry.player_id = purse.player_id AND ledger_entry.game = purse.game AND reason = 'run')"
    )


def downgrade() -> None:
    for table, column in reversed(COLUMNS):
        op.drop_column(table, column.name)
    op.drop_table("site_beat")


def _queue_clockwise() -> None:
    """Those who sit at a table come in the order in which they would have: clockwise after the last banker."""
    op.execute("UPDATE table_seat SET queue = number + 1")
    op.execute(
        f"UPDATE table_seat SET queue = (number - {BANKER} + {SEATS - 1}) % {SEATS} + 1, banks = (number = {BANKER})"  # noqa: S608
        f" WHERE {BANKER} IS NOT NULL"
    )
    op.execute(f"UPDATE shared_table SET queue = {SEATS}")  # noqa: S608
