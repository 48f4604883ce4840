"""shoes are closed when nobody comes back"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("shoe", sa.Column("moved_at", sa.BigInteger(), nullable=False, server_default="0"))
    op.execute(
        "UPDATE shoe SET moved_at = coalesce("
        "(SELECT max(hand.moved_at) FROM hand WHERE hand.shoe_key = shoe.key), shoe.opened_at)"
    )
    op.create_index(
        "shoe_overdue",
        "shoe",
        ["moved_at"],
        sqlite_where=sa.text("closed_at IS NULL"),
        postgresql_where=sa.text("closed_at IS NULL"),
    )


def downgrade() -> None:
    op.drop_index("shoe_overdue", table_name="shoe")
    op.drop_column("shoe", "moved_at")
