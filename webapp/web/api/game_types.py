"""Types in answers that depend on the games there are: their classes are looked up in the games themselves."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Annotated, get_args, get_type_hints

from webapp.engine.game import AnyGame, GameRules, View
from webapp.engine.games import COMPANY, GAMES, SOLO


@dataclass(frozen=True, slots=True)
class OneOf:
    """A mark in ``Annotated``: the value is of one of these classes."""

    classes: Callable[[], tuple[type, ...]]


def _rules(games: Iterable[AnyGame]) -> tuple[type, ...]:
    return tuple(get_type_hints(type(game).rules)["return"] for game in games)


def _views(games: Iterable[AnyGame]) -> tuple[type, ...]:
    return tuple(get_type_hints(type(game).view)["return"] for game in games)


def _hands_of_seats() -> tuple[type, ...]:
    (view,) = _views([COMPANY])
    seat, _ = get_args(get_type_hints(view)["seats"])
    hand, _ = get_args(get_type_hints(seat)["hands"])
    return (hand,)


AnyRules = Annotated[GameRules, OneOf(lambda: _rules(GAMES.values()))]
SoloRules = Annotated[GameRules, OneOf(lambda: _rules(SOLO.values()))]
SharedRules = Annotated[GameRules, OneOf(lambda: _rules([COMPANY]))]
AnyView = Annotated[View, OneOf(lambda: _views(GAMES.values()))]
SoloView = Annotated[View, OneOf(lambda: _views(SOLO.values()))]
SharedView = Annotated[View, OneOf(lambda: _views([COMPANY]))]
SharedHandView = Annotated[object, OneOf(_hands_of_seats)]
"""A hand of a seat, as in a shared view."""
