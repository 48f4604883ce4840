"""Drills: one spot after another, each answered by a tap or a key and graded at once."""

from dataclasses import replace
from typing import Any, Final

from flask import Blueprint, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp.engine.games import SOLO
from webapp.services.core.clock import now_ms
from webapp.services.core.errors import Refusal
from webapp.services.deals import drills
from webapp.services.deals.drill_round import ROUND, DrillRound
from webapp.services.deals.puzzles import Puzzle
from webapp.services.review import ratings
from webapp.services.review.statistics import costly_kinds
from webapp.web.api import fields
from webapp.web.api.forms import DrillForm, DrillQuery, read
from webapp.web.api.openapi_operations import Operation, describe
from webapp.web.api.puzzle_answers import PuzzleAnswer
from webapp.web.api.serialize import json_response
from webapp.web.odds_page.puzzle_page import PuzzlePage, answer_in, answered
from webapp.web.request import visitor
from webapp.web.request.limits import limited
from webapp.web.templating.render import render, wants_json

bp = Blueprint("drill", __name__, url_prefix="/drill")

_PATH: Final = {"code": "Code of the game."}
MOST: Final = 100_000
MOST_KINDS: Final = 4


@bp.get("")
def index_page() -> ResponseReturnValue:
    """Redirect to the page that names the drills of all games."""
    return redirect(url_for("lab.show", _anchor="drills"), 303)


@bp.get("/<code>")
@limited("240/minute")
@describe(Operation(answers={200: PuzzleAnswer, 303: None}, query=DrillQuery, path=_PATH))
def show(code: str) -> ResponseReturnValue:
    """Return a decision; without `spot` redirect to a new one.

    With an answer also the verdict on it. If a player is rated, the verdict is told only after an answer was sent.
    """
    query = read(DrillQuery, request.args)
    if not query.spot:
        so_far = DrillRound.read(query.round)
        if so_far.is_over and not wants_json():
            return _end(code, query, so_far)
        return redirect(_to_spot(code, query, round=str(so_far) or None, since=now_ms()), 303)
    found = answered(_puzzle(code, query), answer_in(request.args), "post")
    if found.verdict and ratings.awaits_answer(visitor.player(), code, query.spot, found.verdict):
        found = replace(found, answer=None, verdict=None)
    return _page(code, query, found)


@bp.post("/<code>")
@limited("240/minute")
@describe(Operation(answers={200: PuzzleAnswer, 202: PuzzleAnswer, 303: None}, form=DrillForm, path=_PATH))
def answer(code: str) -> ResponseReturnValue:
    """Answer a decision, and return it with the verdict, or while that is worked out as pending (202): send again.

    The first answer to a decision counts for the rating of the player, if there is one.
    """
    visitor.require_readable()
    form, action = read(DrillForm, request.form), answer_in(request.form)
    if action is None:
        raise Refusal("illegal")
    found = answered(_puzzle(code, form), action, "post")
    if found.verdict is None:
        return _page(code, form, found, 202)
    player = visitor.player()
    if player is not None:
        ratings.note_drill(player, code, form.spot, found.verdict)
    if wants_json():
        return _page(code, form, found)
    carried = {name: getattr(form, name) or None for name in ("table", "spot", "kind", "mine", "round", "since")}
    return redirect(url_for("drill.show", code=code, answer=str(action), **carried), 303)


def _puzzle(code: str, query: DrillQuery | DrillForm) -> Puzzle:
    return drills.drill_of(code, query.table or None, query.spot, _kinds(query))


def _kinds(query: DrillQuery | DrillForm) -> tuple[str, ...]:
    return tuple(query.kind.split()[:MOST_KINDS])


def _page(code: str, query: DrillQuery | DrillForm, found: PuzzlePage, status: int = 200) -> ResponseReturnValue:
    if wants_json():
        puzzle = PuzzleAnswer.of_puzzle(found.puzzle, query.spot, found.verdict, found.pending)
        return json_response(puzzle, status)
    so_far = DrillRound.read(query.round)
    since = fields.moment(query.since, now_ms())
    done = so_far
    if found.verdict:
        done = so_far.with_answer(found.puzzle, found.verdict, now_ms() - since, query.spot, _kinds(query))
    return render(
        "drill/show.html",
        status,
        code=code,
        spec=found.puzzle.game.spec,
        asked=found,
        puzzle=found.puzzle,
        query=query,
        so_far=so_far,
        answered=done,
        rounds=ROUND,
        since=since,
    )


def _end(code: str, query: DrillQuery, answered: DrillRound) -> ResponseReturnValue:
    """Return what a round came to."""
    table = drills.drill_variant(code, query.table or None)
    game = SOLO[code]
    return render(
        "drill/end.html",
        code=code,
        table=table,
        query=query,
        answered=answered.of_game(game),
        unit=drills.drill_unit(code, table),
        spec=game.spec,
    )


def _to_spot(code: str, query: DrillQuery, **counts: Any) -> str:
    """Return the address of a new spot: of any kind, like one of a finished hand, or like those that cost most."""
    table, kind = query.table or None, query.kind
    drills.drill_variant(code, table)
    if query.hand:
        like = drills.kinds_at(query.hand, fields.index(query.step, MOST, 0))
        if like.game != code:
            raise Refusal("no-decision", code)
        if not like.words:  # no other decision is similar
            return url_for("hands.show", key=query.hand, ask=query.step)
        table, kind = like.table, " ".join(like.words)
    elif query.mine:
        costly = costly_kinds(visitor.player(), code, table)
        table, kind = (costly.table, " ".join(costly.words)) if costly else (table, "")
    return url_for(
        "drill.show",
        code=code,
        table=table,
        kind=kind or None,
        mine=query.mine or None,
        spot=drills.new_spot(),
        **counts,
    )
