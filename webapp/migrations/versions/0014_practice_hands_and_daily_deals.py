"""Hands that are played again without chips, and daily deals with their commitments."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "daily_deal",
        sa.Column("key", sa.String(40), primary_key=True),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("game", sa.String(20), nullable=False),
        sa.Column("variant", sa.String(300), nullable=False),
        sa.Column("commitment", sa.String(64), nullable=False),
        sa.Column("sealed_seed", sa.Text()),
        sa.Column("revealed_seed", sa.String(64)),
        sa.Column("published_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("(sealed_seed IS NULL) <> (revealed_seed IS NULL)", name="daily_deal_seed"),
    )
    op.create_index("daily_deal_day", "daily_deal", ["day", "game"], unique=True)
    op.create_table(
        "practice_hand",
        sa.Column("key", sa.String(16), primary_key=True),
        sa.Column("player_id", sa.String(24), sa.ForeignKey("player.id"), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("of_key", sa.String(16), sa.ForeignKey("hand.key")),
        sa.Column("daily_key", sa.String(40), sa.ForeignKey("daily_deal.key")),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(20), nullable=False),
        sa.Column("variant", sa.String(300), nullable=False),
        sa.Column("offset", sa.Integer(), nullable=False),
        sa.Column("cut", sa.String(64), nullable=False),
        sa.Column("stakes", sa.String(80), nullable=False),
        sa.Column("moves", sa.Text(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("marks", sa.String(20), nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("payouts", sa.String(200)),
        sa.Column("net", sa.BigInteger()),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("moved_at", sa.BigInteger(), nullable=False),
        sa.Column("finished_at", sa.BigInteger()),
        sa.CheckConstraint("kind IN ('first', 'again', 'daily')", name="practice_hand_kind"),
        sa.CheckConstraint("status IN ('live', 'done', 'forfeited')", name="practice_hand_status"),
        sa.CheckConstraint("(status = 'live') = (finished_at IS NULL)", name="practice_hand_finished"),
        sa.CheckConstraint("(of_key IS NULL) <> (daily_key IS NULL)", name="practice_hand_cards"),
        sa.CheckConstraint("kind <> 'daily' OR daily_key IS NOT NULL", name="practice_hand_daily"),
    )
    for name, columns, where in (
        ("practice_hand_once", ["player_id", "of_key"], "kind = 'first'"),
        ("practice_hand_one_try", ["player_id", "daily_key", "number"], "kind = 'daily'"),
        ("practice_hand_one_open", ["player_id", "game"], "status = 'live' AND kind <> 'daily'"),
    ):
        wanted = sa.text(where)
        op.create_index(
            name, "practice_hand", columns, unique=True, sqlite_where=wanted, postgresql_where=wanted
        )
    op.create_index("practice_hand_deal", "practice_hand", ["daily_key", "number"])
    op.create_index("ix_practice_hand_of_key", "practice_hand", ["of_key"])


def downgrade() -> None:
    op.drop_table("practice_hand")
    op.drop_table("daily_deal")
