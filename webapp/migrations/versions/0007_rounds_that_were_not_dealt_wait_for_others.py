"""rounds know how often their bets were opened: what is not dealt is taken back, and its deck waits"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("table_round", sa.Column("begun", sa.Integer(), nullable=False, server_default="1"))


def downgrade() -> None:
    op.drop_column("table_round", "begun")
