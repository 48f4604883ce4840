"""Table 21, with tests for each sentence of its rules.

Cards are dealt clockwise from the seat after the bank, which comes last; two each.
"""

import pytest

from tests.support.table21_rounds import TABLE, may, nets, play, seen, setup_of, stakes_of
from webapp.engine.action import Action, Seat
from webapp.engine.cards import STANDARD_DECK, format_cards
from webapp.engine.errors import IllegalAction, SetupError
from webapp.engine.game import Setup
from webapp.engine.games.table21.rules import Table21Rules
from webapp.engine.notation import banker_of_line

SITE = Table21Rules()


def hands(cards: str, *moves: str, bets=(10,), bank=0):
    return [[format_cards(hand.cards) for hand in row] for row in play(cards, *moves, bets=bets, bank=bank).hands]


# ------------------------------------------------------------------------------------------ seats and stakes


def test_two_to_five_play_and_one_of_them_is_the_bank():
    deck = (STANDARD_DECK,)
    for players in range(1, 5):
        for bank in range(players + 1):
            state = TABLE.start(setup_of((10,) * players, bank, deck))
            assert state.banker == bank
    for stakes in ((), (20,), (10, 10, 10, 10, 10, 100)):
        with pytest.raises(SetupError):
            TABLE.start(Setup("house", stakes, deck, Seat(len(stakes) - 1)))


@pytest.mark.parametrize(
    ("stakes", "why"),
    [
        ((10, 10), "no bank"),
        ((10, 21), "the bank has put up too much"),
        ((10, 19), "too little"),
        ((9, 18), "below the lowest bet"),
        ((201, 402), "above the highest"),
        ((10, 0, 20), "a seat without a bet"),
        ((0, 0), "nothing at all"),
        ((-10, -20), "less than nothing"),
    ],
)
def test_stakes_that_cannot_be_are_refused(stakes, why):
    for banker in (None, Seat(-1), *map(Seat, range(len(stakes) + 1))):
        with pytest.raises(SetupError):
            TABLE.start(Setup("house", stakes, (STANDARD_DECK,), banker))


def test_nobody_banks_unless_the_setup_says_so():
    with pytest.raises(SetupError, match="no banker"):
        TABLE.start(Setup("house", (10, 20), (STANDARD_DECK,)))


def test_in_a_line_the_bank_is_known_by_its_stake_whatever_is_bet():
    for a in (10, 20, 40, 160, 200):
        for b in (10, 20, 40, 60, 200):
            for bank in range(3):
                assert banker_of_line(stakes_of((a, b), bank)) == bank


@pytest.mark.parametrize("stakes", [(), (10,), (10, 10), (10, 21), (0, 0), (10, 10, 10)])
def test_in_a_line_without_a_bank_there_is_none(stakes):
    assert banker_of_line(stakes) is None


def test_the_deal_goes_clockwise_from_the_seat_after_the_bank_two_cards_each():
    cards = "2c 3c 4c 5c 2d 3d 4d 5d"
    assert hands(cards, bets=(10, 10, 10), bank=1) == [["4c 4d"], ["5c 5d"], ["2c 2d"], ["3c 3d"]]


def test_all_cards_of_the_players_lie_face_up_the_banks_first_up_and_its_second_down():
    view = seen("2c 3c 4c 2d 3d 4d", bets=(10, 10))
    assert [[str(card) for card in seat.hands[0].cards] for seat in view.seats] == [
        ["4c", "None"],
        ["2c", "2d"],
        ["3c", "3d"],
    ]
    assert view.seats[0].hands[0].total == 4


@pytest.mark.parametrize("viewer", [None, 0, 1, 2, 4])
def test_nobody_sees_the_hole_card_not_even_the_bank(viewer):
    view = seen("Tc 9c 4c 7d 8d Kd", bets=(10, 10), viewer=viewer)
    assert view.seats[0].hands[0].cards[1] is None
    assert "KING" not in repr(view)


@pytest.mark.parametrize(
    ("cards", "moves", "viewer", "tier"),
    [
        ("Ah 9d Ks 7c 3d", ("b:hit", "b:stand"), 1, 2),
        ("Th 9d Ts 7c 3d", ("a:stand", "b:hit", "b:stand"), 1, 1),
        ("Th 9d Ts 7c 3d", ("a:stand", "b:hit", "b:stand"), None, 0),
        ("Ah As Ks Kc", (), 1, 0),
        ("Th 9d 6s 7c Kd", ("a:hit",), 1, 0),
        ("Th 9d 6s 7c Kd", ("a:hit",), 0, 1),
    ],
)
def test_how_great_a_win_is_each_seat_sees_for_itself(cards, moves, viewer, tier):
    actions = [str(Action(Seat(1 if move[0] == "a" else 0), move[2:])) for move in moves]
    assert seen(cards, *actions, viewer=viewer).tier == tier


# ------------------------------------------------------------------------------------------ turns


def test_the_players_act_clockwise_and_the_bank_last():
    cards = "Tc 9c 8c Tc 7d 8d 9d 8h"
    acted = []
    for done in range(4):
        state = play(cards, *acted, bets=(10, 10, 10), bank=1)
        assert state.turn is not None
        seat = state.turn[0]
        acted.append(str(Action(seat, "stand")))
        assert seat == (2, 3, 0, 1)[done]


def test_only_the_seat_in_turn_may_act_and_only_it_is_offered_actions():
    state = play("Tc 9c 8c 7d 8d 9d", bets=(10, 10))
    for seat in (0, 2):
        with pytest.raises(IllegalAction):
            TABLE.apply(state, Action(Seat(seat), "stand"))
        assert TABLE.view(state, Seat(seat)).actions == ()
    assert TABLE.view(state, Seat(1)).actions == TABLE.legal_actions(state)
    assert TABLE.view(state, None).actions == ()


def test_twenty_one_stands_by_itself():
    assert play("Tc 9c 8c 5d 9d Kd 6h", "hit@1", bets=(10, 10)).turn == (2, 0)
    assert play("Ac 9c 8c Kd 9d Kd", bets=(10, 10)).turn == (2, 0), "a natural too"


def test_a_bust_ends_the_turn():
    assert play("Tc 9c 8c 6d 9d Kd Kh", "hit@1", bets=(10, 10)).turn == (2, 0)


# ------------------------------------------------------------------------------------------ double and split


def test_a_double_is_for_the_first_two_cards_and_takes_one_card_and_stands():
    assert "double@1" in may("6c 9c 5d 9d")
    assert "double@1" not in may("2c 9c 3d 9d 4h", "hit@1")
    state = play("6c 9c 5d 9d 2h", "double@1")
    assert state.turn == (0, 0)
    assert (state.hands[1][0].bet, len(state.hands[1][0].cards)) == (20, 3)
    assert TABLE.committed(state) == (20, 20)


def test_a_split_is_for_two_cards_of_equal_rank():
    assert "split@1" in may("8c 9c 8d 9d")
    assert "split@1" in may("Kc 9c Kd 9d")
    assert "split@1" not in may("Tc 9c Kd 9d"), "equal value is not enough"
    assert "split@1" not in may("2c 9c 3d 9d 3h", "hit@1")


def test_each_hand_of_a_split_gets_one_card_at_once_and_an_equal_stake():
    state = play("8c 9c 8d 9d 2h 3h", "split@1")
    assert [format_cards(hand.cards) for hand in state.hands[1]] == ["8c 2h", "8d 3h"]
    assert [hand.bet for hand in state.hands[1]] == [10, 10]
    assert state.turn == (1, 0)


def test_there_is_one_split_and_no_double_after_it():
    assert may("8c 9c 8d 9d 8h 3h", "split@1") == {"hit@1", "stand@1"}
    assert may("8c 9c 8d 9d 8h 3h", "split@1", "stand@1") == {"hit@1", "stand@1"}


def test_split_aces_may_be_hit_and_make_no_natural():
    state = play("Ac 9c Ad 9d Kh 5h", "split@1")
    assert state.turn == (1, 1), "twenty-one stands by itself"
    assert may("Ac 9c Ad 9d Kh 5h", "split@1") == {"hit@1", "stand@1"}
    over = play("Ac 9c Ad 9d Kh 5h", "split@1", "stand@1", "stand")
    assert nets(over)[1] == 10 - 10, "21 pays one to one, 16 loses to 18"


# ------------------------------------------------------------------------------------------ the bank


@pytest.mark.parametrize(
    ("bank", "expected"),
    [
        ("T 6", {"hit"}),
        ("9 7", {"hit"}),
        ("A 5", {"hit"}),  # soft 16
        ("T 7", {"stand"}),
        ("T 9", {"stand"}),
        ("T T", {"stand"}),
        ("A 6", {"hit", "stand"}),  # soft 17
        ("A 9", {"hit", "stand"}),  # soft 20
    ],
)
def test_the_bank_must_hit_under_17_must_stand_on_a_hard_17_and_chooses_on_a_soft_one(bank, expected):
    up, hole = bank.split()
    assert may(f"Tc {up}h 8c {hole}h", "stand@1") == expected


def test_the_banks_21_stands_by_itself():
    assert play("Tc Ah 8c Kh", "stand@1").turn is None
    assert play("Tc Th 8c 6h 5h", "stand@1", "hit").turn is None


def test_the_hole_card_is_turned_for_everybody_when_the_banks_turn_comes():
    view = seen("Tc Th 8c 6h", "stand@1")
    assert [str(card) for card in view.seats[0].hands[0].cards] == ["Th", "6h"]
    assert view.phase == "bank"


def test_the_hole_card_stays_hidden_only_if_every_player_is_bust():
    view = seen("Tc 9c Th 6d 7d 6h Kc Kd", "hit@1", "hit@2", bets=(10, 10))
    assert view.phase == "over"
    assert view.seats[0].hands[0].cards[1] is None
    one_left = seen("Tc 9c Th 6d 7d 6h Kc Kd", "hit@1", "stand@2", bets=(10, 10))
    assert one_left.seats[0].hands[0].cards[1] is not None


def test_against_naturals_alone_the_bank_still_plays():
    assert may("Ac Th Kc 6h") == {"hit"}


# ------------------------------------------------------------------------------------------ settlement


@pytest.mark.parametrize(
    ("cards", "moves", "net", "why"),
    [
        ("Tc 9h 6d 8h Kc", ["hit@1"], -10, "a bust loses at once"),
        ("Tc Th 9d 8h", ["stand@1", "stand"], 10, "19 beats 18"),
        ("Tc Th 8d 8h", ["stand@1", "stand"], 0, "equal is a push"),
        ("Tc Th 7d 8h", ["stand@1", "stand"], -10, "17 loses to 18"),
        ("Tc Th 2d 6h Kh", ["stand@1", "hit"], 10, "a bank that is bust pays"),
        ("Ac Th Kd 8h", ["stand"], 15, "a natural pays three to two"),
        ("Ac Ah Kd Kh", [], 0, "a natural pushes against a natural"),
        ("Tc Ah 9d Kh", ["stand@1"], -10, "a natural of the bank takes the bet"),
        ("Tc Ah 5d Kh 6c", ["hit@1"], -10, "and beats a 21 of three cards"),
        ("Ac Th Kd 6h 5h", ["hit"], 15, "a natural beats the bank's 21 of three cards"),
        ("6c Th 5d 7h 9c", ["double@1", "stand"], 20, "a double wins twice the bet"),
    ],
)
def test_who_wins_what(cards, moves, net, why):
    assert nets(play(cards, *moves)) == (-net, net), why


def test_a_players_bust_loses_even_if_the_bank_is_bust_later():
    state = play("Tc 9c Th 6d 9d 6h Kc Kd", "hit@1", "stand@2", "hit", bets=(10, 10))
    assert nets(state) == (0, -10, 10)


@pytest.mark.parametrize(("bet", "pays"), [(10, 15), (11, 16), (15, 22), (199, 298)])
def test_three_to_two_is_rounded_down_to_a_chip(bet, pays):
    assert nets(play("Ac Th Kd 8h", "stand", bets=(bet,))) == (-pays, pays)


def test_the_worst_case_of_all_bets_is_what_the_bank_has_put_up():
    """Both players split or double and win everything: the bank has nothing left, and owes nothing."""
    split = play("8c Th 8d 6h Tc Td Kh", "split@1", "stand@1", "stand@1", "hit")
    assert TABLE.result(split).payouts == (0, 40)
    doubled = play("6c Th 5d 6h Tc Kh", "double@1", "hit")
    assert TABLE.result(doubled).payouts == (0, 40)


def test_the_labels_say_what_became_of_the_bank_and_then_of_each_player_in_turn():
    result = TABLE.result(play("Tc 9c Th 6d 9d 6h Kc Kd", "hit@1", "stand@2", "hit", bets=(10, 10)))
    assert [label.code for label in result.labels] == ["BANK_EVEN", "SEAT_LOST", "SEAT_WON"]
    assert [dict(label.args)["seat"] for label in result.labels] == [0, 1, 2]


# ------------------------------------------------------------------------------------------ moves without a choice


@pytest.mark.parametrize(
    ("bank", "move"),
    [
        ("2h 3d", "hit"),
        ("Th 6d", "hit"),
        ("Ah 5d", "hit"),
        ("Th 7d", "stand"),
        ("Th Kd", "stand"),
        ("Ah 6d", None),
        ("Ah 9d", None),
    ],
)
def test_only_a_soft_17_to_20_leaves_the_bank_a_choice(bank, move):
    up, hole = bank.split()
    forced = TABLE.forced(play(f"Tc {up} 9c {hole}", "stand@1"))
    assert (None if forced is None else str(forced)) == move


def test_a_player_always_has_a_choice_and_nobody_has_one_when_it_is_over():
    assert TABLE.forced(play("Tc Th 9c 7d")) is None
    assert TABLE.forced(play("Tc Th 9c 7d", "stand@1", "stand")) is None
