"""Index numbers, against published ones, closed forms, and prices of whole compositions."""

from functools import cache
from math import comb

import numpy as np
import pytest

from webapp.engine.cards import parse_cards
from webapp.engine.games.blackjack.rules import parse_rules
from webapp.engine.odds.blackjack.compositions import index_of, key_of
from webapp.engine.odds.blackjack.count_index import CountIndices, Turn
from webapp.engine.odds.blackjack.dealer_outcomes import DealerOutcomes
from webapp.engine.odds.blackjack.hand_values import HandValues, NaturalTakes
from webapp.engine.odds.blackjack.indices import count_indices, deck_at, index_arrays, per_deck
from webapp.engine.simulation.basic_strategy import basic_strategy
from webapp.engine.simulation.strategy_chart import NO_SPLIT, UPCARDS
from webapp.engine.twenty_one.counting import DECK, SYSTEMS, CountingSystem
from webapp.engine.twenty_one.hand import total

try:
    from webapp.engine.odds.blackjack.dealer_compiled import evaluate_compiled as evaluate
except ImportError:  # without Numba
    from webapp.engine.odds.blackjack.dealer_outcomes import evaluate_plainly as evaluate

# Don Schlesinger, Blackjack Attack: "The Illustrious 18" and "The Fab 4 surrenders", Hi-Lo, several decks, S17.
ILLUSTRIOUS_18 = {
    ("16", "T"): ("hit", "stand", 0),
    ("15", "T"): ("hit", "stand", 4),
    ("TT", "5"): ("stand", "split", 5),
    ("TT", "6"): ("stand", "split", 4),
    ("10", "T"): ("hit", "double", 4),
    ("12", "3"): ("hit", "stand", 2),
    ("12", "2"): ("hit", "stand", 3),
    ("11", "A"): ("hit", "double", 1),
    ("9", "2"): ("hit", "double", 1),
    ("10", "A"): ("hit", "double", 4),
    ("9", "7"): ("hit", "double", 3),
    ("16", "9"): ("hit", "stand", 5),
    ("13", "2"): ("hit", "stand", -1),
    ("12", "4"): ("hit", "stand", 0),
    ("12", "5"): ("hit", "stand", -2),
    ("12", "6"): ("hit", "stand", -1),
    ("13", "3"): ("hit", "stand", -2),
}
LETTERS = {"stand": "S", "hit": "H", "double": "D", "split": "P", "surrender": "R"}
FAB_4 = {("14", "T"): 3, ("15", "T"): 0, ("15", "9"): 2, ("15", "A"): 1}


@cache
def found(table: str, system: str = "hi-lo") -> CountIndices:
    rules, counted = parse_rules(table), CountingSystem.parse(system)
    return count_indices(rules, counted, index_arrays(rules, counted, evaluate))


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_composition_has_the_count_it_is_made_for(name) -> None:
    shoe, tags = 6 * np.array(DECK), np.array(SYSTEMS[name], float)
    for count in (-9, -4, 0, 2.5, 11):
        deck = deck_at(shoe, tags, count)
        assert deck.sum() == pytest.approx(shoe.sum())
        assert per_deck(deck, tags) == pytest.approx(count)
        assert (deck > 0).all()


@pytest.mark.parametrize("count", range(-8, 9, 2))
def test_half_a_deck_is_on_average_what_is_expected_at_its_count(count) -> None:
    """All ways to choose 26 cards out of 20 low, 12 middle and 20 high ones, of which ``count / 2`` more are high."""
    ways = {
        (low, 26 - 2 * low - count // 2, low + count // 2): comb(20, low)
        * comb(12, 26 - 2 * low - count // 2)
        * comb(20, low + count // 2)
        for low in range(21)
        if 0 <= 26 - 2 * low - count // 2 <= 12 and 0 <= low + count // 2 <= 20
    }
    means = [sum(group[place] * n for group, n in ways.items()) / sum(ways.values()) for place in range(3)]
    deck = deck_at(np.array(DECK), np.array(SYSTEMS["hi-lo"], float), count) / 2
    assert [deck[1:6].sum(), deck[6:9].sum(), deck[0] + deck[9]] == pytest.approx(means)


def index(name: str, count: float, decks: int = 6, dealt: float = 0.75) -> int:
    return CountIndices(CountingSystem.parse(name), decks, dealt, (), None, -9, 9).index(count)


def test_an_index_is_for_a_true_count_that_is_rounded_down() -> None:
    assert [index("hi-lo", count) for count in (2.4, 2.6, -0.6, -0.4, 0.5)] == [2, 3, -1, 0, 0]


def test_the_index_of_an_unbalanced_count_is_the_running_count_that_gains_on_average() -> None:
    """Against shoes that are shuffled: whether those with this running count have enough low cards gone on average."""
    assert index("ko", 0) == 4, "the pivot, at every depth"
    tags = np.repeat(SYSTEMS["ko"], 6 * np.array(DECK))
    shoes = np.random.default_rng(1).permuted(np.tile(tags, (4000, 1)), axis=1)
    seen = np.arange(1, 235)
    running = -20 + shoes[:, : len(seen)].cumsum(axis=1)
    for count in (-6.5, -3.1, -0.9, 2.2):
        gain = [
            ((rc - 4) / ((312 - seen) / 52) - count)[None, :].repeat(len(shoes), 0)[running == rc].mean()
            for rc in range(-30, 15)
        ]
        lowest = next(rc for rc, mean in zip(range(-30, 15), gain, strict=True) if mean >= 0)
        assert abs(index("ko", count) - lowest) <= 1, count


def turns(indices: CountIndices, hand: str, up: str) -> tuple[Turn, ...]:
    (play,) = [play for play in indices.plays if (play.hand, play.up) == (hand, up)]
    return play.turns


@pytest.mark.slow
def test_insurance_pays_from_3() -> None:
    """At c for each deck there are 96 + 2.4 c tens in 311 cards, a third from c = 3.19 on; and the ace counts -1."""
    indices = found("vegas")
    assert indices.insurance == pytest.approx((6 * (311 / 3 - 96) / 2.4 - 1) * 52 / 311, abs=0.01)
    assert indices.index(indices.insurance) == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    "table",
    [
        pytest.param("vegas", marks=pytest.mark.soak),
        "vegas,decks=2",
        pytest.param("vegas,decks=8", marks=pytest.mark.soak),
    ],
)
def test_insurance_pays_from_3_of_ko_as_published(table: str) -> None:
    """Vancura and Fuchs, Knock-Out Blackjack: insurance from a running count of +3, for all numbers of decks."""
    indices = found(table, "ko")
    assert indices.insurance is not None
    assert indices.index(indices.insurance) == pytest.approx(3, abs=1)


@pytest.mark.slow
@pytest.mark.parametrize("table", ["vegas", "vegas,surrender=late"])
def test_the_play_from_a_full_shoe_is_that_of_the_chart(table) -> None:
    chart = basic_strategy(parse_rules(table))
    for play in found(table).plays:
        word = chart.word(play.hand, play.up)
        if word == NO_SPLIT:
            points = str(2 * (UPCARDS.index(play.hand[0]) + 2))
            word = chart.word(points, play.up)
        assert LETTERS[play.basic] == word[0], (play.hand, play.up)


@pytest.mark.slow
@pytest.mark.parametrize("unseen", [104, 156, 234])
@pytest.mark.parametrize(
    "hand, up, above",
    [("Th 2h", "3h", "stand"), ("7h 3h", "Th", "double"), ("7h 2h", "2h", "double"), ("7h 4h", "Ah", "double")],
)
def test_rests_of_a_shoe_that_are_dealt_turn_on_average_where_the_table_says(hand, up, above, unseen) -> None:
    """The gain over a hit in rests as they come by chance, fitted to their true counts, is 0 near the index."""
    rules, tags = parse_rules("vegas"), np.array(SYSTEMS["hi-lo"])
    own, (shown,) = [index_of(card) for card in parse_cards(hand)], map(index_of, parse_cards(up))
    left = 6 * np.array(DECK) - np.bincount([*own, shown], minlength=10)
    counts, gains = [], []
    for rest in np.random.default_rng(unseen).multivariate_hypergeometric(left, unseen, 800):
        outcomes = DealerOutcomes(rules, shown, rest, evaluate)
        values = HandValues(rules, outcomes, key_of(own), 0, NaturalTakes.of(rules))
        counts.append(-(rest @ tags) / (unseen / 52))
        gains.append(getattr(values, above)[0] - values.hit[0])
    (turn,) = turns(found("vegas"), str(total(parse_cards(hand))), up[0])
    assert turn.above == above
    assert min(abs(np.roots(np.polyfit(counts, gains, 2)) - turn.count)) < 0.5


@pytest.mark.slow
def test_tags_twice_as_great_make_counts_twice_as_great() -> None:
    once, twice = found("vegas"), found("vegas", "-2,2,2,2,2,2,0,0,0,-2")
    for play, same in zip(once.plays, twice.plays, strict=True):
        assert [turn.count for turn in same.turns] == pytest.approx([2 * turn.count for turn in play.turns])


@pytest.mark.slow
@pytest.mark.parametrize("hand, up", ILLUSTRIOUS_18)
def test_the_illustrious_18_are_within_one_of_the_published_ones(hand, up) -> None:
    below, above, published = ILLUSTRIOUS_18[hand, up]
    indices = found("vegas")
    (turn,) = [turn for turn in turns(indices, hand, up) if turn.above == above]
    assert turn.below == below
    assert abs(indices.index(turn.count) - published) <= 1


@pytest.mark.slow
@pytest.mark.parametrize("hand, up", FAB_4)
def test_the_fab_4_are_within_one_of_the_published_ones(hand, up) -> None:
    indices = found("vegas,surrender=late")
    (turn,) = [turn for turn in turns(indices, hand, up) if turn.above == "surrender"]
    assert abs(indices.index(turn.count) - FAB_4[hand, up]) <= 1


@pytest.mark.slow
def test_no_index_of_an_unbalanced_count_is_one_that_hardly_comes_up() -> None:
    """Shoes that are shuffled: the running counts that one in a hundred shoes reaches at least."""
    tags = np.repeat(SYSTEMS["ko"], 6 * np.array(DECK))
    shoes = np.random.default_rng(2).permuted(np.tile(tags, (1000, 1)), axis=1)[:, :234]
    running = -20 + shoes.cumsum(axis=1)
    lowest, highest = np.quantile(running.min(axis=1), 0.01), np.quantile(running.max(axis=1), 0.99)
    indices = found("vegas", "ko")
    numbers = [index for play in indices.plays for index, _ in indices.turns(play)]
    assert len(numbers) > 80
    assert lowest - 5 <= min(numbers) < -20 < 10 < max(numbers) <= highest + 5
