"""The lab: the exercise, simulations, and what they found."""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, current_app, jsonify, redirect, request, url_for
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
from webapp.web.api.lab_forms import FormError
from webapp.web.errors import error_response
from webapp.web.request import visitor
from webapp.web.request.limits import limited
from webapp.web.templating import charts
from webapp.web.templating.render import render, wants_json

bp = Blueprint("lab", __name__, url_prefix="/lab")

RECENT = 8


@bp.errorhandler(FormError)
def _on_unfit(error: FormError) -> ResponseReturnValue:
    return error_response(error.code, 422, error.sentence)


@bp.get("")
def show() -> ResponseReturnValue:
    if not jobs.is_equipped():
        return render("lab/bare.html")
    runs = jobs.latest_jobs(visitor.player(), RECENT)
    if wants_json():
        return jsonify(most_rounds=_config().lab_rounds, runs=[_run_json(run) for run in runs])
    return _page(request.args)


@bp.post("")
@limited("20/minute")
def begin() -> ResponseReturnValue:
    """The form carries a word that is used once: the same form sent again leads to the same run."""
    _require_equipment()
    sheets = {name: file.read() for name, file in request.files.items()}
    try:
        wish = lab_forms.job_request_from(request.form, sheets, _config().lab_rounds)
    except FormError as error:
        return error_response(error.code, 422, error.sentence) if wants_json() else _page(request.form, error)
    key = jobs.begin(visitor.player_made(), request.form.get("nonce") or new_key(), wish)
    supervisor.ensure_running(_config())
    if wants_json():
        response = jsonify(_run_json(jobs.job_for(key, visitor.player())))
        response.status_code = 201
        return response
    return redirect(url_for("lab.run", key=key), 303)


@bp.get("/exercise")
@limited("120/minute")
def exercise() -> ResponseReturnValue:
    task = lab_forms.exercise_from(request.args)
    games = exercises.play(task)
    equipped = jobs.is_equipped()
    if wants_json():
        return jsonify(lab.exercise_json(task, games, equipped))
    total = sum(game.score for game in games)
    return render(
        "lab/exercise.html",
        task=task,
        games=games,
        total=total,
        expected=lab.expected(task, total) if equipped else None,
        chart=_chances_of(task, total) if equipped else None,
        most_games=lab_forms.MOST_GAMES,
    )


@bp.get("/exercise.csv")
@limited("120/minute")
def exercise_csv() -> ResponseReturnValue:
    task = lab_forms.exercise_from(request.args)
    return _csv(lab.exercise_csv(exercises.play(task)), f"exercise-{task.seed}")


@bp.get("/strategy.csv")
@limited("120/minute")
def strategy() -> ResponseReturnValue:
    """A strategy as a table: to be read, or to be changed and brought back."""
    _require_equipment()
    name = request.args.get("strategy", "basic")
    lab_forms.require_known(name, "strategy")
    rules = parse_rules(request.args.get("table", "vegas"))
    return _csv(dumps(strategy_by_name(name, rules)), name)


@bp.get("/<key>")
@limited("600/minute")
def run(key: str) -> ResponseReturnValue:
    found = _run(key)
    if wants_json():
        return jsonify(_run_json(found))
    return render(
        "lab/run.html",
        run=found,
        chart=_funnel(found),
        again=_address(found),
    )


@bp.get("/<key>.json")
@limited("600/minute")
def run_json(key: str) -> ResponseReturnValue:
    return jsonify(_run_json(_run(key)))


@bp.get("/<key>.csv")
@limited("600/minute")
def run_csv(key: str) -> ResponseReturnValue:
    return _csv(lab.run_csv(_run(key).count), f"lab-{key}")


@bp.get("/<key>/<any(first, second):side>.csv")
@limited("120/minute")
def sheet(key: str, side: str) -> ResponseReturnValue:
    """The table that was brought along: without it nobody who has the link could play the same again."""
    choices = _run(key).wish.choices
    brought = [choice.sheet for choice in choices][("first", "second").index(side) :][:1]
    if not brought or brought[0] is None:
        raise Refusal("run-not-found")
    return _csv(brought[0], f"lab-{key}-{side}")


@bp.post("/<key>/stop")
def stop(key: str) -> ResponseReturnValue:
    jobs.stop(visitor.player(), key)
    if wants_json():
        return jsonify(_run_json(_run(key)))
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


def _run_json(found: Job) -> dict[str, Any]:
    wish = found.wish
    told: dict[str, Any] = {
        "run": found.key,
        "status": found.status,
        "place": found.place,
        "interrupted": found.interrupted,
        "table": wish.choice.table,
        "strategy": wish.choice.strategy,
        "seed": wish.seed,
        "bet": wish.bet,
        "chunk": found.chunk,
        "asked": wish.rounds,
        "rounds": found.count.rounds,
        "url": url_for("lab.run", key=found.key),
    }
    if wish.other:
        told |= {"other_table": wish.other.table, "other_strategy": wish.other.strategy}
    return told | lab.count_json(wish.rounds, found.count, found.seconds) if found.count.rounds else told


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
