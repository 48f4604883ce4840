"""``tefuda lab``: the exercise, and simulations of any size. They need no database."""

import json
import os
import sys
import time
from collections.abc import Mapping
from concurrent.futures import BrokenExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from webapp.cli.app import create_command_app, to_install
from webapp.cli.lab_results import print_results
from webapp.cli.odds import blackjack_indices
from webapp.cli.progress import progress_on_stderr, remember_ctrl_c
from webapp.cli.whole_number import WholeNumber
from webapp.engine.cards import format_cards
from webapp.engine.errors import EngineError
from webapp.engine.simulation import exercise_play as exercises
from webapp.engine.simulation.bankroll_paths import TripPlan
from webapp.engine.simulation.bet_ramp import LIMITS, BetRamp
from webapp.engine.simulation.card_counter import CardCounter
from webapp.engine.simulation.counted_play import RAMPS, counter_with_indices, ramp_for
from webapp.engine.simulation.exercise_chances import expected
from webapp.engine.simulation.experiment import CHUNK, Experiment, Scenario, make_scenario
from webapp.engine.simulation.statistics import Statistics
from webapp.engine.twenty_one.counting import ROUNDINGS, CountingSystem, Rounding
from webapp.services.lab import supervisor
from webapp.services.lab.jobs import is_equipped
from webapp.services.lab.pool import ClusterUnavailable, DaskMissing, play, team_at
from webapp.services.team import Team, team_here
from webapp.services.workers import LOWEST_PRIORITY
from webapp.web.api.lab import counts_csv, distribution_csv, exercise_csv, exercise_json, statistics_json
from webapp.web.api.lab_answers import ExpectedAnswer
from webapp.web.api.prospects_answers import BetsByCountAnswer
from webapp.web.api.serialize import to_json

EXTRA = f"the lab needs NumPy, and is fast with Numba: {to_install('lab')}"


@click.group()
def lab() -> None:
    """Monte Carlo of blackjack."""


@lab.command()
@click.option("--seed", type=WholeNumber(), required=True, help="Any whole number: the same number, the same games.")
@click.option("--games", type=WholeNumber(), default=12, show_default=True)
@click.option("--decks", type=WholeNumber(), default=2, show_default=True)
@click.option("--stand", type=WholeNumber(), default=17, show_default=True, help="Total on which the player stands.")
@click.option("--natural-beats-21", is_flag=True, help="A natural wins against 21 of three cards or more.")
@click.option("--one-shoe", is_flag=True, help="Deal all games from one shoe, not each from a fresh one.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Print as CSV.")
def exercise(as_json: bool, as_csv: bool, **options: Any) -> None:
    """Play twelve games against the dealer and add them up."""
    try:
        asked = exercises.Exercise(**options)
    except EngineError as error:
        raise click.UsageError(str(error)) from error
    games = exercises.play(asked)
    if as_json:
        click.echo(json.dumps(exercise_json(asked, games, expected(asked))))
        return
    if as_csv:
        click.echo(exercise_csv(games), nl=False)
        return
    width = max(len(format_cards(game.player)) for game in games)
    for number, game in enumerate(games, 1):
        player = f"{format_cards(game.player):{width}} {game.player_total:3}"
        dealer = f"{game.dealer_total:3} {format_cards(game.dealer)}"
        click.echo(f"{number:4}  {game.score:+d}  {game.label.lower():16}  {player}   {dealer}")
    total = sum(game.score for game in games)
    click.echo(f"\nsum {total:+d}, {total / asked.games:+.3f} a game")
    odds = ExpectedAnswer.of(asked.games, total, expected(asked))
    click.echo(
        f"expected {odds.sum:+.2f} with a standard deviation of {odds.standard_deviation:.2f}; "
        f"{100 * odds.at_most:.1f} % of such sums are no higher, {100 * odds.at_least:.1f} % no lower"
    )


@lab.command()
@click.option("--table", default="vegas", show_default=True, help="A preset, or own rules: vegas,decks=2,soft_17=hit")
@click.option(
    "--strategy", default="basic", show_default=True, help="basic, mimic, never-bust, stand-N, or a CSV file."
)
@click.option("--other-table", "--against", help="Compare with this table, on common random numbers.")
@click.option("--other-strategy", help="Compare with this strategy.")
@click.option("--count", metavar="SYSTEM", help="Count: hi-lo, ko, hi-opt-2, zen, or ten tags, from the ace.")
@click.option("--ramp", help=f"Bets by the count: {', '.join(RAMPS)}, or own ones: 0:1,1:2,2:4,3:8  [default: 1-12]")
@click.option("--boxes", type=WholeNumber(), default=1, show_default=True, help="Boxes that are played, 1 to 3.")
@click.option("--rounding", type=click.Choice(ROUNDINGS), default="floor", show_default=True, help="Of a true count.")
@click.option("--leave", metavar="COUNT", type=int, help="After a round at this count or below it go to a new shoe.")
@click.option("--other-ramp", help="Hold this ramp against the same rounds, too.")
@click.option(
    "--index-plays", is_flag=True, help="Leave basic strategy, and insure, at the index numbers of the table."
)
@click.option(
    "--bankroll", type=click.IntRange(*LIMITS["bankroll"]), default=1000, show_default=True, help="Units, for its risk."
)
@click.option(
    "--trip", type=click.IntRange(*LIMITS["trip"]), default=1000, show_default=True, help="Rounds, for their risk."
)
@click.option("--rounds", default="10000000", show_default=True, help="As many as you like: 1000000, 1_000_000, 1e6.")
@click.option("--seed", type=WholeNumber(), default=1, show_default=True)
@click.option(
    "--bet", type=WholeNumber(), default=10, show_default=True, help="Chips; 3:2 and halves are rounded down to a chip."
)
@click.option(
    "--chunk", type=WholeNumber(), default=CHUNK, show_default=True, help="Rounds of a chunk; part of the result."
)
@click.option("--workers", type=WholeNumber(), default=os.cpu_count(), show_default="all cores")
@click.option("--scheduler", metavar="ADDRESS", help="Play on this Dask cluster (needs the extra cluster).")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the distribution as CSV.")
def run(
    table: str,
    strategy: str,
    other_table: str | None,
    other_strategy: str | None,
    count: str | None,
    ramp: str | None,
    other_ramp: str | None,
    boxes: int,
    leave: int | None,
    rounding: Rounding,
    index_plays: bool,
    bankroll: int,
    trip: int,
    rounds: str,
    workers: int,
    scheduler: str | None,
    as_json: bool,
    as_csv: bool,
    **numbers: int,
) -> None:
    """Simulate. Ctrl-C stops and prints the results so far; so does a lost cluster, with status 1."""
    if not is_equipped():
        raise click.UsageError(EXTRA)
    asked = {"table": table, "strategy": strategy}
    if other_table or other_strategy:
        asked |= {"other_table": other_table or table, "other_strategy": other_strategy or strategy}
    counter = _counter(count, leave, rounding, index_plays)
    experiment = _experiment(asked, rounds, numbers, counter, index_plays, boxes)
    ramps = _ramps(experiment.scenario, ramp, other_ramp)
    experiment = replace(experiment, trips=TripPlan(tuple(ramps), bankroll, trip) if ramps else None)
    if not 1 <= workers <= 1024:
        raise click.UsageError(f"workers must be from 1 to 1024, not {workers}")
    began = time.monotonic()
    try:
        with team_here(workers) if scheduler is None else team_at(scheduler, _print_to_stderr) as team:
            statistics, lost = _play(experiment, team)
    except DaskMissing as error:
        raise click.UsageError(f"--scheduler needs Dask: {to_install('cluster')}") from error
    except ClusterUnavailable as error:
        raise click.UsageError(f"for --scheduler: {error}") from error
    payload = statistics_json(experiment.rounds, statistics, time.monotonic() - began) | asked
    payload |= {"seed": experiment.seed, "bet": experiment.bet, "chunk": experiment.chunk}
    payload |= {"boxes": boxes} | ({"leave": leave} if leave is not None else {})
    if ramps:
        payload |= {
            "count": count,
            "rounding": rounding,
            "index_plays": index_plays,
            "bankroll": bankroll,
            "trip": trip,
        }
        found = BetsByCountAnswer.of(statistics, experiment.bet, ramps, bankroll, trip)
        payload |= to_json(found)
    if as_csv:
        click.echo(counts_csv(found) if ramps else distribution_csv(statistics), nl=False)
    elif as_json:
        click.echo(json.dumps(payload))
    else:
        print_results(payload)
    if lost:
        sys.exit(1)


def _experiment(
    asked: Mapping[str, str],
    rounds: str,
    numbers: Mapping[str, int],
    counter: CardCounter | None,
    index_plays: bool,
    boxes: int,
) -> Experiment:
    """Return the experiment of these options. ``numbers``: seed, bet and chunk."""
    try:
        other = _scenario(asked["other_table"], asked["other_strategy"]) if "other_table" in asked else None
        scenario = replace(_scenario(asked["table"], asked["strategy"]), boxes=boxes)
        if counter is not None and index_plays:
            indices = blackjack_indices(asked["table"], counter.system)
            counter = counter_with_indices(counter, indices, scenario.strategy)
        scenario = replace(scenario, counter=counter)
        return Experiment(scenario, _rounds(rounds), numbers["seed"], numbers["bet"], numbers["chunk"], other)
    except EngineError as error:
        raise click.UsageError(str(error)) from error


def _counter(count: str | None, leave: int | None, rounding: Rounding, index_plays: bool) -> CardCounter | None:
    """Return how the player counts; None for one who does not."""
    if count is None:
        if index_plays or leave is not None:
            raise click.UsageError("index plays, and leaving a shoe, go by a count: --count hi-lo")
        return None
    try:
        return CardCounter(CountingSystem.parse(count), leaves_at=leave, rounding=rounding)
    except EngineError as error:
        raise click.UsageError(str(error)) from error


def _ramps(scenario: Scenario, ramp: str | None, other: str | None) -> list[BetRamp]:
    """Return the ramps of a player who counts."""
    if scenario.counter is None:
        if ramp or other:
            raise click.UsageError("a ramp goes by a count: --count hi-lo")
        return []
    texts = (ramp or "1-12", *([other] if other else []))
    try:
        return [ramp_for(text, scenario.counter.system, scenario.rules) for text in texts]
    except EngineError as error:
        raise click.UsageError(str(error)) from error


def _print_to_stderr(sentence: str) -> None:
    click.echo(sentence, err=True)


def _play(experiment: Experiment, team: Team) -> tuple[Statistics, bool]:
    """Play until the end, until Ctrl-C, or until the team is lost; return the statistics and True if it was lost."""
    statistics, lost = Statistics.empty(experiment.staked, 1 if experiment.other is None else 3), False
    try:
        with remember_ctrl_c() as is_pressed, progress_on_stderr(experiment.rounds) as advance:
            chunks = ((experiment, number) for number in range(experiment.chunks))
            for chunk in team.in_order(play, chunks, is_pressed):
                statistics += chunk
                advance(chunk.results[0].rounds)
    except KeyboardInterrupt:
        if not statistics.rounds:
            raise SystemExit(130) from None
    except BrokenExecutor as error:
        lost = True
        click.echo(f"\nnobody is left to play: {str(error) or type(error).__name__}", err=True)
        if not statistics.rounds:
            raise SystemExit(1) from error
    if statistics.rounds < experiment.rounds:
        click.echo(f"\nended after {statistics.rounds:,} of {experiment.rounds:,} rounds", err=True)
    return statistics, lost


def _scenario(table: str, strategy: str) -> Scenario:
    path = Path(strategy)
    if strategy.endswith(".csv") or os.sep in strategy:
        from webapp.engine.simulation.strategy_csv import StrategyCsvError, decode
        from webapp.web.api.lab_parsing import chart_sentence

        try:
            return make_scenario(table, path.stem[:20], decode(path.read_bytes()))
        except StrategyCsvError as error:
            raise click.UsageError(f"{path.name}: {chart_sentence(error)}") from error
        except OSError as error:
            raise click.UsageError(f"{strategy} cannot be read: {error}") from error
    return make_scenario(table, strategy)


def _rounds(text: str) -> int:
    digits = text.replace("_", "").replace(",", "")
    mantissa, _, exponent = digits.lower().partition("e")
    if not (
        mantissa.isdigit()
        and mantissa.isascii()
        and (not exponent or (exponent.isdigit() and exponent.isascii() and len(exponent) < 3))
    ):
        raise click.UsageError(f"rounds are a whole number, not {text[:80]!r}")
    return int(mantissa[:40]) * int(10 ** int(exponent or 0))


@lab.command()
@click.option(
    "--idle",
    type=float,
    default=supervisor.IDLE_SECONDS,
    show_default=True,
    help="Leave after so many idle seconds.",
)
@click.option("--scheduler", metavar="ADDRESS", help="Have them played on this Dask cluster (needs the extra cluster).")
def work(idle: float, scheduler: str | None) -> None:
    """Play the simulations that visitors of the site have begun. A site with workers does so by itself.

    Exits 1 if the workers are lost; the next call continues what is not finished.
    """
    app = create_command_app()
    config = app.extensions["config"]
    here = partial(team_here, max(1, config.lab_workers), LOWEST_PRIORITY)
    open_team = here if scheduler is None else partial(team_at, scheduler, _print_to_stderr)
    try:
        with app.app_context():
            supervisor.run_forever(config, open_team, idle)
    except DaskMissing as error:
        raise click.UsageError(f"--scheduler needs Dask: {to_install('cluster')}") from error
    except ClusterUnavailable as error:
        raise click.UsageError(f"for --scheduler: {error}") from error
    except BrokenExecutor as error:
        click.echo(f"nobody is left to play: {error}", err=True)
        sys.exit(1)
