"""The lab: the exercise, simulations, and what they found."""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, current_app, jsonify, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp.config import Config
from webapp.engine.families.bank_rules import CHOICES, PRESETS, parse_rules
from webapp.engine.lab import exercise as exercises
from webapp.engine.lab.players import named
from webapp.engine.lab.sheet import dumps
from webapp.engine.lab.strategies import NAMES, STANDS
from webapp.extensions import limiter
from webapp.services import laboratory, labour
from webapp.services.chance import new_key
from webapp.services.laboratory import OWN_SHEET, Run
from webapp.services.refusal import Refusal
from webapp.web import charts, figures, viewer, wishes
from webapp.web.errors import no
from webapp.web.htmx import render, wants_json
from webapp.web.wishes import Unfit

bp = Blueprint("lab", __name__, url_prefix="/lab")

RECENT = 8


@bp.errorhandler(Unfit)
def _on_unfit(error: Unfit) -> ResponseReturnValue:
    return no(error.code, 422, error.sentence)


@bp.get("")
def show() -> ResponseReturnValue:
    if not laboratory.is_equipped():
        return render("lab/bare.html")
    runs = laboratory.latest(viewer.player(), RECENT)
    if wants_json():
        return jsonify(most_rounds=_config().lab_rounds, runs=[_run_json(run) for run in runs])
    return _page(request.args)


@bp.post("")
@limiter.limit("20/minute")
def begin() -> ResponseReturnValue:
    """The form carries a word that is used once: the same form sent again leads to the same run."""
    _require_equipment()
    sheets = {name: file.read() for name, file in request.files.items()}
    try:
        wish = wishes.wish_of(request.form, sheets, _config().lab_rounds)
    except Unfit as error:
        return no(error.code, 422, error.sentence) if wants_json() else _page(request.form, error)
    key = laboratory.begin(viewer.player_made(), request.form.get("nonce") or new_key(), wish)
    labour.wake(_config())
    if wants_json():
        response = jsonify(_run_json(laboratory.run_for(key, viewer.player())))
        response.status_code = 201
        return response
    return redirect(url_for("lab.run", key=key), 303)


@bp.get("/exercise")
@limiter.limit("120/minute")
def exercise() -> ResponseReturnValue:
    task = wishes.task_of(request.args)
    games = exercises.play(task)
    equipped = laboratory.is_equipped()
    if wants_json():
        return jsonify(figures.exercise_json(task, games, equipped))
    total = sum(game.score for game in games)
    return render(
        "lab/exercise.html",
        task=task,
        games=games,
        total=total,
        expected=figures.expected(task, total) if equipped else None,
        chart=_chances_of(task, total) if equipped else None,
        most_games=wishes.MOST_GAMES,
    )


@bp.get("/exercise.csv")
@limiter.limit("120/minute")
def exercise_csv() -> ResponseReturnValue:
    task = wishes.task_of(request.args)
    return _csv(figures.exercise_csv(exercises.play(task)), f"exercise-{task.seed}")


@bp.get("/strategy.csv")
@limiter.limit("120/minute")
def strategy() -> ResponseReturnValue:
    """A strategy as a table: to be read, or to be changed and brought back."""
    _require_equipment()
    name = request.args.get("strategy", "basic")
    wishes.require_known(name, "strategy")
    rules = parse_rules(request.args.get("table", "vegas"))
    return _csv(dumps(named(name, rules)), name)


@bp.get("/<key>")
@limiter.limit("600/minute")
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
@limiter.limit("600/minute")
def run_json(key: str) -> ResponseReturnValue:
    return jsonify(_run_json(_run(key)))


@bp.get("/<key>.csv")
@limiter.limit("600/minute")
def run_csv(key: str) -> ResponseReturnValue:
    return _csv(figures.run_csv(_run(key).count), f"lab-{key}")


@bp.get("/<key>/<any(first, second):side>.csv")
@limiter.limit("120/minute")
def sheet(key: str, side: str) -> ResponseReturnValue:
    """The table that was brought along: without it nobody who has the link could play the same again."""
    choices = _run(key).wish.choices
    brought = [choice.sheet for choice in choices][("first", "second").index(side) :][:1]
    if not brought or brought[0] is None:
        raise Refusal("run-not-found")
    return _csv(brought[0], f"lab-{key}-{side}")


@bp.post("/<key>/stop")
def stop(key: str) -> ResponseReturnValue:
    laboratory.stop(viewer.player(), key)
    if wants_json():
        return jsonify(_run_json(_run(key)))
    return redirect(url_for("lab.run", key=key), 303)


def _run(key: str) -> Run:
    """If it waits and nobody is at work, somebody is called."""
    found = laboratory.run_for(key, viewer.player())
    if not found.finished:
        labour.wake(_config())
    return found


def _page(values: Mapping[str, str], error: Unfit | None = None) -> Response:
    """The form, filled in as an address or a form before it says."""
    return render(
        "lab/show.html",
        422 if error else 200,
        error=error,
        values=values,
        sides=[wishes.shown(values, "", "basic"), wishes.shown(values, "other_", "mimic")],
        compares=wishes.compares(values),
        presets=tuple(PRESETS),
        choices=CHOICES,
        strategies=(*NAMES, OWN_SHEET, *STANDS),
        most_rounds=_config().lab_rounds,
        nonce=new_key(),
        seed=values.get("seed") or wishes.new_seed(),
        runs=laboratory.latest(viewer.player(), RECENT),
    )


def _chances_of(task: exercises.Task, total: int) -> charts.Bars:
    from webapp.engine.lab import exact

    mean, _ = exact.mean_and_deviation(task)
    sums = exact.sums(task.decks, task.stand, task.natural_beats_21, task.games)
    return charts.bars(sums, -2 * task.games, task.games * mean, total)


def _funnel(found: Run) -> charts.Funnel | None:
    bet = found.wish.bet
    course = [(mark.rounds, mark.mean / bet, mark.reach95 / bet) for mark in found.count.course]
    return charts.funnel([each for each in course if each[0]], found.wish.rounds)


def _run_json(found: Run) -> dict[str, Any]:
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
    return told | figures.count_json(wish.rounds, found.count, found.seconds) if found.count.rounds else told


def _address(found: Run) -> str | None:
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
    if not laboratory.is_equipped():
        raise Refusal("lab-bare")


def _config() -> Config:
    config: Config = current_app.extensions["config"]
    return config
