"""Note on a hand that its player was shown what a decision is worth before it was made. Nobody was, so far."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("hand", sa.Column("helped", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    op.drop_column("hand", "helped")
