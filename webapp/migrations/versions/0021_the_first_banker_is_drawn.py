"""Draw the first banker of a table, and keep the order of the bank with the table: who left has a place in it, too."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

TABLES = sa.table("shared_table", *(sa.column(name) for name in ("code", "queue", "bank_order", "rounds")))
SEATS = sa.table("table_seat", *(sa.column(name) for name in ("table_code", "number", "player_id", "queue")))


def upgrade() -> None:
    op.add_column("shared_table", sa.Column("bank_order", sa.Text(), nullable=False, server_default=""))
    op.add_column("table_round", sa.Column("bank_draw", sa.Text(), nullable=True))
    connection, orders = op.get_bind(), dict[str, list[str]]()
    seated = (
        sa.select(SEATS.c.table_code, SEATS.c.player_id)
        .join(TABLES, TABLES.c.code == SEATS.c.table_code)
        .where(TABLES.c.rounds > 0)
        .order_by(SEATS.c.queue, SEATS.c.number)
    )
    for code, player in connection.execute(seated):
        orders.setdefault(code, []).append(player)
    for code, players in orders.items():
        connection.execute(TABLES.update().where(TABLES.c.code == code).values(bank_order=" ".join(players)))
    op.drop_column("table_seat", "queue")
    op.drop_column("shared_table", "queue")


def downgrade() -> None:
    op.add_column("shared_table", sa.Column("queue", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("table_seat", sa.Column("queue", sa.Integer(), nullable=False, server_default="0"))
    connection = op.get_bind()
    for code, order in connection.execute(sa.select(TABLES.c.code, TABLES.c.bank_order)).all():
        players = [word.removesuffix("*") for word in order.split()]
        for place, player in enumerate(players, 1):
            its_seat = (SEATS.c.table_code == code) & (SEATS.c.player_id == player)
            connection.execute(SEATS.update().where(its_seat).values(queue=place))
        connection.execute(TABLES.update().where(TABLES.c.code == code).values(queue=len(players)))
    op.drop_column("table_round", "bank_draw")
    op.drop_column("shared_table", "bank_order")
