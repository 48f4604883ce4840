"""Drills: one spot after another, each answered by a tap or a key and graded at once."""

from typing import Any, Final

from flask import Blueprint, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp.services.core.clock import SECOND, now_ms
from webapp.services.deals import puzzles
from webapp.web.api import fields
from webapp.web.api.answers.puzzles import PuzzleAnswer
from webapp.web.api.forms import DrillQuery, read
from webapp.web.api.operations import Operation, describe
from webapp.web.api.serialize import json_response
from webapp.web.hand_page.asking import asked
from webapp.web.request.limits import limited
from webapp.web.templating.render import render, wants_json

bp = Blueprint("drill", __name__, url_prefix="/drill")

_PATH: Final = {"code": "Code of the game."}
MOST: Final = 100_000


@bp.get("/<code>")
@limited("240/minute")
@describe(Operation(answers={200: PuzzleAnswer, 303: None}, query=DrillQuery, path=_PATH))
def show(code: str) -> ResponseReturnValue:
    """Return a spot, and the verdict on an answer; without a spot lead to one."""
    query = read(DrillQuery, request.args)
    counts: dict[str, Any] = {
        "right": fields.index(query.right, MOST, 0),
        "all": fields.index(query.all, MOST, 0),
        "run": fields.index(query.run, MOST, 0),
    }
    since = query.since if query.since.isascii() and query.since.isdigit() and len(query.since) < 14 else str(now_ms())
    if not query.spot:
        puzzles.drill_of(code, query.table or None, "first")
        spot = puzzles.new_spot()
        here = url_for("drill.show", code=code, table=query.table or None, spot=spot, since=since, **counts)
        return redirect(here, 303)
    found = asked(puzzles.drill_of(code, query.table or None, query.spot))
    if wants_json():
        return json_response(PuzzleAnswer.of_puzzle(found.puzzle, query.spot, found.verdict, found.pending))
    if found.verdict:
        right = found.verdict.is_right
        counts = {
            "right": counts["right"] + right,
            "all": counts["all"] + 1,
            "run": counts["run"] + 1 if right else 0,
        }
    seconds = max(1, (now_ms() - int(since)) // SECOND)
    return render(
        "drill/show.html",
        code=code,
        spec=found.puzzle.game.spec,
        asked=found,
        puzzle=found.puzzle,
        query=query,
        counts=counts,
        since=since,
        pace=round(60 * counts["all"] / seconds, 1) if counts["all"] else None,
    )
