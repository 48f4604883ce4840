"""Drills: one spot after another, each answered by a tap or a key and graded at once."""

from typing import Any, Final

from flask import Blueprint, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp.services.core.clock import SECOND, now_ms
from webapp.services.core.errors import Refusal
from webapp.services.deals import drills
from webapp.services.review.costly_decisions import costly_kinds
from webapp.web.api import fields
from webapp.web.api.answers.puzzles import PuzzleAnswer
from webapp.web.api.forms.reading import read
from webapp.web.api.forms.solo import DrillQuery
from webapp.web.api.openapi_operations import Operation, describe
from webapp.web.api.serialize import json_response
from webapp.web.hand_page.puzzle_page import asked
from webapp.web.request import visitor
from webapp.web.request.limits import limited
from webapp.web.templating.render import render, wants_json

bp = Blueprint("drill", __name__, url_prefix="/drill")

_PATH: Final = {"code": "Code of the game."}
MOST: Final = 100_000
MOST_KINDS: Final = 4


@bp.get("/<code>")
@limited("240/minute")
@describe(Operation(answers={200: PuzzleAnswer, 303: None}, query=DrillQuery, path=_PATH))
def show(code: str) -> ResponseReturnValue:
    """Return a decision, and the verdict on an answer; without `spot` redirect to a new one."""
    query = read(DrillQuery, request.args)
    counts: dict[str, Any] = {
        "right": fields.index(query.right, MOST, 0),
        "all": fields.index(query.all, MOST, 0),
        "run": fields.index(query.run, MOST, 0),
    }
    since = query.since if query.since.isascii() and query.since.isdigit() and len(query.since) < 14 else str(now_ms())
    if not query.spot:
        return redirect(_to_spot(code, query, since=since, **counts), 303)
    kinds = tuple(query.kind.split()[:MOST_KINDS])
    found = asked(drills.drill_of(code, query.table or None, query.spot, kinds))
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
