"""Payouts of hands, as printed in the rules."""

import pytest

from webapp.engine.cards import parse_cards
from webapp.engine.poker.pay_tables import ARCADE, KINGS_OR_BETTER, QUEST

NOTHING = "2c 4d 6h 8s Tc"

# One hand of each kind, strong to weak, and what the three tables pay for it (None: the table has no joker).
PAYS = [
    ("2c 2d 2h 2s Jk", None, 200, 200),
    ("Tc Jc Qc Kc Ac", 10_000, 100, 800),
    ("Tc Jc Jk Kc Ac", None, 100, 100),
    ("5c 6c 7c 8c 9c", 2_000, 50, 50),
    ("Ac 2c 3c 4c 5c", 2_000, 50, 50),
    ("5c 6c Jk 8c 9c", None, 50, 50),
    ("9c 9d 9h 9s 2c", 1_000, 30, 20),
    ("9c 9d 9h Jk 2c", None, 30, 20),
    ("9c 9d 9h 2s 2c", 500, 10, 7),
    ("9c 9d Jk 2s 2c", None, 10, 7),
    ("2c 4c 6c 8c Tc", 400, 8, 5),
    ("2c 4c 6c Jk Tc", None, 8, 5),
    ("Ac 2d 3h 4s 5c", 300, 5, 3),
    ("Tc Jd Qh Ks Ac", 300, 5, 3),
    ("Ac 2d Jk 4s 5c", None, 5, 3),
    ("9c 9d 9h 2s 4c", 200, 3, 2),
    ("9c 9d Jk 2s 4c", None, 3, 2),
    ("9c 9d 2h 2s 4c", 100, 2, 1),
    ("9c Jk 7h 2s 4c", None, 2, 0),
    ("Qc Jk 7h 2s 4c", None, 2, 0),
    ("Kc Jk 7h 2s 4c", None, 2, 1),
    ("Ac Jk 7h 9s 4c", None, 2, 1),
    ("Ac Ad 2h 7s 4c", 50, 1, 1),
    ("Kc Kd 2h 7s 4c", 50, 1, 1),
    ("Qc Qd Ah Ks 4c", 50, 1, 0),
    ("2c 2d Ah Ks 4c", 50, 1, 0),
    ("Ac Kd Qh 9s 4c", 0, 0, 0),
    (NOTHING, 0, 0, 0),
]


@pytest.mark.parametrize("hand, quest, arcade, kings_or_better", PAYS)
def test_a_hand_pays_what_the_rules_say(hand, quest, arcade, kings_or_better):
    cards = parse_cards(hand)
    assert quest in (None, QUEST.pays(cards))
    assert ARCADE.pays(cards) == arcade
    assert KINGS_OR_BETTER.pays(cards) == kings_or_better


@pytest.mark.parametrize("hand", [hand for hand, *_ in PAYS])
def test_the_order_of_the_cards_does_not_change_what_a_hand_pays(hand):
    cards = parse_cards(hand)
    for table in (QUEST, ARCADE, KINGS_OR_BETTER):
        assert table.pays(cards) == table.pays(cards[::-1])


@pytest.mark.parametrize("table", [QUEST, ARCADE, KINGS_OR_BETTER], ids=lambda table: table.name)
def test_a_table_is_written_strong_to_weak_and_each_line_once(table):
    pays = [line.pays for line in table.lines]
    assert pays == sorted(pays, reverse=True)
    assert len({line.code for line in table.lines}) == len(table.lines)


@pytest.mark.parametrize("table", [ARCADE, KINGS_OR_BETTER], ids=lambda table: table.name)
def test_every_line_is_paid_for_some_hand(table):
    paid = {table.line_of(parse_cards(hand)) for hand, *_ in PAYS}
    assert paid - {None} == set(table.lines)


def test_the_line_of_a_hand_that_pays_nothing_is_none():
    assert QUEST.line_of(parse_cards(NOTHING)) is None
    assert KINGS_OR_BETTER.line_of(parse_cards("Qc Qd Ah Ks 4c")) is None
