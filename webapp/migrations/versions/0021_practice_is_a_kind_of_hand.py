"""Practice hands and rounds of daily deals are hands of other kinds: their rows move to those of all hands."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

COLUMNS = (
    sa.Column("kind", sa.String(10), nullable=False, server_default="play"),
    sa.Column("of_key", sa.String(16)),
    sa.Column("daily_key", sa.String(40)),
    sa.Column("number", sa.Integer()),
    sa.Column("net", sa.BigInteger()),
)
CHECKS = {
    "hand_kind": "kind IN ('play', 'first', 'again', 'daily')",
    "hand_numbered": "(kind = 'play') = (seq IS NOT NULL)",
    "hand_cards": "(kind = 'play') = (of_key IS NULL AND daily_key IS NULL) AND (of_key IS NULL OR daily_key IS NULL)",
    "hand_daily": "kind <> 'daily' OR daily_key IS NOT NULL",
}
NARROWED = (
    ("hand_one_open", ["player_id", "game"], True, "status IN ('ready', 'live')"),
    ("hand_history", ["player_id", "finished_at", "key"], False, "finished_at IS NOT NULL AND cut IS NOT NULL"),
    ("hand_overdue", ["moved_at"], False, "status = 'live'"),
)
"""Indexes of hands in play, or of those with a page: by name, columns, whether rows are unique, and condition."""
ADDED = (
    ("hand_once", ["player_id", "of_key"], True, "kind = 'first'"),
    ("hand_one_try", ["player_id", "daily_key", "number"], True, "kind = 'daily'"),
    ("hand_one_practice", ["player_id", "game"], True, "status = 'live' AND kind IN ('first', 'again')"),
    ("hand_original", ["of_key"], False, "of_key IS NOT NULL"),
    ("hand_deal", ["daily_key", "number"], False, "daily_key IS NOT NULL"),
)
OF_PRACTICE = (
    ("practice_hand_once", ["player_id", "of_key"], True, "kind = 'first'"),
    ("practice_hand_one_try", ["player_id", "daily_key", "number"], True, "kind = 'daily'"),
    ("practice_hand_one_open", ["player_id", "game"], True, "status = 'live' AND kind <> 'daily'"),
    ("practice_hand_deal", ["daily_key", "number"], False, None),
    ("ix_practice_hand_of_key", ["of_key"], False, None),
)
SAME = (
    'key, player_id, kind, of_key, daily_key, game, variant, "offset", cut, stakes, moves, step, marks, status, '
    "payouts, net, created_at, moved_at, finished_at"
)
"""Columns that mean the same in both tables."""


def upgrade() -> None:
    for name, *_ in NARROWED:
        op.drop_index(name, "hand")
    with op.batch_alter_table("hand") as hand:
        for column in COLUMNS:
            hand.add_column(column)
        hand.alter_column("seq", existing_type=sa.Integer(), nullable=True)
        hand.create_foreign_key("hand_of_key", "hand", ["of_key"], ["key"])
        hand.create_foreign_key("hand_daily_key", "daily_deal", ["daily_key"], ["key"])
        for name, condition in CHECKS.items():
            hand.create_check_constraint(name, condition)
    for name, columns, is_unique, where in NARROWED:
        _create_index("hand", name, columns, is_unique, f"{where} AND kind = 'play'")
    op.execute(
        f"INSERT INTO hand ({SAME}, number, commitment)"  # noqa: S608
        f" SELECT {SAME}, CASE WHEN daily_key IS NULL THEN NULL ELSE number END, coalesce("
        "(SELECT daily_deal.commitment FROM daily_deal WHERE daily_deal.key = daily_key),"
        " (SELECT original.commitment FROM hand AS original WHERE original.key = practice_hand.of_key))"
        " FROM practice_hand"
    )
    op.drop_table("practice_hand")
    for index in ADDED:
        _create_index("hand", *index)


def downgrade() -> None:
    """Notes that help was given with a practice hand are lost, as they had none."""
    op.create_table(
        "practice_hand",
        sa.Column("key", sa.String(16), primary_key=True),
        sa.Column("player_id", sa.String(24), sa.ForeignKey("player.id"), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("of_key", sa.String(16), sa.ForeignKey("hand.key")),
        sa.Column("daily_key", sa.String(40), sa.ForeignKey("daily_deal.key")),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(20), nullable=False),
        sa.Column("variant", sa.String(300), nullable=False),
        sa.Column("offset", sa.Integer(), nullable=False),
        sa.Column("cut", sa.String(64), nullable=False),
        sa.Column("stakes", sa.String(80), nullable=False),
        sa.Column("moves", sa.Text(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("marks", sa.String(20), nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("payouts", sa.String(200)),
        sa.Column("net", sa.BigInteger()),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("moved_at", sa.BigInteger(), nullable=False),
        sa.Column("finished_at", sa.BigInteger()),
        sa.CheckConstraint("kind IN ('first', 'again', 'daily')", name="practice_hand_kind"),
        sa.CheckConstraint("status IN ('live', 'done', 'forfeited')", name="practice_hand_status"),
        sa.CheckConstraint("(status = 'live') = (finished_at IS NULL)", name="practice_hand_finished"),
        sa.CheckConstraint("(of_key IS NULL) <> (daily_key IS NULL)", name="practice_hand_cards"),
        sa.CheckConstraint("kind <> 'daily' OR daily_key IS NOT NULL", name="practice_hand_daily"),
    )
    for index in OF_PRACTICE:
        _create_index("practice_hand", *index)
    op.execute(
        f"INSERT INTO practice_hand ({SAME}, number) SELECT {SAME}, coalesce(number, 1) FROM hand"  # noqa: S608
        " WHERE kind <> 'play'"
    )
    op.execute("DELETE FROM hand WHERE kind <> 'play'")
    for name, *_ in (*ADDED, *NARROWED):
        op.drop_index(name, "hand")
    with op.batch_alter_table("hand") as hand:
        for name in CHECKS:
            hand.drop_constraint(name, type_="check")
        for name in ("hand_of_key", "hand_daily_key"):
            hand.drop_constraint(name, type_="foreignkey")
        hand.alter_column("seq", existing_type=sa.Integer(), nullable=False)
        for column in reversed(COLUMNS):
            hand.drop_column(column.name)
    for index in NARROWED:
        _create_index("hand", *index)


def _create_index(table: str, name: str, columns: list[str], is_unique: bool, where: str | None) -> None:
    wanted = None if where is None else sa.text(where)
    op.create_index(name, table, columns, unique=is_unique, sqlite_where=wanted, postgresql_where=wanted)
