"""What a view of blackjack contains beside cards: new cards, actions done, costs, outcomes."""

import pytest

from tests.support.blackjack_rounds import BLACKJACK, seen
from webapp.engine.cards import parse_cards
from webapp.engine.errors import SetupError
from webapp.engine.tier import Tier
from webapp.engine.twenty_one.counting import HI_LO

SPLIT_8 = "8h 6c 8d Ts"


def test_all_cards_are_new_when_they_are_dealt_and_none_is_after_a_word_on_insurance():
    assert seen("Th Ac 8d 9s").boxes[0].hands[0].fresh == 2
    assert seen("Th Ac 8d 9s", "decline").boxes[0].hands[0].fresh == 0


def test_after_a_split_the_card_that_was_drawn_is_new():
    left, right = seen(f"{SPLIT_8} 3h", "split").boxes[0].hands
    assert (left.fresh, right.fresh) == (1, 0)


def test_each_hand_knows_what_was_done_to_it():
    left, right = seen(f"{SPLIT_8} 3h Kc 2s Qd 9h", "split", "double", "hit").boxes[0].hands
    assert (left.moves, right.moves) == (("split", "double"), ("split", "hit"))


def test_each_hand_and_the_insurance_say_what_they_won_or_lost():
    box = seen("Th Ac 8d Ks", "insure", stakes=(101,)).boxes[0]
    assert (box.hands[0].net, box.insurance, box.insurance_net) == (-101, 50, 100)
    assert seen("Ah 9c Kd 9s", stakes=(15,)).boxes[0].hands[0].net == 22


def test_the_price_is_that_of_what_is_asked():
    assert seen("Th Ac 8d 9s", stakes=(15,)).price == 7
    assert seen("Th Ac 8d 9s", "decline", stakes=(15,)).price == 15
    assert seen("Th 9c 8d 9s", "stand", stakes=(15,)).price == 0


def test_a_hole_card_is_not_among_the_open_ones():
    assert seen("Th 6c 8d 9s").open_cards == parse_cards("6cTh8d")
    assert parse_cards("9s")[0] in seen("Th 6c 8d 9s Kh", "stand").open_cards


def test_own_rules_are_a_preset_where_they_are_the_same():
    assert BLACKJACK.variant_from_choices({}) == "vegas"
    assert BLACKJACK.variant_from_choices({"decks": "2", "soft_17": "hit"}) == "downtown"
    assert BLACKJACK.variant_from_choices({"decks": "2", "surrender": "late"}) == "vegas,decks=2,surrender=late"


@pytest.mark.parametrize("words", [{"decks": "9"}, {"bets": "1"}, {"nothing": ""}])
def test_what_cannot_be_chosen_is_refused(words):
    with pytest.raises(SetupError, match="no such rule"):
        BLACKJACK.variant_from_choices(words)


def test_a_table_says_only_what_makes_a_difference():
    assert "lose" not in BLACKJACK.rules("vegas").in_force
    assert "lose" in BLACKJACK.rules("european").in_force
    assert not {"blackjack_pays", "insurance", "max_hands"} & set(BLACKJACK.rules("classic").in_force)


def test_hi_lo_counts_low_cards_up_and_high_cards_down():
    counts = {str(card): HI_LO.tag(card) for card in parse_cards("2h6c7d9sTdKcAs")}
    assert counts == {"2h": 1, "6c": 1, "7d": 0, "9s": 0, "Td": -1, "Kc": -1, "As": -1}


@pytest.mark.parametrize(
    ("cards", "moves", "stakes", "tier"),
    [
        ("Th 9c 9d 8s", ("stand",), (10,), Tier.GOOD),
        ("Ah 9c Kd 9s", (), (10,), Tier.GREAT),
        ("Th 9c 9d Ts", ("stand",), (10,), Tier.EVEN),  # a push
        ("Th 9c 8d Ts", ("stand",), (10,), Tier.EVEN),
        ("Th 9c 9d 8s", (), (10,), Tier.EVEN),  # still in play
    ],
)
def test_a_round_won_is_a_good_win_and_one_with_a_blackjack_a_great_one(cards, moves, stakes, tier):
    assert seen(cards, *moves, stakes=stakes).tier is tier


def test_a_round_that_lost_in_all_is_no_win_whatever_a_box_of_it_has_won():
    small = seen("Ah Th 9c Kd 8s Td", "stand", stakes=(10, 100))
    assert [box.hands[0].outcome for box in small.boxes] == ["BLACKJACK", "LOSE"]
    assert small.tier is Tier.EVEN
    assert seen("Ah Th 9c Kd 8s Td", "stand", stakes=(100, 10)).tier is Tier.GREAT


def test_a_game_without_stakes_is_won_too():
    assert seen("Th 6c 9d Ts Kd", "stand", table="classic").tier is Tier.GOOD
