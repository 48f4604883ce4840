"""What /me says of Table 21: chips that lie on the table are not gone, and what was staked there is counted."""

import pytest
from flask import Flask

from tests.support.player import Json
from tests.support.table_players import TablePlayer, banker_of, bet_all, betting, play_out, see_all

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def career(player: TablePlayer) -> Json:
    found: list[Json] = player.get("/me", Accept="application/json").json["games"]
    return next(each for each in found if each["game"] == "table21")


def test_a_career_at_tables_counts_what_was_staked_and_leaves_out_what_lies_there(app: Flask) -> None:
    visitors = betting(app, 2)
    held: dict[TablePlayer, set[int]] = {visitor: {1000} for visitor in visitors}
    for _ in range(6):
        for visitor in visitors:
            assert set(career(visitor)["balances"]) <= held[visitor], "in the middle of a round"
        bet_all(visitors, 50)
        play_out(visitors)
        for visitor in visitors:
            held[visitor].add(visitor.see()["seats"][visitors.index(visitor)]["chips"])
            found = career(visitor)
            assert set(found["balances"]) <= held[visitor]
            assert found["balances"][-1] == visitor.chips
            assert found["returned"] - found["staked"] == visitor.chips - 1000
            assert found["staked"] >= 50
        for visitor in visitors:
            visitor.now("ready")
        see_all(visitors)
        assert banker_of(visitors) in visitors
