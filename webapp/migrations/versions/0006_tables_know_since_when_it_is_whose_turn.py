"""tables know since which version bets, cards and turn have been the same"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("card_table", sa.Column("turn_version", sa.Integer(), nullable=False, server_default="1"))
    op.execute("UPDATE card_table SET turn_version = version")


def downgrade() -> None:
    op.drop_column("card_table", "turn_version")
