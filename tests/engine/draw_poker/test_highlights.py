"""Highlights of a hand: cards that pay, the joker's card, tiers of wins, near misses, the deciding card."""

from itertools import combinations
from operator import attrgetter
from random import Random

import pytest

from tests.support.draw_poker_hands import KEEP_ALL, LOSE_1, NOTHING, ONE_PAIR, ROYAL, TIE_1, WIN_1, deal, seen
from webapp.engine.cards import JOKER, STANDARD_DECK, Card, Rank, parse_cards
from webapp.engine.draw_poker.game import DrawGame
from webapp.engine.draw_poker.highlights import missed
from webapp.engine.draw_poker.rules import DrawRules
from webapp.engine.draw_poker.view import DrawView
from webapp.engine.games import SOLO, joker
from webapp.engine.label import Label
from webapp.engine.poker.pay_tables import QUEST
from webapp.engine.poker.ranking import Category, rank
from webapp.engine.tier import Tier
from webapp.web.i18n.messages import say

HANDS = {
    "ONE_PAIR": "9c 9d 2h 4s 6c",
    "TWO_PAIR": "9c 9d 2h 2s 6c",
    "THREE_OF_A_KIND": "9c 9d 9h 4s 6c",
    "STRAIGHT": "5c 6d 7h 8s 9c",
    "FLUSH": "2c 6c 7c 9c Kc",
    "FULL_HOUSE": "9c 9d 9h 4s 4c",
    "FOUR_OF_A_KIND": "9c 9d 9h 9s 6c",
    "STRAIGHT_FLUSH": "5c 6c 7c 8c 9c",
    "ROYAL_FLUSH": ROYAL,
}


def kept(hand: str, *moves: str) -> DrawView:
    """Return the view of a hand of quest poker with all cards held."""
    return seen(deal(hand, *(WIN_1,) * 10), KEEP_ALL, *moves)


def drawn(hand: str, came: str, held: str = "hold-1-2-3-4") -> DrawView:
    """Return the view of a hand of quest poker with its last card exchanged."""
    return seen(deal(f"{hand} {came}"), held)


def at_joker(table: str, hand: str, move: str = KEEP_ALL) -> DrawView:
    return seen(deal(hand, table=table, stakes=(10,)), move, game=joker.GAME)


# ------------------------------------------------------------------------------------------ the cards that pay


def test_the_cards_that_pay_are_shown_by_their_positions():
    assert kept("2h 9c 4s 9d 6c").making == (2, 4)
    assert kept(NOTHING).making == ()


def test_a_hand_that_the_pay_table_does_not_pay_is_made_of_nothing():
    tens = at_joker("kings-or-better", "Tc Td 2h 4s 6c")
    assert (tens.category, tens.line, tens.making) == ("ONE_PAIR", None, ())
    assert at_joker("kings-or-better", "Kc 2h Kd 4s 6c").making == (1, 3)
    assert at_joker("kings-or-better", "Jk 2h Qd 4s 6c").making == ()
    assert at_joker("kings-or-better", "Jk 2h Kd 4s 6c").making == (1, 3)


def test_the_joker_says_what_it_stands_for_whether_the_hand_pays_or_not():
    assert str(at_joker("kings-or-better", "Jk 2h Qd 4s 6c").joker) == "Qs"
    assert str(at_joker("kings-or-better", "Ah Kh Jk Jh Th").joker) == "Qh"
    assert kept(ONE_PAIR).joker is None


# ------------------------------------------------------------------------------------------ tiers


@pytest.mark.parametrize(
    ("made", "tier"),
    [
        ("ONE_PAIR", Tier.EVEN),
        ("TWO_PAIR", Tier.GOOD),
        ("THREE_OF_A_KIND", Tier.GOOD),
        ("STRAIGHT", Tier.GOOD),
        ("FLUSH", Tier.GOOD),
        ("FULL_HOUSE", Tier.GREAT),
        ("FOUR_OF_A_KIND", Tier.GREAT),
        ("STRAIGHT_FLUSH", Tier.GREAT),
        ("ROYAL_FLUSH", Tier.GREATEST),
    ],
)
def test_the_rarer_a_hand_the_greater_is_its_win(made: str, tier: Tier):
    view = kept(HANDS[made])
    assert (view.category, view.tier) == (made, tier)


def test_five_of_a_kind_is_as_great_as_a_royal_flush():
    assert at_joker("arcade-1", "9c 9d 9h 9s Jk").tier is Tier.GREATEST


def test_a_hand_that_only_brings_the_bet_back_is_no_win():
    assert at_joker("kings-or-better", "9c 9d 2h 2s 6c").tier is Tier.EVEN
    assert at_joker("kings-or-better", "9c 9d 9h 2s 6c").tier is Tier.GOOD


def test_nothing_is_won_before_the_last_exchange():
    assert seen(deal(ROYAL)).tier is Tier.EVEN


def test_every_round_won_is_a_win_three_in_a_row_a_great_one_and_ten_the_greatest():
    tiers = [kept(ONE_PAIR, *("double", "pick-1") * wins).tier for wins in range(1, 11)]
    assert tiers == [*(Tier.GOOD,) * 2, *(Tier.GREAT,) * 7, Tier.GREATEST]


def test_while_a_card_is_picked_and_after_one_that_lost_or_tied_nothing_is_won():
    assert kept(HANDS["FULL_HOUSE"], "double").tier is Tier.EVEN
    assert seen(deal(HANDS["FULL_HOUSE"], LOSE_1), KEEP_ALL, "double", "pick-1").tier is Tier.EVEN
    assert seen(deal(HANDS["FULL_HOUSE"], TIE_1, WIN_1), KEEP_ALL, "double", "pick-1").tier is Tier.EVEN


def test_collecting_is_at_most_a_good_win_for_the_hand_was_shown_before():
    assert kept(ROYAL, "collect").tier is Tier.GOOD
    assert kept(ONE_PAIR, "collect").tier is Tier.EVEN
    assert kept(ONE_PAIR, "double", "pick-1", "collect").tier is Tier.GOOD


# ------------------------------------------------------------------------------------------ near misses


@pytest.mark.parametrize(
    ("hand", "came", "code", "card"),
    [
        ("Th Jh Qh Kh 2c", "3s", "NEAR_ROYAL_FLUSH", "Ah"),
        ("Ah Jh Qh Kh 2c", "3s", "NEAR_ROYAL_FLUSH", "Th"),
        ("5h 6h 7h 8h 2c", "Ks", "NEAR_STRAIGHT_FLUSH", "9h"),
        ("Ad 2d 4d 5d 9c", "Ks", "NEAR_STRAIGHT_FLUSH", "3d"),
    ],
)
def test_a_straight_flush_missed_by_one_card_is_said_with_the_card_that_was_missing(hand, came, code, card):
    near = drawn(hand, came).near
    assert near is not None
    assert near == Label.of(code, rank=parse_cards(card)[0].rank, suit=card[1])


def test_a_near_miss_is_one_calm_line():
    near = drawn("Th Jh Qh Kh 2c", "3s").near
    assert near is not None
    assert say(near) == "One heart short of a royal flush"


@pytest.mark.parametrize(
    ("hand", "came"),
    [
        ("2h 5h 9h Kh 4c", "Js"),  # a flush is missed every day
        ("5h 6d 7h 8h Kc", "2s"),  # and so is a straight
        ("Th Jh Qh Kh 2c", "Ks"),  # the pair pays
        ("Th Jh Qh Kh 2c", "9c"),  # the straight pays
        ("Th Jh Qh 2c 3d", "4s"),  # two cards short
    ],
)
def test_nothing_is_said_of_what_is_missed_every_day_or_of_a_hand_that_pays(hand: str, came: str):
    assert drawn(hand, came).near is None


def test_nothing_is_said_of_a_hand_in_which_nothing_was_drawn_or_that_can_still_be_drawn_to():
    dealt = deal("Th Jh Qh Kh 3s 2c")
    assert seen(dealt).near is None
    assert seen(dealt, KEEP_ALL).near is None
    assert seen(deal("Th Jh Qh Kh 3s 2c", table="arcade", stakes=(10,)), "hold-1-2-3-4", game=joker.GAME).near is None


WHOLE = {Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH}


def exchanges_to(category: Category, hand: tuple[Card, ...]) -> int:
    """Return how many cards have to be exchanged, at least, to make a hand of this category: by trying all of them."""
    others = [card for card in STANDARD_DECK if card not in hand]
    for count in (1, 2):
        for kept in combinations(hand, 5 - count):
            if any(rank((*kept, *came)).category in {category, *WHOLE} for came in combinations(others, count)):
                return count
    return 3


def test_what_a_hand_came_nearest_to_is_what_the_fewest_exchanges_would_have_made():
    random = Random("what was missed")
    hands = (tuple(random.sample(STANDARD_DECK, 5)) for _ in range(60))
    nothing = [hand for hand in hands if rank(hand).category is Category.NOTHING][:12]
    for hand in (*nothing, parse_cards("Ac 3d 4h 5s 9c")):
        short = {category: exchanges_to(category, hand) for category in (Category.FLUSH, Category.STRAIGHT)}
        nearest = min(short, key=short.__getitem__)
        assert missed(hand) == ((nearest, short[nearest]) if short[nearest] < 3 else None), hand


def test_with_the_joker_a_near_miss_names_the_highest_card_that_would_have_done():
    dealt = deal("Jk 5h 6h 8h 2c Ts", table="kings-or-better", stakes=(10,))
    near = seen(dealt, "hold-1-2-3-4", game=joker.GAME).near
    assert near == Label.of("NEAR_STRAIGHT_FLUSH", rank=Rank.NINE, suit="h")


# ------------------------------------------------------------------------------------------ the card that decided


@pytest.mark.parametrize(
    ("hand", "came"),
    [
        ("2h 5h 9h Kh 4c", "Jh"),  # makes a flush
        ("2h 5h 9h Kh 4c", "Js"),  # breaks it
        ("5h 6d 7h 8h Kc", "2s"),  # a straight, open at both ends
        ("5h 6d 8c 9h Kc", "7s"),  # and with a gap
        ("9c 9d 4h 4s Kc", "9s"),  # two pair to a full house
        ("9c 9d 9h 4s Kc", "Ks"),  # three to four of them
    ],
)
def test_the_last_card_decides_if_it_could_make_a_straight_or_better(hand: str, came: str):
    assert drawn(hand, came).deciding == 5


def test_the_card_that_decides_is_the_last_that_was_drawn():
    assert seen(deal("2h 5h 9h Kc 4c Kh 3s"), "hold-1-2-3").deciding == 5
    assert seen(deal("2h Kc 9h 5h 4h Js"), "hold-1-3-4-5").deciding == 2


@pytest.mark.parametrize(
    ("hand", "came", "held"),
    [
        ("2h 5h 9s Kh 4c", "Jh", "hold-1-2-3-4"),  # no flush with any card
        ("9c 9d 9h 9s 4c", "Kh", "hold-1-2-3-4"),  # four of them with every card
        ("9c 9d 2h 4s 6c", "9h", "hold-1-2-3-4"),
    ],
)
def test_no_card_decides_where_every_card_or_none_makes_as_much(hand: str, came: str, held: str):
    assert drawn(hand, came, held).deciding is None


@pytest.mark.parametrize("came", ["Jk", "Ks"])
def test_the_last_card_decides_if_it_could_make_more_than_four_of_a_kind(came: str):
    dealt = deal(f"As Ad Ah Ac 2c {came}", table="kings-or-better", stakes=(10,))
    assert seen(dealt, "hold-1-2-3-4", game=joker.GAME).deciding == 5


@pytest.mark.parametrize(("thrown", "place"), [("5s", None), ("8s", 5)])
def test_a_card_that_was_thrown_away_could_not_have_come(thrown: str, place: int | None):
    game = DrawGame("trial", {"plain": DrawRules(pay_table=QUEST, exchanges=3)})
    dealt = deal(f"3h 4d 5c 5d 5h 6c 7s {thrown} Kd", table="plain")
    assert seen(dealt, "hold-1-2", "hold-1-2-3-4", game=game).deciding == place


@pytest.mark.slow
@pytest.mark.parametrize("name", ["poker", "joker"])
def test_a_card_decides_as_counted_over_all_cards_that_could_have_come(name: str):
    game = SOLO[name]
    deck = (*STANDARD_DECK, JOKER) if game.packs(game.spec.default)[0].jokers else STANDARD_DECK
    random, found = Random(7), 0
    for _ in range(2000):
        cards = random.sample(deck, 10)
        if random.random() < 0.5:  # four of a suit or in a row, where a card may decide
            cards.sort(key=attrgetter(random.choice(("suit", "rank"))))
        held = sorted(random.sample(range(1, 6), random.choice((3, 4, 4, 4))))
        setup = deal(" ".join(map(str, cards)), table=game.spec.default, stakes=(1,) if name == "joker" else ())
        view = seen(setup, "-".join(["hold", *map(str, held)]), game=game)
        place = view.fresh[-1]
        others = [card for position, card in enumerate(view.hand, 1) if position != place]
        gone = {*cards[: 10 - len(held)]} - {view.hand[place - 1]}
        categories = {rank((*others, card)).category for card in deck if card not in gone}
        strong = {max(each, Category.FULL_HOUSE) if each >= Category.STRAIGHT else None for each in categories}
        assert view.deciding == (place if len(strong) > 1 else None), setup
        found += view.deciding is not None
    assert found > 100


def test_nothing_decides_at_the_deal_or_when_nothing_was_drawn_or_later():
    assert seen(deal("2h 5h 9h Kh 4c")).deciding is None
    assert seen(deal("2h 5h 9h Kh Jh"), KEEP_ALL).deciding is None
    assert seen(deal("2h 5h 9h Kh 4c Jh", WIN_1), "hold-1-2-3-4", "double").deciding is None
