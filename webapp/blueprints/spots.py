"""A spot in the lab: a decision simulated, with its exact values beside the estimates."""

from typing import Final

from flask import Blueprint, Response, request
from flask.typing import ResponseReturnValue

from webapp.engine.odds.question import ImpossibleSpot
from webapp.engine.simulation.spot_limits import DEFAULT_ROUNDS, LIMITS, ROUNDS
from webapp.services.odds import desk
from webapp.web.api import lab_parsing
from webapp.web.api.forms import SpotQuery
from webapp.web.api.odds_answers import OddsPendingAnswer, SpotAnswer
from webapp.web.api.openapi_operations import Operation, describe
from webapp.web.api.serialize import json_response
from webapp.web.errors import error_response
from webapp.web.odds_page.question import answer_to, asked_about, game_with_odds, on_impossible_spot, pending
from webapp.web.odds_page.rows import estimate_rows
from webapp.web.request.limits import limited
from webapp.web.templating.render import render, wants_json

bp = Blueprint("spots", __name__, url_prefix="/lab/spot")
bp.register_error_handler(ImpossibleSpot, on_impossible_spot)

WAIT_SECONDS: Final = 0.3
"""Seconds for which an answer may wait for a simulation, which takes longer mostly: whoever asks does so again."""
_PATH: Final = {"code": "Code of the game."}


@bp.errorhandler(lab_parsing.FormError)
def _on_form_error(error: lab_parsing.FormError) -> ResponseReturnValue:
    return error_response(error.code, 422, error.sentence)


@bp.get("/<code>")
@limited("120/minute")
@describe(Operation(answers={200: SpotAnswer, 202: OddsPendingAnswer}, query=SpotQuery, path=_PATH))
def show(code: str) -> ResponseReturnValue:
    """Simulate the requested decision: its best actions, and the held one."""
    return _shown(code, wants_json())


@bp.get("/<code>.json")
@limited("120/minute")
@describe(Operation(answers={200: SpotAnswer, 202: OddsPendingAnswer}, query=SpotQuery, path=_PATH))
def as_json(code: str) -> ResponseReturnValue:
    """Simulate a decision; return JSON."""
    return _shown(code, True)


def _shown(code: str, for_program: bool) -> Response:
    game, asked = game_with_odds(code), asked_about(code)
    rounds = _number("simulate", "rounds", DEFAULT_ROUNDS)
    seed = _number("seed", "seed", 1)
    try:
        answer = answer_to(asked, WAIT_SECONDS, simulated=str(rounds), seed=str(seed))
    except desk.Pending:
        if for_program:
            return pending(code, asked.values["table"])
        answer = None
    spelled = asked.having(answer["question"]) if answer and "question" in answer else asked
    table, fields = spelled.values["table"], {name: text for name, text in asked.values.items() if name != "to"}
    here = asked.simulated_as(rounds, seed)
    if for_program and answer:
        return json_response(SpotAnswer.of(code, table, rounds, seed, here, asked.here, answer))
    return render(
        "lab/spot.html",
        200 if answer else 202,
        code=code,
        desk=spelled,
        asked=asked,
        fields=fields,
        table=table,
        rules=game.rules(table),
        answer=answer,
        rows=estimate_rows(answer) if answer else (),
        rounds=rounds,
        seed=seed,
        choices=ROUNDS,
        here=here,
        as_json=asked.simulated_as(rounds, seed, "spots.as_json"),
    )


def _number(field: str, name: str, default: int) -> int:
    return lab_parsing.whole_number(request.args.get(field), name, *LIMITS[name], default=default)
