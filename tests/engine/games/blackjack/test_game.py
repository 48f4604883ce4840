"""Blackjack, with tests for each sentence of its rules: deal, insurance, peek, the boxes, the dealer.

Cards are given in dealing order: one for each box, the dealer's, one more for each box, the dealer's hole card (where
there is a peek), and then as they are drawn.
"""

import pytest

from tests.support.blackjack_rounds import BLACKJACK, custom, dealer, hands, outcomes, paid, play, seen, words
from webapp.engine.action import ALONE, Action
from webapp.engine.bets import Bets
from webapp.engine.cards import parse_cards
from webapp.engine.errors import IllegalAction, SetupError
from webapp.engine.game import Setup
from webapp.engine.games.blackjack.rules import BOXES
from webapp.engine.label import Label

PLAIN = "Th 6c 8d 9s"  # 18 against a six; the hole card is a nine
SPLIT_8 = "8h 6c 8d Ts"
SPLIT_A = "Ah 6c Ad Ts"
ACE_UP = "Th Ac 8d"
NO_PEEK = "vegas,hole_card=no_peek"
LATE = "vegas,surrender=late"

# ------------------------------------------------------------------------------------------ bets


@pytest.mark.parametrize("stakes", [(), (9,), (1001,), (0,), (-10,), (10, 9), (10, 10, 10, 10)])
def test_one_to_three_boxes_are_played_for_10_to_1000_each(stakes):
    with pytest.raises(SetupError, match="stakes do not fit this table"):
        play("Th 6c 8d 9s" * 4, stakes=stakes)


@pytest.mark.parametrize("stakes", [(10,), (1000,), (10, 1000), (10, 20, 30)])
def test_each_box_has_its_own_bet(stakes):
    cards = "2h 3h 4h 6c 5h 7h 8h 9s"
    assert tuple(box.bet for box in seen(cards, stakes=stakes).boxes) == stakes
    assert BLACKJACK.committed(play(cards, stakes=stakes)) == stakes


def test_classic_takes_no_bets():
    with pytest.raises(SetupError, match=r"stakes do not fit this table: \(10,\)"):
        BLACKJACK.start(Setup("classic", (10,), (parse_cards(PLAIN),)))


def test_a_setup_without_cards_is_refused():
    with pytest.raises(SetupError, match="pack 0 is wanted, there are 0"):
        BLACKJACK.start(Setup("vegas", (10,), ()))
    with pytest.raises(SetupError, match="1 cards wanted, 0 left"):
        play("Th 6c 8d")


# ------------------------------------------------------------------------------------------ deal


def test_the_deal_is_player_dealer_player_dealer():
    view = seen(PLAIN)
    assert (hands(view), dealer(view)) == (["Th 8d"], "6c ?")
    assert (view.boxes[0].hands[0].total, view.dealer_total) == (18, 6)
    assert view.said == (Label.of("DEALER_SHOWS", card=parse_cards("6c")[0]), Label.of("YOU_HAVE", total=18))


def test_three_boxes_get_a_card_each_before_the_dealer_twice():
    view = seen("2h 3h 4h 6c 5h 7h 8h 9s", stakes=(10, 20, 30))
    assert hands(view) == ["2h 5h", "3h 7h", "4h 8h"]
    assert dealer(view) == "6c ?"


def test_the_dealers_first_card_is_up_and_the_second_is_the_hole_card():
    assert dealer(seen(PLAIN)) == "6c ?"
    assert dealer(seen(PLAIN + "Kc", "stand")) == "6c 9s Kc"


def test_without_a_peek_the_dealer_takes_no_second_card_at_the_deal():
    view = seen("Th 6c 8d", table=NO_PEEK)
    assert dealer(view) == "6c"
    assert BLACKJACK.dealt(play("Th 6c 8d", table=NO_PEEK)) == (3,)


def test_without_a_peek_the_second_card_is_drawn_after_all_have_acted():
    assert dealer(seen("Th 6c 2d  4s  9h Kc", "hit", "stand", table=NO_PEEK)) == "6c 9h Kc"


# ------------------------------------------------------------------------------------------ insurance


def test_insurance_is_offered_with_an_ace_up():
    view = seen(ACE_UP + "9s")
    assert (view.phase, words(view), view.turn) == ("insurance", {"insure", "decline"}, (0, 0))
    assert view.boxes[0].insurance is None


@pytest.mark.parametrize("up", ["2c", "9c", "Tc", "Kc"])
def test_insurance_is_offered_with_nothing_but_an_ace_up(up):
    assert seen(f"Th {up} 8d 9s").phase == "play"


def test_insurance_is_not_offered_where_the_table_has_none():
    assert seen(ACE_UP + "9s", table="vegas,insurance=false").phase == "play"


def test_insurance_costs_half_the_bet():
    state = play(ACE_UP + "9s", stakes=(50,))
    assert BLACKJACK.cost(state, Action.parse("insure")) == 25
    assert BLACKJACK.committed(play(ACE_UP + "9s", "insure", stakes=(50,))) == (75,)
    assert BLACKJACK.committed(play(ACE_UP + "9s", "decline", stakes=(50,))) == (50,)


def test_half_an_odd_bet_is_rounded_down():
    assert BLACKJACK.committed(play(ACE_UP + "9s", "insure", stakes=(15,))) == (22,)


def test_a_bet_of_one_cannot_be_insured():
    game = custom(bets=Bets(start=10, least=1, most=10, places=BOXES))
    view = seen("Th Tc Td Ac 8h 8c 8d 9s", table="own", stakes=(1, 2, 1), game=game)
    assert (view.phase, view.turn) == ("insurance", (1, 0)), "only the second box is asked"
    view = seen("Th Tc Td Ac 8h 8c 8d 9s", "insure", table="own", stakes=(1, 2, 1), game=game)
    assert view.phase == "play"
    assert [box.insurance for box in view.boxes] == [None, 1, None]
    assert seen(ACE_UP + "9s", table="own", stakes=(1,), game=game).phase == "play"


def test_insurance_is_asked_box_by_box_in_order():
    cards, stakes = "Th Tc Td Ac 8h 8c 8d 9s", (10, 20, 30)
    asked = [seen(cards, *answers, stakes=stakes) for answers in ((), ("insure",), ("insure", "decline"))]
    assert [view.turn for view in asked] == [(0, 0), (1, 0), (2, 0)]
    view = seen(cards, "insure", "decline", "insure", stakes=stakes)
    assert (view.phase, [box.insurance for box in view.boxes]) == ("play", [5, 0, 15])


def test_a_natural_is_asked_even_money():
    cards, stakes = "Th Ah Ac 8d Kd 9s", (10, 10)
    first, second = seen(cards, stakes=stakes), seen(cards, "decline", stakes=stakes)
    assert (first.turn, first.even_money) == ((0, 0), False)
    assert (second.turn, second.even_money) == ((1, 0), True)
    assert words(second) == {"insure", "decline"}
    assert not seen(cards, "decline", "decline", stakes=stakes).even_money


@pytest.mark.parametrize("hole", ["Ks", "9s"])
def test_even_money_pays_the_bet_whatever_the_hole_card_is(hole):
    assert paid(seen(f"Ah Ac Kd {hole}", "insure", stakes=(10,))) == (25,), "15 put in, 10 won"


def test_insurance_is_asked_before_the_peek():
    assert seen(ACE_UP + "Ks").phase == "insurance"
    assert dealer(seen(ACE_UP + "Ks")) == "Ac ?"


def test_insurance_is_asked_without_a_peek_too():
    view = seen(ACE_UP, table=NO_PEEK)
    assert (view.phase, words(view)) == ("insurance", {"insure", "decline"})
    assert seen(ACE_UP, "insure", table=NO_PEEK).phase == "play"


# ------------------------------------------------------------------------------------------ peek


@pytest.mark.parametrize("up, hole, answers", [("Tc", "As", ()), ("Kc", "As", ()), ("Ac", "Ts", ("decline",))])
def test_with_an_ace_or_ten_up_the_dealer_checks_for_blackjack_before_anyone_acts(up, hole, answers):
    view = seen(f"5h {up} 6d {hole}", *answers)
    assert (view.phase, dealer(view), outcomes(view), paid(view)) == (
        "over",
        f"{up} {hole}",
        ["DEALER_BLACKJACK"],
        (0,),
    )


@pytest.mark.parametrize("up, answers", [("Tc", ()), ("Ac", ("decline",))])
def test_the_round_goes_on_when_the_dealer_has_no_blackjack(up, answers):
    view = seen(f"5h {up} 6d 9s", *answers)
    assert (view.phase, dealer(view)) == ("play", f"{up} ?")
    assert Label("NO_DEALER_BLACKJACK") in view.said


def test_with_another_card_up_the_dealer_does_not_check():
    assert Label("NO_DEALER_BLACKJACK") not in seen(PLAIN).said
    assert Label("NO_DEALER_BLACKJACK") not in seen("Th Tc 8d", table=NO_PEEK).said


def test_without_a_peek_all_act_before_the_dealer_has_a_blackjack():
    view = seen("5h Tc 6d", table=NO_PEEK)
    assert view.phase == "play"
    view = seen("5h Tc 6d  9s  As", "hit", "stand", table=NO_PEEK)
    assert (dealer(view), outcomes(view)) == ("Tc As", ["DEALER_BLACKJACK"])


def test_where_naturals_are_nothing_the_dealer_checks_for_none():
    view = seen("5h Tc 6d As", table="classic")
    assert view.phase == "play"
    assert outcomes(seen("5h Tc 6d As Th", "hit", "stand", table="classic")) == ["PUSH"], "21 to 21"


# ------------------------------------------------------------------------------------------ hit and stand


def test_a_hit_is_one_card():
    view = seen("2h 6c 3d 9s  4c", "hit")
    assert (hands(view), view.boxes[0].hands[0].total) == (["2h 3d 4c"], 9)
    assert view.said == (Label.of("DREW", cards=parse_cards("4c")), Label.of("YOU_HAVE", total=9))


def test_after_a_stand_the_dealer_plays():
    view = seen(PLAIN + "2c", "stand")
    assert (view.phase, view.to_act, view.turn, words(view)) == ("over", None, None, set())


def test_a_bust_hand_loses_at_once_and_is_not_asked_again():
    view = seen("Th 6c 8d 9s  Kc", "hit")
    assert (view.phase, outcomes(view), paid(view)) == ("over", ["BUST"], (0,))


def test_a_bust_loses_at_once_even_if_the_dealer_would_bust_later():
    view = seen("Th 2h 6c 8d 3h Ts  Kc  Td", "hit", "stand", stakes=(10, 10))
    assert outcomes(view) == ["BUST", "DEALER_BUST"]
    assert paid(view) == (0, 20)


def test_21_stands_by_itself():
    view = seen("5h 6c 6d Ts  Tc  2c", "hit")
    assert (view.phase, view.boxes[0].hands[0].total, outcomes(view)) == ("over", 21, ["WIN"])


def test_21_is_still_asked_where_the_table_says_so():
    view = seen("5h 6c 6d Ts  Tc", "hit", table="vegas,auto_stand_21=false")
    assert (view.phase, words(view)) == ("play", {"hit", "stand"})


def test_a_soft_21_may_be_drawn_to_where_it_is_asked():
    view = seen("Ah 6c 4d Ts  6h 9c", "hit", "hit", table="vegas,auto_stand_21=false")
    assert (view.boxes[0].hands[0].total, view.boxes[0].hands[0].soft) == (20, False)


def test_a_natural_is_never_asked():
    for table in ("vegas", "vegas,auto_stand_21=false", LATE):
        assert outcomes(seen("Ah 6c Kd 9s", table=table)) == ["BLACKJACK"]


@pytest.mark.parametrize("move", ["double", "split", "surrender", "insure", "decline"])
def test_what_is_not_possible_now_is_refused(move):
    with pytest.raises(IllegalAction, match=f"^{move} is not legal now$"):
        play("Th 6c 2d 9s  2c", "hit", move, table=LATE)


def test_the_boxes_play_from_first_to_last():
    cards, stakes = "2h 3h 4h 6c 5h 7h 8h 9s" + "2c 2d 2s Kc", (10, 20, 30)
    assert [seen(cards, *["stand"] * n, stakes=stakes).turn for n in range(4)] == [(0, 0), (1, 0), (2, 0), None]
    view = seen(cards, "hit", "stand", "hit", "stand", "hit", "stand", stakes=stakes)
    assert hands(view) == ["2h 5h 2c", "3h 7h 2d", "4h 8h 2s"]


def test_the_hand_in_play_is_marked():
    view = seen("2h 3h 6c 5h 7h 9s", "stand", stakes=(10, 10))
    assert [hand.active for box in view.boxes for hand in box.hands] == [False, True]


def test_a_natural_among_other_boxes_is_passed_over_and_known_as_paid():
    view = seen("Ah 3h 6c Kh 7h 9s", stakes=(10, 10))
    assert (view.turn, outcomes(view)) == ((1, 0), ["BLACKJACK", "None"])


def test_a_natural_is_not_paid_before_it_is_known_whether_the_dealer_has_one():
    assert outcomes(seen("Ah 3h Ac Kh 7h 9s", stakes=(10, 10))) == ["None", "None"], "before the peek"
    assert outcomes(seen("Ah 3h Tc Kh 7h", stakes=(10, 10), table=NO_PEEK)) == ["None", "None"], "there is no peek"
    assert outcomes(seen("Ah 3h 9c Kh 7h", stakes=(10, 10), table=NO_PEEK)) == ["BLACKJACK", "None"], "it can have none"


# ------------------------------------------------------------------------------------------ double


def test_a_double_is_one_card_and_a_forced_stand():
    view = seen("5h 6c 6d Ts  2c  2s", "double", stakes=(50,))
    (hand,) = view.boxes[0].hands
    assert (view.phase, hands(view), hand.bet, hand.doubled) == ("over", ["5h 6d 2c"], 100, True)
    assert paid(view) == (0,), "13 to 18"


def test_a_double_costs_the_bet_again():
    state = play("5h 6c 6d Ts", stakes=(50,))
    assert BLACKJACK.cost(state, Action.parse("double")) == 50
    assert BLACKJACK.committed(play("5h 6c 6d Ts  Tc 2c", "double", stakes=(50,))) == (100,)


def test_only_two_cards_are_doubled():
    assert "double" not in words(seen("2h 6c 3d Ts  4c", "hit"))


def totals_doubled(rule):
    table = "vegas" if rule == "any" else f"vegas,double_on={rule}"
    pairs = ("22", "23", "44", "45", "46", "55", "56", "57", "98", "A2", "A8", "A9", "AA")
    return {pair for pair in pairs if "double" in words(seen(f"{pair[0]}h 6c {pair[1]}d Ts", table=table))}


@pytest.mark.parametrize(
    "rule, doubled",
    [
        ("any", {"22", "23", "44", "45", "46", "55", "56", "57", "98", "A2", "A8", "A9", "AA"}),
        ("9-11", {"45", "46", "55", "56"}),
        ("10-11", {"46", "55", "56"}),
        ("none", set()),
    ],
)
def test_what_may_be_doubled_is_said_by_double_on(rule, doubled):
    assert totals_doubled(rule) == doubled


def test_after_a_split_doubling_is_said_by_double_after_split():
    for after, allowed in (("vegas", True), ("vegas,double_after_split=false", False)):
        view = seen(SPLIT_8 + "3c", "split", table=after)
        assert ("double" in words(view)) is allowed
    assert "double" in words(seen("8h 6c 3d Ts", table="vegas,double_after_split=false"))


def test_a_split_hand_is_doubled_for_its_own_bet():
    view = seen(SPLIT_8 + "3c Tc  5c 2s", "split", "double", "stand", stakes=(50,))
    assert [hand.bet for hand in view.boxes[0].hands] == [100, 50]
    assert hands(view) == ["8h 3c Tc", "8d 5c"]


def test_a_doubled_hand_of_a_split_is_followed_by_the_next():
    view = seen(SPLIT_8 + "3c Tc  5c", "split", "double")
    assert (view.phase, view.turn, hands(view)[1]) == ("play", (0, 1), "8d 5c")


# ------------------------------------------------------------------------------------------ split


@pytest.mark.parametrize(
    "pair, splits", [("TK", {"value"}), ("JQ", {"value"}), ("KK", {"value", "rank"}), ("89", set())]
)
def test_what_may_be_split_is_said_by_split_by(pair, splits):
    tables = {"value": "vegas", "rank": "vegas,split_by=rank", "none": "vegas,split_by=none"}
    found = {
        rule for rule, table in tables.items() if "split" in words(seen(f"{pair[0]}h 6c {pair[1]}d 9s", table=table))
    }
    assert found == splits


def test_a_split_costs_the_bet_again():
    assert BLACKJACK.cost(play(SPLIT_8, stakes=(50,)), Action.parse("split")) == 50
    assert BLACKJACK.committed(play(SPLIT_8 + "2c", "split", stakes=(50,))) == (100,)


def test_the_hand_in_play_gets_its_second_card_at_once_the_other_when_its_turn_comes():
    first = seen(SPLIT_8 + "2c", "split")
    assert (hands(first), first.turn) == (["8h 2c", "8d"], (0, 0))
    assert BLACKJACK.dealt(play(SPLIT_8 + "2c", "split")) == (5,)
    second = seen(SPLIT_8 + "2c 4c 5c", "split", "hit", "stand")
    assert (hands(second), second.turn) == (["8h 2c 4c", "8d 5c"], (0, 1))
    assert second.said == (Label.of("DREW", cards=parse_cards("5c")), Label.of("YOU_HAVE", total=13))


def test_the_next_box_waits_until_all_hands_of_a_split_are_played():
    cards = "8h 3h 6c 8d 7h Ts" + "2c 4c"
    turns = [seen(cards, "split", *["stand"] * n, stakes=(10, 10)).turn for n in range(3)]
    assert turns == [(0, 0), (0, 1), (1, 0)]


def test_hands_may_be_split_again_up_to_four():
    view = seen(SPLIT_8 + "8c 8s 2c", "split", "split", "split")
    assert hands(view) == ["8h 2c", "8s", "8c", "8d"]
    view = seen(SPLIT_8 + "8c 8s 8h", "split", "split", "split")
    assert "split" not in words(view)


@pytest.mark.parametrize("most", [2, 3, 4])
def test_a_box_has_no_more_hands_than_max_hands(most):
    table = "vegas" if most == 4 else f"vegas,max_hands={most}"
    cards = SPLIT_8 + "8c 8s 8h"
    for splits in range(1, most):
        view = seen(cards, *["split"] * splits, table=table)
        assert ("split" in words(view)) is (splits + 1 < most)


def test_max_hands_is_counted_per_box():
    cards = "8h 8s 6c 8d 8c Ts" + "2c 3c 4c 5c"
    view = seen(cards, "split", "stand", "stand", "split", table="vegas,max_hands=2", stakes=(10, 10))
    assert hands(view) == ["8h 2c", "8d 3c", "8s 4c", "8c"]


def test_each_split_hand_has_its_own_fate():
    view = seen(SPLIT_8 + "Tc 9c  Tc 2d", "split", "stand", "hit", stakes=(10,))
    assert hands(view) == ["8h Tc", "8d 9c Tc"]
    assert (dealer(view), outcomes(view), paid(view)) == ("6c Ts 2d", ["PUSH", "BUST"], (10,))


def test_split_aces_get_both_cards_at_once_and_no_more():
    view = seen(SPLIT_A + "5c 6c  Kc", "split")
    assert (view.phase, hands(view)) == ("over", ["Ah 5c", "Ad 6c"])
    assert outcomes(view) == ["DEALER_BUST", "DEALER_BUST"]
    assert [hand.total for hand in view.boxes[0].hands] == [16, 17]


def test_split_aces_may_be_hit_where_the_table_says_so_and_still_get_both_cards_at_once():
    view = seen(SPLIT_A + "5c 6c", "split", table="vegas,hit_split_aces=true")
    assert (hands(view), words(view)) == (["Ah 5c", "Ad 6c"], {"hit", "stand", "double"})
    view = seen(SPLIT_A + "5c 6c 2c", "split", "hit", table="vegas,hit_split_aces=true")
    assert hands(view) == ["Ah 5c 2c", "Ad 6c"]


def test_split_aces_that_get_one_card_only_are_not_doubled():
    view = seen(SPLIT_A + "Ac 6c", "split", table="vegas,resplit_aces=true")
    assert words(view) == {"stand", "split"}


def test_split_aces_are_not_split_again():
    view = seen(SPLIT_A + "Ac As  Kc", "split")
    assert (view.phase, hands(view)) == ("over", ["Ah Ac", "Ad As"])


def test_split_aces_are_split_again_where_the_table_says_so():
    view = seen(SPLIT_A + "Ac 6c  2c 3c Kc", "split", "split", table="vegas,resplit_aces=true")
    assert (view.phase, hands(view)) == ("over", ["Ah 2c", "Ac 3c", "Ad 6c"])


def test_the_second_of_split_aces_is_split_again_in_its_turn():
    view = seen(SPLIT_A + "5c Ac", "split", table="vegas,resplit_aces=true")
    assert (view.turn, words(view)) == ((0, 1), {"stand", "split"})


def test_aces_that_cannot_be_split_again_for_the_number_of_hands_are_not_asked():
    view = seen(SPLIT_A + "Ac As  Kc", "split", table="vegas,max_hands=2,resplit_aces=true")
    assert view.phase == "over"


def test_other_pairs_are_split_again_whatever_is_said_of_aces():
    assert "split" in words(seen(SPLIT_8 + "8c", "split"))


def test_a_ten_on_a_split_ace_is_21_and_not_a_natural():
    view = seen(SPLIT_A + "Kc 6c  5c", "split", stakes=(10,))
    assert (dealer(view), outcomes(view), paid(view)) == ("6c Ts 5c", ["PUSH", "LOSE"], (10,)), (
        "21 of the dealer's pushes"
    )


def test_an_ace_on_a_split_ten_is_21_and_not_a_natural():
    view = seen("Th 6c Td Ts  Ac 9c  2c", "split", "stand", stakes=(10,))
    assert (outcomes(view), paid(view)) == (["WIN", "WIN"], (40,)), "even money, not 3:2"


# ------------------------------------------------------------------------------------------ surrender


def test_surrender_gives_half_the_bet_back():
    view = seen("Th 9c 6d 9s", "surrender", table=LATE, stakes=(50,))
    assert (view.phase, outcomes(view), paid(view)) == ("over", ["SURRENDER"], (25,))


def test_half_of_an_odd_bet_is_rounded_down_by_surrender():
    assert paid(seen("Th 9c 6d 9s", "surrender", table=LATE, stakes=(15,))) == (7,)


def test_surrender_is_not_offered_unless_the_table_says_so():
    assert "surrender" not in words(seen("Th 9c 6d 9s"))


def test_surrender_is_a_first_action_only():
    assert "surrender" in words(seen("2h 9c 6d 9s", table=LATE))
    assert "surrender" not in words(seen("2h 9c 6d 9s 2c", "hit", table=LATE))
    assert "surrender" not in words(seen(SPLIT_8 + "2c", "split", table=LATE))


def test_each_box_may_surrender_first():
    view = seen("Th Tc 9c 6d 6h 9s", "stand", table=LATE, stakes=(10, 10))
    assert (view.turn, "surrender" in words(view)) == ((1, 0), True)
    view = seen("Th Tc 9c 6d 6h 9s", "surrender", table=LATE, stakes=(10, 10))
    assert (outcomes(view), view.turn) == (["SURRENDER", "None"], (1, 0))


def test_surrender_is_late_a_dealers_blackjack_comes_first():
    view = seen("Th Tc 6d As", table=LATE)
    assert (view.phase, paid(view)) == ("over", (0,))
    assert "surrender" not in words(seen("Th Ac 6d 9s", table=LATE)), "insurance is asked before"
    assert "surrender" in words(seen("Th Ac 6d 9s", "decline", table=LATE))


def test_without_a_peek_what_was_surrendered_is_settled_at_once():
    table = "vegas,hole_card=no_peek,surrender=late"
    view = seen("Th Tc 6d", "surrender", table=table)
    assert (dealer(view), paid(view)) == ("Tc", (5,)), "nothing is drawn"
    view = seen("Th 9h Tc 6d 9d  As", "surrender", "stand", table=table, stakes=(10, 10))
    assert (outcomes(view), paid(view)) == (["SURRENDER", "DEALER_BLACKJACK"], (5, 0))


# ------------------------------------------------------------------------------------------ the dealer


@pytest.mark.parametrize(
    "cards, drawn",
    [
        ("6c 9s", "6c 9s 2c"),  # 15
        ("6c Ts", "6c Ts 2c"),  # 16
        ("7c Ts", "7c Ts"),  # hard 17
        ("8c Ts", "8c Ts"),
        ("5c As", "5c As 2c"),  # soft 16
        ("7c As", "7c As"),  # soft 18
    ],
)
@pytest.mark.parametrize("table", ["vegas", "vegas,soft_17=hit"])
def test_the_dealer_draws_to_16_and_stands_on_hard_17(cards, drawn, table):
    up, hole = cards.split()
    assert dealer(seen(f"Th {up} 8d {hole}  2c 9d", "stand", table=table)) == drawn


@pytest.mark.parametrize("table, drawn", [("vegas", "6c As"), ("vegas,soft_17=hit", "6c As 2c")])
def test_the_dealer_stands_on_or_draws_to_a_soft_17_as_the_table_says(table, drawn):
    assert dealer(seen("Th 6c 8d As  2c", "stand", table=table)) == drawn


def test_a_soft_17_of_three_cards_is_a_soft_17():
    assert dealer(seen("Th 2c 8d 4s  Ac 3c", "stand", table="vegas")) == "2c 4s Ac"
    assert dealer(seen("Th 2c 8d 4s  Ac 3c", "stand", table="downtown")) == "2c 4s Ac 3c"


def test_a_17_that_was_soft_and_is_hard_is_stood_on():
    assert dealer(seen("Th 6c 8d As  Tc 9d", "stand", table="downtown")) == "6c As Tc"


def test_the_dealer_draws_for_one_hand_of_many():
    view = seen("Th 2h 6c 8d 3h Ts  Kc  2s", "hit", "stand", stakes=(10, 10))
    assert dealer(view) == "6c Ts 2s"


def test_if_all_hands_are_bust_the_dealer_shows_the_hole_card_and_draws_nothing():
    view = seen("Th 6c 8d 2s  Kc", "hit")
    assert (view.phase, dealer(view)) == ("over", "6c 2s")


def test_if_all_are_bust_surrendered_or_paid_naturals_the_dealer_draws_nothing():
    cards = "Th Ah Tc 6c 8d Kd 6h 2s  Kc"
    view = seen(cards, "hit", "surrender", stakes=(10, 10, 10), table=LATE)
    assert outcomes(view) == ["BUST", "BLACKJACK", "SURRENDER"]
    assert (dealer(view), paid(view)) == ("6c 2s", (0, 25, 5))


def test_split_hands_all_bust_draw_no_card_from_the_dealer():
    view = seen(SPLIT_8 + "Tc 9c  Tc 9d", "split", "hit", "hit")
    assert (dealer(view), outcomes(view)) == ("6c Ts", ["BUST", "BUST"])


def test_without_a_peek_the_dealer_takes_no_second_card_if_nothing_hangs_on_it():
    assert dealer(seen("Th Tc 8d Kc", "hit", table=NO_PEEK)) == "Tc"
    assert dealer(seen("Ah 9c Kd", table=NO_PEEK)) == "9c", "nine up: the natural is paid"


@pytest.mark.parametrize(
    "second, outcome, back", [("As", "PUSH", 10), ("9s", "BLACKJACK", 25), ("2s", "BLACKJACK", 25)]
)
def test_without_a_peek_a_natural_waits_for_the_dealers_second_card_and_no_more(second, outcome, back):
    view = seen(f"Ah Tc Kd {second}", table=NO_PEEK)
    assert (dealer(view), outcomes(view), paid(view)) == (f"Tc {second}", [outcome], (back,))


@pytest.mark.parametrize("second, back", [("Ks", 15), ("9s", 0), ("2s", 0)])
def test_without_a_peek_an_insurance_waits_for_the_dealers_second_card_though_all_are_bust(second, back):
    view = seen(f"Th Ac 8d  Kc  {second}", "insure", "hit", table=NO_PEEK)
    assert (dealer(view), outcomes(view), paid(view)) == (f"Ac {second}", ["BUST"], (back,))


def test_what_the_dealer_has_is_said():
    view = seen(PLAIN + "Kc", "stand")
    said = (Label.of("DEALER_HAS", total=25, cards=parse_cards("6c 9s Kc")), Label.of("DEALER_BUST", net=10))
    assert view.said == said


# ------------------------------------------------------------------------------------------ classic


def test_classic_is_hit_or_stand_only():
    for cards in ("8h 6c 8d Ts", "5h 6c 6d Ts", "Th Ac 6d Ts", "Ah 6c Kd Ts"):
        assert words(seen(cards, table="classic")) == {"hit", "stand"}


def test_classic_still_asks_at_21():
    assert words(seen("Ah 6c Kd Ts", table="classic")) == {"hit", "stand"}
    view = seen("Ah 6c Kd Ts 5c", "hit", table="classic")
    assert view.boxes[0].hands[0].total == 16


@pytest.mark.parametrize(
    "cards, moves, outcome",
    [
        ("Th 6c 8d Ts Tc", ["stand"], "DEALER_BUST"),
        ("Th 7c 8d Ts", ["stand"], "WIN"),
        ("Th 8c 8d Ts", ["stand"], "PUSH"),
        ("Th 9c 8d Ts", ["stand"], "LOSE"),
        ("Th 9c 8d Ts 9d", ["hit"], "BUST"),
        ("Ah Tc Kd As", ["stand"], "PUSH"),
        ("Ah 5c Kd 6s Ts", ["stand"], "PUSH"),
    ],
)
def test_classic_counts_win_lose_or_draw(cards, moves, outcome):
    view = seen(cards, *moves, table="classic")
    assert (outcomes(view), paid(view)) == ([outcome], (0,))
    assert view.result.labels == (Label.of(outcome, net=0),)


def test_classic_stands_on_every_17():
    assert dealer(seen("Th 6c 8d As", "stand", table="classic")) == "6c As"


def test_the_total_of_a_bust_hand_is_shown_with_every_ace_as_one():
    for table in ("classic", "vegas"):
        view = seen("Th 6c 8d As  Ac 3c", "hit", "hit", table=table)
        hand = view.boxes[0].hands[0]
        assert (hand.total, hand.soft, hand.outcome) == (22, False, "BUST")
        assert Label.of("YOU_HAVE", total=22) in view.said


# ------------------------------------------------------------------------------------------ the shoe is empty

# Ten cards behind the cut card, 14 for a round of one box; many aces make 21 on their way.
SMALL = custom(decks=2, penetration=0.9, auto_stand_21=False)
LONG = "2h 6c 2d 5s  Ac Ac As As Ad Ad Ah Ah 2c"  # 14 in eleven cards, against eleven


def test_when_the_shoe_is_empty_all_undecided_hands_stand():
    before = seen(LONG, *["hit"] * 9, table="own", game=SMALL)
    assert (before.phase, before.ran_out, before.boxes[0].hands[0].total) == ("play", False, 14)
    after = seen(LONG + "2s", *["hit"] * 10, table="own", game=SMALL)
    assert (after.phase, after.ran_out, after.boxes[0].hands[0].total) == ("over", True, 16)
    assert Label("SHOE_EMPTY") in after.said
    assert (dealer(after), outcomes(after), paid(after)) == ("6c 5s", ["WIN"], (20,)), "16 to 11"


def test_hands_whose_turn_never_came_stand_with_their_one_card():
    cards = "2h 6c 2d 5s  2c 2s  Ac Ac As As Ad Ad Ah Ah  9c"
    state = play(cards, "split", "split", *["hit"] * 8, table="own", game=SMALL)
    view = SMALL.view(state, ALONE)
    assert (SMALL.dealt(state), view.phase, view.ran_out) == ((14,), "over", True), "the nine is not for this round"
    assert [hand.total for hand in view.boxes[0].hands] == [12, 2, 2]
    assert (outcomes(view), paid(view)) == (["WIN", "LOSE", "LOSE"], (20,))


def test_a_dealer_who_finds_the_shoe_empty_stands():
    view = seen(LONG + "4s", *["hit"] * 9, "stand", table="own", game=SMALL)
    assert (dealer(view), view.dealer_total, view.ran_out) == ("6c 5s 4s", 15, True)
    assert outcomes(view) == ["LOSE"], "14 to 15"


def test_a_shoe_that_is_empty_when_nobody_wants_a_card_any_more_is_not_missed():
    view = seen(LONG + "6s", *["hit"] * 9, "stand", table="own", game=SMALL)
    assert (dealer(view), view.dealer_total, view.ran_out) == ("6c 5s 6s", 17, False)
    assert Label("SHOE_EMPTY") not in view.said


def test_a_pair_is_not_split_without_a_card_for_each_hand():
    cards = "2h 6c 2d 5s  2c 2s  Ac Ac As As"
    enough = seen(cards + "Ad 2s", "split", "split", *["hit"] * 5, "stand", table="own", game=SMALL)
    assert (hands(enough)[1:], words(enough)) == (["2c 2s", "2d"], {"hit", "stand", "double", "split"})
    short = seen(cards + "Ad Ah 2s", "split", "split", *["hit"] * 6, "stand", table="own", game=SMALL)
    assert (hands(short)[1:], words(short)) == (["2c 2s", "2d"], {"hit", "stand", "double"})


def test_a_record_that_stops_short_is_an_error_and_not_an_empty_shoe():
    with pytest.raises(SetupError, match="1 cards wanted, 0 left"):
        play("2h 6c 2d 5s", "hit")
    with pytest.raises(SetupError, match="1 cards wanted, 0 left"):
        play("Th 6c 8d 5s", "stand")


# ------------------------------------------------------------------------------------------ for the absent


def test_the_absent_decline_insurance_and_stand():
    assert BLACKJACK.default_action(play(ACE_UP + "9s"), ALONE) == Action.parse("decline")
    assert BLACKJACK.default_action(play(PLAIN), ALONE) == Action.parse("stand")


def test_nobody_but_the_player_may_act():
    view = BLACKJACK.view(play(PLAIN), None)
    assert (view.actions, view.to_act) == ((), ALONE)


def test_the_first_hand_stands_for_the_round():
    assert BLACKJACK.summary_cards(play(PLAIN)) == parse_cards("Th 8d")
