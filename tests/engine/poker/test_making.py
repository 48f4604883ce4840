"""The cards that make a hand, and the card that the joker stands for: laws over hands of every kind.

Suits do not rank, so the hands are drawn with a fixed seed, as many of each kind as exist.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random

import pytest

from webapp.engine.cards import JOKER, RANKS, STANDARD_DECK, SUITS, Card, Rank, Suit, format_cards, parse_cards
from webapp.engine.poker.making import making, stand_ins
from webapp.engine.poker.ranking import Category, rank

OF_A_KIND = 40
DECK = (*STANDARD_DECK, JOKER)

CATEGORIES = [category for category in Category if category is not Category.FOUR_DEUCES]

Hand = tuple[Card, ...]


@cache
def hands(category: Category) -> tuple[Hand, ...]:
    """Return hands of this category in any order, with and without a joker, as far as they exist."""
    random, found = Random(str(category)), set[Hand]()
    deals = _deals(random, category)
    while len(found) < OF_A_KIND:
        hand = next(deals)
        if rank(hand).category is category:
            found.add(hand)
    return tuple(sorted(found, key=format_cards))


def _deals(random: Random, category: Category) -> Iterator[Hand]:
    """Yield random hands without end, for rare categories from cards that can make them."""
    while True:
        if category in (Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH):
            low = 10 if category is Category.ROYAL_FLUSH else random.randint(1, 9)
            suit = random.choice(SUITS)
            row = [Card(RANKS[(value - 2) % 13], suit) for value in range(low, low + 5)]
        elif category in (Category.FIVE_OF_A_KIND, Category.FOUR_OF_A_KIND):
            kind, other = random.sample(RANKS, 2)
            row = [*(Card(kind, suit) for suit in SUITS), Card(other, random.choice(SUITS))]
            row[4] = JOKER if category is Category.FIVE_OF_A_KIND else row[4]
        else:
            row = random.sample(DECK, 5)
        random.shuffle(row)
        if category > Category.STRAIGHT and JOKER not in row and random.random() < 0.5:
            row[0] = JOKER
        random.shuffle(row)
        yield tuple(row)


def stands_for(hand: Hand) -> Card | None:
    return next((card for card in stand_ins(hand) if card), None)


def put(hand: Sequence[Card], places: Sequence[int], cards: Sequence[Card]) -> Hand:
    """Return the hand with these cards at these positions."""
    new = dict(zip(places, cards, strict=True))
    return tuple(new.get(place, card) for place, card in enumerate(hand, 1))


def weakest_with(hand: Hand, kept: Sequence[int]) -> Category:
    """Return the weakest category that hands with the kept cards can have, found by trying many other cards."""
    rest = [place for place in range(1, 6) if place not in kept]
    random, others = Random(format_cards(hand)), [card for card in STANDARD_DECK if card not in hand]
    return min(rank(put(hand, rest, random.sample(others, len(rest)))).category for _ in range(60))


@pytest.mark.parametrize("category", CATEGORIES)
def test_the_making_cards_alone_are_of_the_same_category(category: Category) -> None:
    for hand in hands(category):
        assert weakest_with(hand, making(hand)) is category, format_cards(hand)


@pytest.mark.parametrize("category", [one for one in CATEGORIES if one is not Category.NOTHING])
def test_not_one_of_the_making_cards_can_be_spared(category: Category) -> None:
    for hand in hands(category):
        for place in making(hand):
            if category is Category.JOKER and hand[place - 1] != JOKER:
                continue  # the joker then pairs with another card
            rest = [one for one in making(hand) if one != place]
            assert weakest_with(hand, rest) < category, (format_cards(hand), place)


@pytest.mark.parametrize("category", CATEGORIES)
def test_as_many_cards_make_a_hand_as_its_kind_needs(category: Category) -> None:
    counts = {
        Category.NOTHING: 0,
        Category.ONE_PAIR: 2,
        Category.JOKER: 2,
        Category.TWO_PAIR: 4,
        Category.THREE_OF_A_KIND: 3,
        Category.FOUR_OF_A_KIND: 4,
    }
    assert {len(making(hand)) for hand in hands(category)} == {counts.get(category, 5)}


@pytest.mark.parametrize(
    ("hand", "places"),
    [
        ("9c 2h 9d 4s 6c", (1, 3)),
        ("9c 2h 9d 2s 6c", (1, 2, 3, 4)),
        ("Jk 2h 9d 4s Kc", (1, 5)),
        ("9c Jk 9d 4s Kc", (1, 2, 3)),
        ("9c Jk 9d 9s Kc", (1, 2, 3, 4)),
        ("9c 2h 7d 4s Kc", ()),
    ],
)
def test_the_cards_that_make_a_hand_are_named_by_their_positions(hand: str, places: tuple[int, ...]) -> None:
    assert making(parse_cards(hand)) == places


@pytest.mark.parametrize("category", CATEGORIES)
def test_the_card_that_the_joker_stands_for_makes_the_same_hand_in_its_place(category: Category) -> None:
    for hand in hands(category):
        card = stands_for(hand)
        assert (card is None) == (JOKER not in hand)
        if card is None:
            continue
        if category is Category.FIVE_OF_A_KIND:
            assert {card.rank} == {other.rank for other in hand if not other.is_joker}
            continue
        assert card not in hand
        natural, ranked = rank(put(hand, [hand.index(JOKER) + 1], [card])), rank(hand)
        assert natural.ranks == ranked.ranks, format_cards(hand)
        assert natural.category is (Category.ONE_PAIR if category is Category.JOKER else category)


@pytest.mark.parametrize(
    ("hand", "card"),
    [
        ("Ah Kh Jk Jh Th", "Qh"),
        ("Ah Kh 9h Jk 4h", "Qh"),
        ("5c 6d 7h Jk 8s", "9s"),
        ("Ac 2d 3h Jk 4s", "5s"),
        ("As Ah Jk Kd Kc", "Ad"),
        ("Ks Jk 9d 4c 2h", "Kh"),
        ("As Ah Ad Ac Jk", "As"),
    ],
)
def test_the_joker_stands_for_one_card_that_is_always_the_same(hand: str, card: str) -> None:
    assert str(stands_for(parse_cards(hand))) == card
    assert str(stands_for(parse_cards(hand)[::-1])) == card


def test_in_a_flush_the_joker_is_of_its_suit() -> None:
    for category in (Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH):
        for hand in hands(category):
            card = stands_for(hand)
            if card:
                assert all(other.suit & card.suit for other in hand)
                assert card.suit is not Suit.ANY


# ------------------------------------------------------------------------------------------ wild deuces


@pytest.mark.parametrize(
    ("hand", "places", "stands"),
    [
        ("2c 2d 2h 2s Ac", (1, 2, 3, 4), "- - - - -"),
        ("2c 2d 2h Ks Kc", (1, 2, 3, 4, 5), "Kh Kd Ks - -"),
        ("2c 2d Ah Kh Qh", (1, 2, 3, 4, 5), "Jh Th - - -"),
        ("Ac 3d 4h 5c 2d", (1, 2, 3, 4, 5), "- - - - 2s"),
        ("Ac 2d 4h 5c 6d", (1, 2), "- As - - -"),
        ("Ac 3d 4h 5c 6d", (), "- - - - -"),
        ("2c 2d 9h 6s Kc", (1, 2, 5), "Ks Kh - - -"),
        ("2c 2h 2d Kh 3h", (1, 2, 3, 4), "Ks Kd Kc - -"),
    ],
)
def test_what_deuces_make_and_stand_for(hand: str, places: tuple[int, ...], stands: str) -> None:
    cards = parse_cards(hand)
    assert making(cards, Rank.TWO) == places
    assert " ".join(str(card or "-") for card in stand_ins(cards, Rank.TWO)) == stands


def test_in_their_place_the_cards_that_deuces_stand_for_make_the_same_hand() -> None:
    random = Random("deuces")
    for _ in range(3000):
        deuces = random.sample([card for card in STANDARD_DECK if card.rank is Rank.TWO], random.randint(0, 3))
        others = random.sample([card for card in STANDARD_DECK if card.rank is not Rank.TWO], 5 - len(deuces))
        hand = (*deuces, *others)
        stands = stand_ins(hand, Rank.TWO)
        assert [bool(card) for card in stands] == [card.rank is Rank.TWO for card in hand]
        ranked = rank(hand, Rank.TWO)
        natural = [card or own for card, own in zip(stands, hand, strict=True)]
        if ranked.category is Category.FIVE_OF_A_KIND:
            assert {card.rank for card in natural} == {ranked.ranks[0]}
        else:
            assert rank(natural) == ranked, format_cards(hand)
