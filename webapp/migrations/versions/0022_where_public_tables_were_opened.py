"""Note from which network an open public table was opened, so that one cannot fill the list of all."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("shared_table", sa.Column("opened_from", sa.String(16), nullable=True))


def downgrade() -> None:
    op.drop_column("shared_table", "opened_from")
