"""Decisions of rounds at shared tables are asked again, like those of hands."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("recall") as recall:
        recall.add_column(sa.Column("round_key", sa.String(16)))
        recall.alter_column("hand_key", existing_type=sa.String(16), nullable=True)
        recall.create_foreign_key("recall_round_key", "table_round", ["round_key"], ["key"])
        recall.create_check_constraint("recall_of", "(hand_key IS NULL) <> (round_key IS NULL)")
    op.create_index("recall_once_of_round", "recall", ["player_id", "round_key", "step"], unique=True)
    op.create_index("ix_recall_round_key", "recall", ["round_key"])


def downgrade() -> None:
    """Decisions of rounds are asked no more."""
    op.execute("DELETE FROM recall WHERE round_key IS NOT NULL")
    op.drop_index("ix_recall_round_key", "recall")
    op.drop_index("recall_once_of_round", "recall")
    with op.batch_alter_table("recall") as recall:
        recall.drop_constraint("recall_of", type_="check")
        recall.drop_constraint("recall_round_key", type_="foreignkey")
        recall.alter_column("hand_key", existing_type=sa.String(16), nullable=False)
        recall.drop_column("round_key")
