"""The lab: the exercise, and simulations that play in the background."""

from collections.abc import Mapping
from typing import Any, Final

from flask import Blueprint, Response, current_app, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp.config import Config
from webapp.engine.games.blackjack.rules import CHOICES, PRESETS, parse_rules
from webapp.engine.simulation import exercise as exercises
from webapp.engine.simulation.named_strategies import strategy_by_name
from webapp.engine.simulation.strategies import NAMES, STANDS
from webapp.engine.simulation.strategy_csv import dumps
from webapp.services.core.errors import Refusal
from webapp.services.core.randomness import new_key, new_simulation_seed
from webapp.services.lab import jobs, supervisor
from webapp.services.lab.jobs import UPLOADED_CHART, Job
from webapp.web.api import lab, lab_forms
from webapp.web.api.answers.lab import CountedJobAnswer, ExerciseAnswer, ExpectedAnswer, JobAnswer, LabAnswer
from webapp.web.api.forms import ExerciseQuery, SimulationForm, StrategyQuery, read
from webapp.web.api.lab_forms import FormError
from webapp.web.api.operations import Operation, describe
from webapp.web.api.serialize import json_response
from webapp.web.errors import error_response
from webapp.web.request import visitor
from webapp.web.request.limits import limited
from webapp.web.templating import charts
from webapp.web.templating.render import render, wants_json

bp = Blueprint("lab", __name__, url_prefix="/lab")

RECENT: Final = 8
"""Simulations in the list of a visitor."""
_PATH: Final = {"key": "Key of the simulation.", "side": "`first` or `second` scenario."}


@bp.errorhandler(FormError)
def _on_unfit(error: FormError) -> ResponseReturnValue:
    return error_response(error.code, 422, error.sentence)


@bp.get("")
@describe(Operation(answers={200: LabAnswer}))
def show() -> ResponseReturnValue:
    """Return the visitor's latest simulations."""
    if not jobs.is_equipped():
        return render("lab/bare.html")
    runs = jobs.latest_jobs(visitor.player(), RECENT)
    if wants_json():
        return json_response(LabAnswer(_config().lab_rounds, tuple(JobAnswer.of(run) for run in runs)))
    return _page(request.args)


@bp.post("")
@limited("20/minute")
@describe(Operation(answers={201: (JobAnswer, CountedJobAnswer)}, form=SimulationForm))
def begin() -> ResponseReturnValue:
    """Ask for a simulation. The same form, with the same ``nonce``, sent again leads to the same one."""
    _require_equipment()
    sheets = {name: file.read() for name, file in request.files.items()}
    try:
        wish = lab_forms.job_request_from(request.form, sheets, _config().lab_rounds)
    except FormError as error:
        return error_response(error.code, 422, error.sentence) if wants_json() else _page(request.form, error)
    key = jobs.begin(visitor.require_player(), request.form.get("nonce") or new_key(), wish)
    supervisor.ensure_running(_config())
    if wants_json():
        return json_response(JobAnswer.of(jobs.job_for(key, visitor.player())), 201)
    return redirect(url_for("lab.run", key=key), 303)


@bp.get("/exercise")
@limited("120/minute")
@describe(Operation(answers={200: ExerciseAnswer}, query=ExerciseQuery))
def exercise() -> ResponseReturnValue:
    """Play the exercise: some games against a dealer, added up."""
    task = lab_forms.exercise_from(request.args)
    games = exercises.play(task)
    equipped = jobs.is_equipped()
    if wants_json():
        return json_response(ExerciseAnswer.of(task, games, equipped))
    total = sum(game.score for game in games)
    return render(
        "lab/exercise.html",
        task=task,
        games=games,
        total=total,
        expected=ExpectedAnswer.of(task, total) if equipped else None,
        chart=_chances_of(task, total) if equipped else None,
        most_games=lab_forms.MOST_GAMES,
    )


@bp.get("/exercise.csv")
@limited("120/minute")
@describe(Operation(answers={200: "text/csv"}, query=ExerciseQuery))
def exercise_csv() -> ResponseReturnValue:
    """Play the exercise, one game a line."""
    task = lab_forms.exercise_from(request.args)
    return _csv(lab.exercise_csv(exercises.play(task)), f"exercise-{task.seed}")


@bp.get("/strategy.csv")
@limited("120/minute")
@describe(Operation(answers={200: "text/csv"}, query=StrategyQuery))
def strategy() -> ResponseReturnValue:
    """Return a strategy as a table: to be read, or to be changed and uploaded."""
    _require_equipment()
    query = read(StrategyQuery, request.args)
    lab_forms.require_known(query.strategy, "strategy")
    return _csv(dumps(strategy_by_name(query.strategy, parse_rules(query.table))), query.strategy)


@bp.get("/<key>")
@limited("600/minute")
@describe(Operation(answers={200: (JobAnswer, CountedJobAnswer)}, path=_PATH))
def run(key: str) -> ResponseReturnValue:
    """Return a simulation with what was counted so far."""
    found = _run(key)
    if wants_json():
        return json_response(JobAnswer.of(found))
    return render(
        "lab/run.html",
        run=found,
        chart=_funnel(found),
        again=_address(found),
    )


@bp.get("/<key>.json")
@limited("600/minute")
@describe(Operation(answers={200: (JobAnswer, CountedJobAnswer)}, path=_PATH))
def run_json(key: str) -> ResponseReturnValue:
    """Return a simulation, whatever is accepted."""
    return json_response(JobAnswer.of(_run(key)))


@bp.get("/<key>.csv")
@limited("600/minute")
@describe(Operation(answers={200: "text/csv"}, path=_PATH))
def run_csv(key: str) -> ResponseReturnValue:
    """Return the distribution of what a round brought."""
    return _csv(lab.run_csv(_run(key).count), f"lab-{key}")


@bp.get("/<key>/<any(first, second):side>.csv")
@limited("120/minute")
@describe(Operation(answers={200: "text/csv"}, path=_PATH))
def sheet(key: str, side: str) -> ResponseReturnValue:
    """Return the strategy that was uploaded, so that whoever has the link can play the same again."""
    choices = _run(key).wish.choices
    brought = [choice.sheet for choice in choices][("first", "second").index(side) :][:1]
    if not brought or brought[0] is None:
        raise Refusal("run-not-found")
    return _csv(brought[0], f"lab-{key}-{side}")


@bp.post("/<key>/stop")
@describe(Operation(answers={200: (JobAnswer, CountedJobAnswer)}, path=_PATH))
def stop(key: str) -> ResponseReturnValue:
    """Stop a simulation; what was counted stays."""
    jobs.stop(visitor.player(), key)
    if wants_json():
        return json_response(JobAnswer.of(_run(key)))
    return redirect(url_for("lab.run", key=key), 303)


def _run(key: str) -> Job:
    """If it waits and nobody is at work, somebody is called."""
    found = jobs.job_for(key, visitor.player())
    if not found.finished:
        supervisor.ensure_running(_config())
    return found


def _page(values: Mapping[str, str], error: FormError | None = None) -> Response:
    """The form, filled in as an address or a form before it says."""
    return render(
        "lab/show.html",
        422 if error else 200,
        error=error,
        values=values,
        sides=[lab_forms.shown(values, "", "basic"), lab_forms.shown(values, "other_", "mimic")],
        compares=lab_forms.is_comparison(values),
        presets=tuple(PRESETS),
        choices=CHOICES,
        strategies=(*NAMES, UPLOADED_CHART, *STANDS),
        most_rounds=_config().lab_rounds,
        nonce=new_key(),
        seed=values.get("seed") or new_simulation_seed(),
        runs=jobs.latest_jobs(visitor.player(), RECENT),
    )


def _chances_of(task: exercises.Exercise, total: int) -> charts.Bars:
    from webapp.engine.simulation import exercise_odds

    mean, _ = exercise_odds.mean_and_deviation(task)
    sums = exercise_odds.sums(task.decks, task.stand, task.natural_beats_21, task.games)
    return charts.bars(sums, -2 * task.games, task.games * mean, total)


def _funnel(found: Job) -> charts.Funnel | None:
    bet = found.wish.bet
    course = [(mark.rounds, mark.mean / bet, mark.reach95 / bet) for mark in found.count.course]
    return charts.funnel([each for each in course if each[0]], found.wish.rounds)


def _address(found: Job) -> str | None:
    """Of a form that asks for the same again; a table that was brought must be brought again."""
    wish = found.wish
    asked: dict[str, Any] = {"table": wish.choice.table, "strategy": wish.choice.strategy}
    if wish.other:
        asked |= {"other_table": wish.other.table, "other_strategy": wish.other.strategy}
    return url_for("lab.show", **asked, rounds=wish.rounds, seed=wish.seed, bet=wish.bet)


def _csv(text: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    return Response(text, mimetype="text/csv", headers=headers)


def _require_equipment() -> None:
    if not jobs.is_equipped():
        raise Refusal("lab-bare")


def _config() -> Config:
    config: Config = current_app.extensions["config"]
    return config
