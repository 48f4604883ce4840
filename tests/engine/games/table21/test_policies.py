"""Automatic moves of a seat, and the limits of bets."""

import pytest

from tests.support.table21_rounds import TABLE, play
from webapp.engine.errors import SetupError
from webapp.engine.games.table21.rules import CHOICES, Table21Rules, format_rules, parse_rules, rules_from_choices

ALL = frozenset(["hit", "stand", "double", "split"])


def choice(policy, hand, up="Th", hole="7h", may=ALL):
    a, b, *more = hand.split()
    state = play(f"{a} {up} {b} {hole} {' '.join(more)}", *["hit@1"] * len(more))
    legal = frozenset(action.verb for action in TABLE.legal_actions(state))
    return TABLE.automatic(state, policy, may & legal).verb


@pytest.mark.parametrize(("hand", "verb"), [("5c 6d", "hit"), ("2c 3d", "hit"), ("6c 6d", "stand"), ("Tc 9d", "stand")])
def test_the_timid_draw_up_to_eleven_and_stand_on_more(hand, verb):
    assert choice("timid", hand) == verb


def test_the_timid_go_by_the_displayed_total_soft_hands_too():
    assert choice("timid", "Ac 2d") == "stand"


@pytest.mark.parametrize(("hand", "verb"), [("Tc 6d", "hit"), ("Tc 7d", "stand"), ("Ac 6d", "stand"), ("Ac 5d", "hit")])
def test_like_a_dealer_draws_to_seventeen(hand, verb):
    assert choice("dealer", hand) == verb


@pytest.mark.parametrize(
    ("hand", "up", "verb"),
    [
        ("Tc 6d", "6h", "stand"),
        ("Tc 6d", "7h", "hit"),
        ("Tc 2d", "3h", "hit"),
        ("Tc 2d", "4h", "stand"),
        ("6c 5d", "6h", "double"),
        ("6c 5d", "Ah", "hit"),
        ("6c 4d", "Th", "hit"),
        ("6c 4d", "9h", "double"),
        ("5c 4d", "6h", "double"),
        ("5c 4d", "7h", "hit"),
        ("Ac 7d", "2h", "stand"),
        ("Ac 7d", "5h", "double"),
        ("Ac 7d", "9h", "hit"),
        ("Ac 6d", "2h", "hit"),
        ("Ac 8d", "6h", "stand"),
        ("8c 8d", "6h", "split"),
        ("Ac Ad", "6h", "split"),
        ("Tc Td", "6h", "stand"),
        ("9c 9d", "7h", "stand"),
        ("9c 9d", "8h", "split"),
        ("5c 5d", "6h", "double"),
        ("Tc 7d", "Ah", "stand"),
    ],
)
def test_basic_strategy(hand, up, verb):
    assert choice("basic", hand, up) == verb


def test_what_cannot_be_paid_for_is_played_without():
    poor = frozenset(["hit", "stand"])
    assert choice("basic", "6c 5d", "6h", may=poor) == "hit"
    assert choice("basic", "Ac 7d", "5h", may=poor) == "stand"
    assert choice("basic", "8c 8d", "6h", may=poor) == "stand"
    assert choice("basic", "2c 3d 6h", "6h") == "hit", "no double on three cards"


@pytest.mark.parametrize("policy", ["timid", "dealer", "basic"])
@pytest.mark.parametrize(("hole", "verb"), [("6h", "hit"), ("7h", "stand"), ("9h", "stand")])
def test_the_bank_draws_under_seventeen_and_stands_from_seventeen_whatever_its_policy(policy, hole, verb):
    state = play(f"Tc Th 9c {hole}", "stand@1")
    assert TABLE.automatic(state, policy, ALL).verb == verb


def test_the_bank_that_is_away_stands_on_a_soft_17():
    state = play("Tc Ah 9c 6h", "stand@1")
    assert TABLE.automatic(state, "timid", ALL).verb == "stand"


# ------------------------------------------------------------------------------------------ limits


@pytest.mark.parametrize(
    ("bank", "placed", "to_come", "most"),
    [
        (10_000, 0, 0, 200),
        (400, 0, 0, 200),
        (398, 0, 0, 199),
        (400, 150, 0, 50),
        (400, 150, 2, 30),
        (400, 190, 0, 10),
        (400, 191, 0, 0),
        (80, 0, 3, 10),
    ],
)
def test_a_bet_is_capped_so_that_the_bank_can_pay_the_worst_case_of_all_bets(bank, placed, to_come, most):
    assert Table21Rules().most_bet(bank, placed, to_come) == most


def test_a_bank_with_the_least_can_take_the_lowest_bets_of_all():
    for players in range(1, 5):
        rules, placed = Table21Rules(), 0
        bank = rules.least_bank(players)
        for to_come in reversed(range(players)):
            assert rules.most_bet(bank, placed, to_come) == rules.min_bet
            placed += rules.min_bet
        assert 2 * placed == bank


def test_a_table_is_one_word_and_is_read_back():
    for name, choices in CHOICES.items():
        for option in choices:
            try:
                word = format_rules(rules_from_choices({name: str(option)}))
            except SetupError:
                assert name == "max_bet" or (name == "min_bet" and option > 200)
                continue
            assert format_rules(parse_rules(word)) == word
            assert getattr(parse_rules(word), name) == option


@pytest.mark.parametrize(
    "word",
    [
        "",
        "nowhere",
        "house,",
        "house,min_bet=0",
        "house,min_bet=101",
        "house,min_bet=10",
        "house,turn_clock=0",
        "house,turn_clock=301",
        "house,turn_clock=05",
        "house,bank_rounds=4",
        "house,max_bet=5",
        "house,on_absent=die",
        "house,turn_clock=30,bet_clock=30",
        "house,turn_clock=30,turn_clock=30",
        "house,blackjack_pays=6:5",
        "house,decks=2",
        "house,turn_clock=３０",
    ],
)
def test_rules_that_cannot_be_or_are_not_written_so_are_refused(word):
    with pytest.raises(SetupError):
        parse_rules(word)
