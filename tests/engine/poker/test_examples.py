"""The example of each pay line in the rules is a hand on that line."""

import pytest

from webapp.engine.games import GAMES
from webapp.engine.poker.examples import EXAMPLES

TABLES = [(game, table) for game in ("poker", "joker") for table in GAMES[game].spec.variants]


@pytest.mark.parametrize("game, table", TABLES)
def test_the_example_of_a_line_is_on_that_line(game: str, table: str) -> None:
    pays = GAMES[game].rules(table).pay_table
    for line in pays.lines:
        found = pays.line_of(EXAMPLES[line.code].cards)
        assert found == line, line.code
