"""Shared tables: clocks by an index, the first banker is drawn, and where an open public table was opened.

The site's own beat is dropped, which nobody reads any more. The order of the bank is kept with the table, so that who
left has a place in it, too. What was staked and returned at tables is counted from now on, and of the rounds that are
stored. The network is kept so that one cannot fill the list of public tables.
"""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

IS_RUNNING = sa.text("deadline IS NOT NULL")
TABLES = sa.table("shared_table", *(sa.column(name) for name in ("code", "queue", "bank_order", "rounds")))
SEATS = sa.table("table_seat", *(sa.column(name) for name in ("table_code", "number", "player_id", "queue")))

COUNTED = """
INSERT INTO outcome_count (player_id, game, variant, outcome, hands, staked, returned)
SELECT round_seat.player_id, table_round.game, table_round.variant, coalesce(round_seat.outcome, ''), 0,
    coalesce(sum(moved.staked), 0), coalesce(sum(moved.returned), 0)
FROM round_seat JOIN table_round ON table_round.key = round_seat.round_key
JOIN (
    SELECT round_key, player_id, -sum(CASE WHEN reason IN ('payout', 'bank') THEN 0 ELSE amount END) AS staked,
        sum(CASE WHEN reason IN ('payout', 'bank') THEN amount ELSE 0 END) AS returned
    FROM ledger_entry WHERE round_key IS NOT NULL GROUP BY round_key, player_id
) AS moved ON moved.round_key = round_seat.round_key AND moved.player_id = round_seat.player_id
WHERE round_seat.finished_at IS NOT NULL
GROUP BY round_seat.player_id, table_round.game, table_round.variant, coalesce(round_seat.outcome, '')
ON CONFLICT (player_id, game, variant, outcome) DO UPDATE SET
    staked = outcome_count.staked + excluded.staked, returned = outcome_count.returned + excluded.returned
"""


def upgrade() -> None:
    op.create_index(
        "shared_table_deadline", "shared_table", ["deadline"], sqlite_where=IS_RUNNING, postgresql_where=IS_RUNNING
    )
    op.drop_table("site_beat")
    op.add_column("shared_table", sa.Column("opened_from", sa.String(16), nullable=True))
    _order_the_bank()


def _order_the_bank() -> None:
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
    op.execute(COUNTED)


def downgrade() -> None:
    _number_the_queue()
    op.drop_column("shared_table", "opened_from")
    op.create_table(
        "site_beat",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("id = 1", name="site_beat_one_row"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.drop_index("shared_table_deadline", "shared_table")


def _number_the_queue() -> None:
    for counters in ("outcome_count", "pruned_count"):
        op.execute(f"UPDATE {counters} SET staked = 0, returned = 0 WHERE game = 'table21'")  # noqa: S608
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
