"""Messages for a tie that wins, and for a round without more cards."""

from webapp.engine.cards import parse_cards
from webapp.engine.label import Label
from webapp.web.i18n.messages import say
from webapp.web.i18n.translations import use_language


def _won(picked: str, open_card: str) -> str:
    picked_card, other = parse_cards(picked + open_card)
    with use_language("en"):
        return say(Label.of("DOUBLE_WIN", picked=picked_card, open=other))


def test_an_equal_card_that_wins_is_not_said_to_beat_the_other() -> None:
    assert _won("Kh", "Kd") == "King equals king, and wins"


def test_a_higher_card_beats_the_other() -> None:
    assert _won("Kh", "9d") == "The king beats the nine"


def test_a_round_without_more_cards_is_not_said_to_have_emptied_its_shoe() -> None:
    """Half of the shoe may be left: other rounds need that many cards."""
    with use_language("en"):
        assert say(Label("SHOE_EMPTY")) == "No more cards for this round: all hands stand"
