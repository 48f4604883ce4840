"""The order in which the cards of blackjack are dealt."""

from webapp.engine.games.blackjack.dealer import order_of_action, order_of_deal


def test_a_deal_goes_round_twice_and_ends_with_the_dealer() -> None:
    order = order_of_deal(boxes=3, dealer=2)
    assert order.boxes == (((0, 4),), ((1, 5),), ((2, 6),))
    assert order.dealer == (3, 7)
    assert (order.is_deal, order.end) == (True, 8)


def test_a_dealer_without_a_hole_card_gets_the_first_one_after_all_boxes() -> None:
    order = order_of_deal(boxes=1, dealer=1)
    assert (order.boxes, order.dealer, order.end) == ((((0, 2),),), (1,), 3)


def test_new_cards_come_hand_by_hand_and_those_that_lay_there_stay() -> None:
    order = order_of_action([[(2, 0)], [(2, 1), (2, 1)]], dealer=2, over=False)
    assert order.boxes == (((None, None),), ((None, 0), (None, 1)))
    assert order.dealer == (None, None)
    assert order.is_deal is False


def test_the_dealer_turns_and_draws_when_all_have_acted() -> None:
    order = order_of_action([[(3, 1)]], dealer=4, over=True)
    assert order.boxes == (((None, None, 0),),)
    assert order.dealer == (None, 1, 2, 3)
    assert order.end == 4
