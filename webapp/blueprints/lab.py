"""The lab: the exercise, simulations, and their statistics."""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, current_app, jsonify, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp.config import Config
from webapp.engine.games.blackjack.rules import CHOICES, PRESETS, parse_rules
from webapp.engine.simulation import exercise as exercises
from webapp.engine.simulation.strategies import NAMES, STANDS, strategy_by_name
from webapp.engine.simulation.strategy_csv import dumps
from webapp.extensions import limiter
from webapp.services.core.errors import Refusal
from webapp.services.core.randomness import new_key
from webapp.services.lab import jobs, supervisor
from webapp.services.lab.jobs import UPLOADED_CHART, Job
from webapp.web.api import lab, lab_forms
from webapp.web.api.lab_forms import FormError
from webapp.web.errors import error_response
from webapp.web.request import visitor
from webapp.web.templating import charts
from webapp.web.templating.render import render, wants_json

bp = Blueprint("lab", __name__, url_prefix="/lab")

RECENT = 8


@bp.errorhandler(FormError)
def _on_form_error(error: FormError) -> ResponseReturnValue:
    return error_response(error.code, 422, error.sentence)


@bp.get("")
def show() -> ResponseReturnValue:
    """Show the form and the visitor's latest jobs."""
    if not jobs.is_equipped():
        return render("lab/bare.html")
    if wants_json():
        latest = jobs.latest_jobs(visitor.player(), RECENT)
        return jsonify(most_rounds=_config().lab_rounds, runs=[_job_json(job) for job in latest])
    return _page(request.args)


@bp.post("")
@limiter.limit("20/minute")
def begin() -> ResponseReturnValue:
    """Begin a job. The form has a nonce: the same form sent again leads to the same job."""
    _require_equipment()
    uploads = {name: file.read() for name, file in request.files.items()}
    try:
        job_request = lab_forms.job_request_from(request.form, uploads, _config().lab_rounds)
    except FormError as error:
        return error_response(error.code, 422, error.sentence) if wants_json() else _page(request.form, error)
    key = jobs.begin(visitor.player_made(), request.form.get("nonce") or new_key(), job_request)
    supervisor.ensure_running(_config())
    if wants_json():
        response = jsonify(_job_json(_job(key)))
        response.status_code = 201
        return response
    return redirect(url_for("lab.job", key=key), 303)


@bp.get("/exercise")
@limiter.limit("120/minute")
def exercise() -> ResponseReturnValue:
    """Play the exercise that the address asks for."""
    asked = lab_forms.exercise_from(request.args)
    games = exercises.play(asked)
    equipped = jobs.is_equipped()
    if wants_json():
        return jsonify(lab.exercise_json(asked, games, equipped))
    total = sum(game.score for game in games)
    return render(
        "lab/exercise.html",
        exercise=asked,
        games=games,
        total=total,
        expected=lab.expected(asked, total) if equipped else None,
        chart=_sums_chart(asked, total) if equipped else None,
        most_games=lab_forms.MOST_GAMES,
    )


@bp.get("/exercise.csv")
@limiter.limit("120/minute")
def exercise_csv() -> ResponseReturnValue:
    """Return the games of the exercise that the address asks for."""
    asked = lab_forms.exercise_from(request.args)
    return _csv(lab.exercise_csv(exercises.play(asked)), f"exercise-{asked.seed}")


@bp.get("/strategy.csv")
@limiter.limit("30/minute")
def strategy() -> ResponseReturnValue:
    """Return a strategy as a chart, to be read, or to be changed and uploaded."""
    _require_equipment()
    name = request.args.get("strategy", "basic")
    lab_forms.require_known(name, "strategy")
    rules = parse_rules(request.args.get("table", "vegas"))
    return _csv(dumps(strategy_by_name(name, rules)), name)


@bp.get("/<key>")
@limiter.limit("600/minute")
def job(key: str) -> ResponseReturnValue:
    """Show a job."""
    found = _job(key)
    if wants_json():
        return jsonify(_job_json(found))
    return render("lab/job.html", job=found, chart=_convergence_chart(found), again=_form_address(found))


@bp.get("/<key>.json")
@limiter.limit("600/minute")
def job_json(key: str) -> ResponseReturnValue:
    """Return a job."""
    return jsonify(_job_json(_job(key)))


@bp.get("/<key>.csv")
@limiter.limit("600/minute")
def distribution_csv(key: str) -> ResponseReturnValue:
    """Return the distribution of a job."""
    return _csv(lab.distribution_csv(_job(key).statistics), f"lab-{key}")


@bp.get("/<key>/<any(first, second):side>.csv")
@limiter.limit("120/minute")
def chart(key: str, side: str) -> ResponseReturnValue:
    """Return an uploaded chart: without it nobody who has the link could play the same again."""
    scenarios = _job(key).request.scenarios
    number = ("first", "second").index(side)
    uploaded = scenarios[number].chart if number < len(scenarios) else None
    if uploaded is None:
        raise Refusal("run-not-found")
    return _csv(uploaded, f"lab-{key}-{side}")


@bp.post("/<key>/stop")
def stop(key: str) -> ResponseReturnValue:
    """Stop a job of the visitor."""
    jobs.stop(visitor.player(), key)
    if wants_json():
        return jsonify(_job_json(_job(key)))
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
        scenario_shown=lab_forms.shown_scenario(values, "", preset="vegas", strategy="basic"),
        other_shown=lab_forms.shown_scenario(values, "other_", preset="", strategy=""),
        compares=lab_forms.is_comparison(values),
        presets=tuple(PRESETS),
        choices=CHOICES,
        strategies=(*NAMES, UPLOADED_CHART, *STANDS),
        most_rounds=_config().lab_rounds,
        nonce=new_key(),
        seed=values.get("seed") or lab_forms.new_seed(),
        jobs=jobs.latest_jobs(visitor.player(), RECENT),
    )


def _sums_chart(asked: exercises.Exercise, total: int) -> charts.Bars:
    from webapp.engine.simulation import exercise_odds

    mean, _ = exercise_odds.mean_and_deviation(asked)
    odds = exercise_odds.sum_odds(asked.decks, asked.stand, asked.natural_beats_21, asked.games)
    return charts.bars(odds, -2 * asked.games, asked.games * mean, total)


def _convergence_chart(found: Job) -> charts.Funnel | None:
    bet = found.request.bet
    estimates = [
        (moments.rounds, moments.mean / bet, moments.half_width95 / bet)
        for moments in found.statistics.convergence
        if moments.rounds
    ]
    return charts.funnel(estimates, found.request.rounds)


def _job_json(found: Job) -> dict[str, Any]:
    scenario, other = found.request.scenario, found.request.other
    payload: dict[str, Any] = {
        "run": found.key,
        "status": found.status,
        "place": found.place,
        "interrupted": found.interrupted,
        "table": scenario.variant,
        "strategy": scenario.strategy,
        "seed": found.request.seed,
        "bet": found.request.bet,
        "chunk": found.chunk,
        "asked": found.request.rounds,
        "rounds": found.statistics.rounds,
        "url": url_for("lab.job", key=found.key),
    }
    if other:
        payload |= {"other_table": other.variant, "other_strategy": other.strategy}
    if found.statistics.rounds:
        payload |= lab.statistics_json(found.request.rounds, found.statistics, found.seconds)
    return payload


def _form_address(found: Job) -> str:
    """Return the address of a form that asks for the same again; an uploaded chart must be uploaded again."""
    asked, other = found.request, found.request.other
    fields: dict[str, Any] = {"table": asked.scenario.variant, "strategy": asked.scenario.strategy}
    if other:
        fields |= {"other_table": other.variant, "other_strategy": other.strategy}
    return url_for("lab.show", **fields, rounds=asked.rounds, seed=asked.seed, bet=asked.bet)


def _csv(text: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    return Response(text, mimetype="text/csv", headers=headers)


def _require_equipment() -> None:
    if not jobs.is_equipped():
        raise Refusal("lab-bare")


def _config() -> Config:
    config: Config = current_app.extensions["config"]
    return config
