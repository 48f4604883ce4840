"""A player who counts: the kernel beside the engine, with a plain recount of every card and a chart for each count."""

import json
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from random import Random

import numpy as np
import pytest

from tests.support.kernel_rounds import LETTERS, LONGEST, any_strategy, by_engine, net_of
from webapp.engine.cards import SUITS, Card, Rank
from webapp.engine.errors import SetupError
from webapp.engine.game import Setup
from webapp.engine.games.blackjack.game import BlackjackGame
from webapp.engine.games.blackjack.rules import PRESETS, parse_rules
from webapp.engine.odds.blackjack.count_index import CountIndices, Play, Turn
from webapp.engine.simulation import kernel
from webapp.engine.simulation.basic_strategy import basic_strategy
from webapp.engine.simulation.card_counter import CardCounter
from webapp.engine.simulation.chunks import KernelRun, play_chunk
from webapp.engine.simulation.counted_play import counter_with_indices
from webapp.engine.simulation.experiment import Experiment, Scenario, make_scenario
from webapp.engine.simulation.lookup_tables import counting_of
from webapp.engine.simulation.statistics import NO_ROUNDS, Statistics
from webapp.engine.twenty_one.counting import HI_LO, ROUNDINGS, SYSTEMS, CountingSystem, Rounding, true_count

BET = 10
TABLES = ("vegas", "downtown", "european", "single", "vegas,decks=8,hole_card=no_peek,surrender=late", "vegas,decks=1")
SHUFFLED = "vegas,shuffle=continuous"
OWN = "1,-2,0,3,0,1,0,0,0,-1"


def plain_count(system: CountingSystem, decks: int, seen: list[Card], rounding: Rounding) -> int:
    """Count all over again, card by card."""
    running = system.start(decks)
    for card in seen:
        running += system.tag(card)
    unseen = 52 * decks - len(seen)
    return true_count(running, Fraction(unseen, 52), rounding) if system.is_balanced else running


def place(counts: range, count: int) -> int:
    return min(max(count, counts[0]), counts[-1]) - counts[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", [*SYSTEMS, OWN])
@pytest.mark.parametrize("table", [*TABLES, SHUFFLED])
def test_every_round_of_a_counted_shoe_is_that_of_the_engine(table: str, name: str) -> None:
    """Charts of random words, so that a round that is played by the wrong one is seen."""
    chance = Random(f"{table} {name}")
    rules, system = parse_rules(table), CountingSystem.parse(name)
    counts = CardCounter(system).counts(rules.decks)
    charts = tuple(any_strategy(chance, chance.choice(LETTERS)) for _ in counts)
    boxes = chance.randint(1, rules.bets.boxes) if rules.bets else 1
    leaves_at = chance.choice((None, system.start(rules.decks) - chance.randint(1, 4)))
    rounding = chance.choice(ROUNDINGS)
    scenario = Scenario(rules, charts[0], CardCounter(system, charts, leaves_at, rounding), boxes)
    game, run = BlackjackGame("blackjack", {"own": rules}), KernelRun(scenario, BET, key=chance.randrange(2**60))
    shoe, seen, before, found = run.shoe, list[Card](), {}, list[int]()
    left = 0
    for _ in range(250):
        if shoe.state[kernel.AT] > run.tables.rules[kernel.LAST]:
            seen = []
        elif leaves_at is not None and plain_count(system, rules.decks, seen, rounding) <= leaves_at:
            seen, left = [], left + 1
        start = len(seen)
        net, at = run.play_each(1)
        end = int(shoe.state[kernel.AT])
        cards = [Card(Rank.ACE if rank == 1 else Rank(rank), SUITS[0]) for rank in shoe.cards.tolist() if rank]
        count = plain_count(system, rules.decks, seen, rounding)
        opened = [*seen, *cards[start : start + 2 * boxes + 1]]
        chart = charts[place(counts, plain_count(system, rules.decks, opened, rounding))]
        state = by_engine(game, Setup("own", (BET,) * boxes, (tuple(cards[start : start + boxes * LONGEST]),)), chart)
        assert (int(net[0]), end - start) == (net_of(game, state, BET), game.dealt(state)[0])
        by_count = run.by_count()
        counted = counts[place(counts, count)]
        (changed,) = (each for each in by_count if by_count[each] != before.get(each, NO_ROUNDS))
        assert changed == counted == counts[at[0]]
        assert by_count[changed].total - before.get(changed, NO_ROUNDS).total == net[0]
        assert by_count[changed].squares - before.get(changed, NO_ROUNDS).squares == net[0] ** 2
        seen, before = cards[:end], by_count
        found.append(count)
    assert run.statistics().counts.get("left", 0) == left
    if table == SHUFFLED:
        assert {*found} == {system.start(rules.decks)}, "there is nothing to count before a deal"
    else:
        assert len({*found}) > 5
        assert (left > 0) == (leaves_at is not None)


@pytest.mark.slow
def test_flat_bets_on_several_boxes_lose_what_they_lose_on_one_and_their_luck_is_shared() -> None:
    """Each box is as good as any other. All play against one dealer: two covary by 0.479 bets squared if six decks are
    dealt by these rules (Wizard of Odds, Blackjack appendix 4), and three boxes have three such pairs.
    """
    rounds, one = 3_000_000, make_scenario("vegas,shuffle=continuous,resplit_aces=true,surrender=late", "basic")
    found = [
        play_chunk(Experiment(replace(one, boxes=boxes), rounds, 4 + boxes, chunk=rounds), 0).results[0]
        for boxes in (1, 2, 3)
    ]
    variances = [(boxes * result.standard_deviation) ** 2 for boxes, result in enumerate(found, 1)]
    for boxes, result in enumerate(found[1:], 2):
        error = (result.standard_error**2 + found[0].standard_error ** 2) ** 0.5
        assert abs(result.mean - found[0].mean) < 3 * error
        pairs = boxes * (boxes - 1)
        assert (variances[boxes - 1] - boxes * variances[0]) / pairs == pytest.approx(0.479, abs=0.01)
    events = [{name: count / rounds for name, count in result.counts.items()} for result in found]
    for boxes, several in enumerate(events, 1):
        for name in ("natural", "double", "split", "bust"):
            assert several[name] / boxes == pytest.approx(events[0][name], rel=0.01), name
    assert events[0]["dealer_bust"] < events[1]["dealer_bust"] < events[2]["dealer_bust"] < 0.29


def test_who_leaves_bad_shoes_sees_good_counts_more_often() -> None:
    plain = replace(make_scenario("vegas", "basic"), counter=CardCounter(HI_LO))
    leaves = replace(plain, counter=CardCounter(HI_LO, leaves_at=-1))
    stays, goes = (play_chunk(Experiment(scenario, 300_000, 3, chunk=300_000), 0) for scenario in (plain, leaves))
    rounds = sum(moments.rounds for count, moments in goes.by_count.items() if count < 0)
    assert rounds == 0 and min(stays.by_count) < -5
    ahead = [sum(moments.rounds for count, moments in each.by_count.items() if count > 0) for each in (stays, goes)]
    assert ahead[1] > 1.3 * ahead[0]
    assert "left" not in stays.results[0].counts
    assert 0.1 < goes.results[0].rates["left"] < 0.5
    for count in (-16, 1):
        with pytest.raises(SetupError, match="from -15 to 0"):
            replace(plain, counter=CardCounter(HI_LO, leaves_at=count))


def test_no_table_has_more_boxes_than_it_has() -> None:
    scenario = make_scenario("vegas", "basic")
    for boxes in (0, 4):
        with pytest.raises(SetupError, match="from 1 to 3"):
            replace(scenario, boxes=boxes)
    with pytest.raises(SetupError, match="from 1 to 1"):
        replace(make_scenario("classic", "mimic"), boxes=2)
    with pytest.raises(SetupError, match="one box"):
        Experiment(replace(scenario, boxes=2), 1, 1, other=scenario)


@pytest.mark.parametrize("name", SYSTEMS)
def test_counting_alone_changes_no_round(name: str) -> None:
    plain = make_scenario("vegas", "basic")
    counted = replace(plain, counter=CardCounter(CountingSystem.parse(name)))
    alone, both = (play_chunk(Experiment(scenario, 50_000, 3), 0) for scenario in (plain, counted))
    assert alone.results == both.results
    assert alone.checkpoints == both.checkpoints
    sums = sum(both.by_count.values(), NO_ROUNDS)
    assert sums == both.results[0].moments
    assert not alone.by_count


def test_chunks_add_up_to_their_rounds_by_count() -> None:
    scenario = replace(make_scenario("downtown", "basic"), counter=CardCounter(CountingSystem.parse("hi-lo")))
    experiment = Experiment(scenario, 30_000, 5, chunk=7_000)
    chunks = [play_chunk(experiment, number) for number in range(experiment.chunks)]
    statistics = Statistics.empty(experiment.bet, 1)
    for chunk in chunks:
        statistics += chunk
    assert sum(statistics.by_count.values(), NO_ROUNDS) == statistics.results[0].moments
    assert [*statistics.by_count] == sorted(statistics.by_count)
    assert Statistics.from_json(json.loads(json.dumps(statistics.as_json()))) == statistics
    for count, moments in statistics.by_count.items():
        assert moments == sum((chunk.by_count.get(count, NO_ROUNDS) for chunk in chunks), NO_ROUNDS)


def test_the_higher_the_count_the_better_for_the_player() -> None:
    """About half a per cent a count: Schlesinger, Blackjack Attack, and everybody since Thorp."""
    scenario = replace(make_scenario("vegas", "basic"), counter=CardCounter(CountingSystem.parse("hi-lo")))
    by_count = play_chunk(Experiment(scenario, 3_000_000, 1, chunk=3_000_000), 0).by_count
    edges = {count: by_count[count].mean / BET for count in range(-6, 7)}
    slope = np.polyfit([*edges], [*edges.values()], 1, w=[by_count[count].rounds ** 0.5 for count in edges])[0]
    assert 0.004 < slope < 0.007
    with pytest.raises(Exception, match="fresh shoe"):
        Experiment(scenario, 1, 1, other=scenario)


def indices_of(*plays: Play, system: str = "hi-lo", insurance: float | None = 3.2) -> CountIndices:
    return CountIndices(CountingSystem.parse(system), 6, 0.75, plays, insurance, -9, 9)


def test_a_chart_leaves_basic_strategy_at_its_index_numbers() -> None:
    basic = basic_strategy(PRESETS["vegas"])
    indices = indices_of(
        Play("16", "T", "hit", (Turn(0.2, "hit", "stand"),)),
        Play("13", "2", "stand", (Turn(-0.8, "hit", "stand"),)),
        Play("TT", "5", "stand", (Turn(4.9, "stand", "split"),)),
        Play("10", "A", "hit", (Turn(3.9, "hit", "double"),)),
        Play("A7", "2", "stand", (Turn(0.9, "stand", "double"),)),
        Play("12", "4", "stand", ()),
    )
    counter = counter_with_indices(CardCounter(indices.system), indices, basic)
    at = dict(zip(counter.counts(6), counter.charts, strict=True))
    turns = {("16", "T"): ("H", "S", 0), ("13", "2"): ("H", "S", -1), ("TT", "5"): ("-", "P", 5)}
    turns |= {("10", "A"): ("H", "Dh", 4), ("A7", "2"): ("S", "Ds", 1)}
    for (hand, up), (below, above, index) in turns.items():
        assert [at[count].word(hand, up) for count in (index - 1, index)] == [below, above], (hand, up)
    assert [at[count].insure for count in (2, 3, 4)] == [False, True, True]
    for before, after in pairwise(at.values()):
        assert before.word("12", "4") == after.word("12", "4") == basic.word("12", "4")
    assert all(at[-1].row(hand) == basic.row(hand) for hand in ("11", "A8", "99", "88"))


@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_an_index_is_the_lowest_count_whose_middle_is_beyond_the_turn(rounding: Rounding) -> None:
    exact = [Fraction(thousandths, 1000) for thousandths in range(-12_000, 12_000)]
    stand_for = dict[int, list[Fraction]]()
    for count in exact:
        stand_for.setdefault(true_count(int(1000 * count), Fraction(1000), rounding), []).append(count)
    middle = {count: float(sum(counts) / len(counts)) for count, counts in stand_for.items()}
    indices = indices_of()
    for turn in (tenths / 10 + 0.01 for tenths in range(-90, 90)):
        index = min(count for count in middle if middle[count] > turn)
        assert indices.index(turn, rounding) == index, turn


def test_index_plays_go_by_the_rounding_of_the_player() -> None:
    indices = indices_of(Play("16", "T", "hit", (Turn(0.3, "hit", "stand"),)), insurance=3.2)
    for rounding, index, insurance in (("floor", 0, 3), ("nearest", 1, 4), ("truncate", 1, 3)):
        counter = CardCounter(indices.system, rounding=rounding)
        counter = counter_with_indices(counter, indices, basic_strategy(PRESETS["vegas"]))
        at = dict(zip(counter.counts(6), counter.charts, strict=True))
        assert [at[count].word("16", "T") for count in (index - 1, index)] == ["H", "S"]
        assert [at[count].insure for count in (insurance - 1, insurance)] == [False, True]


def test_a_running_count_is_compared_with_a_running_index() -> None:
    indices = indices_of(Play("16", "T", "hit", (Turn(-4.0, "hit", "stand"),)), system="ko", insurance=None)
    counter = counter_with_indices(CardCounter(indices.system), indices, basic_strategy(PRESETS["vegas"]))
    words = [chart.word("16", "T") for chart in counter.charts]
    index = indices.index(-4.0)
    counts = counter.counts(6)
    assert words == ["S" if count >= index else "H" for count in counts]
    assert counts[0] < indices.system.start(6) < index < counts[-1]
    assert not any(chart.insure for chart in counter.charts)


@pytest.mark.parametrize(("name", "rounding"), [*(("hi-lo", each) for each in ROUNDINGS), ("ko", "floor")])
def test_every_count_that_there_can_be_is_divided_and_rounded_rightly(name: str, rounding: Rounding) -> None:
    """The kernel multiplies instead, by a scale that is cut off; with balanced tags of 9 a shoe counts up to 936."""
    counter = CardCounter(CountingSystem.parse(name), rounding=rounding)
    counting, counts = counting_of(counter, 8), counter.counts(8)
    for running, unseen in product((*range(-60, 61), -936, -935, 935, 936), range(8 * 52 + 1)):
        count = running
        if counter.system.is_balanced:
            down, up = (52 * running // unseen, -(-52 * running // unseen)) if unseen else (0, 0)
            nearest = (104 * running + unseen) // (2 * unseen) if unseen else 0
            count = {"floor": down, "truncate": down if running > 0 else up, "nearest": nearest}[rounding]
        assert kernel._place_of(running, unseen, counting.fields, counting.scale) == place(counts, count)
