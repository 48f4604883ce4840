"""The first three hands of a new player show an introductory line for the game; the fourth does not."""

import pytest

from tests.support.moves import dealt_and_live, every_game, finished
from tests.support.player import Player

PAGE = {"Accept": "text/html"}
LINE = 'class="coach__whisper"'


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@every_game
def test_the_first_three_hands_have_a_line_that_says_what_to_do(alice: Player, game: str) -> None:
    seqs, said = [], []
    while not seqs or seqs[-1] < 4:
        seqs.append(dealt_and_live(alice, game)["seq"])
        page = alice.get(f"/play/{game}", **PAGE).text
        said.append(page.partition(LINE)[2].partition(">")[2].partition("<")[0])
        assert said[-1] in page.partition('data-say="')[2].partition('"')[0], "a screen reader hears it too"
        finished(alice)
    assert [bool(line) for line in said] == [seq <= 3 for seq in seqs]
    assert len(said) > 1
