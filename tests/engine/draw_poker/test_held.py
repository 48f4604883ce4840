"""What held cards are: a hand that is made, or cards to one that may come."""

import pytest

from webapp.engine.cards import Rank, parse_cards
from webapp.engine.draw_poker.holds import held


@pytest.mark.parametrize(
    ("hand", "positions", "code", "count"),
    [
        ("Ah Kh Qh Jh 2c", "1234", "HELD_ROYAL", 4),
        ("Ah Kh Qh Jh 2c", "12", "HELD_ROYAL", 2),
        ("Jk Kh Qh Jh 2c", "1234", "HELD_ROYAL", 4),
        ("9h Kh Qh Jh 2c", "1234", "HELD_STRAIGHT_FLUSH", 4),
        ("Ah 4h 3h 2h Kc", "1234", "HELD_STRAIGHT_FLUSH", 4),
        ("Ah 8h 3h 2h Kc", "1234", "HELD_FLUSH", 4),
        ("9h 8c 7d 6s Kc", "1234", "HELD_STRAIGHT_OPEN", 4),
        ("9h 8c 7d 5s Kc", "1234", "HELD_STRAIGHT", 4),
        ("As Kc Qd Jh 2c", "1234", "HELD_STRAIGHT", 4),
        ("9h 8c 7d 2s Kc", "123", "HELD_STRAIGHT", 3),
        ("As Kc 9d 7h 2c", "12", "HELD_CARDS", None),
        ("As Kc 9d 7h 2c", "", "HELD_NONE", None),
        ("Qs Qc 9d 7h 2c", "12", "ONE_PAIR", None),
        ("Qs Qc 9d 7h 2c", "1", "HELD_CARDS", None),
        ("Qs Qc 9d 9h 2c", "1234", "TWO_PAIR", None),
        ("Qs Qc 9d 9h 9c", "12345", "FULL_HOUSE", None),
        ("Jk Kc 9d 7h 2c", "12", "JOKER", None),
        ("Jk Kc 9d 7h 2c", "1", "HELD_CARDS", None),
        ("Jk Kc Tc 7c 2d", "1234", "HELD_FLUSH", 4),
        ("Jk Qc Qd 7h 2c", "123", "THREE_OF_A_KIND", None),
    ],
)
def test_held_cards_are_called_what_players_call_them(hand: str, positions: str, code: str, count: int | None) -> None:
    label = held(parse_cards(hand), [int(position) for position in positions])
    assert (label.code, label.get("count")) == (code, count)


@pytest.mark.parametrize(
    ("hand", "positions", "code", "count"),
    [
        ("2c 2d Ah Kh 9s", "1234", "HELD_ROYAL", 4),
        ("2c 2d 6h 7h Ks", "1234", "HELD_STRAIGHT_FLUSH", 4),
        ("2c 2d 6h 7h Ks", "125", "THREE_OF_A_KIND", None),
        ("2c 9d 9h 4s Kc", "123", "THREE_OF_A_KIND", None),
        ("2c 9d 9h 4s 4c", "12345", "FULL_HOUSE", None),
        ("2c 7h 8h Ks Jd", "123", "HELD_STRAIGHT_FLUSH", 3),
        ("2c 2d 2h 2s Ac", "1234", "FOUR_DEUCES", None),
        ("Ah 3h 4h 5h 9c", "1234", "HELD_STRAIGHT_FLUSH", 4),
    ],
)
def test_with_wild_deuces_a_draw_is_called_one_though_it_pays_already(
    hand: str, positions: str, code: str, count: int | None
) -> None:
    label = held(parse_cards(hand), [int(position) for position in positions], Rank.TWO)
    assert (label.code, label.get("count")) == (code, count)
