"""The tables of joker poker."""

import pytest

from webapp.engine.games import joker


@pytest.mark.parametrize("plain", ["arcade", "arcade-1", "kings-or-better"])
def test_a_table_with_double_up_knows_its_sister_without(plain: str) -> None:
    assert joker.GAME.plain_table(plain) == joker.GAME.plain_table(f"{plain}-double") == plain
