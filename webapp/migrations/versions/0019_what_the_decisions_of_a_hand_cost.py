"""Keep with a review what its decisions cost, in short: a day's distribution reads the reviews of all who played it."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("review", sa.Column("summary", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("review", "summary")
