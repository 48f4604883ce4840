"""tables that people share"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "card_table",
        sa.Column("code", sa.String(length=8), nullable=False),
        sa.Column("game", sa.String(length=20), nullable=False),
        sa.Column("variant", sa.String(length=300), nullable=False),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("opened_by", sa.String(length=24), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("phase", sa.String(length=10), nullable=False),
        sa.Column("round_key", sa.String(length=16), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("bank", sa.Integer(), nullable=True),
        sa.Column("banked", sa.Integer(), nullable=False),
        sa.Column("acting", sa.Integer(), nullable=True),
        sa.Column("clock_from", sa.BigInteger(), nullable=True),
        sa.Column("deadline", sa.BigInteger(), nullable=True),
        sa.Column("opened_at", sa.BigInteger(), nullable=False),
        sa.Column("moved_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "phase IN ('waiting', 'betting', 'playing', 'settled', 'closed')", name="card_table_phase"
        ),
        sa.ForeignKeyConstraint(["opened_by"], ["player.id"]),
        sa.PrimaryKeyConstraint("code"),
    )
    with op.batch_alter_table("card_table", schema=None) as batch_op:
        batch_op.create_index(
            "card_table_open",
            ["moved_at"],
            unique=False,
            sqlite_where=sa.text("phase <> 'closed'"),
            postgresql_where=sa.text("phase <> 'closed'"),
        )
        batch_op.create_index(batch_op.f("ix_card_table_opened_by"), ["opened_by"], unique=False)

    op.create_table(
        "table_seat",
        sa.Column("table_code", sa.String(length=8), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("player_id", sa.String(length=24), nullable=False),
        sa.Column("holder_id", sa.String(length=24), nullable=False),
        sa.Column("link", sa.String(length=24), nullable=False),
        sa.Column("bot", sa.Boolean(), nullable=False),
        sa.Column("ready", sa.Integer(), nullable=False),
        sa.Column("away", sa.Boolean(), nullable=False),
        sa.Column("leaving", sa.Boolean(), nullable=False),
        sa.Column("policy", sa.String(length=10), nullable=False),
        sa.Column("cut", sa.String(length=64), nullable=True),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["holder_id"], ["player.id"]),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.ForeignKeyConstraint(["table_code"], ["card_table.code"]),
        sa.PrimaryKeyConstraint("table_code", "number"),
    )
    with op.batch_alter_table("table_seat", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_table_seat_player_id"), ["player_id"], unique=False)
        batch_op.create_index("table_seat_holder", ["table_code", "holder_id"], unique=True)

    op.create_table(
        "table_round",
        sa.Column("key", sa.String(length=16), nullable=False),
        sa.Column("table_code", sa.String(length=8), nullable=False),
        sa.Column("game", sa.String(length=20), nullable=False),
        sa.Column("variant", sa.String(length=300), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column("box", sa.Text(), nullable=True),
        sa.Column("reveal", sa.String(length=64), nullable=True),
        sa.Column("bank", sa.Integer(), nullable=True),
        sa.Column("dealt", sa.Boolean(), nullable=False),
        sa.Column("moves", sa.Text(), nullable=False),
        sa.Column("autos", sa.Text(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("status IN ('ready', 'betting', 'live', 'done', 'void')", name="table_round_status"),
        sa.CheckConstraint(
            "(status IN ('done', 'void')) = (finished_at IS NOT NULL)", name="table_round_finished"
        ),
        sa.CheckConstraint("(reveal IS NULL) = (box IS NOT NULL)", name="table_round_sealed"),
        sa.CheckConstraint("reveal IS NULL OR finished_at IS NOT NULL", name="table_round_reveal"),
        sa.ForeignKeyConstraint(["table_code"], ["card_table.code"]),
        sa.PrimaryKeyConstraint("key"),
    )
    with op.batch_alter_table("table_round", schema=None) as batch_op:
        batch_op.create_index("table_round_seq", ["table_code", "seq"], unique=True)

    op.create_table(
        "round_seat",
        sa.Column("round_key", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("player_id", sa.String(length=24), nullable=False),
        sa.Column("bot", sa.Boolean(), nullable=False),
        sa.Column("cut", sa.String(length=64), nullable=True),
        sa.Column("stake", sa.BigInteger(), nullable=False),
        sa.Column("auto", sa.Boolean(), nullable=False),
        sa.Column("payout", sa.BigInteger(), nullable=True),
        sa.Column("outcome", sa.String(length=40), nullable=True),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.ForeignKeyConstraint(["round_key"], ["table_round.key"]),
        sa.PrimaryKeyConstraint("round_key", "number"),
    )
    with op.batch_alter_table("round_seat", schema=None) as batch_op:
        batch_op.create_index("round_seat_history", ["player_id", "finished_at", "round_key"], unique=False)

    with op.batch_alter_table("ledger_entry", schema=None) as batch_op:
        batch_op.add_column(sa.Column("round_key", sa.String(length=16), nullable=True))
        batch_op.create_foreign_key("ledger_round", "table_round", ["round_key"], ["key"])
        batch_op.create_index("ledger_round_reason", ["round_key", "player_id", "reason"], unique=True)


def downgrade() -> None:
    """Chips that were won and lost at shared tables stay in their purses' entries; the rounds themselves go."""
    with op.batch_alter_table("ledger_entry", schema=None) as batch_op:
        batch_op.drop_index("ledger_round_reason")
        batch_op.drop_constraint("ledger_round", type_="foreignkey")
        batch_op.drop_column("round_key")

    with op.batch_alter_table("round_seat", schema=None) as batch_op:
        batch_op.drop_index("round_seat_history")

    op.drop_table("round_seat")
    with op.batch_alter_table("table_round", schema=None) as batch_op:
        batch_op.drop_index("table_round_seq")

    op.drop_table("table_round")
    with op.batch_alter_table("table_seat", schema=None) as batch_op:
        batch_op.drop_index("table_seat_holder")
        batch_op.drop_index(batch_op.f("ix_table_seat_player_id"))

    op.drop_table("table_seat")
    with op.batch_alter_table("card_table", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_card_table_opened_by"))
        batch_op.drop_index(
            "card_table_open",
            sqlite_where=sa.text("phase <> 'closed'"),
            postgresql_where=sa.text("phase <> 'closed'"),
        )

    op.drop_table("card_table")
