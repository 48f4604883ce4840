"""Texts in the rows of rounds: every form that was ever stored is read, and written back unchanged."""

import pytest

from webapp.services.records.stored_round import AutoMove

FORMS = {
    "-": None,
    "timid/late": AutoMove("timid", "late"),
    "basic/away": AutoMove("basic", "away"),
    "bank/left": AutoMove("bank", "left"),
    "bot/bot": AutoMove("bot", "bot"),
    "timid": AutoMove("timid", ""),  # before reasons were stored
    "bot": AutoMove("bot", ""),
}


@pytest.mark.parametrize("word", FORMS)
def test_how_a_move_was_made_is_read_in_every_form_that_was_stored(word: str) -> None:
    assert AutoMove.parse(word) == FORMS[word]
    assert str(AutoMove.parse(word) or "-") == word
