"""Questions of a request about odds, and their answers from the desk."""

from typing import Any

from flask import Response, request

from webapp.engine.game import AnyGame
from webapp.engine.games import GAMES
from webapp.engine.odds.question import ImpossibleSpot
from webapp.engine.odds.value import NoOdds
from webapp.services.core.errors import Refusal
from webapp.services.odds import desk
from webapp.services.records import lookup
from webapp.web.api.answers.odds import OddsPendingAnswer
from webapp.web.api.forms.odds import OddsQuery
from webapp.web.api.forms.reading import read
from webapp.web.api.serialize import pending_response
from webapp.web.errors import error_response
from webapp.web.i18n import odds_words
from webapp.web.odds_page.question_address import Asked


def game_with_odds(code: str) -> AnyGame:
    """Return a game. Refusal ``unknown-game``, NoOdds."""
    if code not in GAMES:
        raise Refusal("unknown-game", code)
    if not desk.has_odds(code):
        raise NoOdds(f"there are no odds for {code}")
    return GAMES[code]


def asked_about(code: str) -> Asked:
    """Return what the request asks about a game. SetupError: there is no such table."""
    game, query = game_with_odds(code), read(OddsQuery, request.args)
    table = query.table or game.spec.default
    if not query.hand:
        game.rules(table)
    return Asked.of(code, table, query)


def answer_to(asked: Asked, patience: float = desk.WAIT_SECONDS, **more: str) -> dict[str, Any]:
    """Return the answer of the desk; ``more`` are fields beside those of the question.

    patience: seconds for which it may wait for tables.

    Raises:
        ImpossibleSpot: the decision cannot be.
        Pending: tables are being built for it.
        Refusal: ``hand-not-found``, or what the desk refuses.
    """
    if asked.too_long:
        raise ImpossibleSpot("too-long", "that is more than all cards there are")
    if not asked.is_of_hand:
        return desk.ask("spot", {"game": asked.code, **asked.question, **more}, patience)
    found = lookup.finished_hand(asked.values["hand"])
    if found.game.spec.code != asked.code:
        raise Refusal("hand-not-found")
    step = asked.values.get("step", "0")
    if not (step.isascii() and step.isdigit() and len(step) < 5):
        raise ImpossibleSpot("finished", "no such step")
    answer = desk.ask("step", {"line": found.notation, "step": step, **more}, patience)
    return answer | {"question": answer["question"] | {"table": found.table}}


def pending(code: str, table: str) -> Response:
    """Return the answer while tables are being built."""
    return pending_response(OddsPendingAnswer, game=code, table=table)


def on_impossible_spot(error: ImpossibleSpot) -> Response:
    """Answer a question that makes no sense."""
    return error_response(error.code, 422, odds_words.impossible(error))
