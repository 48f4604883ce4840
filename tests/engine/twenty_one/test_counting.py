"""Systems of counting cards."""

from fractions import Fraction
from random import Random
from statistics import correlation

import pytest

from webapp.engine.cards import STANDARD_DECK
from webapp.engine.errors import SetupError
from webapp.engine.twenty_one.counting import ROUNDINGS, SYSTEMS, CountingSystem, true_count

# Sums over a deck: Hi-Lo, Hi-Opt II and Zen are balanced, KO ends each deck at +4 (Vancura and Fuchs, Knock-Out
# Blackjack, which starts the count of six decks at -20).
SURPLUS = {"hi-lo": 0, "ko": 4, "hi-opt-2": 0, "zen": 0}


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_whole_deck_counts_what_is_published(name) -> None:
    system = CountingSystem.parse(name)
    assert sum(map(system.tag, STANDARD_DECK)) == system.surplus == SURPLUS[name]
    assert system.is_balanced == (name != "ko")


@pytest.mark.parametrize(("name", "published"), [("hi-lo", 0.76), ("ko", 0.78), ("hi-opt-2", 0.91), ("zen", 0.85)])
def test_the_insurance_correlation_is_the_published_one(name: str, published: float) -> None:
    """That of the tags of a deck with its tens, to two digits, as lists of counting systems have it."""
    tags = CountingSystem.parse(name).tags
    deck = [(tags[min(rank, 10) - 1], float(rank >= 10)) for rank in range(1, 14)]
    assert -correlation(*zip(*deck, strict=True)) == pytest.approx(published, abs=0.005)


def test_the_count_of_ko_starts_where_its_book_says() -> None:
    assert [CountingSystem.parse("ko").start(decks) for decks in (1, 2, 6, 8)] == [0, -4, -20, -28]


def test_cards_that_count_the_same_are_named_together() -> None:
    assert CountingSystem.parse("hi-lo").runs == ((2, 6, 1), (7, 9, 0), (10, 11, -1))
    own = CountingSystem.parse("1,0,0,0,0,0,0,0,0,-1")
    assert own.runs == ((2, 9, 0), (10, 10, -1), (11, 11, 1))


def test_own_tags_are_one_word_and_those_of_a_known_system_have_its_name() -> None:
    assert CountingSystem.parse("-1,0,0,0,1,0,0,0,0,0").tags == (-1, 0, 0, 0, 1, 0, 0, 0, 0, 0)
    for minus in "-−–‐‑－﹣":
        assert CountingSystem.parse(f"{minus}1,1,1,1,1,1,0,0,0,{minus}1") == CountingSystem.parse("hi-lo"), minus


@pytest.mark.parametrize("name", ["", "moon", "1,2", "1,1,1,1,1,1,1,1,1,1", "-1,1,1,1,1,1,0,0,0,-9", "+1" + ",0" * 9])
def test_what_tells_nothing_or_is_none_is_refused(name) -> None:
    with pytest.raises(SetupError):
        CountingSystem.parse(name)


# What every rank adds, as a table of a book has it, apart from ours.
BOOK = {
    "hi-lo": {"23456": 1, "789": 0, "TJQKA": -1},
    "ko": {"234567": 1, "89": 0, "TJQKA": -1},
    "hi-opt-2": {"2367": 1, "45": 2, "89A": 0, "TJQK": -2},
    "zen": {"237": 1, "456": 2, "89": 0, "A": -1, "TJQK": -2},
}


@pytest.mark.parametrize("name", BOOK)
@pytest.mark.parametrize("decks", [1, 2, 6, 8])
def test_a_running_count_is_a_plain_recount_of_every_card(name: str, decks: int) -> None:
    system, random, published = CountingSystem.parse(name), Random(f"{name} {decks}"), {"ko": 4 - 4 * decks}
    for _ in range(20):
        shoe = random.sample([*STANDARD_DECK] * decks, 52 * decks)
        count = published.get(name, 0)
        for seen, card in enumerate(shoe):
            assert system.running(shoe[:seen], decks) == count
            (added,) = (tag for ranks, tag in BOOK[name].items() if str(card)[0] in ranks)
            count += added
        assert system.running(shoe, decks) == count == SURPLUS[name]


@pytest.mark.parametrize(
    ("running", "decks", "down", "truncated", "nearest"),
    [
        (7, "2.5", 2, 2, 3),  # 2.8
        (-7, "2.5", -3, -2, -3),  # -2.8
        (5, "2", 2, 2, 3),  # 2.5
        (-5, "2", -3, -2, -2),  # -2.5, a half is rounded up
        (6, "1.5", 4, 4, 4),
        (-6, "1.5", -4, -4, -4),
        (1, "5.5", 0, 0, 0),
        (-1, "5.5", -1, 0, 0),
        (3, "0.5", 6, 6, 6),
        (0, "3", 0, 0, 0),
    ],
)
def test_a_true_count_is_what_is_worked_out_by_hand(
    running: int, decks: str, down: int, truncated: int, nearest: int
) -> None:
    found = [true_count(running, Fraction(decks), rounding) for rounding in ROUNDINGS]
    assert found == [down, truncated, nearest]
