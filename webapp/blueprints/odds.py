"""The odds desk: values of the actions of a decision, prices of the rules of a table, and its index numbers."""

from itertools import groupby
from typing import Final

from flask import Blueprint, Response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp.engine.odds.blackjack.count_index import UPCARDS
from webapp.engine.odds.question import ImpossibleSpot
from webapp.engine.twenty_one.counting import NAMES
from webapp.services.core.errors import Refusal
from webapp.services.odds import desk
from webapp.web.api.forms import IndexQuery, OddsQuery, PriceQuery, read
from webapp.web.api.odds_answers import (
    CommonHoldAnswer,
    HoldsAnswer,
    IndexAnswer,
    OddsAnswer,
    OddsPendingAnswer,
    PriceAnswer,
)
from webapp.web.api.openapi_operations import Operation, describe
from webapp.web.api.serialize import json_response
from webapp.web.i18n import odds_words, unit_words
from webapp.web.odds_page import index_chart, rows
from webapp.web.odds_page.question import (
    Asked,
    answer_to,
    asked_about,
    counting_system,
    game_with_odds,
    on_impossible_spot,
    pending,
)
from webapp.web.request.limits import limited
from webapp.web.request.logs import note_refusal
from webapp.web.templating.render import render, wants_json

bp = Blueprint("odds", __name__, url_prefix="/odds")

_PATH: Final = {"code": "Code of the game."}


bp.register_error_handler(ImpossibleSpot, on_impossible_spot)


@bp.get("")
def index_page() -> ResponseReturnValue:
    """Redirect to the page that names the odds of all games."""
    return redirect(url_for("lab.show", _anchor="odds"), 303)


@bp.get("/<code>")
@limited("600/minute")
@describe(Operation(answers={200: OddsAnswer, 202: OddsPendingAnswer}, query=OddsQuery, path=_PATH))
def show(code: str) -> ResponseReturnValue:
    """Return the values of all actions of a decision."""
    asked = asked_about(code)
    return _json(asked) if wants_json() else _page(asked)


@bp.get("/<code>.json")
@limited("600/minute")
@describe(Operation(answers={200: OddsAnswer, 202: OddsPendingAnswer}, query=OddsQuery, path=_PATH))
def as_json(code: str) -> ResponseReturnValue:
    """Return the values of all actions of a decision as JSON."""
    return _json(asked_about(code))


@bp.get("/<code>/price")
@limited("240/minute")
@describe(Operation(answers={200: PriceAnswer, 202: (PriceAnswer, OddsPendingAnswer)}, query=PriceQuery, path=_PATH))
def price(code: str) -> ResponseReturnValue:
    """Return the prices of the rules of a table."""
    game = game_with_odds(code)
    chosen = {name: word for name, word in request.args.items() if name in game.choices()}
    table = game.variant_from_choices(chosen) if chosen else read(PriceQuery, request.args).table or game.spec.default
    game.rules(table)
    try:
        answer = desk.ask("game", {"game": code, "table": table}, desk.WAIT_SECONDS if wants_json() else 0)
    except desk.Pending:
        if wants_json():
            return pending(code, table)
        answer = None
    except Refusal as refusal:
        if wants_json() or refusal.code != "odds-later":
            raise
        answer = None  # the page that the price is a part of stays, and asks again
    if answer and wants_json():
        return json_response(PriceAnswer.of(code, table, answer), 200 if answer["rules"] is not None else 202)
    return render(
        "odds/price.html",
        200 if answer else 202,
        code=code,
        table=table,
        price=answer,
        rules=game.rules(table),
        usual=game.rules(game.spec.default),
        per_hundred=unit_words.chips_per_hundred,
    )


@bp.get("/<code>/holds")
@limited("240/minute")
@describe(Operation(answers={200: HoldsAnswer, 202: OddsPendingAnswer}, query=PriceQuery, path=_PATH))
def holds(code: str) -> ResponseReturnValue:
    """Return the common holds of a table, in the order of their worth."""
    game = game_with_odds(code)
    table = read(PriceQuery, request.args).table or game.spec.default
    game.rules(table)
    try:
        found = desk.ask("holds", {"game": code, "table": table}, desk.WAIT_SECONDS)["holds"]
    except desk.Pending:
        if wants_json():
            return pending(code, table)
        found = None
    rows = tuple(map(CommonHoldAnswer.of, found or ()))
    if wants_json():
        return json_response(HoldsAnswer(code, table, rows))
    sections = [(wilds, tuple(group)) for wilds, group in groupby(rows, key=lambda row: row.wilds)]
    return render(
        "odds/holds.html",
        202 if found is None else 200,
        code=code,
        spec=game.spec,
        table=table,
        rules=game.rules(table),
        sections=sections,
        waits=found is None,
    )


@bp.get("/<code>/index")
@limited("60/minute")
@describe(Operation(answers={200: IndexAnswer, 202: OddsPendingAnswer}, query=IndexQuery, path=_PATH))
def index(code: str) -> ResponseReturnValue:
    """Return the index numbers of a table: the counts from which another action is better."""
    game = game_with_odds(code)
    query, wrong = read(IndexQuery, request.args), None
    table = query.table or game.spec.default
    rules = game.rules(table)
    try:
        system = counting_system(query.system)
    except ImpossibleSpot as error:
        if wants_json():
            raise
        system, wrong = counting_system(IndexQuery().system), error
    try:
        found = desk.ask("index", {"game": code, "table": table, "system": system.name})
    except desk.Pending:
        if wants_json():
            return pending(code, table)
        found = None
    except Refusal as refusal:
        if wants_json() or refusal.code != "odds-later":
            raise
        found = None  # the page asks again
    answer = IndexAnswer.of(code, table, found) if found else None
    if answer and wants_json():
        return json_response(answer)
    return render(
        f"games/{code}/index_numbers.html",
        422 if wrong else 200 if answer else 202,
        wrong={"tags": query.system, "sentence": odds_words.impossible(wrong)} if wrong else None,
        code=code,
        spec=game.spec,
        table=table,
        rules=rules,
        system=system,
        systems=NAMES,
        answer=answer,
        chart=index_chart.tables_of(answer) if answer else None,
        dealer=UPCARDS,
    )


def _json(asked: Asked) -> Response:
    table = asked.values["table"]
    try:
        answer = answer_to(asked)
    except desk.Pending:
        return pending(asked.code, table)
    if "question" in answer:
        table = asked.having(answer["question"]).values["table"]
    return json_response(OddsAnswer.of(asked.code, table, asked.here, answer))


def _page(asked: Asked) -> Response:
    """Show the desk: with an answer, with an error, or with an empty form."""
    game = game_with_odds(asked.code)
    answer, error, waits = None, None, False
    if asked.is_empty:
        desk.prepare(asked.code, asked.values["table"])
    else:
        try:
            answer = answer_to(asked)
        except ImpossibleSpot as impossible:
            error = impossible
        except desk.Pending:
            waits = True
    spelled = asked.having(answer["question"]) if answer and "question" in answer else asked
    unfinished = error is not None and error.reason in _UNFINISHED and error.values["count"] < _UNFINISHED[error.reason]
    if error and not unfinished:
        note_refusal(error.code)
    if asked.too_long:
        asked = spelled = asked.having({})
    options = rows.rows(answer) if answer else ()
    return render(
        "odds/desk.html",
        422 if error and not unfinished else 202 if waits else 200,
        code=asked.code,
        spec=game.spec,
        desk=spelled,
        asked=asked,
        table=spelled.values["table"],
        rules=game.rules(spelled.values["table"]),
        answer=answer,
        options=options,
        shown=rows.shown(options),
        sentence=odds_words.impossible(error) if error and not unfinished else "",
        pending=waits,
        is_empty=asked.is_empty or unfinished,
    )


_UNFINISHED: Final = {"hand-size": 5, "hand-least": 2, "dealer-one": 1}
"""Reasons that are none while cards are being tapped in: the hand has fewer cards than these."""
