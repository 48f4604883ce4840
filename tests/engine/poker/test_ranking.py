"""The ranking of hands against a second, plain method, over all hands.

Suits do not rank, so renaming them does not change a hand. Hands that differ only by the names of suits form a class;
the plain method ranks one hand of each class, the engine ranks every single hand. Under ``soak`` the plain method ranks
every single hand, too.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from itertools import combinations, product
from math import comb
from typing import NamedTuple

import pytest

from webapp.engine.cards import JOKER, STANDARD_DECK, Card, Rank, format_cards, parse_cards
from webapp.engine.errors import SetupError
from webapp.engine.label import Label
from webapp.engine.poker import frequencies
from webapp.engine.poker.ranking import Category, Ranked, label, rank

NATURAL_HANDS = comb(52, 5)
JOKER_HANDS = comb(52, 4)

STRONG_TO_WEAK = [
    "FOUR_DEUCES",
    "FIVE_OF_A_KIND",
    "ROYAL_FLUSH",
    "STRAIGHT_FLUSH",
    "FOUR_OF_A_KIND",
    "FULL_HOUSE",
    "FLUSH",
    "STRAIGHT",
    "THREE_OF_A_KIND",
    "TWO_PAIR",
    "JOKER",
    "ONE_PAIR",
    "NOTHING",
]

# How many of all hands are what: of 52 cards, and of the hands that hold the joker.
COUNTS = {
    "FIVE_OF_A_KIND": (0, 13),
    "ROYAL_FLUSH": (4, 20),
    "STRAIGHT_FLUSH": (36, 144),
    "FOUR_OF_A_KIND": (624, 2_496),
    "FULL_HOUSE": (3_744, 2_808),
    "FLUSH": (5_108, 2_696),
    "STRAIGHT": (10_200, 10_332),
    "THREE_OF_A_KIND": (54_912, 82_368),
    "TWO_PAIR": (123_552, 0),
    "JOKER": (0, 169_848),
    "ONE_PAIR": (1_098_240, 0),
    "NOTHING": (1_302_540, 0),
}

# ------------------------------------------------------------------------------------------ the second method


class Plain(NamedTuple):
    """Strength (0 is the weakest category), then the deciding ranks as numbers."""

    strength: int
    ranks: tuple[int, ...]


def plain(name: str, *ranks: int) -> Plain:
    return Plain(STRONG_TO_WEAK[::-1].index(name), ranks)


def plainly(cards: Iterable[Card]) -> Plain:
    """Rank five cards without a joker by the definitions."""
    cards = list(cards)
    values = sorted([int(card.rank) for card in cards], reverse=True)
    return judged(tuple(values), all(card.suit == cards[0].suit for card in cards))


@cache
def judged(high_to_low: tuple[int, ...], flush: bool) -> Plain:
    """Rank by ranks, and by whether all suits are equal."""
    values = list(high_to_low)
    straight = values[0] if values == list(range(values[0], values[0] - 5, -1)) else 0
    if values == [14, 5, 4, 3, 2]:
        straight = 5
    times: dict[int, list[int]] = {1: [], 2: [], 3: [], 4: [], 5: []}
    for value in dict.fromkeys(values):
        times[values.count(value)].append(value)
    singles, pairs, threes, fours, fives = times.values()
    rules = [
        (fives, "FIVE_OF_A_KIND", fives),
        (flush and straight == 14, "ROYAL_FLUSH", [straight]),
        (flush and straight, "STRAIGHT_FLUSH", [straight]),
        (fours, "FOUR_OF_A_KIND", fours + singles),
        (threes and pairs, "FULL_HOUSE", threes + pairs),
        (flush, "FLUSH", fours + threes + pairs + singles),
        (straight, "STRAIGHT", [straight]),
        (threes, "THREE_OF_A_KIND", threes + singles),
        (len(pairs) == 2, "TWO_PAIR", pairs + singles),
        (pairs, "ONE_PAIR", pairs + singles),
        (True, "NOTHING", singles),
    ]
    return next(plain(name, *ranks) for holds, name, ranks in rules if holds)


def plainly_with_joker(four: Iterable[Card]) -> Plain:
    """Rank by replacing the joker with each of the 52 cards. A hand that is then a pair or less is called a joker."""
    best = max(plainly((*four, card)) for card in STANDARD_DECK)
    return best if best > plain("JOKER", 15) else plain("JOKER", *best.ranks)


def as_plain(ranked: Ranked) -> Plain:
    return plain(ranked.category.name, *map(int, ranked.ranks))


# ------------------------------------------------------------------------------------------ every hand


class Proof(NamedTuple):
    """Number of hands by category, and the hands that the plain method ranks differently."""

    counts: Counter[Category]
    differ: list[str]


def _renamed(suits: tuple[int, ...]) -> tuple[int, ...]:
    """Rename suits: the first one becomes 0, the next other one 1."""
    names: dict[int, int] = {}
    return tuple(names.setdefault(suit, len(names)) for suit in suits)


def prove(
    size: int, jokers: tuple[Card, ...], method: Callable[[Iterable[Card]], Plain], wild: Rank = Rank.JOKER
) -> Proof:
    """Rank every hand of ``size`` cards and the jokers; compare each with the plain rank of its class."""
    plain_ranked: dict[tuple[tuple[int, ...], tuple[int, ...]], Ranked] = {}
    counts: Counter[Category] = Counter()
    differ = []
    # By rank, so that hands of one class hold their ranks in the same places.
    deck = sorted(STANDARD_DECK, key=lambda card: (card.rank, card.suit))
    renamed = {suits: _renamed(suits) for suits in product({card.suit for card in deck}, repeat=size)}
    hands, ranks, suits = (
        combinations(each, size) for each in (deck, [int(card.rank) for card in deck], [card.suit for card in deck])
    )
    classes = zip(ranks, map(renamed.__getitem__, suits), strict=True)
    for cards, key in zip(hands, classes, strict=True):
        ranked = rank(cards + jokers, wild)
        counts[ranked.category] += 1
        if key not in plain_ranked:
            strength, deciding = method(cards)
            plain_ranked[key] = Ranked(Category[STRONG_TO_WEAK[::-1][strength]], tuple(map(Rank, deciding)))
        # The table holds one value for all hands that are the same, so that identity nearly always answers.
        if ranked is not plain_ranked[key]:
            if ranked != plain_ranked[key]:
                differ.append(f"{format_cards(cards + jokers)} is {ranked}, should be {plain_ranked[key]}")
            else:
                plain_ranked[key] = ranked
    return Proof(counts, differ)


@pytest.fixture(scope="module")
def natural() -> Proof:
    return prove(5, (), plainly)


@pytest.fixture(scope="module")
def with_joker() -> Proof:
    return prove(4, (JOKER,), plainly_with_joker)


@pytest.mark.slow
def test_every_natural_hand_is_ranked_as_plain_counting_ranks_it(natural):
    assert natural.differ == []
    assert natural.counts.total() == NATURAL_HANDS == 2_598_960


@pytest.mark.slow
def test_every_joker_hand_is_ranked_as_putting_the_joker_in_place_of_all_52_cards_ranks_it(with_joker):
    assert with_joker.differ == []
    assert with_joker.counts.total() == JOKER_HANDS == 270_725


@pytest.mark.slow
def test_the_natural_hands_are_as_many_of_each_kind_as_the_rules_say(natural):
    assert {name: natural.counts[Category[name]] for name in COUNTS} == {name: n for name, (n, _) in COUNTS.items()}


@pytest.mark.slow
def test_the_joker_hands_are_as_many_of_each_kind_as_the_rules_say(with_joker):
    assert {name: with_joker.counts[Category[name]] for name in COUNTS} == {name: n for name, (_, n) in COUNTS.items()}


def test_the_counts_of_the_rules_are_all_hands():
    assert sum(n for n, _ in COUNTS.values()) == NATURAL_HANDS
    assert sum(n for _, n in COUNTS.values()) == JOKER_HANDS


# How many of all hands of 52 cards are what where deuces are wild, as published.
WITH_DEUCES = {
    "FOUR_DEUCES": 48,
    "FIVE_OF_A_KIND": 624,
    "ROYAL_FLUSH": 484,
    "STRAIGHT_FLUSH": 2_068,
    "FOUR_OF_A_KIND": 31_552,
    "FULL_HOUSE": 12_672,
    "FLUSH": 14_472,
    "STRAIGHT": 62_232,
    "THREE_OF_A_KIND": 355_080,
}


def plainly_with_deuces(cards: Iterable[Card]) -> Plain:
    """Rank by replacing the deuces with all ranks, of the suit of the others if they share one, and of another."""
    tame = [card for card in cards if card.rank is not Rank.TWO]
    if len(tame) == 1:
        return plain("FOUR_DEUCES", 2)
    return filled(tuple(int(card.rank) for card in tame), len({card.suit for card in tame}) == 1)


@cache
def filled(values: tuple[int, ...], flush: bool) -> Plain:
    if len(values) == 5:
        return judged(tuple(sorted(values, reverse=True)), flush)
    return max(filled((*values, value), suited) for value in range(2, 15) for suited in {flush, False})


@pytest.mark.slow
def test_every_hand_with_wild_deuces_is_ranked_as_putting_every_card_in_place_of_them_ranks_it():
    proof = prove(5, (), plainly_with_deuces, Rank.TWO)
    assert proof.differ == []
    assert proof.counts.total() == NATURAL_HANDS
    assert {name: proof.counts[Category[name]] for name in WITH_DEUCES} == WITH_DEUCES
    assert dict(proof.counts) == dict(frequencies.WITH_DEUCES)


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("Ac 3d 4h 5s 6c", Category.NOTHING),
        ("Ac 3d 4h 5s 2c", Category.STRAIGHT),
        ("Ac 3c 4c 5c 2d", Category.STRAIGHT_FLUSH),
        ("Ac Kc 2d Jc Tc", Category.ROYAL_FLUSH),
        ("2c 2d 2h Kc 3c", Category.FOUR_OF_A_KIND),
        ("2c 2d 2h 7c 3c", Category.STRAIGHT_FLUSH),
        ("2c 2d 2h Kc Kd", Category.FIVE_OF_A_KIND),
        ("2c 2d 2h 2s Kd", Category.FOUR_DEUCES),
        ("2c 5d 5h 9s 9d", Category.FULL_HOUSE),
        ("2c 5d 7h 9s Jd", Category.ONE_PAIR),
    ],
)
def test_a_deuce_becomes_what_makes_the_highest_category(text, category):
    assert rank(parse_cards(text), Rank.TWO).category is category


@pytest.mark.soak
def test_every_natural_hand_is_judged_by_the_plain_method_itself():
    for cards in combinations(STANDARD_DECK, 5):
        assert as_plain(rank(cards)) == plainly(cards), format_cards(cards)


@pytest.mark.soak
def test_every_joker_hand_is_judged_by_the_plain_method_itself():
    for four in combinations(STANDARD_DECK, 4):
        assert as_plain(rank((*four, JOKER))) == plainly_with_joker(four), format_cards(four)


# ------------------------------------------------------------------------------------------ the order


def of(text: str) -> Ranked:
    return rank(parse_cards(text))


def test_the_categories_stand_in_the_order_of_the_rules():
    assert [category.name for category in sorted(Category, reverse=True)] == STRONG_TO_WEAK


# Each hand is beaten by the next one.
WEAK_TO_STRONG = [
    "7c 5d 4h 3s 2c",
    "8c 5d 4h 3s 2c",
    "Ac Kd Qh Js 9c",
    "2c 2d 5h 4s 3c",
    "2c 2d Ah Ks Qc",
    "Ac Ad Kh Qs Jc",
    "Jk 2c 7d 8h 9s",
    "Jk Ac Kd Qh 9s",
    "3c 3d 2h 2s Ac",
    "4c 4d 2h 2s 3c",
    "Ac Ad Kh Ks 2c",
    "Ac Ad Kh Ks Qc",
    "2c 2d 2h 4s 3c",
    "2c 2d Jk Ah Ks",
    "Ac Ad Ah Ks Qc",
    "Ac 2d 3h 4s 5c",
    "2c 3d 4h 5s 6c",
    "Tc Jd Qh Ks Ac",
    "2c 3c 4c 5c 7c",
    "2c 3c 4c 6c 7c",
    "Ac Kc Qc Jc 9c",
    "2c 2d 2h 3s 3c",
    "2c 2d 2h As Ac",
    "3c 3d 3h 2s 2c",
    "Jk Ac Ad Ks Kc",
    "2c 2d 2h 2s 3c",
    "2c 2d 2h 2s Ac",
    "3c 3d 3h 3s 2c",
    "Ac 2c 3c 4c 5c",
    "2c 3c 4c 5c 6c",
    "9c Tc Jc Qc Kc",
    "Tc Jc Qc Kc Ac",
    "2c 2d 2h 2s Jk",
    "Ac Ad Ah As Jk",
]


def test_hands_compare_by_category_then_by_the_deciding_ranks():
    ranked = [of(text) for text in WEAK_TO_STRONG]
    assert ranked == sorted(ranked)
    assert len(set(ranked)) == len(ranked)


def test_suits_do_not_rank():
    assert of("Ac Kc Qc Jc 9c") == of("As Ks Qs Js 9s")
    assert of("2c 2d Ah Ks Qc") == of("2h 2s Ad Kc Qs")


def test_the_order_of_the_cards_does_not_matter():
    assert of("5c Ac 3d 2h 4s") == of("4s 2h 3d Ac 5c")
    assert of("Jk 2c 2d 2h 2s") == of("2c 2d Jk 2h 2s")


# ------------------------------------------------------------------------------------------ the ace, the joker


def test_ace_to_five_is_a_straight_and_the_lowest_one():
    assert of("Ah 2c 3d 4s 5h") == Ranked(Category.STRAIGHT, (Rank.FIVE,))
    assert of("Ah 2h 3h 4h 5h") == Ranked(Category.STRAIGHT_FLUSH, (Rank.FIVE,))
    assert of("Ah 2c 3d 4s 5h") < of("2h 3c 4d 5s 6h")


def test_ten_to_ace_is_a_straight_and_royal_when_suited():
    assert of("Th Jc Qd Ks Ah") == Ranked(Category.STRAIGHT, (Rank.ACE,))
    assert of("Th Jh Qh Kh Ah").category is Category.ROYAL_FLUSH


@pytest.mark.parametrize("text", ["Jc Qd Kh As 2c", "Qc Kd Ah 2s 3c", "Kc Ad 2h 3s 4c", "Ac 2d 5h 6s Kc"])
def test_the_ace_is_never_in_the_middle_of_a_straight(text):
    assert of(text).category is Category.NOTHING
    assert of(text.replace("d", "c").replace("h", "c").replace("s", "c")).category is Category.FLUSH


@pytest.mark.parametrize(
    "text, category",
    [
        ("2c 3d 4h 5s Jk", Category.STRAIGHT),
        ("Ac 2d 4h 5s Jk", Category.STRAIGHT),
        ("Ac 2d 5h 6s Jk", Category.JOKER),
        ("Ac Jd Qh Ks Jk", Category.STRAIGHT),
        ("Ac Jc Qc Kc Jk", Category.ROYAL_FLUSH),
        ("Tc Jc Qc Kc Jk", Category.ROYAL_FLUSH),
        ("9c Tc Jc Qc Jk", Category.STRAIGHT_FLUSH),
        ("Ac 2c 4c 5c Jk", Category.STRAIGHT_FLUSH),
        ("Ac 2c 6c 9c Jk", Category.FLUSH),
        ("Ac 7d 9h Js Jk", Category.JOKER),
        ("Ac Ad 9h Js Jk", Category.THREE_OF_A_KIND),
        ("Ac Ad 9h 9s Jk", Category.FULL_HOUSE),
        ("Ac Ad Ah 9s Jk", Category.FOUR_OF_A_KIND),
        ("Ac Ad Ah As Jk", Category.FIVE_OF_A_KIND),
    ],
)
def test_the_joker_becomes_what_makes_the_highest_category(text, category):
    assert of(text).category is category


def test_the_joker_goes_to_the_upper_end_of_a_straight():
    assert of("2c 3d 4h 5s Jk") == of("2c 3d 4h 5s 6c")
    assert of("Tc Jc Qc Kc Jk") == of("Tc Jc Qc Kc Ac")


def test_a_joker_hand_is_by_value_a_pair_of_its_highest_other_card():
    assert of("Jk 2c 7d 8h Ks") == Ranked(Category.JOKER, (Rank.KING, Rank.EIGHT, Rank.SEVEN, Rank.TWO))
    assert of("As Ad Kh Qc Jc") < of("Jk 2c 3d 4h 7s") < of("2c 2d 3h 3s 4c")


def test_in_a_flush_the_joker_is_the_highest_card_that_is_not_there_yet():
    assert of("Ac Kc 7c 2c Jk") == of("Ac Kc Qc 7c 2c")


# ------------------------------------------------------------------------------------------ errors, labels


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Ah",
        "Ah Kh Qh Jh",
        "Ah Kh Qh Jh Th 9h",
        "Ac Ad Ah As Ac",
        "2c 2d 2h 2s 2c",
        "Ah Ah Ah Ah Ah",
        "Ah Ah Kh Qh Jh",
        "Jk Jk Ah Kh Qh",
        "Jk Ah Ah Kh Qh",
        "Jk Jk Jk Jk Jk",
    ],
)
def test_what_is_not_five_cards_of_one_deck_is_refused_by_name(text):
    with pytest.raises(SetupError, match="^not five cards of one deck: ") as refused:
        of(text)
    assert str(refused.value).endswith(text)


@pytest.mark.parametrize(
    "text, spoken",
    [
        ("Qc Qd Qh 7s 7c", Label.of("FULL_HOUSE", high=Rank.QUEEN, low=Rank.SEVEN)),
        ("Ac Ad 2h 2s 3c", Label.of("TWO_PAIR", high=Rank.ACE, low=Rank.TWO)),
        ("9c 9d 2h 4s 3c", Label.of("ONE_PAIR", high=Rank.NINE)),
        ("9c 9d 9h 4s 3c", Label.of("THREE_OF_A_KIND", high=Rank.NINE)),
        ("9c 9d 9h 9s 3c", Label.of("FOUR_OF_A_KIND", high=Rank.NINE)),
        ("9c 9d 9h 9s Jk", Label.of("FIVE_OF_A_KIND", high=Rank.NINE)),
        ("Ac 2d 3h 4s 5c", Label.of("STRAIGHT", high=Rank.FIVE)),
        ("5c 6c 7c 8c 9c", Label.of("STRAIGHT_FLUSH", high=Rank.NINE)),
        ("Tc Jc Qc Kc Ac", Label.of("ROYAL_FLUSH")),
        ("2c 4c 6c 8c Tc", Label.of("FLUSH", high=Rank.TEN)),
        ("2c 4d 6c 8c Tc", Label.of("NOTHING", high=Rank.TEN)),
        ("2c 4d 6c 9c Jk", Label.of("JOKER", high=Rank.NINE)),
    ],
)
def test_a_hand_is_named_with_the_ranks_that_are_spoken(text, spoken):
    assert label(of(text)) == spoken
