"""Answers to questions about odds, as plain values that go from one process to another.

Computed by workers only (``answer_task``): this imports NumPy, which the site's own process does not.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from typing import Any, Final

from webapp.engine.action import Action
from webapp.engine.cards import Rank, format_cards
from webapp.engine.errors import EngineError, IllegalAction, NotationError, SetupError
from webapp.engine.game import AnyGame, states
from webapp.engine.games import GAMES
from webapp.engine.label import Value
from webapp.engine.notation import loads
from webapp.engine.odds import odds_of
from webapp.engine.odds.question import FIELDS, ImpossibleSpot, Question, Scale, Spot
from webapp.engine.odds.review import review
from webapp.engine.odds.value import (
    ActionValue,
    AnyOdds,
    Decision,
    Method,
    NoOdds,
    OrderingHolds,
    Reason,
    TableStore,
    grade_of,
)
from webapp.services.odds.lab_answers import chart, count_indices, simulated
from webapp.services.odds.store import NotBuilt

Fields = Mapping[str, Any]
Answer = dict[str, Any]

EXPLAINED: Final = 5
"""Options whose reasons are given, the best ones, and the one that was asked about."""


def answer(asked: Fields, store: TableStore) -> Answer:
    """Return the answer to a question, or why there is none.

    ``asked["about"]`` is what is asked; each function of ABOUT says which fields it reads. The answer has ``error``
    where the question makes no sense, and ``missing`` where tables must be built first.
    """
    try:
        return ABOUT[asked["about"]](asked, store)
    except NotBuilt as error:
        return {"missing": error.args[0]}
    except ImpossibleSpot as error:
        return {"error": error.code, "reason": error.reason, "values": error.values, "text": str(error)}
    except NotationError as error:
        return {"error": ImpossibleSpot.code, "reason": "no-card", "values": {}, "text": str(error)}
    except EngineError as error:
        return {"error": error.code, "text": str(error)}


def _spot(asked: Fields, store: TableStore) -> Answer:
    """Price a decision: ``game``, ``table``, the fields of a Question, and ``held``, an action to be compared.

    ``among`` are the only actions that can be paid for, if not all can.
    With ``simulated``, a number of rounds, and ``seed`` it is simulated as well.
    """
    game, odds = _game(asked)
    question = Question(asked["table"], **{name: asked[name] for name in FIELDS if name in asked})
    spot = odds.spot(question)
    if not game.legal_actions(spot.state):
        raise ImpossibleSpot("finished", "there is nothing to decide")
    priced = _priced(game, odds, spot, asked.get("held", ""), store, asked.get("among", ""))
    return priced | _simulated(game, odds, spot, asked, store)


def _step(asked: Fields, store: TableStore) -> Answer:
    """Price the decision at a step of a finished hand: ``line`` is its notation, ``step`` the number of the step."""
    record, step = loads(asked["line"]), int(asked["step"])
    game = GAMES[record.game]
    odds = odds_of(game)
    if not 0 <= step < len(record.moves):
        raise ImpossibleSpot("finished", "there is nothing to decide")
    state = list(states(game, record.setup, record.moves[:step]))[-1]
    question = odds.question(state)
    # the question omits other boxes and an earlier insurance, which change all values equally
    spot = odds.spot(question) if question else Spot(state)
    asking = game.legal_actions(spot.state)[0].seat  # a question has seats of its own, not those of the round
    taken = str(replace(record.moves[step], seat=asking))
    chosen = {name: text for name, text in asdict(question).items() if text} if question else {}
    priced = _priced(game, odds, spot, taken, store) | _simulated(game, odds, spot, {**asked, "held": taken}, store)
    return priced | {"question": chosen}


def _priced(game: AnyGame, odds: AnyOdds, spot: Spot[Any], held: str, store: TableStore, among: str = "") -> Answer:
    scale = odds.scale(spot.state)
    decision = odds.decision(spot.state, store, spot.others)
    if among:
        paid = tuple(option for option in decision.options if str(option.action) in among.split())
        decision = replace(decision, options=paid)
    options = [_option(decision, option, scale) for option in decision.options]
    if spot.seen:
        counted = odds.decision(spot.state, store, (*spot.others, *spot.seen))
        for option in options:
            option["counted"] = _said(counted.option(Action.parse(option["action"])), scale)
    chosen = _action(game, spot.state, held) if held else None
    for place, option in enumerate(options):
        if (place < EXPLAINED or option["action"] == str(chosen)) and not decision.fair:
            reason = odds.reason(spot.state, Action.parse(option["action"]), decision, store, spot.others)
            option["reason"] = _reason(reason, scale) if reason else None
    priced = {
        "options": options,
        "best": str(decision.best.action),
        "fair": decision.fair,
        "unit": scale.name,
        "measure": float((scale.stake or decision.best.value) / scale.unit),
        **_method(decision.method),
    }
    return priced | (_held(decision, chosen, scale) if held else {})


def _action(game: AnyGame, state: Any, held: str) -> Action | None:
    """Return the action that was asked for, None if there is none; positions alone are those that are kept."""
    marks = game.marks(state)
    if held[:1].isdigit() and marks:
        held = f"{marks.verb}-{held}"
    try:
        return Action.parse(held) if held else None
    except NotationError as error:
        raise ImpossibleSpot("held", f"{held[:40]} is not legal here") from error


def _simulated(game: AnyGame, odds: AnyOdds, spot: Spot[Any], asked: Fields, store: TableStore) -> Answer:
    if "simulated" not in asked:
        return {}
    held = _action(game, spot.state, asked.get("held", ""))
    return {"simulated": simulated(game, odds, spot, held, asked, store)}


def _held(decision: Decision, action: Action | None, scale: Scale) -> Answer:
    """Return an action that was asked for, and what it costs."""
    assert action is not None
    try:
        return {"action": str(action), "cost": float(decision.cost(action) / scale.unit)}
    except IllegalAction as error:
        raise ImpossibleSpot("held", f"{str(action)[:40]} is not legal here") from error


def _option(decision: Decision, option: ActionValue, scale: Scale) -> Answer:
    return {
        "action": str(option.action),
        "value": _said(option, scale),
        "outcomes": dict(option.outcomes),
        "grade": grade_of(decision, option.action, scale),
    }


def _reason(reason: Reason, scale: Scale) -> Answer:
    """Return a reason. In arguments of its label a rank is ``{"rank": 12}``, and cards are ``{"cards": "Qh Js"}``."""
    return {
        "code": reason.label.code,
        "args": {name: _spelled(value) for name, value in reason.label.args},
        "ways": reason.ways,
        "drawn": reason.drawn,
        "made": reason.made,
        "parts": [[part.code, part.count, float(part.value / scale.unit)] for part in reason.parts],
    }


def _spelled(value: Value) -> Any:
    if isinstance(value, Rank):
        return {"rank": int(value)}
    return {"cards": format_cards(value)} if isinstance(value, tuple) else value


def _said(option: ActionValue, scale: Scale) -> float:
    return float((option.value + scale.returned) / scale.unit)


def _game_value(asked: Fields, store: TableStore) -> Answer:
    """Price a whole table, ``game`` and ``table``, and each of its rules: ``rules`` is None until they are known."""
    _, odds = _game(asked)
    value = odds.game(asked["table"], store)
    exact = str(value.value) if value.figure == "value" and value.method.exact else None
    known = {"figure": value.figure, "value": float(value.value), "fraction": exact, **_method(value.method)}
    if value.variance is not None:
        known["variance"] = float(value.variance)
    try:
        prices = odds.rule_prices(asked["table"], store)
        return known | {"rules": {name: float(price) for name, price in prices.items()}}
    except NotBuilt as error:
        return known | {"rules": None, "missing": error.args[0]}


def _holds(asked: Fields, store: TableStore) -> Answer:
    """List the common holds at ``game`` and ``table``, best first."""
    game, odds = _game(asked)
    if not isinstance(odds, OrderingHolds):
        raise NoOdds(f"no cards are held in {game.spec.code}")
    holds = odds.common_holds(asked["table"], store)
    return {
        "holds": [
            {
                "label": [hold.label.code, dict(hold.label.args)],
                "wilds": hold.wilds,
                "value": hold.value,
                "share": hold.share,
                "cards": format_cards(hold.hand),
                "held": list(hold.positions),
            }
            for hold in holds
        ]
    }


def _review(asked: Fields, store: TableStore) -> Answer:
    """Review a finished hand: ``line`` is its notation."""
    record = loads(asked["line"])
    game = GAMES[record.game]
    return review(game, odds_of(game), record.setup, record.moves, store)


def _ready(asked: Fields, store: TableStore) -> Answer:
    """Open the tables that a decision needs at ``game`` and ``table``."""
    _, odds = _game(asked)
    odds.prepare(asked["table"], store)
    return {}


def _game(asked: Fields) -> tuple[AnyGame, AnyOdds]:
    game = GAMES.get(asked["game"])
    if game is None:
        raise SetupError("no such game")
    return game, odds_of(game)


def _method(method: Method) -> Answer:
    return {"exact": method.exact, "method": method.name, "error_share": method.error}


ABOUT: Final[Mapping[str, Callable[[Fields, TableStore], Answer]]] = {
    "spot": _spot,
    "step": _step,
    "game": _game_value,
    "holds": _holds,
    "ready": _ready,
    "review": _review,
    "chart": chart,
    "index": count_indices,
}
"""Functions that answer, by the kind of question."""
