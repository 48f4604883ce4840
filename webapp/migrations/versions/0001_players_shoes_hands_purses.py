"""players, shoes, hands, purses"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "player",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "purse",
        sa.Column("player_id", sa.String(length=24), nullable=False),
        sa.Column("game", sa.String(length=20), nullable=False),
        sa.Column("balance", sa.BigInteger(), nullable=False),
        sa.Column("best", sa.BigInteger(), nullable=False),
        sa.Column("hands", sa.Integer(), nullable=False),
        sa.Column("runs", sa.Integer(), nullable=False),
        sa.Column("peak", sa.BigInteger(), nullable=False),
        sa.Column("last_stakes", sa.String(length=80), nullable=False),
        sa.CheckConstraint("balance >= 0", name="purse_never_negative"),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("player_id", "game"),
    )
    op.create_table(
        "shoe",
        sa.Column("key", sa.String(length=16), nullable=False),
        sa.Column("player_id", sa.String(length=24), nullable=False),
        sa.Column("game", sa.String(length=20), nullable=False),
        sa.Column("variant", sa.String(length=300), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column("cut", sa.String(length=64), nullable=True),
        sa.Column("dealt", sa.Integer(), nullable=False),
        sa.Column("reveal", sa.String(length=64), nullable=True),
        sa.Column("spare", sa.Text(), nullable=True),
        sa.Column("opened_at", sa.BigInteger(), nullable=False),
        sa.Column("closed_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("reveal IS NULL OR closed_at IS NOT NULL", name="shoe_reveal"),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("key"),
    )
    with op.batch_alter_table("shoe", schema=None) as batch_op:
        batch_op.create_index(
            "shoe_one_open",
            ["player_id", "game"],
            unique=True,
            sqlite_where=sa.text("closed_at IS NULL"),
            postgresql_where=sa.text("closed_at IS NULL"),
        )

    op.create_table(
        "hand",
        sa.Column("key", sa.String(length=16), nullable=False),
        sa.Column("player_id", sa.String(length=24), nullable=False),
        sa.Column("game", sa.String(length=20), nullable=False),
        sa.Column("variant", sa.String(length=300), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("shoe_key", sa.String(length=16), nullable=True),
        sa.Column("offset", sa.Integer(), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column("cut", sa.String(length=64), nullable=True),
        sa.Column("stakes", sa.String(length=80), nullable=False),
        sa.Column("moves", sa.Text(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("marks", sa.String(length=20), nullable=False),
        sa.Column("payouts", sa.String(length=200), nullable=True),
        sa.Column("outcome", sa.String(length=40), nullable=True),
        sa.Column("reveal", sa.String(length=64), nullable=True),
        sa.Column("spare", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("moved_at", sa.BigInteger(), nullable=False),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("(status IN ('ready', 'live')) = (finished_at IS NULL)", name="hand_finished"),
        sa.CheckConstraint("reveal IS NULL OR status NOT IN ('ready', 'live')", name="hand_reveal"),
        sa.CheckConstraint("status IN ('ready', 'live', 'done', 'forfeited', 'void')", name="hand_status"),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.ForeignKeyConstraint(
            ["shoe_key"],
            ["shoe.key"],
        ),
        sa.PrimaryKeyConstraint("key"),
    )
    with op.batch_alter_table("hand", schema=None) as batch_op:
        batch_op.create_index(
            "hand_history",
            ["player_id", "finished_at", "key"],
            unique=False,
            sqlite_where=sa.text("finished_at IS NOT NULL AND cut IS NOT NULL"),
            postgresql_where=sa.text("finished_at IS NOT NULL AND cut IS NOT NULL"),
        )
        batch_op.create_index(
            "hand_one_open",
            ["player_id", "game"],
            unique=True,
            sqlite_where=sa.text("status IN ('ready', 'live')"),
            postgresql_where=sa.text("status IN ('ready', 'live')"),
        )
        batch_op.create_index(
            "hand_overdue",
            ["moved_at"],
            unique=False,
            sqlite_where=sa.text("status = 'live'"),
            postgresql_where=sa.text("status = 'live'"),
        )
        batch_op.create_index("hand_seq", ["player_id", "game", "seq"], unique=True)
        batch_op.create_index(batch_op.f("ix_hand_shoe_key"), ["shoe_key"], unique=False)

    op.create_table(
        "ledger_entry",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("player_id", sa.String(length=24), nullable=False),
        sa.Column("game", sa.String(length=20), nullable=False),
        sa.Column("hand_key", sa.String(length=16), nullable=True),
        sa.Column("reason", sa.String(length=20), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("balance_after", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["hand_key"],
            ["hand.key"],
        ),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("ledger_entry", schema=None) as batch_op:
        batch_op.create_index("ledger_hand_reason", ["hand_key", "reason"], unique=True)
        batch_op.create_index("ledger_purse", ["player_id", "game", "id"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("ledger_entry", schema=None) as batch_op:
        batch_op.drop_index("ledger_purse")
        batch_op.drop_index("ledger_hand_reason")

    op.drop_table("ledger_entry")
    with op.batch_alter_table("hand", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_hand_shoe_key"))
        batch_op.drop_index("hand_seq")
        batch_op.drop_index(
            "hand_overdue", sqlite_where=sa.text("status = 'live'"), postgresql_where=sa.text("status = 'live'")
        )
        batch_op.drop_index(
            "hand_one_open",
            sqlite_where=sa.text("status IN ('ready', 'live')"),
            postgresql_where=sa.text("status IN ('ready', 'live')"),
        )
        batch_op.drop_index(
            "hand_history",
            sqlite_where=sa.text("finished_at IS NOT NULL AND cut IS NOT NULL"),
            postgresql_where=sa.text("finished_at IS NOT NULL AND cut IS NOT NULL"),
        )

    op.drop_table("hand")
    with op.batch_alter_table("shoe", schema=None) as batch_op:
        batch_op.drop_index(
            "shoe_one_open", sqlite_where=sa.text("closed_at IS NULL"), postgresql_where=sa.text("closed_at IS NULL")
        )

    op.drop_table("shoe")
    op.drop_table("purse")
    op.drop_table("player")
