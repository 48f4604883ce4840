"""The lab: the exercise, simulations, and their statistics."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from flask import Blueprint, Response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp.config import LAB_ROUNDS
from webapp.engine.games.blackjack import GAME as BLACKJACK
from webapp.engine.games.blackjack.rules import CHOICES, PRESETS, parse_rules
from webapp.engine.simulation import exercise_play as exercises
from webapp.engine.simulation import strategy_by_name as by_name
from webapp.engine.simulation.counted_play import RAMPS
from webapp.engine.simulation.exercise_chances import expected as expected_of
from webapp.engine.simulation.strategy_chart import UPCARDS
from webapp.engine.simulation.strategy_csv import dumps
from webapp.engine.twenty_one.counting import NAMES, ROUNDINGS
from webapp.services.core.errors import Refusal
from webapp.services.core.randomness import new_key, new_simulation_seed
from webapp.services.lab import jobs, supervisor
from webapp.services.lab.jobs import UPLOADED_CHART, Job
from webapp.services.odds import lab as computed
from webapp.web.api import lab, lab_counting, lab_parsing
from webapp.web.api.forms import ChartQuery, ExerciseQuery, SimulationForm, StrategyQuery, read
from webapp.web.api.lab_answers import (
    CountedJobAnswer,
    ExerciseAnswer,
    ExpectedAnswer,
    JobAnswer,
    LabAnswer,
    counting_answer,
)
from webapp.web.api.lab_parsing import FormError
from webapp.web.api.odds_answers import ChartAnswer
from webapp.web.api.openapi_operations import Operation, describe
from webapp.web.api.serialize import json_response
from webapp.web.counting_results import CountingResults
from webapp.web.errors import error_response
from webapp.web.odds_page import play_chart
from webapp.web.request import visitor
from webapp.web.request.limits import limited, limited_by_address
from webapp.web.templating import charts
from webapp.web.templating.render import render, wants_json

bp = Blueprint("lab", __name__, url_prefix="/lab")

RECENT: Final = 8
"""Simulations in the list of a visitor."""
_PATH: Final = {
    "key": "Key of the simulation.",
    "part": "`first`, `second`: the chart of that scenario; `counts`: rounds by the count; `ramps`: what bets by the "
    "count earn and risk; `paths`: bankrolls on their way, computed and played.",
}
_COUNTING_CSV: Final = {"counts": lab.counts_csv, "ramps": lab.ramps_csv, "paths": lab.paths_csv}


@bp.errorhandler(FormError)
def _on_form_error(error: FormError) -> ResponseReturnValue:
    return error_response(error.code, 422, error.sentence)


@bp.get("")
@describe(Operation(answers={200: LabAnswer}))
def show() -> ResponseReturnValue:
    """Show the form and the visitor's latest jobs."""
    if not jobs.is_equipped():
        return render("lab/bare.html")
    if wants_json():
        latest = jobs.latest_jobs(visitor.player(), RECENT)
        return json_response(LabAnswer(LAB_ROUNDS, tuple(JobAnswer.of(job) for job in latest)))
    return _page(request.args)


@bp.post("")
@limited("20/minute")
@describe(Operation(answers={201: (JobAnswer, CountedJobAnswer)}, form=SimulationForm))
def begin() -> ResponseReturnValue:
    """Start a job. The form has a nonce: if it is sent again, the same job is returned."""
    _require_equipment()
    uploads = {name: file.read() for name, file in request.files.items()}
    try:
        job_request = lab_parsing.job_request_from(request.form, uploads, LAB_ROUNDS)
        job_request = replace(job_request, counting=lab_counting.counting_from(request.form, job_request))
    except FormError as error:
        return error_response(error.code, 422, error.sentence) if wants_json() else _page(request.form, error)
    key = jobs.begin(visitor.require_player(), request.form.get("nonce") or new_key(), job_request)
    supervisor.wake()
    if wants_json():
        return json_response(JobAnswer.of(_job(key)), 201)
    return redirect(url_for("lab.job", key=key), 303)


@bp.get("/exercise")
@limited("120/minute")
@describe(Operation(answers={200: ExerciseAnswer}, query=ExerciseQuery))
def exercise() -> ResponseReturnValue:
    """Play the requested exercise."""
    asked = lab_parsing.exercise_from(request.args)
    games = exercises.play(asked)
    expected = expected_of(asked)
    if wants_json():
        return json_response(ExerciseAnswer.of(asked, games, expected))
    total = sum(game.score for game in games)
    return render(
        "lab/exercise.html",
        exercise=asked,
        games=games,
        total=total,
        expected=ExpectedAnswer.of(asked.games, total, expected),
        chart=charts.bars(expected.sums, -2 * asked.games, asked.games * expected.mean, (total,)),
        most_games=lab_parsing.MOST_GAMES,
    )


@bp.get("/exercise.csv")
@limited("120/minute")
@describe(Operation(answers={200: "text/csv"}, query=ExerciseQuery))
def exercise_csv() -> ResponseReturnValue:
    """Return the games of the requested exercise."""
    asked = lab_parsing.exercise_from(request.args)
    return _csv(lab.exercise_csv(exercises.play(asked)), f"exercise-{asked.seed}")


@bp.get("/strategy.csv")
@limited_by_address("30/minute", each="10/minute")
@describe(Operation(answers={200: "text/csv"}, query=StrategyQuery))
def strategy() -> ResponseReturnValue:
    """Return a strategy chart as CSV, which can be edited and uploaded."""
    _require_equipment()
    query = read(StrategyQuery, request.args)
    lab_parsing.require_known(query.strategy, "strategy")
    parse_rules(query.table)
    return _csv(dumps(computed.strategy(query.strategy, query.table)), query.strategy)


@bp.get("/chart")
@limited_by_address("60/minute", each="20/minute")
@describe(Operation(answers={200: ChartAnswer}, query=ChartQuery))
def chart_page() -> ResponseReturnValue:
    """Return the basic strategy for the rules of a table: a word for every hand and upcard."""
    table = read(ChartQuery, request.args).table
    _require_equipment()
    rules = parse_rules(table)
    strategy = computed.strategy(by_name.BEST, table)
    if wants_json():
        rows = play_chart.rows_by_hand(strategy)
        return json_response(ChartAnswer(table=table, dealer=UPCARDS, rows=rows, insurance=strategy.insure))
    return render(
        "lab/chart.html",
        code=BLACKJACK.spec.code,
        table=table,
        rules=rules,
        presets=tuple(PRESETS),
        chart=play_chart.chart_of(strategy, rules.split_by != "none"),
        dealer=UPCARDS,
    )


@bp.get("/<key>")
@limited("600/minute")
@describe(Operation(answers={200: (JobAnswer, CountedJobAnswer)}, path=_PATH))
def job(key: str) -> ResponseReturnValue:
    """Show a job."""
    shown = _job(key)
    if wants_json():
        return json_response(JobAnswer.of(shown))
    return render(
        "lab/job.html",
        code=BLACKJACK.spec.code,
        job=shown,
        chart=_convergence_chart(shown),
        counted=CountingResults.of(shown),
        systems=NAMES,
        again=_form_address(shown),
    )


@bp.get("/<key>.json")
@limited("600/minute")
@describe(Operation(answers={200: (JobAnswer, CountedJobAnswer)}, path=_PATH))
def job_json(key: str) -> ResponseReturnValue:
    """Return a job as JSON."""
    return json_response(JobAnswer.of(_job(key)))


@bp.get("/<key>.csv")
@limited("600/minute")
@describe(Operation(answers={200: "text/csv"}, path=_PATH))
def distribution_csv(key: str) -> ResponseReturnValue:
    """Return the distribution of a job."""
    return _csv(lab.distribution_csv(_job(key).statistics), f"lab-{key}")


@bp.get("/<key>/<any(first, second, counts, ramps, paths):part>.csv")
@limited("120/minute")
@describe(Operation(answers={200: "text/csv"}, path=_PATH))
def part_csv(key: str, part: str) -> ResponseReturnValue:
    """Return an uploaded chart, so that others can repeat the simulation, or figures of a player who counts."""
    shown = _job(key)
    text = _counting_csv(shown, part) if part in _COUNTING_CSV else _uploaded_chart(shown, part)
    if text is None:
        raise Refusal("run-not-found")
    return _csv(text, f"lab-{key}-{part}")


@bp.post("/<key>/stop")
@describe(Operation(answers={200: (JobAnswer, CountedJobAnswer)}, path=_PATH))
def stop(key: str) -> ResponseReturnValue:
    """Stop a job of the visitor and keep its results so far."""
    jobs.stop(visitor.player(), key)
    if wants_json():
        return json_response(JobAnswer.of(_job(key)))
    return redirect(url_for("lab.job", key=key), 303)


def _job(key: str) -> Job:
    return jobs.job_for(key, visitor.player())


def _page(values: Mapping[str, str], error: FormError | None = None) -> Response:
    """Show the form, filled in with the values of an address or of a form that was sent."""
    return render(
        "lab/show.html",
        422 if error else 200,
        error=error,
        values=values,
        scenario_shown=lab_parsing.shown_scenario(values, "", preset="vegas", strategy="basic"),
        other_shown=lab_parsing.shown_scenario(values, "other_", preset="", strategy=""),
        compares=lab_parsing.is_comparison(values),
        presets=tuple(PRESETS),
        choices=CHOICES,
        rules=PRESETS["vegas"],
        strategies=(*by_name.NAMES, UPLOADED_CHART, *by_name.STANDS),
        systems=NAMES,
        roundings=ROUNDINGS,
        ramps=tuple(RAMPS),
        ramp=lab_counting.DEFAULT_RAMP,
        counting_fields=lab_counting.FIELDS,
        most_rounds=LAB_ROUNDS,
        nonce=new_key(),
        seed=values.get("seed") or new_simulation_seed(),
        jobs=jobs.latest_jobs(visitor.player(), RECENT),
    )


def _convergence_chart(job: Job) -> charts.Funnel | None:
    bet = job.statistics.results[0].bet
    estimates = [
        (moments.rounds, moments.mean / bet, moments.half_width95 / bet)
        for moments in job.statistics.convergence
        if moments.rounds
    ]
    return charts.funnel(estimates, job.request.rounds)


def _counting_csv(job: Job, part: str) -> str | None:
    found = counting_answer(job)
    return _COUNTING_CSV[part](found) if found else None


def _uploaded_chart(job: Job, side: str) -> str | None:
    scenarios = job.request.scenarios
    number = ("first", "second").index(side)
    return scenarios[number].chart if number < len(scenarios) else None


def _form_address(job: Job) -> str:
    """Return the address of a form with the same values; an uploaded chart must be uploaded again."""
    asked, other = job.request, job.request.other
    fields: dict[str, Any] = {"table": asked.scenario.variant, "strategy": asked.scenario.strategy}
    if other:
        fields |= {"other_table": other.variant, "other_strategy": other.strategy}
    if counting := asked.counting:
        names = ("ramp", "other_ramp")
        fields |= {"count": counting.system, **dict(zip(names, counting.ramps, strict=False))}
        fields |= {"index_plays": int(counting.index_plays), "bankroll": counting.bankroll, "trip": counting.trip}
        fields |= {"boxes": counting.boxes, "leave": counting.leave, "rounding": counting.rounding}
    return url_for("lab.show", **fields, rounds=asked.rounds, seed=asked.seed, bet=asked.bet)


def _csv(text: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    return Response(text, mimetype="text/csv", headers=headers)


def _require_equipment() -> None:
    if not jobs.is_equipped():
        raise Refusal("lab-bare")
