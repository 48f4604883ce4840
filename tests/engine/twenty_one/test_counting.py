"""Systems of counting cards."""

import pytest

from webapp.engine.cards import STANDARD_DECK
from webapp.engine.errors import SetupError
from webapp.engine.twenty_one.counting import SYSTEMS, CountingSystem

# Sums over a deck: Hi-Lo, Hi-Opt II and Zen are balanced, KO ends each deck at +4 (Vancura and Fuchs, Knock-Out
# Blackjack, which starts the count of six decks at -20).
SURPLUS = {"hi-lo": 0, "ko": 4, "hi-opt-2": 0, "zen": 0}


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_whole_deck_counts_what_is_published(name) -> None:
    system = CountingSystem.parse(name)
    assert sum(map(system.tag, STANDARD_DECK)) == system.surplus == SURPLUS[name]
    assert system.is_balanced == (name != "ko")


def test_the_count_of_ko_starts_where_its_book_says() -> None:
    assert [CountingSystem.parse("ko").start(decks) for decks in (1, 2, 6, 8)] == [0, -4, -20, -28]


def test_own_tags_are_one_word_and_those_of_a_known_system_have_its_name() -> None:
    assert CountingSystem.parse("-1,0,0,0,1,0,0,0,0,0").tags == (-1, 0, 0, 0, 1, 0, 0, 0, 0, 0)
    assert CountingSystem.parse("-1,1,1,1,1,1,0,0,0,-1") == CountingSystem.parse("hi-lo")


@pytest.mark.parametrize("name", ["", "moon", "1,2", "1,1,1,1,1,1,1,1,1,1", "-1,1,1,1,1,1,0,0,0,-9", "+1" + ",0" * 9])
def test_what_tells_nothing_or_is_none_is_refused(name) -> None:
    with pytest.raises(SetupError):
        CountingSystem.parse(name)
