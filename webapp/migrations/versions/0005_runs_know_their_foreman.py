"""runs of the lab know in whose hands they are, and since when nothing was heard of him"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("lab_run", sa.Column("foreman", sa.String(length=32), nullable=True))
    op.add_column("lab_run", sa.Column("noted_at", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    op.drop_column("lab_run", "noted_at")
    op.drop_column("lab_run", "foreman")
