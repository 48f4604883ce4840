"""The kernel plays like the engine, and its shuffle is uniform."""

import ast
import inspect
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from tests.support.kernel_rounds import RandomTable
from webapp.engine.games.blackjack.rules import PRESETS, BlackjackRules
from webapp.engine.simulation import kernel
from webapp.engine.simulation.card_counter import CardCounter
from webapp.engine.simulation.chunks import KernelRun, chunk_key, play_chunk
from webapp.engine.simulation.experiment import Experiment, Scenario
from webapp.engine.simulation.lookup_tables import unshuffled
from webapp.engine.simulation.strategy_by_name import strategy_by_name
from webapp.engine.simulation.strategy_chart import HARD, NO_SPLIT, PAIRS, SOFT, UPCARDS, Strategy
from webapp.engine.twenty_one.counting import HI_LO

pytestmark = pytest.mark.slow


def agree(seed: int, rounds: int, several: bool = False) -> Counter[str]:
    """Play rounds of one table by engine and kernel. Return the number of each event."""
    table, seen = RandomTable(seed, several=several), Counter[str]()
    for start in range(rounds):
        engine, kernel, state = table.play(start)
        assert kernel == engine, (seed, start, state)
        seen["empty"] += state.ran_out
        seen["split"] += len(state.hands) > 1
        seen["four hands"] += len(state.hands) > 3
        seen["insured"] += bool(state.box.insurance)
        seen["doubled"] += any(hand.doubled for hand in state.hands)
        seen["surrendered"] += any(hand.surrendered for hand in state.hands)
        seen["several boxes"] += len(state.boxes) > 1
        seen["no peek, dealer's natural"] += len(state.dealer) == 2 and state.dealer_has_natural
    return seen


PARTS, TABLES, ROUNDS = 4, 50, 120
"""Twenty-four thousand rounds at two hundred tables, in parts so that several processes can share them."""


@pytest.mark.parametrize("part", range(PARTS))
def test_kernel_and_engine_agree_on_what_a_round_brings_and_takes(part: int) -> None:
    seen = sum((agree(seed, ROUNDS) for seed in range(TABLES * part, TABLES * (part + 1))), Counter[str]())
    assert min(seen.values()) > 0 and len(seen) == 7, seen


@pytest.mark.parametrize("part", range(PARTS))
def test_they_agree_on_two_and_three_boxes(part: int) -> None:
    seeds = range(5000 + TABLES * part, 5000 + TABLES * (part + 1))
    seen = sum((agree(seed, ROUNDS // 2, several=True) for seed in seeds), Counter[str]())
    assert min(seen.values()) > 0 and len(seen) == 8, seen


@pytest.mark.soak
@pytest.mark.timeout(3000)
def test_kernel_and_engine_agree_on_a_million_rounds() -> None:
    seen = sum((agree(seed, 500, several=seed % 2 == 0) for seed in range(1000, 3000)), Counter[str]())
    assert min(seen.values()) > 1000, seen


def scenario(preset: str, strategy: str = "mimic") -> Scenario:
    return Scenario(PRESETS[preset], strategy_by_name(strategy, PRESETS[preset]))


def kernel_run(preset: str, strategy: str = "mimic") -> KernelRun:
    return KernelRun(scenario(preset, strategy), 10, chunk_key(1, 0))


# ------------------------------------------------------------------------------------------------ the shuffle


@pytest.mark.parametrize("decks", [1, 2, 8])
def test_every_card_is_as_likely_at_every_place(decks: int) -> None:
    """Chi-square of rank by position, over the first cards of fresh shoes; 12 degrees of freedom for each position."""
    size, shoes, places = 52 * decks, 30_000, 12
    word, key = np.zeros(1, np.uint64), np.uint64(chunk_key(decks, 0))
    word[0] = key
    order = unshuffled(BlackjackRules(decks=decks))
    shoe, seen = order.copy(), np.zeros((places, 14))
    for _ in range(shoes):
        word[0] = kernel._shuffle(shoe, 0, size, word[0])
        seen[np.arange(places), shoe[:places]] += 1
    chi = ((seen[:, 1:] - shoes / 13) ** 2 / (shoes / 13)).sum(axis=1)
    # 99.99 % of the time below 39 at one place, and the sum of all below 215
    assert chi.max() < 39 and chi.sum() < 215, chi


def test_cards_beside_each_other_know_nothing_of_each_other() -> None:
    """Chi-square of pairs of cards, adjacent and three apart as the player's two are; 168 degrees of freedom.

    One deck in eight is large enough to see any pattern.
    """
    word, shoes = np.uint64(chunk_key(9, 0)), 60_000
    shoe, seen = unshuffled(BlackjackRules(decks=8)), np.zeros((2, 14, 14))
    for _ in range(shoes):
        word = np.uint64(kernel._shuffle(shoe, 0, 416, word))
        seen[0, shoe[0], shoe[1]] += 1
        seen[1, shoe[0], shoe[2]] += 1
    expected = np.full((14, 14), shoes * 32 / 416 * 32 / 415)
    np.fill_diagonal(expected, shoes * 32 / 416 * 31 / 415)
    chi = ((seen - expected) ** 2 / expected)[:, 1:, 1:].sum(axis=(1, 2))
    assert chi.max() < 245, chi  # 99.99 % of the time


@pytest.mark.parametrize("preset", ["vegas", "downtown", "single"])
def test_a_shoe_always_holds_the_same_cards(preset: str) -> None:
    run = kernel_run(preset, "basic")
    for _ in range(50):
        run.play(997)
        assert sorted(run.shoe.cards) == sorted(run.shoe.order)


def test_a_fresh_shoe_and_a_shoe_with_a_cut_card_are_shuffled_when_they_must_be() -> None:
    for preset, most in (("classic", 0), ("vegas", 234), ("single", 27)):
        run = kernel_run(preset)
        for _ in range(300):
            before = int(run.shoe.state[kernel.AT])
            run.play(1)
            after = int(run.shoe.state[kernel.AT])
            assert after - before >= 3 if before < most else after < 30


# ------------------------------------------------------------------------------------------------ the same, always


def test_the_same_seed_is_the_same_and_another_is_not() -> None:
    vegas = scenario("vegas", "basic")
    first, again, other = (
        play_chunk(Experiment(vegas, 50_000, seed), 0).results[0].distribution for seed in (1, 1, 2)
    )  # fmt: skip
    assert first == again != other


def test_a_chunk_does_not_care_in_how_many_pieces_it_is_played() -> None:
    whole, pieces = kernel_run("vegas", "basic"), kernel_run("vegas", "basic")
    whole.play(30_000)
    for rounds in (1, 2, 997, 9_000, 20_000):
        pieces.play(rounds)
    assert whole.statistics() == pieces.statistics()


def test_every_round_is_counted_once() -> None:
    result = play_chunk(Experiment(scenario("downtown", "basic"), 40_000, 3), 0).results[0]
    hands = result.counts["won"] + result.counts["push"] + result.counts["lost"]
    assert result.rounds == 40_000
    assert 40_000 < hands == 40_000 + result.counts["split"]


COMPILED = ("play", "_play_unusual", "_play_box", "_settle", "_place_of", "_shuffle")


@pytest.mark.parametrize(
    ("preset", "boxes"), [("vegas", 1), ("european", 1), ("single", 2), ("classic", 1), ("european", 3)]
)
def test_without_numba_the_same_source_counts_the_same(preset: str, boxes: int) -> None:
    """Runs every function uncompiled, also that of unusual rounds."""
    rules = replace(PRESETS[preset], surrender="late")
    splits = dict.fromkeys(PAIRS, ("P",) * 10)
    every = Strategy.of(
        "any", {hand: strategy_by_name("basic", PRESETS["vegas"]).row(hand) for hand in (*HARD, *SOFT)} | splits, True
    )
    counter = CardCounter(HI_LO, (every,) * len(CardCounter(HI_LO).counts(rules.decks)))
    compiled, written = (KernelRun(Scenario(rules, every, counter, boxes), 10, chunk_key(5, 0)) for _ in range(2))
    compiled.play(400)
    with pytest.MonkeyPatch.context() as patch:
        for name in COMPILED:
            patch.setattr(kernel, name, getattr(getattr(kernel, name), "py_func", getattr(kernel, name)))
        written.play(400)
    assert compiled.statistics() == written.statistics()
    assert compiled.by_count() == written.by_count()
    assert list(compiled.shoe.words) == list(written.shoe.words)


def test_no_number_of_another_file_is_compiled_into_the_kernel() -> None:
    """Numba's cache checks the function's own file only, so a constant changed elsewhere would stay compiled in."""
    code = ast.parse(inspect.getsource(kernel))
    modules = {node.module for node in ast.walk(code) if isinstance(node, ast.ImportFrom)}
    assert modules == {"collections.abc", "typing", "numba"}


# ------------------------------------------------------------------------------------------------ comparisons


def test_compared_with_itself_nothing_differs() -> None:
    vegas = scenario("vegas", "basic")
    first, second, difference = play_chunk(Experiment(vegas, 60_000, 1, other=vegas), 0).results
    assert first == second
    assert difference.distribution == {0: 60_000}


def test_equal_cards_make_a_difference_seen_sooner() -> None:
    """Compares six decks with eight, and both rules for soft 17: shoes differ, and are still correlated."""
    six = scenario("vegas", "basic")
    for other, at_most in ((replace(PRESETS["vegas"], soft_17="hit"), 0.1), (replace(PRESETS["vegas"], decks=8), 0.7)):
        experiment = Experiment(six, 60_000, 1, other=Scenario(other, strategy_by_name("basic", other)))
        first, second, difference = play_chunk(experiment, 0).results
        unpaired = first.standard_deviation**2 + second.standard_deviation**2
        assert difference.standard_deviation**2 < at_most * unpaired
        assert difference.mean == pytest.approx(first.mean - second.mean)


def test_a_compared_round_is_dealt_as_any_other() -> None:
    """With fresh shoes the exact value of two decks must result, too."""
    rules = replace(PRESETS["vegas"], decks=2)
    mimic = Scenario(rules, strategy_by_name("mimic", rules))
    result = play_chunk(Experiment(mimic, 400_000, 1, chunk=400_000, other=mimic), 0).results[0]
    assert abs(result.mean - -0.0567843) < 3 * result.standard_error


def test_strategies_of_no_words_but_hit_and_stand_know_no_pairs() -> None:
    for name in ("mimic", "never-bust", "stand-15"):
        strategy = strategy_by_name(name, PRESETS["vegas"])
        assert {strategy.word(pair, up) for pair in PAIRS for up in UPCARDS} == {NO_SPLIT}
