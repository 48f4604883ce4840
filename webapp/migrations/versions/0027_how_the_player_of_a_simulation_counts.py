"""How the player of a simulation counts cards and bets by the count."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("lab_job", sa.Column("counting", sa.Text()))


def downgrade() -> None:
    op.drop_column("lab_job", "counting")
