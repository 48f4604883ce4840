"""Payouts of blackjack in whole chips, and a second implementation over random rounds."""

from collections import Counter
from random import Random

import pytest

from tests.support.blackjack_rounds import BLACKJACK, agree, any_round, custom, dealer, outcomes, paid, play, seen
from webapp.engine.bets import Bets
from webapp.engine.games.blackjack.game import BlackjackGame
from webapp.engine.games.blackjack.rules import BOXES
from webapp.engine.games.blackjack.settlement import insured, returns
from webapp.engine.label import Label

ALL = "vegas,hole_card=no_peek,lose=all"
ORIGINAL = "vegas,hole_card=no_peek"
SMALL_BETS = Bets(start=1000, least=1, most=1000, places=BOXES)

# ------------------------------------------------------------------------------------------ each end of a hand


@pytest.mark.parametrize(
    "cards, moves, outcome, back",
    [
        ("Ah 6c Kd 9s", [], "BLACKJACK", 25),
        ("Th 7c 8d Ts", ["stand"], "WIN", 20),
        ("Th 6c 8d Ts Tc", ["stand"], "DEALER_BUST", 20),
        ("Th 8c 8d Ts", ["stand"], "PUSH", 10),
        ("Th 9c 8d Ts", ["stand"], "LOSE", 0),
        ("Th 9c 8d Ts Tc", ["hit"], "BUST", 0),
        ("Th Tc 8d As", [], "DEALER_BLACKJACK", 0),
        ("Ah Tc Kd As", [], "PUSH", 10),
        ("5h 7c 6d Ts Tc", ["double"], "WIN", 40),
        ("5h 9c 6d Ts 8c", ["double"], "PUSH", 20),
        ("5h 9c 6d Ts 2c", ["double"], "LOSE", 0),
    ],
)
def test_a_hand_ends_like_this_and_pays_so_much_for_a_bet_of_ten(cards, moves, outcome, back):
    view = seen(cards, *moves)
    assert (outcomes(view), paid(view)) == ([outcome], (back,))
    staked = view.boxes[0].hands[0].bet
    assert view.result.labels == (Label.of(outcome, net=back - staked),)


def test_a_natural_beats_any_other_21():
    view = seen("Ah 5h 5c Kd 6d 6s  Tc  Td", "double", stakes=(10, 10))
    assert (dealer(view), outcomes(view)) == ("5c 6s Td", ["BLACKJACK", "PUSH"])


def test_a_natural_pushes_against_a_dealer_natural_and_nothing_else_does():
    view = seen("Ah 5h Tc Kd 6d As", stakes=(10, 10))
    assert (outcomes(view), paid(view)) == (["PUSH", "DEALER_BLACKJACK"], (10, 0))


def test_21_of_many_cards_loses_to_a_dealer_natural_without_a_peek():
    assert outcomes(seen("5h Tc 6d  Tc  As", "hit", table=ORIGINAL)) == ["DEALER_BLACKJACK"]


@pytest.mark.parametrize(
    "pays, bet, back",
    [
        *[("3:2", 10, 25), ("3:2", 15, 37), ("3:2", 3, 7), ("3:2", 1, 2)],
        *[("6:5", 10, 22), ("6:5", 14, 30), ("6:5", 4, 8), ("6:5", 1, 2)],
        *[("1:1", 10, 20), ("1:1", 7, 14)],
    ],
)
def test_a_natural_pays_by_blackjack_pays_rounded_down_to_a_chip(pays, bet, back):
    game = custom(blackjack_pays=pays, bets=SMALL_BETS)
    assert paid(seen("Ah 6c Kd 9s", table="own", stakes=(bet,), game=game)) == (back,)


@pytest.mark.parametrize("bet, back", [(10, 15), (15, 21), (2, 3), (1000, 1500)])
def test_insurance_pays_two_to_one_on_a_dealer_natural(bet, back):
    game = custom(bets=SMALL_BETS)
    view = seen("Th Ac 8d Ks", "insure", table="own", stakes=(bet,), game=game)
    assert paid(view) == (back,), "insurance three times, the bet not at all"
    parts = (Label.of("DEALER_BLACKJACK", net=-bet), Label.of("INSURANCE_WON", net=bet // 2 * 2))
    assert view.result.labels[1:] == parts


def test_insurance_is_lost_when_the_dealer_has_no_natural_even_with_21():
    view = seen("Th Ac 8d 3s  7c", "insure", "stand")
    assert (dealer(view), paid(view)) == ("Ac 3s 7c", (0,))
    parts = (Label.of("LOSE", net=-10), Label.of("INSURANCE_LOST", net=-5))
    assert view.result.labels == (Label.of("ROUND_LOST", net=-15), *parts)


def test_each_box_is_paid_by_itself():
    view = seen("Ah Th 9h 6c Kd 8d 9d Ts  2c", "stand", "stand", stakes=(10, 20, 30))
    assert (dealer(view), outcomes(view), paid(view)) == ("6c Ts 2c", ["BLACKJACK", "PUSH", "PUSH"], (25, 20, 30))
    assert view.result.labels[0] == Label.of("ROUND_WON", net=15)


@pytest.mark.parametrize("cards, whole", [("Th 9h 8c 9d 9s Ts", "ROUND_WON"), ("Th 7h 8c 9d Ts Ts", "ROUND_EVEN")])
def test_several_hands_have_one_sentence_over_all(cards, whole):
    view = seen(cards, "stand", "stand", stakes=(10, 10))
    assert view.result.labels[0].code == whole


def test_where_nothing_is_staked_hands_are_counted():
    table = "classic,split_by=rank"
    for draws, whole in (("Tc 9c", "ROUND_LOST"), ("Tc Jc", "ROUND_EVEN"), ("Ac Jc", "ROUND_WON")):
        view = seen("8h 9c 8d 9s" + draws, "split", "stand", "stand", table=table)
        assert view.result.labels[0] == Label.of(whole, net=0)


# ------------------------------------------------------------------------------------------ without a peek


def test_without_a_peek_a_dealers_blackjack_takes_all_where_the_table_says_so():
    assert paid(seen("5h Tc 6d  9c  As", "double", table=ALL)) == (0,)
    assert paid(seen("8h Tc 8d  9c 9d  As", "split", "stand", "stand", table=ALL)) == (0,)


def test_without_a_peek_only_the_original_bet_is_lost_otherwise():
    assert paid(seen("5h Tc 6d  9c  As", "double", table=ORIGINAL)) == (10,), "20 put in"
    assert paid(seen("8h Tc 8d  9c 9d  As", "split", "stand", "stand", table=ORIGINAL)) == (10,)
    view = seen("8h Tc 8d  3c 9c 9d  As", "split", "double", "stand", table=ORIGINAL)
    assert (outcomes(view), paid(view)) == (["DEALER_BLACKJACK"] * 2, (20,)), "30 put in"
    assert [label.args for label in view.result.labels[1:]] == [(("net", -10),), (("net", 0),)]


def test_each_box_loses_its_own_original_bet():
    view = seen("5h 5d Tc 6d 6h  9c 9d  As", "double", "double", table=ORIGINAL, stakes=(10, 30))
    assert paid(view) == (10, 30)


def test_what_is_lost_by_busting_is_lost_and_counts_as_the_original_bet():
    view = seen("8h Tc 8d  9c Tc 9d  As", "split", "hit", "stand", table=ORIGINAL)
    assert (outcomes(view), paid(view)) == (["BUST", "DEALER_BLACKJACK"], (10,))
    view = seen("8h Tc 8d  6c Tc 9d  As", "split", "double", "stand", table=ORIGINAL)
    assert (outcomes(view), paid(view)) == (["BUST", "DEALER_BLACKJACK"], (10,)), "20 are bust, the other 10 come back"


def test_with_a_peek_it_makes_no_difference_what_the_table_says_is_lost():
    for lose in ("vegas", "vegas,lose=all"):
        assert paid(seen("8h Tc 8d As", table=lose)) == (0,)


def test_a_split_21_is_lost_to_a_dealer_natural():
    view = seen("Ah Tc Ad  Kc Qc  As", "split", table=ALL)
    assert outcomes(view) == ["DEALER_BLACKJACK"] * 2


# ------------------------------------------------------------------------------------------ rounds of chance


@pytest.mark.slow
def test_the_plain_method_agrees_over_rounds_of_chance():
    """It agrees on legal actions, their costs, dealt cards and payouts."""
    met: Counter[str] = Counter()
    for seed in range(2500):
        state = agree(seed)
        met.update(label.code for label in BlackjackGame("x", {"own": state.rules}).result(state).labels)
        met["ran out"] += state.ran_out
        met["four hands"] += max(len(box.hands) for box in state.boxes) == 4
        met["no peek"] += state.rules.hole_card == "no_peek"
    codes = {"BLACKJACK", "WIN", "PUSH", "LOSE", "BUST", "SURRENDER", "DEALER_BUST", "DEALER_BLACKJACK"}
    assert codes | {"INSURANCE_WON", "INSURANCE_LOST", "ran out", "four hands", "no peek"} <= {k for k in met if met[k]}


@pytest.mark.soak
@pytest.mark.parametrize("part", range(10))
def test_the_plain_method_agrees_over_a_great_many_rounds(part):
    for seed in range(10_000 * (part + 1), 10_000 * (part + 2)):
        agree(seed)


def test_money_is_conserved_in_rounds_of_chance():
    """Committed chips never shrink, an action costs its price, and payouts are within their limits."""
    for seed in range(400):
        chance = Random(-1 - seed)
        rules, setup = any_round(chance)
        game = BlackjackGame("x", {"own": rules})
        state = game.start(setup)
        assert game.committed(state) == (setup.stakes or (0,))
        while legal := game.legal_actions(state):
            committed = game.committed(state)
            for action in legal:
                raised = game.committed(game.apply(state, action))
                assert all(a <= b for a, b in zip(committed, raised, strict=True))
                assert sum(raised) - sum(committed) == game.cost(state, action)
            state = game.apply(state, chance.choice(legal))
        result, committed = game.result(state), game.committed(state)
        for box, back, put_in in zip(state.boxes, result.payouts, committed, strict=True):
            bets = put_in - (box.insurance or 0)
            assert 0 <= back <= max(2 * bets, bets + bets * 3 // 2) + 3 * (box.insurance or 0)
            each = returns(box, state.dealer, rules)
            assert all(0 <= chips <= 5 * hand.bet // 2 for chips, hand in zip(each, box.hands, strict=True))
            assert back == sum(each) + insured(box, state.dealer, rules)
        nets = [dict(label.args)["net"] for label in result.labels]
        assert nets[0] == sum(result.payouts) - sum(committed)
        assert len(nets) == 1 or nets[0] == sum(nets[1:])


def test_the_price_of_what_costs_nothing_is_nothing():
    state = play("Th 6c 8d 9s", table="vegas,surrender=late")
    prices = {str(action): BLACKJACK.cost(state, action) for action in BLACKJACK.legal_actions(state)}
    assert prices == {"hit": 0, "stand": 0, "double": 10, "surrender": 0}
